"""First-order influence of each cluster on a score.

Of a mean over items that is exact: the sum of the cluster's items. Of a figure made of means it is the infinitesimal
jackknife: the residual of each mean in the cluster, times how steeply the figure follows that mean.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.clusters import UNIT, Clusters
from evaluation.statistics.errors import StatisticsError, check_table
from evaluation.statistics.figures import (
    Figure,
    ItemMean,
    Scores,
    Values,
    bound_slopes,
    combine_means,
    list_item_means,
    list_shares,
    list_slopes,
)

_Table = NDArray[np.float64]


class Leaf(NamedTuple):
    """One mean over items of a figure.

    Attributes:
        clusters: Of the items that weigh.
        places: Which of the figure's clusters those are.
        correction: float64 (clusters): 1 / √(1 − size / items), what a residual is too small by (CR2).
    """

    clusters: Clusters
    places: NDArray[np.intp]
    correction: NDArray[np.float64]


class FigureMeasurement(NamedTuple):
    """A figure of systems, and the means that it is made of.

    Attributes:
        value: float64 (systems), the figure.
        means: Each mean, float64 (systems).
        sums: Each mean's sums over its clusters, int64 (clusters × systems), in 1/UNIT.
    """

    value: NDArray[np.float64]
    means: Values
    sums: Mapping[ItemMean, NDArray[np.int64]]


class LinearFigure:
    """A figure, and what the clusters of its items add to it.

    >>> linear = LinearFigure(ItemMean("x", np.array([1, 1, 1, 0])), Clusters.of([5, 5, 6, 7]))
    >>> linear.find_additions(linear.measure({"x": np.array([[1.0], [0.5], [1.0], [np.nan]])}))
    array([[1.5, 1. ]])

    Attributes:
        figure: How it follows from scores of items.
        leaves: Its means over items.
        n_items: Number of items, each as often as it weighs; of a compound figure that of its largest mean.
        n_clusters: Number of clusters that have a weight in it.
        used: Which of all clusters those are.
        shares: float64 (clusters): how many items each cluster counts for; they sum to `n_items`.
        most: float64 (clusters): the most that what a cluster adds can come to in size, times the number of items.
    """

    def __init__(self, figure: Figure, clusters: Clusters) -> None:
        """Take a figure, and the clusters of the items that its weights are of.

        Raises:
            StatisticsError: A figure has weights for another number of items.
        """
        self.figure = figure
        means = dict.fromkeys(list_item_means(figure))
        _check_weights(means, clusters.n_items)
        sizes = {mean: clusters.weigh_clusters(mean.weights) for mean in means}
        is_used = np.any([size > 0 for size in sizes.values()], axis=0)
        self.used = np.flatnonzero(is_used)
        self.leaves = {mean: _make_leaf(clusters.weighted(mean.weights), size[is_used]) for mean, size in sizes.items()}
        self.n_items = max(leaf.clusters.n_items for leaf in self.leaves.values())
        self.n_clusters = len(self.used)
        self.shares, self.most = self._share_out(list_shares(figure, 1.0)), self._share_out(bound_slopes(figure, 1.0))
        if not isinstance(figure, ItemMean):
            self.most = self.most * max(leaf.correction.max(initial=1) for leaf in self.leaves.values()) + self.shares

    def _share_out(self, slopes: Iterator[tuple[ItemMean, float]]) -> _Table:
        found = np.zeros(self.n_clusters)
        for mean, slope in slopes:
            clusters, places, _ = self.leaves[mean]
            found[places] += slope * (self.n_items / max(clusters.n_items, 1)) * clusters.sizes
        return found

    def measure(self, scores: Scores) -> FigureMeasurement:
        """Return a figure of systems.

        Args:
            scores: Name → items × systems, fractions in [0, 1]; NaN only where an item does not weigh.

        Raises:
            StatisticsError: Shapes that do not fit, NaN where an item weighs, fractions outside [0, 1].
        """
        sums = {mean: leaf.clusters.sum_clusters(_check(mean, scores)) for mean, leaf in self.leaves.items()}
        means = {mean: self.leaves[mean].clusters.mean(one) for mean, one in sums.items()}
        return FigureMeasurement(combine_means(self.figure, means), means, sums)

    def find_residuals(self, found: FigureMeasurement) -> dict[ItemMean, _Table]:
        """Return what each cluster has above the mean, corrected: systems × clusters of the figure, for each mean."""
        residuals = {}
        for mean, leaf in self.leaves.items():
            residual = found.sums[mean].T / UNIT - found.means[mean][:, None] * leaf.clusters.sizes
            spread = np.zeros((len(found.value), self.n_clusters))
            spread[:, leaf.places] = residual * leaf.correction
            residuals[mean] = spread
        return residuals

    def find_additions(self, found: FigureMeasurement) -> _Table:
        """Return what each cluster adds to the figure, times the number of items: systems × clusters.

        The difference between two systems that are equally good is then 0 in each cluster but for chance.
        """
        if isinstance(self.figure, ItemMean):
            return np.ascontiguousarray(found.sums[self.figure].T) / UNIT
        additions = found.value[:, None] * self.shares
        residuals = self.find_residuals(found)
        for mean, slope in list_slopes(self.figure, found.means, np.ones(len(found.value))):
            scale = slope * (self.n_items / max(self.leaves[mean].clusters.n_items, 1))
            additions += scale[:, None] * residuals[mean]
        return additions


def _make_leaf(clusters: Clusters, sizes: NDArray[np.int64]) -> Leaf:
    rest = 1 - clusters.sizes / max(clusters.n_items, 1)
    correction = 1 / np.sqrt(np.where(rest > 0, rest, 1))
    return Leaf(clusters, np.flatnonzero(sizes > 0), correction)


def _check_weights(means: Mapping[ItemMean, None], n_items: int) -> None:
    for mean in means:
        if mean.weights.shape != (n_items,) or (mean.weights < 0).any():
            raise StatisticsError(
                f"Weights of `{mean.score}` have the shape {mean.weights.shape}; pass one non-negative weight for each "
                f"of {n_items} items."
            )


def _check(mean: ItemMean, scores: Scores) -> NDArray[np.floating]:
    table = np.asarray(scores[mean.score])
    weighing = mean.weights > 0
    fits = table.shape[:1] == weighing.shape and not weighing.all()
    check_table(table[weighing] if fits else table, int(weighing.sum()) if fits else len(weighing))
    return table
