"""Confidence intervals and rank ranges of board rows, from item-level outcomes.

Only evaluators can compute them, because outcomes are sealed. The results depend on the board's revision, the answer
key and the outcomes only, so that recomputing a board gives the same bytes. See
docs/decisions/018-standings.md.
"""

import logging
import math
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import (
    Clusters,
    Estimator,
    JointBoard,
    ResampledBoard,
    Resampling,
    ScoreFormula,
    Standings,
    correlate_differences,
    count_independent_items,
    detectable_on_board,
    list_item_means,
    list_shares,
)
from evaluation.streams import stream
from evaluation.types import Outcomes
from submissions.ranking.board_outcomes import ColumnRows, EditionOutcomes, EditionSystems, Table

_LOG = logging.getLogger(__name__)
# Increases with every change to the computation; boards computed before are then computed again.
INTERVALS_VERSION = "9"
RESAMPLES = 10_000
# Maximum of scores times systems that are resampled for one revision; a thousand take about a second.
MAX_RESAMPLED = 10_000
# Editions whose rows the correlation of a detectable difference is the average of: making one again takes 0.2 s.
_MAX_CORRELATED = 10
# A score that is ranked across editions takes about this many times as long: each edition has its own resamples.
_JOINT_COST = 5
# Interval ends are rounded to a hundredth of a point: more digits would only reveal single answers.
_STEPS = 10_000
# Tolerance between a score and its outcomes; chains of critics whose scores have many decimals come close.
SAME_SCORE = 0.005
_DECIMALS = 12
# Memory of the resamples of columns that are ranked across editions, and of one row in one column.
_HELD_BYTES = 200_000_000
_ROW_BYTES = 4 * RESAMPLES

# Column → edition → rows.
_Groups = Mapping[str, Mapping[str, ColumnRows]]


class _ColumnBoard:
    """Rows of a column, added edition by edition, which get intervals and rank ranges together."""

    def __init__(self, *, is_alone: bool, lower_is_better: bool) -> None:
        """Start without rows.

        Args:
            is_alone: Whether all rows answered the same questions.
            lower_is_better: Whether a lower score is better.
        """
        self._is_alone = is_alone
        self._lower_is_better = lower_is_better
        self._joint = JointBoard()
        self._alone: Standings | None = None
        self._placed: list[StandingRecord] = []
        self._pinned: list[StandingRecord] = []

    def add_edition(self, systems: EditionSystems, estimator: Estimator, rows: ColumnRows) -> None:
        """Add the rows of an edition, or of one model in it; without valid intervals they are left out."""
        if not estimator.has_interval:
            return
        formula = estimator.linear.formula
        covered = systems.find_covered(formula, rows)
        placed, pinned = (
            rows.select_rows(np.flatnonzero(covered & (rows.ranked == has_rank)), ranked=has_rank)
            for has_rank in (True, False)
        )
        if placed.standings:
            scores = systems.find_scores(formula, placed)
            if self._is_alone:
                self._alone = ResampledBoard(estimator, scores).standings()
            else:
                self._joint.add_edition(estimator, scores)
            self._placed += placed.standings
        if pinned.standings:
            estimate = estimator.estimate(systems.find_scores(formula, pinned))
            self._pinned += _add_intervals(pinned.standings, estimate.value, estimate.low, estimate.high)

    def list_standings(self) -> list[StandingRecord]:
        """Return all rows with intervals, and with rank ranges for those with a rank."""
        if not self._placed:
            return self._pinned
        found = self._alone or self._joint.standings()
        group = _add_intervals(self._placed, found.value, found.low, found.high)
        return [*_add_ranges(group, found, self._lower_is_better), *self._pinned]


class Uncertainty:
    """The systems of a board with their outcomes, and resamples of the items of each edition."""

    def __init__(
        self,
        benchmark: Benchmark,
        editions: Mapping[str, EditionOutcomes],
        *,
        board: str,
        revision: int,
        names: Mapping[int, str] | None = None,
    ) -> None:
        """Take the outcomes by edition, the seed text of the resamples, and the models' names by evaluation.

        The random streams are secret: known resamples would turn many interval ends into equations for the answers.
        """
        self._benchmark = benchmark
        self._systems = {name: EditionSystems(benchmark, editions[name], names or {}) for name in sorted(editions)}
        self._editions = {one: name for name in self._systems for one in editions[name].outcomes}
        self._stream = f"standings|{benchmark.id}|{benchmark.version}|{board}|{revision}"
        # Formulas of the first edition of each column, which tell how many rows have one.
        self._formulas: dict[tuple[str, str], list[tuple[ScoreFormula, ColumnRows]]] = {}
        self._n_resampled = 0

    def add_to(self, standings: Sequence[StandingRecord]) -> list[StandingRecord]:
        """Return standings with intervals, and with rank ranges for those with a rank.

        Default columns come first; if resampling all columns of a large board would take too long, the last columns get
        none.
        """
        groups = self._group_rows(standings)
        columns = [
            column
            for column in sorted(self._benchmark.columns, key=lambda column: not column.shown)
            if (n_rows := self._count_rows(column, groups.get(column.key, {}))) and self.reserve(column, n_rows)
        ]
        known: dict[tuple[str, str, str], StandingRecord] = {}
        for batch in _split_columns(columns, groups):
            known |= {_name(standing): standing for standing in self._resample(batch, groups)}
        return [known.get(_name(standing), standing) for standing in standings]

    def reserve(self, column: Column, n_rows: int) -> bool:
        """Return whether the scores of a column get intervals within the limit of a revision; if so, count them.

        Default columns always do.
        """
        if self._n_resampled + n_rows > MAX_RESAMPLED and not column.shown:
            return False
        self._n_resampled += n_rows
        return True

    def _group_rows(self, standings: Sequence[StandingRecord]) -> _Groups:
        groups: dict[str, dict[str, list[StandingRecord]]] = {}
        for standing in standings:
            edition = self._editions.get(standing.evaluation_id)
            if standing.value is not None and edition is not None:
                groups.setdefault(standing.key, {}).setdefault(edition, []).append(standing)
        return {
            key: {edition: self._systems[edition].lay_out(group) for edition, group in by_edition.items()}
            for key, by_edition in groups.items()
        }

    def _count_rows(self, column: Column, by_edition: Mapping[str, ColumnRows]) -> int:
        """Return the number of rows of a column that can have intervals, times their cost.

        The first edition stands for the others.
        """
        if not by_edition:
            return 0
        first = min(by_edition)
        formulas = self._systems[first].list_formulas(column, by_edition[first])
        self._formulas[first, column.key] = formulas
        others = sum(len(rows.standings) for edition, rows in by_edition.items() if edition != first)
        n_rows = sum(len(rows.standings) for _, rows in formulas) + (others if formulas else 0)
        return n_rows * (_JOINT_COST if len(by_edition) > 1 else 1)

    def _resample(self, columns: Sequence[Column], groups: _Groups) -> list[StandingRecord]:
        """Return the rows of some columns with intervals and rank ranges.

        Editions are the outer loop, because the resamples of one are too many to be kept.
        """
        lower_is_better = {metric.id for metric in self._benchmark.metrics if not metric.higher_is_better}
        boards = {
            column.key: _ColumnBoard(
                is_alone=len(groups[column.key]) == 1, lower_is_better=column.metric in lower_is_better
            )
            for column in columns
        }
        for edition, systems in self._systems.items():
            if not any(edition in groups[column.key] for column in columns):
                continue
            drawn = self._draw_resamples(edition)
            for column in columns:
                rows = groups[column.key].get(edition)
                if rows is None:
                    continue
                formulas = self._formulas.pop((edition, column.key), None)
                for formula, own in systems.list_formulas(column, rows) if formulas is None else formulas:
                    boards[column.key].add_edition(systems, Estimator(formula, drawn), own)
            systems.forget_scores()
        return [standing for board in boards.values() for standing in board.list_standings()]

    def _draw_resamples(self, edition: str) -> Resampling:
        key = self._systems[edition].key
        rng = stream(key.seed, f"{self._stream}|{edition}" if edition else self._stream)
        return Resampling.draw(self._benchmark.cluster_items(key), RESAMPLES, rng)


def _split_columns(columns: Sequence[Column], groups: _Groups) -> Iterator[list[Column]]:
    """Yield batches of columns whose resamples fit into memory together."""
    batch: list[Column] = []
    n_bytes = 0
    for column in columns:
        by_edition = groups[column.key]
        needed = 0 if len(by_edition) == 1 else sum(len(rows.standings) for rows in by_edition.values()) * _ROW_BYTES
        if batch and n_bytes + needed > _HELD_BYTES:
            yield batch
            batch, n_bytes = [], 0
        batch.append(column)
        n_bytes += needed
    if batch:
        yield batch


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


def find_detectable(
    benchmark: Benchmark, key: AnswerKey, setting: str, editions: Collection[EditionOutcomes] = ()
) -> float | None:
    """Return the detectable difference of a board of this size; None if it is undefined.

    It applies to the column of `find_detectable_column`, for two systems that are correct on different items half of
    the time, and whose differences are as correlated within recordings as those of the board's systems; uncorrelated if
    there are fewer than two systems. See `detectable_on_board`.

    If any row answered an edition, the two systems answer different editions: then differences are as correlated as the
    scores of single systems are, on average over the rows of up to ten editions. Two systems that are correct half of
    the time, independently, differ on half of the items, so the rest of the computation is the same.

    Args:
        benchmark: Benchmark version.
        key: Answer key of the shared test split.
        setting: Setting of the board.
        editions: Outcomes of the board's systems.
    """
    column = find_detectable_column(benchmark, setting, benchmark.content(key).parts)
    formula = benchmark.find_formula(key, column.slice, column.metric) if column is not None else None
    n_items = count_independent_items(formula) if formula is not None else None
    if column is None or formula is None or n_items is None:
        return None
    weighing = np.any([mean.weights > 0 for mean in list_item_means(formula)], axis=0)
    n_clusters = len(np.unique(benchmark.cluster_items(key)[weighing]))
    correlation = _find_correlation(benchmark, column, editions)
    return detectable_on_board(int(n_items), min(n_clusters, int(n_items)), correlation=correlation)


def _find_correlation(benchmark: Benchmark, column: Column, editions: Collection[EditionOutcomes]) -> float:
    """Return the correlation within recordings of the differences between two rows of a board; 0 if it is unknown."""
    are_apart = any(edition.key.edition for edition in editions)
    found = []
    for edition in islice(editions, _MAX_CORRELATED):
        formula = benchmark.find_formula(edition.key, column.slice, column.metric)
        if formula is None:
            continue
        clusters = Clusters.of(benchmark.cluster_items(edition.key))
        systems = _center(benchmark, edition.key, formula, edition.outcomes.values())
        # The difference from zero is a system's own score.
        compared = [np.stack([one, np.zeros(len(one))], axis=1) for one in systems.T] if are_apart else [systems]
        found += [correlate_differences(table, clusters) for table in compared]
    known = [one for one in found if one is not None]
    return sum(known) / len(known) if known else 0.0


def _center(benchmark: Benchmark, key: AnswerKey, formula: ScoreFormula, outcomes: Collection[Outcomes]) -> Table:
    """Return each item's contribution to the score of each system, minus the system's mean."""
    columns = []
    for one in outcomes:
        added = np.zeros(len(benchmark.content(key).items))
        for mean, share in list_shares(formula, 1.0):
            weighs = mean.weights > 0
            score = benchmark.score_items(key, one, mean.score)[weighs]
            weights = mean.weights[weighs] / mean.weights.sum()
            added[weighs] += share * weights * (score - (weights * score).sum())
        if not np.isnan(added).any():
            columns.append(added)
    return np.stack(columns, axis=1) if columns else np.zeros((len(benchmark.content(key).items), 0))


def _add_intervals(group: Sequence[StandingRecord], values: Table, lows: Table, highs: Table) -> list[StandingRecord]:
    """Return standings with intervals, rounded outwards."""
    return [
        standing._replace(low=round_end(low, math.floor), high=round_end(high, math.ceil))
        if _is_same(standing, value)
        else standing
        for standing, value, low, high in zip(group, values.tolist(), lows.tolist(), highs.tolist(), strict=True)
    ]


def _is_same(standing: StandingRecord, value: float) -> bool:
    is_same = abs(value - (standing.value or 0.0)) <= SAME_SCORE
    if not is_same:
        score = f"{standing.key} of evaluation {standing.evaluation_id}"
        _LOG.error("%s is %s, but its outcomes give %s: it has no confidence interval.", score, standing.value, value)
    return is_same


def round_end(end: float, towards: Callable[[float], int]) -> float:
    """Return an end of an interval, rounded outwards to a hundredth of a point."""
    # Six decimals first: 0.29 times 10,000 is a little less than 2,900.
    return towards(round(end * _STEPS, 6)) / _STEPS


def _add_ranges(group: Sequence[StandingRecord], found: Standings, lower_is_better: bool) -> list[StandingRecord]:
    """Return standings with rank ranges.

    A reported score is ranked by value, so both ends of the rank range of every row below it increase by one.
    """
    sign = -1 if lower_is_better else 1
    goodness = [sign * round(standing.value or 0.0, _DECIMALS) for standing in group]
    others = sorted(goodness)
    n_systems = len(group)
    standings = []
    for standing, good, *ends in zip(group, goodness, found.rank_low.tolist(), found.rank_high.tolist(), strict=True):
        place = 1 + n_systems - bisect_right(others, good)
        n_reported_above = (standing.rank or place) - place
        low, high = (n_systems + 1 - end for end in reversed(ends)) if lower_is_better else ends
        has_interval = standing.low is not None
        standings.append(
            standing._replace(rank_low=low + n_reported_above, rank_high=high + n_reported_above)
            if has_interval
            else standing
        )
    return standings


def _name(standing: StandingRecord) -> tuple[str, str, str]:
    return standing.submission_id, standing.slice, standing.metric
