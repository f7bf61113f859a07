"""Confidence intervals and rank ranges of board rows, from item-level outcomes.

Only evaluators can compute them, because outcomes are sealed. The results depend on the board's revision, the answer
key and the outcomes only, so that recomputing a board gives the same bytes. See
docs/decisions/018-standings.md.
"""

import logging
import math
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from db.records import SealedOutcomes, StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import (
    Clusters,
    Estimator,
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
from submissions.keys.sealing import SealError
from submissions.scoring.outcomes import unseal_outcomes

_LOG = logging.getLogger(__name__)
# Increases with every change to the computation; boards computed before are then computed again.
INTERVALS_VERSION = "6"
RESAMPLES = 10_000
# Maximum of scores times systems that are resampled for one revision; a thousand take about a second.
MAX_RESAMPLED = 10_000
# Interval ends are rounded to a hundredth of a point: more digits would only reveal single answers.
_STEPS = 10_000
# Tolerance between a score and its outcomes; chains of critics whose scores have many decimals come close.
SAME_SCORE = 0.005
_DECIMALS = 12
_KEPT_BYTES = 200_000_000

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a column that have outcomes.

    Attributes:
        standings: Their standings.
        systems: Index of each row among the systems of the board.
        ranked: Which of them have a rank; the others, such as random baselines, have only an interval.
    """

    standings: Sequence[StandingRecord]
    systems: NDArray[np.intp]
    ranked: NDArray[np.bool_]


class Uncertainty:
    """The systems of a board with their outcomes, and resamples of its items."""

    def __init__(
        self,
        benchmark: Benchmark,
        key: AnswerKey,
        outcomes: Mapping[int, Outcomes],
        *,
        board: str,
        revision: int,
        names: Mapping[int, str] | None = None,
    ) -> None:
        """Take the outcomes of evaluations, the seed text of the resamples, and the models' names by evaluation.

        The random stream is secret: known resamples would turn many interval ends into equations for the answers.
        """
        self._benchmark = benchmark
        self._key = key
        self._names = names or {}
        self._evaluations = {evaluation_id: system for system, evaluation_id in enumerate(sorted(outcomes))}
        self._outcomes = [outcomes[evaluation_id] for evaluation_id in self._evaluations]
        self._tables: dict[str, Table] = {}
        rng = stream(key.seed, f"standings|{benchmark.id}|{benchmark.version}|{board}|{revision}")
        self._n_resampled = 0
        self._drawn = Resampling.draw(benchmark.cluster_items(key), RESAMPLES, rng)

    def add_to(self, standings: Sequence[StandingRecord]) -> list[StandingRecord]:
        """Return standings with intervals, and with rank ranges for those with a rank.

        Default columns come first; if resampling all columns of a large board would take too long, the last columns get
        none.
        """
        lower_is_better = {metric.id for metric in self._benchmark.metrics if not metric.higher_is_better}
        groups = self._group(standings)
        known: dict[tuple[str, str, str], StandingRecord] = {}
        for column in sorted(self._benchmark.columns, key=lambda column: not column.shown):
            formulas = self._list_formulas(column, groups[column.key]) if column.key in groups else []
            n_rows = sum(len(rows.standings) for _, rows in formulas)
            if not n_rows or not self.reserve(column, n_rows):
                continue
            for formula, rows in formulas:
                for standing in self._resample(formula, rows, lower_is_better=column.metric in lower_is_better):
                    known[_name(standing)] = standing
        return [known.get(_name(standing), standing) for standing in standings]

    def reserve(self, column: Column, n_rows: int) -> bool:
        """Return whether the scores of a column get intervals within the limit of a revision; if so, count them.

        Default columns always do.
        """
        if self._n_resampled + n_rows > MAX_RESAMPLED and not column.shown:
            return False
        self._n_resampled += n_rows
        return True

    def _group(self, standings: Sequence[StandingRecord]) -> dict[str, _Rows]:
        groups: dict[str, list[StandingRecord]] = {}
        for standing in standings:
            if standing.value is not None and standing.evaluation_id in self._evaluations:
                groups.setdefault(standing.key, []).append(standing)
        return {key: self._lay_out(group) for key, group in groups.items()}

    def _lay_out(self, group: Sequence[StandingRecord]) -> _Rows:
        systems = np.array([self._evaluations[standing.evaluation_id] for standing in group])
        return _Rows(group, systems, np.array([standing.rank is not None for standing in group]))

    def _list_formulas(self, column: Column, rows: _Rows) -> list[tuple[ScoreFormula, _Rows]]:
        """Return how the scores of a column follow from items: in one way for all rows, or separately for each model.

        Accuracy on a model's own traces, for example, covers other items for every model, so its rows have intervals
        and no rank ranges.
        """
        formula = self._benchmark.find_formula(self._key, column.slice, column.metric)
        if formula is not None:
            return [(formula, rows)]
        by_model: dict[str, list[int]] = {}
        for index, standing in enumerate(rows.standings):
            if name := self._names.get(standing.evaluation_id):
                by_model.setdefault(name, []).append(index)
        found: list[tuple[ScoreFormula, _Rows]] = []
        for name, indices in by_model.items():
            own = self._benchmark.find_own_formula(self._key, column.slice, column.metric, name)
            if own is not None:
                group = [rows.standings[index] for index in indices]
                found.append((own, _Rows(group, rows.systems[indices], np.zeros(len(indices), np.bool_))))
        return found

    def _resample(self, formula: ScoreFormula, rows: _Rows, *, lower_is_better: bool) -> list[StandingRecord]:
        estimator = Estimator(formula, self._drawn)
        if not estimator.has_interval:
            return []
        covered = self._is_covered(formula, rows)
        placed, pinned = (np.flatnonzero(covered & (rows.ranked == has_place)) for has_place in (True, False))
        found: list[StandingRecord] = []
        if placed.size:
            board = ResampledBoard(estimator, self._scores_of(formula, rows.systems[placed])).standings()
            group = [rows.standings[row] for row in placed.tolist()]
            found += _add_ranges(_add_intervals(group, board.value, board.low, board.high), board, lower_is_better)
        if pinned.size:
            estimate = estimator.estimate(self._scores_of(formula, rows.systems[pinned]))
            group = [rows.standings[row] for row in pinned.tolist()]
            found += _add_intervals(group, estimate.value, estimate.low, estimate.high)
        return found

    def _is_covered(self, formula: ScoreFormula, rows: _Rows) -> NDArray[np.bool_]:
        """Return which rows have every score that the column is computed from."""
        covered = np.ones(len(rows.systems), np.bool_)
        for mean in list_item_means(formula):
            scores = self._table(mean.score)[mean.weights > 0][:, rows.systems]
            covered &= ~np.isnan(scores).any(axis=0)
        return covered

    def _scores_of(self, formula: ScoreFormula, systems: NDArray[np.intp]) -> dict[str, Table]:
        names = {mean.score for mean in list_item_means(formula)}
        return {name: self._table(name)[:, systems] for name in sorted(names)}

    def _table(self, score: str) -> Table:
        """Return a score of all systems (items × systems), from a cache of the last ones."""
        table = self._tables.pop(score, None)
        if table is None:
            scores = (self._benchmark.score_items(self._key, one, score) for one in self._outcomes)
            table = np.stack(list(scores), axis=1)
        self._tables[score] = table
        while len(self._tables) > 1 and len(self._tables) * table.nbytes > _KEPT_BYTES:
            self._tables.pop(next(iter(self._tables)))
        return table


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
    benchmark: Benchmark, key: AnswerKey, setting: str, outcomes: Collection[Outcomes] = ()
) -> float | None:
    """Return the detectable difference of a board of this size; None if it is undefined.

    It applies to the column of `find_detectable_column`, for two systems that are correct on different items half of
    the time, and whose differences are as correlated within recordings as those of the board's systems; uncorrelated if
    there are fewer than two systems. See `detectable_on_board`.

    Args:
        benchmark: Benchmark version.
        key: Answer key of the questions.
        setting: Setting of the board.
        outcomes: Outcomes of the board's systems.
    """
    column = find_detectable_column(benchmark, setting, benchmark.content(key).parts)
    formula = benchmark.find_formula(key, column.slice, column.metric) if column is not None else None
    n_items = count_independent_items(formula) if formula is not None else None
    if formula is None or n_items is None:
        return None
    weighing = np.any([mean.weights > 0 for mean in list_item_means(formula)], axis=0)
    clusters = benchmark.cluster_items(key)
    n_clusters = len(np.unique(clusters[weighing]))
    correlation = correlate_differences(_center(benchmark, key, formula, outcomes), Clusters.of(clusters))
    return detectable_on_board(int(n_items), min(n_clusters, int(n_items)), correlation=correlation or 0.0)


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


def read_outcomes(benchmark: Benchmark, key: AnswerKey, sealed: Mapping[int, SealedOutcomes]) -> dict[int, Outcomes]:
    """Return the outcomes that this key can open; others are logged and left out."""
    item_ids = tuple(item.id for item in benchmark.content(key).items)
    found = {}
    for evaluation_id, one in sealed.items():
        if one.n_items != len(item_ids):
            _LOG.error("evaluation %d has outcomes of %d items, not of %d", evaluation_id, one.n_items, len(item_ids))
            continue
        try:
            choices, correct, verdicts, scores = unseal_outcomes(key, evaluation_id, one)
        except SealError as error:
            _LOG.error("%s", error)
            continue
        found[evaluation_id] = Outcomes(item_ids, correct, choices, verdicts, scores)
    return found


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
