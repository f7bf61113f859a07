"""Values, confidence intervals and simultaneous rank ranges of all systems of a board."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.estimator import EstimatedScore, Estimator
from evaluation.statistics.intervals import LEVEL
from evaluation.statistics.maxima import differences_from, largest_differences
from evaluation.statistics.resamples import Resampling
from evaluation.statistics.score_formulas import ItemMean, Scores

_EXACT_FLOAT32 = 1 << 24
_ROUNDING = 1e-6
_OUTCOME = "outcome"

Outcomes = ArrayLike | Scores


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """Standings of a board's systems; every array is in the order of the systems.

    Attributes:
        value: float64, mean outcome over the items in [0, 1]; NaN without items.
        low: float64, lower end of the 95 % interval of the value alone; NaN with fewer than two clusters.
        high: float64, upper end.
        rank_low: int64, 1 + the number of systems that are significantly better: the best possible rank.
        rank_high: int64, the number of systems, including itself, that are not significantly worse.
        critical: The studentised difference above which a pair counts as different; None with fewer than two clusters
            or two systems.
        n_items: Number of items; of the smallest edition if there are several.
        n_clusters: Number of clusters, likewise.
    """

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    critical: float | None
    n_items: int
    n_clusters: int


def standings(outcomes: ArrayLike, clusters: ArrayLike, *, resamples: int, rng: np.random.Generator) -> Standings:
    """Rank the systems of a board, with intervals and with rank ranges.

    Interval: see `evaluation.statistics.intervals`. Rank range: two systems differ significantly if |Σ D| / √(Σ D²)
        exceeds the 95 % quantile, over resamples, of the largest such value among all pairs; D is the difference
        between both systems' sums over a cluster, and a resample flips some clusters for all pairs (max-t, one step).
        Then with 95 % confidence no pair at all is called wrongly, so all ranges hold together. D is not centred before
        it is squared: that is the variance if both are equally good, and flips do not change it. So a pair that differs
        in few clusters is never far apart, however few clusters there are.

    Undefined: without items values are NaN; with one cluster there is no interval and every range is the whole board. A
        pair that differs in no cluster is excluded from the maxima and is tied.

    A system's value and interval depend only on its own outcomes, the clusters and the state of `rng`: not on the other
    systems, nor on the machine. Memory grows with systems × resamples and systems².

    Args:
        outcomes: items × systems, fractions in [0, 1], higher is better.
        clusters: int (items), equal numbers for items of one cluster, such as those on one clip.
        resamples: Number of resamples, 40 or more.
        rng: Seeded generator.

    Raises:
        StatisticsError: Shapes do not fit, values are NaN (a system does not cover all items) or outside [0, 1].

    Source: max-t after Romano and Wolf, Econometrica 73 (2005), one step; sign flips under the null: Cameron, Gelbach
    and Miller, Review of Economics and Statistics 90 (2008); ranges of ranks after Mogstad, Romano, Shaikh and Wilhelm,
    Review of Economic Studies 91 (2024).

    >>> table = np.repeat([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], 50, axis=0)
    >>> board = standings(table, range(100), resamples=999, rng=np.random.default_rng(1))
    >>> board.rank_low.tolist(), board.rank_high.tolist()
    ([1, 2, 3], [1, 2, 3])
    """
    return ResampledBoard(Resampling.draw(clusters, resamples, rng), outcomes).standings()


class ResampledBoard:
    """Systems on the same resamples, to which one more can be added without recomputing the others.

    >>> table = np.repeat([[1.0, 0.0], [1.0, 1.0]], 50, axis=0)
    >>> board = ResampledBoard(Resampling.draw(range(100), 999, np.random.default_rng(1)), table)
    >>> board.add(np.zeros(100))
    >>> board.standings().rank_low.tolist()
    [1, 2, 3]
    """

    def __init__(self, drawn: Resampling | Estimator, outcomes: Outcomes) -> None:
        """Resample all systems; see `standings` for arguments and errors.

        Args:
            drawn: Resamples of the items, or a score on them; for resamples alone, the mean over all items is ranked.
            outcomes: items × systems; for a score, one such table per item score.
        """
        self._estimator = estimator = estimate_mean(drawn)
        estimate = estimator.estimate(name_scores(outcomes))
        resamples = estimator.drawn.resamples
        self._has_ranks = estimator.linear.n_clusters > 1
        self._n = n = len(estimate.value)
        self._tail = count_tail(resamples)
        self._maxima = np.zeros(resamples, np.float32)
        # Spare rows, so that adding a system does not copy the others; unwritten pages take no memory.
        spare = n + max(16, n // 8)
        self._value = np.full(spare, np.nan)
        self._low, self._high = self._value.copy(), self._value.copy()
        self._turned = np.empty((spare, resamples), np.float32)
        self._additions = np.empty((spare, estimator.linear.n_clusters))
        self._precision = np.zeros((spare, spare), np.float32)
        self._fill_rows(slice(0, n), estimate)
        del estimate
        if self._has_ranks and n > 1:
            additions = self._additions[:n]
            self._precision[:n, :n] = self._find_precision(additions @ additions.T, slice(0, n))
            self._maxima = largest_differences(self._turned[:n], self._precision[:n, :n], self._tail)

    def add(self, outcomes: Outcomes) -> None:
        """Add one system as the last one of the board.

        Args:
            outcomes: (items), see `standings`.

        Raises:
            StatisticsError: See `standings`; the board stays unchanged.
        """
        scores = name_scores(outcomes)
        columns = {name: np.atleast_1d(np.asarray(column))[:, None] for name, column in scores.items()}
        estimate = self._estimator.estimate(columns)
        n = self._n
        if n == len(self._value):
            self._grow()
        self._fill_rows(slice(n, n + 1), estimate)
        self._n = n + 1
        if self._has_ranks and n:
            row = self._find_precision(self._additions[n : n + 1] @ self._additions[: n + 1].T, slice(n, n + 1))[0]
            self._precision[n, :n] = self._precision[:n, n] = row[:n]
            new = differences_from(self._turned[n], self._turned[:n], row[:n])
            # The maxima below the tail are lower bounds; more pairs only raise the tail, so it stays exact.
            np.maximum(self._maxima, new, out=self._maxima)

    def standings(self) -> Standings:
        """Return the standings of the systems."""
        n = self._n
        critical = find_critical(self._maxima) if self._has_ranks and n > 1 else None
        rank_low, rank_high = find_rank_ranges(self.find_leads(), critical)
        return Standings(
            value=self._value[:n].copy(),
            low=self._low[:n].copy(),
            high=self._high[:n].copy(),
            rank_low=rank_low,
            rank_high=rank_high,
            critical=critical,
            n_items=self._estimator.linear.n_items,
            n_clusters=self._estimator.linear.n_clusters,
        )

    @property
    def maxima(self) -> NDArray[np.float32]:
        """Largest studentised difference of each resample: exact in the upper 5 %, a lower bound below."""
        return self._maxima

    def find_leads(self) -> NDArray[np.float64]:
        """Return the studentised lead of each system (row) over each other one (column)."""
        n = self._n
        if not self._has_ranks:
            return np.zeros((n, n))
        value = self._value[:n]
        lead = (value[:, None] - value) * (self._estimator.linear.n_items * self._find_scale())
        leads: NDArray[np.float64] = lead * self._precision[:n, :n]
        return leads

    def _fill_rows(self, rows: slice, estimate: EstimatedScore) -> None:
        """Set value, interval, contributions and their sums after flips, for some systems."""
        self._value[rows] = estimate.value
        if not self._has_ranks:
            return
        self._low[rows], self._high[rows] = estimate.low, estimate.high
        whole = np.rint(estimate.additions * self._find_scale())
        self._additions[rows] = whole
        self._turned[rows] = self._estimator.drawn.turn(whole, self._estimator.linear.used)

    def _find_scale(self) -> float:
        """Return the steps per unit of a contribution for which float32 sums over all clusters are exact."""
        return find_exact_scale(self._estimator.linear.most)

    def _find_precision(self, products: NDArray[np.float64], rows: slice) -> NDArray[np.float32]:
        """Return 1 / √(Σ D²) of each pair, from sums of products of contributions; 0 for pairs that do not differ."""
        squares = np.square(self._additions[: rows.stop]).sum(axis=1)
        products *= -2
        products += squares[rows, None]
        products += squares
        # Rounding moves a contribution by half a step, two systems' by one: smaller differences in every cluster are
        # none.
        products[products <= self._estimator.linear.n_clusters] = np.inf
        return (1 / np.sqrt(products)).astype(np.float32)

    def _grow(self) -> None:
        """Double the capacity."""
        wider = 2 * len(self._value)
        for name in ("_value", "_low", "_high", "_turned", "_additions"):
            old = getattr(self, name)
            new = np.empty((wider, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
        precision = np.zeros((wider, wider), np.float32)
        precision[: self._n, : self._n] = self._precision[: self._n, : self._n]
        self._precision = precision


def count_tail(resamples: int) -> int:
    """Return the number of resamples whose maxima exceed or equal the critical value."""
    return max(1, int((1 - LEVEL) * (resamples + 1) + 1e-9))


def find_critical(maxima: NDArray[np.float32]) -> float:
    """Return the 95 % quantile of the largest studentised differences of all resamples."""
    at = len(maxima) - count_tail(len(maxima))
    return float(np.partition(maxima, at)[at])


def find_rank_ranges(leads: NDArray[np.float64], critical: float | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the best and the worst possible rank of each system.

    Args:
        leads: Studentised lead of each system (row) over each other one (column).
        critical: The lead above which a system is significantly better; None if no pair can differ.
    """
    n = len(leads)
    rank_low, rank_high = np.ones(n, np.int64), np.full(n, n, np.int64)
    if critical is not None:
        # Both are rounded: values that a resample reaches are not beyond it.
        better = leads > critical * (1 + _ROUNDING)
        rank_low += better.sum(axis=0)
        rank_high -= better.sum(axis=1)
    return rank_low, rank_high


def find_exact_scale(most: NDArray[np.float64]) -> float:
    """Return the steps per unit of a contribution for which float32 sums over all clusters are exact.

    Args:
        most: float64 (clusters), upper bound of the size of each contribution.
    """
    return float(2.0 ** int(np.floor(log2(_EXACT_FLOAT32 / (float(most.sum()) + len(most))))))


def estimate_mean(drawn: Resampling | Estimator) -> Estimator:
    """Return the score to rank; for resamples alone, the mean over all items."""
    if isinstance(drawn, Estimator):
        return drawn
    return Estimator(ItemMean(_OUTCOME, np.ones(drawn.clusters.n_items, np.int64)), drawn)


def name_scores(outcomes: Outcomes) -> Scores:
    """Return outcomes as scores by name; a single table gets the name of the only score."""
    return outcomes if isinstance(outcomes, Mapping) else {_OUTCOME: outcomes}
