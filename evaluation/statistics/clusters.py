"""Clusters of items, and sums over clusters.

All sums are sums of integers that the type represents exactly. So the order of summation, and with it the linear
algebra library, the number of threads and the other systems in the same table, cannot change any bit of the result.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.errors import check_clusters

UNIT = 2520 << 20
"""Outcomes are counted in 1/UNIT; halves to tenths are integer multiples of it."""

_SUM_COLUMNS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Items grouped into dependent clusters.

    Attributes:
        n_items: Number of items, counted by weight.
        sizes: int64 (clusters), items in each cluster, in the order of the labels; counted by weight.
    """

    n_items: int
    sizes: NDArray[np.int64]
    _order: NDArray[np.intp]

    @classmethod
    def of(cls, labels: ArrayLike) -> Self:
        """Create clusters from the cluster label of each item.

        Args:
            labels: int (items), equal numbers for items of one cluster, such as those on one clip.

        Raises:
            StatisticsError: Labels are not integers.

        >>> Clusters.of([7, 7, 3]).sizes
        array([1, 2])
        """
        checked = check_clusters(labels)
        _, index, sizes = np.unique(checked, return_inverse=True, return_counts=True)
        return cls(len(checked), sizes.astype(np.int64), np.argsort(index, kind="stable"))

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    @property
    def n_effective(self) -> float:
        """Effective number of clusters, the number of equally large ones: (Σ size)² / Σ size²; 0 without items."""
        return float(self.sizes.sum() ** 2 / max(np.square(self.sizes).sum(), 1))

    def weigh_clusters(self, weights: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the total weight of each cluster, from the weight of each item."""
        if not self.n_clusters:
            return np.zeros(0, np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(weights[self._order].astype(np.int64), self._starts())
        return sums

    def weighted(self, weights: NDArray[np.integer]) -> Self:
        """Return the same clusters with items that count zero, one or several times.

        Clusters with zero weight are dropped.

        Args:
            weights: int (items), 0 or more, for the original items.
        """
        if (weights == 1).all():
            return self
        sizes = self.weigh_clusters(weights)
        order = np.repeat(self._order, weights[self._order])
        return type(self)(int(weights.sum()), sizes[sizes > 0], order)

    def add_clusters(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of a table (items × columns) over each cluster: clusters × columns."""
        if not self.n_clusters:
            return np.zeros((0, table.shape[1]))
        sums: NDArray[np.float64] = np.add.reduceat(table[self._order], self._starts(), axis=0)
        return sums

    def sum_clusters(self, outcomes: NDArray[np.floating]) -> NDArray[np.int64]:
        """Return the sums of outcomes (items × systems) over each cluster, in 1/UNIT: clusters × systems."""
        # A system's sums are contiguous, because later steps process one system after the other.
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
        """Return the mean of each system over all items, from its cluster sums; NaN without items."""
        if not self.n_items:
            return np.full(sums.shape[1], np.nan)
        mean: NDArray[np.float64] = sums.sum(axis=0) / (float(UNIT) * self.n_items)
        return mean

    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum(self.sizes) - self.sizes
