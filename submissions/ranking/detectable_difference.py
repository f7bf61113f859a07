"""Detectable difference of a board: which column states it, and how large it is.

Editions are added one by one, while what depends on their questions is at hand (`edition_systems.py`).
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

import numpy as np

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import (
    Clusters,
    ScoreFormula,
    correlate_differences,
    count_independent_items,
    detectable_on_board,
    list_item_means,
    list_shares,
)
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.edition_systems import EditionSystems, Table

# Editions whose rows the correlation of a detectable difference is the average of.
_MAX_CORRELATED = 10


def list_possible_columns(benchmark: Benchmark, setting: str, held: Collection[str]) -> Iterator[Column]:
    """Yield the columns that a row scored here can have: the board's opening column, then the default columns.

    Args:
        benchmark: Benchmark version.
        setting: Setting of the board.
        held: Parts whose questions are installed.
    """
    parts = frozenset(part.id for part in benchmark.parts)
    here = benchmark.parts_of(setting).intersection(held)
    for column in (benchmark.headline_of(setting), *benchmark.columns_of(setting)):
        part = column.slice.split("/")[0]
        if (frozenset({part}) if part in parts else parts) <= here:
            yield column


def find_detectable_column(benchmark: Benchmark, setting: str, held: Collection[str]) -> Column | None:
    """Return the column whose detectable difference a board states; None if no row can have any.

    It is the board's opening column or, if that covers parts that are not installed, the first default column that rows
    can have. No key is needed, so that readers of the number can name its column.

    Args:
        benchmark: Benchmark version.
        setting: Setting of the board.
        held: Parts whose questions are installed.
    """
    return next(list_possible_columns(benchmark, setting, held), None)


class DetectableDifference:
    """Detectable difference of a board of this size.

    It applies to the column of `find_detectable_column`, for two systems that are correct on different items half of
    the time, and whose differences are as correlated within recordings as those of the board's systems; uncorrelated if
    there are fewer than two systems. See `detectable_on_board`.

    If any row answered an edition, the two systems answer different editions: then differences are as correlated as the
    scores of single systems are, on average over the rows of up to ten editions. Two systems that are correct half of
    the time, independently, differ on half of the items, so the rest of the computation is the same.
    """

    def __init__(
        self, benchmark: Benchmark, key: AnswerKey, setting: str, editions: Mapping[str, EditionOutcomes]
    ) -> None:
        """Take the size of the board.

        Args:
            benchmark: Benchmark version.
            key: Answer key of the shared test split.
            setting: Setting of the board.
            editions: Edition → outcomes of the board's systems.
        """
        self._benchmark = benchmark
        self._column = find_detectable_column(benchmark, setting, benchmark.content(key).parts)
        self._size = self._find_size(key)
        self._are_apart = any(group.edition for group in editions.values())
        self._editions = dict(islice(editions.items(), _MAX_CORRELATED if self._size else 0))
        self._correlations: dict[str, list[float]] = {}

    def add_edition(self, systems: EditionSystems) -> None:
        """Add the systems of an edition, if it is one of those that the correlation is averaged over."""
        if systems.edition in self._editions and systems.edition not in self._correlations:
            self._correlations[systems.edition] = self._correlate(systems)

    def find_value(self) -> float | None:
        """Return the detectable difference; None if it is undefined. Editions that were not added are derived."""
        for group in self._editions.values():
            self.add_edition(EditionSystems(self._benchmark, group, {}))
        known = [one for edition in self._editions for one in self._correlations[edition]]
        correlation = sum(known) / len(known) if known else 0.0
        return detectable_on_board(*self._size, correlation=correlation) if self._size is not None else None

    def _find_size(self, key: AnswerKey) -> tuple[int, int] | None:
        """Return the number of independent items and of clusters; None if items have no fixed share of the score."""
        column = self._column
        formula = self._benchmark.find_formula(key, column.slice, column.metric) if column is not None else None
        n_items = count_independent_items(formula) if formula is not None else None
        if formula is None or n_items is None:
            return None
        weighing = np.any([mean.weights > 0 for mean in list_item_means(formula)], axis=0)
        n_clusters = len(np.unique(self._benchmark.cluster_items(key)[weighing]))
        return int(n_items), min(n_clusters, int(n_items))

    def _correlate(self, systems: EditionSystems) -> list[float]:
        """Return the correlations within recordings of differences between two rows; none if they are unknown."""
        formula = systems.find_formula(self._column) if self._column is not None else None
        if formula is None:
            return []
        clusters = Clusters.of(systems.clusters)
        table = _center_scores(systems, formula)
        # The difference from zero is a system's own score.
        alone = [np.stack([one, np.zeros(len(one))], axis=1) for one in table.T]
        found = [correlate_differences(one, clusters) for one in (alone if self._are_apart else [table])]
        return [one for one in found if one is not None]


def _center_scores(systems: EditionSystems, formula: ScoreFormula) -> Table:
    """Return each item's contribution to the score of each system, minus the system's mean."""
    columns = []
    tables = {mean.score: systems.find_table(mean.score) for mean in list_item_means(formula)}
    n_items = len(systems.clusters)
    for system in range(next(iter(tables.values())).shape[1]):
        added = np.zeros(n_items)
        for mean, share in list_shares(formula, 1.0):
            weighs = mean.weights > 0
            score = tables[mean.score][weighs, system]
            weights = mean.weights[weighs] / mean.weights.sum()
            added[weighs] += share * weights * (score - (weights * score).sum())
        if not np.isnan(added).any():
            columns.append(added)
    return np.stack(columns, axis=1) if columns else np.zeros((n_items, 0))
