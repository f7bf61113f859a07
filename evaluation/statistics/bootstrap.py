"""Cluster bootstrap: which clusters every resample drew, and the means that follow, as one matrix product.

Every sum here is a sum of whole numbers that the floating-point type holds exactly. So the order of summation, and with
it the linear algebra library, the number of threads, the size of the blocks and the other systems in the same product,
cannot change a bit of the outcome.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.errors import check_clusters, check_resamples

UNIT = 2520 << 20
"""Outcomes are counted in 1/UNIT; halves to tenths are whole numbers of it."""

LEVEL = 0.95
_DRAW_ROWS = 256
_PRODUCT_ROWS = 1024
_SUM_COLUMNS = 64
_EXACT_FLOAT32 = 1 << 24


class Means(NamedTuple):
    """What resampling says about systems.

    Attributes:
        value: float64 (systems), the means over the items.
        deviations: float32 (systems × resamples), the mean of each resample minus the mean over the items.
    """

    value: NDArray[np.float64]
    deviations: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """Resamples of the clusters of a board, kept so that one more system costs one more column.

    A resample draws as many clusters as there are, with replacement, and takes all items of each. Clusters differ in
    size, so resamples do too, and the mean of a resample is a ratio: its sum over its number of items.

    Source: the cluster (block) bootstrap; Davison and Hinkley, Bootstrap Methods and their Application, section 3.8;
    percentile interval, section 5.3.

    Attributes:
        n_items: Number of items.
        sizes: int64 (clusters), items in each cluster, in the order of the labels; each as often as it weighs.
        counts: uint8 (resamples × clusters), how often a cluster was drawn.
        weights: int64 (resamples), number of items in each resample.
    """

    n_items: int
    sizes: NDArray[np.int64]
    counts: NDArray[np.uint8]
    weights: NDArray[np.int64]
    _order: NDArray[np.intp]

    @classmethod
    def draw(cls, clusters: ArrayLike, resamples: int, rng: np.random.Generator) -> Self:
        """Draw resamples.

        Args:
            clusters: int (items), equal numbers for items that stand and fall together, such as those on one clip.
            resamples: How many, 40 or more.
            rng: Seeded generator; the same state gives the same resamples.

        Raises:
            StatisticsError: Clusters that are not whole numbers, or too few resamples.

        >>> Resampling.draw([7, 7, 3], 40, np.random.default_rng(1)).sizes
        array([1, 2])
        """
        labels = check_clusters(clusters)
        _, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
        counts = _draw_counts(len(sizes), check_resamples(resamples), rng)
        order = np.argsort(index, kind="stable")
        is_even = bool((sizes == sizes[:1]).all())
        weights = np.full(resamples, sizes.sum(), np.int64) if is_even else _weigh(counts, sizes)
        return cls(len(labels), sizes.astype(np.int64), counts, weights, order)

    def weigh_clusters(self, weights: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return how much the items of each cluster weigh together, from what each item weighs."""
        if not self.n_clusters:
            return np.zeros(0, np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(weights[self._order].astype(np.int64), self._starts())
        return sums

    def weighted(self, weights: NDArray[np.integer]) -> Self:
        """Return the same resamples of items that count not at all, once, or several times.

        Clusters of no weight are left out. What follows is a mean over the items in which each counts as often as it
        weighs, and so is the mean of a resample: a ratio whose denominator differs from one resample to the next.

        Args:
            weights: int (items), 0 or more, of a resampling as it was drawn.
        """
        if (weights == 1).all():
            return self
        sizes = self.weigh_clusters(weights)
        counts = self.counts[:, sizes > 0]
        sizes = sizes[sizes > 0]
        order = np.repeat(self._order, weights[self._order])
        return type(self)(int(weights.sum()), sizes, counts, _weigh(counts, sizes), order)

    @property
    def resamples(self) -> int:
        """Number of resamples."""
        return len(self.counts)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    def sum_clusters(self, outcomes: NDArray[np.floating]) -> NDArray[np.int64]:
        """Return the sums of outcomes (items × systems) over each cluster, in 1/UNIT: clusters × systems."""
        # A system's sums lie together, as the product wants them.
        sums = np.empty((outcomes.shape[1], self.n_clusters), np.int64).T
        if not self.n_clusters:
            return sums
        starts = self._starts()
        for at in range(0, outcomes.shape[1], _SUM_COLUMNS):
            block = outcomes[self._order, at : at + _SUM_COLUMNS].astype(np.float64)
            fixed = np.rint(block * UNIT).astype(np.int64)
            np.add.reduceat(fixed, starts, axis=0, out=sums[:, at : at + _SUM_COLUMNS])
        return sums

    def mean(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean of each system over all items from its cluster sums; NaN without items."""
        if not self.n_items:
            return np.full(sums.shape[1], np.nan)
        mean: NDArray[np.float64] = sums.sum(axis=0) / (float(UNIT) * self.n_items)
        return mean

    def resample(self, sums: NDArray[np.int64]) -> Means:
        """Return mean and resampled deviations of every system from its cluster sums.

        The product runs in float32 on a grid that is coarse enough for every sum to be exact. Outcomes off the grid
        (none that is a multiple of a half to a tenth, below 6,000 items) are rounded to it, which moves the deviations
        by less than a thousandth of their standard error; the mean itself is never rounded. A resample that drew
        nothing of some weighted items says nothing: its deviation is 0.
        """
        dtype, grid = self._pick_grid()
        coarse = np.rint(sums.T * (grid / UNIT)).astype(dtype)
        centre = coarse.sum(axis=1, dtype=np.float64) / (float(grid) * max(self.n_items, 1))
        deviations = np.empty((sums.shape[1], self.resamples), np.float32)
        for rows, means in self._multiply(coarse, grid):
            np.subtract(means, centre[:, None], out=deviations[:, rows], casting="same_kind")
        if not self.weights.all():
            deviations[:, self.weights == 0] = 0
        return Means(self.mean(sums), deviations)

    def resample_exactly(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the resampled means (systems × resamples) in float64, nothing rounded; for few systems."""
        means = np.empty((sums.shape[1], self.resamples))
        for rows, block in self._multiply(sums.T.astype(np.float64), UNIT):
            means[:, rows] = block
        return means

    def sum_resamples(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what sums over clusters (clusters × columns) come to in every resample (resamples × columns).

        Nothing is rounded as long as a resample's sum is below 2^53.
        """
        totals = np.empty((self.resamples, sums.shape[1]))
        columns = sums.astype(np.float64)
        for at in range(0, self.resamples, _PRODUCT_ROWS):
            rows = slice(at, at + _PRODUCT_ROWS)
            np.matmul(self.counts[rows].astype(np.float64), columns, out=totals[rows])
        return totals

    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum(self.sizes) - self.sizes

    def _pick_grid(self) -> tuple[type[np.float32 | np.float64], int]:
        steps = _EXACT_FLOAT32 // max(int(self.weights.max()), 1)
        unit = 2520 if steps >= 2520 else 60
        return (np.float32, steps // unit * unit) if steps >= unit else (np.float64, UNIT)

    def _multiply(self, sums: NDArray[np.floating], grid: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (which resamples, systems × those resamples of means), a block at a time to bound memory."""
        for at in range(0, self.resamples, _PRODUCT_ROWS):
            rows = slice(at, at + _PRODUCT_ROWS)
            drawn = self.counts[rows].astype(sums.dtype)
            yield rows, (sums @ drawn.T) / (float(grid) * np.maximum(self.weights[rows], 1))


def interval_of(resampled: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the percentile interval of each row: the k-th smallest and the k-th largest resample.

    k = 2.5 % of (resamples + 1), rounded down, so that the interval excludes a value exactly when the two-sided p-value
    with the add-one rule is at most 5 %.

    >>> interval_of(np.arange(1.0, 100.0)[None])
    (array([2.]), array([98.]))
    """
    n_systems, resamples = resampled.shape
    k = int((1 - LEVEL) / 2 * (resamples + 1) + 1e-9)
    low, high = np.empty(n_systems), np.empty(n_systems)
    for system, row in enumerate(resampled):
        ordered = np.sort(row)
        low[system], high[system] = ordered[k - 1], ordered[resamples - k]
    return low, high


def _draw_counts(n_clusters: int, resamples: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    counts = np.zeros((resamples, n_clusters), np.uint8)
    if not n_clusters:
        return counts
    for at in range(0, resamples, _DRAW_ROWS):
        rows = counts[at : at + _DRAW_ROWS]
        # 64-bit draws: narrower ones are cut from a word whose rest is lost at the end of each block.
        drawn = rng.integers(n_clusters, size=rows.shape)
        drawn += np.arange(len(rows))[:, None] * n_clusters
        # A cluster that is drawn 256 times would wrap; among 256 clusters or more its chance is below 1e-500.
        rows[:] = np.bincount(drawn.ravel(), minlength=rows.size).reshape(rows.shape)
    return counts


def _weigh(counts: NDArray[np.uint8], sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    weights = np.empty(len(counts), np.int64)
    for at in range(0, len(counts), _DRAW_ROWS):
        weights[at : at + _DRAW_ROWS] = counts[at : at + _DRAW_ROWS].astype(np.float64) @ sizes.astype(np.float64)
    return weights
