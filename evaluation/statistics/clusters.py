"""Items in clusters, and what each cluster sums to.

Every sum here is a sum of whole numbers that the type holds exactly. So the order of summation, and with it the linear
algebra library, the number of threads and the other systems in the same table, cannot change a bit of the outcome.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.errors import check_clusters

UNIT = 2520 << 20
"""Outcomes are counted in 1/UNIT; halves to tenths are whole numbers of it."""

_SUM_COLUMNS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Items that stand and fall together.

    Attributes:
        n_items: Number of items, each as often as it weighs.
        sizes: int64 (clusters), items in each cluster, in the order of the labels; each as often as it weighs.
    """

    n_items: int
    sizes: NDArray[np.int64]
    _order: NDArray[np.intp]

    @classmethod
    def of(cls, labels: ArrayLike) -> Self:
        """Take which cluster each item is in.

        Args:
            labels: int (items), equal numbers for items that stand and fall together, such as those on one clip.

        Raises:
            StatisticsError: Labels that are not whole numbers.

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
        """Number of clusters of equal size that weigh as evenly: (Σ size)² / Σ size²; 0 without items."""
        return float(self.sizes.sum() ** 2 / max(np.square(self.sizes).sum(), 1))

    def weigh_clusters(self, weights: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return how much the items of each cluster weigh together, from what each item weighs."""
        if not self.n_clusters:
            return np.zeros(0, np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(weights[self._order].astype(np.int64), self._starts())
        return sums

    def weighted(self, weights: NDArray[np.integer]) -> Self:
        """Return the same clusters of items that count not at all, once, or several times.

        Clusters of no weight are left out.

        Args:
            weights: int (items), 0 or more, of clusters as they were given.
        """
        if (weights == 1).all():
            return self
        sizes = self.weigh_clusters(weights)
        order = np.repeat(self._order, weights[self._order])
        return type(self)(int(weights.sum()), sizes[sizes > 0], order)

    def add_clusters(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of any numbers (items × columns) over each cluster: clusters × columns."""
        if not self.n_clusters:
            return np.zeros((0, table.shape[1]))
        sums: NDArray[np.float64] = np.add.reduceat(table[self._order], self._starts(), axis=0)
        return sums

    def sum_clusters(self, outcomes: NDArray[np.floating]) -> NDArray[np.int64]:
        """Return the sums of outcomes (items × systems) over each cluster, in 1/UNIT: clusters × systems."""
        # A system's sums lie together, for everything that follows looks at one system after the other.
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

    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum(self.sizes) - self.sizes
