"""First-order influence of each cluster on a score.

For a mean over items this is exact: the sum of the cluster's items. For a score of means it is the infinitesimal
jackknife: the residual of each mean in the cluster, times the derivative of the score with respect to that mean.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.clusters import UNIT, Clusters
from evaluation.statistics.errors import StatisticsError, check_table
from evaluation.statistics.score_formulas import (
    ItemMean,
    ScoreFormula,
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
    """One mean over items in a score.

    Attributes:
        clusters: Clusters of the weighted items.
        places: Their indices among the score's clusters.
        correction: float64 (clusters): 1 / √(1 − size / items), the factor that residuals lack (CR2).
    """

    clusters: Clusters
    places: NDArray[np.intp]
    correction: NDArray[np.float64]


class ScoreMeasurement(NamedTuple):
    """A score of systems, and its means.

    Attributes:
        value: float64 (systems), the score.
        means: Each mean, float64 (systems).
        sums: Each mean's sums over its clusters, int64 (clusters × systems), in 1/UNIT.
    """

    value: NDArray[np.float64]
    means: Values
    sums: Mapping[ItemMean, NDArray[np.int64]]


class LinearFormula:
    """A score, and the contributions of clusters to it.

    >>> linear = LinearFormula(ItemMean("x", np.array([1, 1, 1, 0])), Clusters.of([5, 5, 6, 7]))
    >>> linear.find_additions(linear.measure({"x": np.array([[1.0], [0.5], [1.0], [np.nan]])}))
    array([[1.5, 1. ]])

    Attributes:
        formula: Structure of the score.
        leaves: Its means over items.
        n_items: Number of items, counted by weight; for composite scores that of its largest mean.
        n_clusters: Number of clusters with a weight in it.
        used: Indices of these clusters among all clusters.
        shares: float64 (clusters): number of items that each cluster counts for; they sum to `n_items`.
        most: float64 (clusters): upper bound of the size of a cluster's contribution, times the number of items.
    """

    def __init__(self, formula: ScoreFormula, clusters: Clusters) -> None:
        """Prepare a score and the clusters of the items of its weights.

        Raises:
            StatisticsError: The number of weights differs from the number of items.
        """
        self.formula = formula
        means = dict.fromkeys(list_item_means(formula))
        _check_weights(means, clusters.n_items)
        sizes = {mean: clusters.weigh_clusters(mean.weights) for mean in means}
        is_used = np.any([size > 0 for size in sizes.values()], axis=0)
        self.used = np.flatnonzero(is_used)
        self.leaves = {mean: _make_leaf(clusters.weighted(mean.weights), size[is_used]) for mean, size in sizes.items()}
        self.n_items = max(leaf.clusters.n_items for leaf in self.leaves.values())
        self.n_clusters = len(self.used)
        self.shares, self.most = self._share_out(list_shares(formula, 1.0)), self._share_out(bound_slopes(formula, 1.0))
        if not isinstance(formula, ItemMean):
            self.most = self.most * max(leaf.correction.max(initial=1) for leaf in self.leaves.values()) + self.shares

    def _share_out(self, slopes: Iterator[tuple[ItemMean, float]]) -> _Table:
        bounds = np.zeros(self.n_clusters)
        for mean, slope in slopes:
            clusters, places, _ = self.leaves[mean]
            bounds[places] += slope * (self.n_items / max(clusters.n_items, 1)) * clusters.sizes
        return bounds

    def measure(self, scores: Scores) -> ScoreMeasurement:
        """Return the scores of systems.

        Args:
            scores: Name → items × systems, fractions in [0, 1]; NaN only for items without weight.

        Raises:
            StatisticsError: Shapes do not fit, values of weighted items are NaN, or fractions are outside [0, 1].
        """
        sums = {mean: leaf.clusters.sum_clusters(_check_scores(mean, scores)) for mean, leaf in self.leaves.items()}
        means = {mean: self.leaves[mean].clusters.mean(mean_sums) for mean, mean_sums in sums.items()}
        return ScoreMeasurement(combine_means(self.formula, means), means, sums)

    def find_residuals(self, measurement: ScoreMeasurement) -> dict[ItemMean, _Table]:
        """Return the corrected residual of each cluster: systems × clusters of the score, for each mean."""
        residuals = {}
        for mean, leaf in self.leaves.items():
            residual = measurement.sums[mean].T / UNIT - measurement.means[mean][:, None] * leaf.clusters.sizes
            spread = np.zeros((len(measurement.value), self.n_clusters))
            spread[:, leaf.places] = residual * leaf.correction
            residuals[mean] = spread
        return residuals

    def find_additions(self, measurement: ScoreMeasurement) -> _Table:
        """Return the contribution of each cluster to the score, times the number of items: systems × clusters.

        The difference between two equally good systems then has expectation 0 in each cluster.
        """
        if isinstance(self.formula, ItemMean):
            return np.ascontiguousarray(measurement.sums[self.formula].T) / UNIT
        additions = measurement.value[:, None] * self.shares
        residuals = self.find_residuals(measurement)
        for mean, slope in list_slopes(self.formula, measurement.means, np.ones(len(measurement.value))):
            scale = slope * (self.n_items / max(self.leaves[mean].clusters.n_items, 1))
            additions += scale[:, None] * residuals[mean]
        return additions

    def center_additions(self, additions: _Table, value: NDArray[np.float64]) -> _Table:
        """Return contributions relative to each system's own score, as corrected residuals: systems × clusters.

        Args:
            additions: systems × clusters, from `find_additions`.
            value: float64 (systems), the score.
        """
        residuals = additions - value[:, None] * self.shares
        if isinstance(self.formula, ItemMean):  # Those of other scores are corrected already.
            residuals *= self.leaves[self.formula].correction
        return residuals


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


def _check_scores(mean: ItemMean, scores: Scores) -> NDArray[np.floating]:
    table = np.asarray(scores[mean.score])
    weighing = mean.weights > 0
    fits = table.shape[:1] == weighing.shape and not weighing.all()
    check_table(table[weighing] if fits else table, int(weighing.sum()) if fits else len(weighing))
    return table
