"""Confidence intervals and rank ranges of board rows, from item-level outcomes.

Only evaluators can compute them, because outcomes are sealed. The results depend on the board's revision, the answer
key and the outcomes only, so that recomputing a board gives the same bytes. See
docs/decisions/018-standings.md.
"""

import logging
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from db.records import StandingRecord
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import Estimator, JointBoard, ResampledBoard, Resampling, Standings
from evaluation.streams import stream
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.edition_systems import ColumnRows, EditionSystems, Table

_LOG = logging.getLogger(__name__)
# Increases with every change to the computation; boards computed before are then computed again.
INTERVALS_VERSION = "10"
RESAMPLES = 10_000
# Maximum of scores times systems that are resampled for one revision; a thousand take about a second.
MAX_RESAMPLED = 10_000
# A score that is ranked across editions takes about this many times as long: each edition has its own resamples.
_JOINT_COST = 5
# Interval ends are rounded to a hundredth of a point: more digits would only reveal single answers.
_STEPS = 10_000
# Tolerance between a score and its outcomes; chains of critics whose scores have many decimals come close.
SAME_SCORE = 0.005
_DECIMALS = 12
# Memory of the resamples of columns that are ranked across editions.
_HELD_BYTES = 200_000_000
# Memory of what editions keep for later columns; those beyond derive it again.
_KEPT_BYTES = 200_000_000
_ROW_BYTES = 4 * RESAMPLES  # of one row in one column

# Column → edition → rows.
_Groups = Mapping[str, Mapping[str, ColumnRows]]
_Visitor = Callable[[EditionSystems], None]


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
        self._n_resampled = 0

    def add_to(self, standings: Sequence[StandingRecord], visit: _Visitor | None = None) -> list[StandingRecord]:
        """Return standings with intervals, and with rank ranges for those with a rank.

        Default columns come first; if resampling all columns of a large board would take too long, the last columns get
        none.

        Args:
            standings: The standings of a board.
            visit: Called with the systems of each edition while what depends on its questions is at hand.
        """
        groups = self._group_rows(standings)
        columns = [
            column
            for column in sorted(self._benchmark.columns, key=lambda column: not column.shown)
            if (n_rows := self._count_rows(column, groups.get(column.key, {}))) and self.reserve(column, n_rows)
        ]
        known: dict[tuple[str, str, str], StandingRecord] = {}
        batches = list(_split_columns(columns, groups))
        for number, batch in enumerate(batches):
            later = [column for others in batches[number + 1 :] for column in others]
            found = self._resample(batch, later, groups, None if number else visit)
            known |= {_name(standing): standing for standing in found}
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
        others = sum(len(rows.standings) for edition, rows in by_edition.items() if edition != first)
        n_rows = sum(len(rows.standings) for _, rows in formulas) + (others if formulas else 0)
        return n_rows * (_JOINT_COST if len(by_edition) > 1 else 1)

    def _resample(
        self, columns: Sequence[Column], later: Sequence[Column], groups: _Groups, visit: _Visitor | None
    ) -> list[StandingRecord]:
        """Return the rows of some columns with intervals and rank ranges.

        Editions are the outer loop, because the resamples of one are too many to be kept. What its questions determine
        is derived once for all columns, and kept for later ones as long as there is room.
        """
        lower_is_better = {metric.id for metric in self._benchmark.metrics if not metric.higher_is_better}
        boards = {
            column.key: _ColumnBoard(
                is_alone=len(groups[column.key]) == 1, lower_is_better=column.metric in lower_is_better
            )
            for column in columns
        }
        n_bytes = 0
        for edition, systems in self._systems.items():
            own = {key: by_edition[edition] for key, by_edition in groups.items() if edition in by_edition}
            if any(column.key in own for column in columns):
                self._add_edition(edition, boards, [column for column in columns if column.key in own], own)
                if visit is not None:
                    visit(systems)
            n_bytes += systems.keep_columns([column for column in later if column.key in own], own)
            if n_bytes > _KEPT_BYTES:
                n_bytes -= systems.forget_questions()
        return [standing for board in boards.values() for standing in board.list_standings()]

    def _add_edition(
        self,
        edition: str,
        boards: Mapping[str, _ColumnBoard],
        columns: Sequence[Column],
        groups: Mapping[str, ColumnRows],
    ) -> None:
        systems, drawn = self._systems[edition], self._draw_resamples(edition)
        for column in columns:
            for formula, rows in systems.list_formulas(column, groups[column.key]):
                boards[column.key].add_edition(systems, Estimator(formula, drawn), rows)
            systems.forget_column(column)

    def _draw_resamples(self, edition: str) -> Resampling:
        systems = self._systems[edition]
        rng = stream(systems.seed, f"{self._stream}|{edition}" if edition else self._stream)
        return Resampling.draw(systems.clusters, RESAMPLES, rng)


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
