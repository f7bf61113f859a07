"""Scores of systems with their 95 % intervals.

For a mean over items, the interval is Wilson's on the effective number of items (`intervals.py`). For a score of means
over clusters of several items, it follows from the delta method (`composites.py`). For a score of means over
independent items, it is the range of the score over all jointly likely values of its means: an ellipsoid around the
observed means, whose half-axes are the distances to the ends of each mean's own interval and whose tilt is the
correlation of the means over clusters. For a plain mean of means this is the closed form of the method of variance
estimates recovery; for harmonic means the slopes are computed again at the resulting end, so that the interval follows
the curvature of the score and stays in [0, 1].

Source: Zou and Donner, Statistics in Medicine 27 (2008); Newcombe, Statistics in Medicine 17 (1998).
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.composites import make_composite_interval
from evaluation.statistics.intervals import make_intervals
from evaluation.statistics.linear import LinearFormula, ScoreMeasurement
from evaluation.statistics.resamples import Resampling
from evaluation.statistics.score_formulas import ItemMean, ScoreFormula, Scores, combine_means, list_shares, list_slopes

_BLOCK_SYSTEMS = 128
_TURNS = 4  # The slopes of harmonic means converge after this many steps.

FEWEST_CLUSTERS = 20
"""Minimum number of single-item clusters for a mean with an interval."""

FEWEST_OF_SEVERAL = 50
"""Minimum number of larger clusters: with fewer, the correlation within clusters cannot be estimated well enough."""

FEWEST_OF_MEMBER = 10
"""Minimum number of clusters for a mean that is a small part of a score."""

_Column = NDArray[np.float64]


def has_interval(formula: ScoreFormula, clusters: Clusters) -> bool:
    """Return whether there are enough clusters for valid intervals of a score.

    The rule uses the design only, never the answers. Clusters count as an effective number, that of equally large
    clusters. A mean over items needs 20, or 50 if clusters have several items. A mean that is one of several in a score
    needs 50 times twice its share of it, at least 10 and at most 50: its uncertainty matters in proportion to its
    share.

    >>> has_interval(ItemMean("x", np.ones(40, np.int64)), Clusters.of(range(40)))
    True
    """
    return _has_enough_clusters(LinearFormula(formula, clusters))


def _has_enough_clusters(linear: LinearFormula) -> bool:
    formula, leaves = linear.formula, linear.leaves
    if isinstance(formula, ItemMean):
        return leaves[formula].clusters.n_effective >= _count_needed(leaves[formula].clusters)
    shares = dict.fromkeys(leaves, 0.0)
    for mean, share in list_shares(formula, 1.0):
        shares[mean] += share
    return all(leaf.clusters.n_effective >= _count_needed_of_member(shares[mean]) for mean, leaf in leaves.items())


def _count_needed(clusters: Clusters) -> int:
    return FEWEST_CLUSTERS if (clusters.sizes == 1).all() else FEWEST_OF_SEVERAL


def _count_needed_of_member(share: float) -> float:
    return min(max(2 * share * FEWEST_OF_SEVERAL, FEWEST_OF_MEMBER), FEWEST_OF_SEVERAL)


class EstimatedScore(NamedTuple):
    """Scores of systems, with intervals.

    Attributes:
        value: float64 (systems), the score.
        low: float64 (systems), lower end of the 95 % interval of each system alone; NaN with fewer than two clusters.
        high: float64 (systems), upper end.
        additions: float64 (systems × clusters), the contribution of each cluster to the score, times the number of
            items.
    """

    value: _Column
    low: _Column
    high: _Column
    additions: NDArray[np.float64]


class Estimator:
    """A score on resamples of its items.

    Attributes:
        linear: The score and the clusters of its items.
        drawn: The resamples.
        has_interval: Whether the score has valid intervals; see `has_interval`.
    """

    def __init__(self, formula: ScoreFormula, resampling: Resampling) -> None:
        """Prepare a score on resamples of the items of its weights.

        Raises:
            StatisticsError: The number of weights differs from the number of items.
        """
        self.drawn = resampling
        self.linear = LinearFormula(formula, resampling.clusters)
        self.has_interval = _has_enough_clusters(self.linear)

    def estimate(self, scores: Scores) -> EstimatedScore:
        """Estimate the scores of systems.

        Args:
            scores: Name → items × systems, fractions in [0, 1]; NaN only for items without weight.

        Raises:
            StatisticsError: Shapes do not fit, values of weighted items are NaN, or fractions are outside [0, 1].
        """
        tables = {mean.score: np.asarray(scores[mean.score]) for mean in self.linear.leaves}
        n_systems = next(iter(tables.values())).shape[-1]
        blocks = [
            self._estimate_some({name: table[..., at : at + _BLOCK_SYSTEMS] for name, table in tables.items()})
            for at in range(0, max(n_systems, 1), _BLOCK_SYSTEMS)  # In batches, to limit memory.
        ]
        return EstimatedScore(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))

    def _estimate_some(self, scores: Scores) -> EstimatedScore:
        measurement = self.linear.measure(scores)
        additions = self.linear.find_additions(measurement)
        if isinstance(self.linear.formula, ItemMean):
            sums, clusters = measurement.sums[self.linear.formula], self.linear.leaves[self.linear.formula].clusters
            return EstimatedScore(*make_intervals(sums, clusters, self.drawn.salt), additions)
        if self._has_several_items:
            ends = make_composite_interval(self.linear, measurement, additions, self.drawn.salt)
            return EstimatedScore(measurement.value, *ends, additions)
        return self._combine_intervals(measurement, additions)

    @property
    def _has_several_items(self) -> bool:
        return any((leaf.clusters.sizes != 1).any() for leaf in self.linear.leaves.values())

    def _combine_intervals(self, measurement: ScoreMeasurement, additions: NDArray[np.float64]) -> EstimatedScore:
        leaves = {
            mean: make_intervals(sums, self.linear.leaves[mean].clusters, self.drawn.salt, is_member=True)
            for mean, sums in measurement.sums.items()
        }
        correlations = self._correlate(measurement)
        low = self._find_end(
            measurement, {mean: estimate.low - estimate.value for mean, estimate in leaves.items()}, correlations
        )
        high = self._find_end(
            measurement, {mean: estimate.high - estimate.value for mean, estimate in leaves.items()}, correlations
        )
        return EstimatedScore(
            measurement.value, np.minimum(low, measurement.value), np.maximum(high, measurement.value), additions
        )

    def _correlate(self, measurement: ScoreMeasurement) -> NDArray[np.float64]:
        """Return the correlation of the means over clusters: systems × means × means."""
        residuals = np.stack(list(self.linear.find_residuals(measurement).values()), axis=1)
        products = residuals @ residuals.transpose(0, 2, 1)
        scale = np.sqrt(np.diagonal(products, axis1=1, axis2=2))
        both = scale[:, :, None] * scale[:, None, :]
        together: NDArray[np.float64] = np.divide(products, both, out=np.zeros_like(products), where=both > 0)
        itself = np.eye(len(self.linear.leaves), dtype=np.bool_)
        return np.where(itself, 1.0, together)

    def _find_end(
        self, measurement: ScoreMeasurement, reach: Mapping[ItemMean, _Column], correlations: NDArray[np.float64]
    ) -> _Column:
        """Return the lowest or highest score on the ellipsoid with the given half-axes."""
        axes = np.stack(list(reach.values()), axis=1)
        spread = correlations * axes[:, :, None] * axes[:, None, :]
        # Start from the inside of the ellipsoid: at means that are all 0, a harmonic mean has no slope.
        at = {mean: value + reach[mean] / (2 * np.sqrt(len(reach))) for mean, value in measurement.means.items()}
        for _ in range(_TURNS):
            slopes = self._find_slopes(at)
            pull = (spread @ slopes[:, :, None])[:, :, 0]
            length = np.sqrt(np.maximum((slopes * pull).sum(axis=1), 0))
            step = np.divide(pull, length[:, None], out=np.zeros_like(pull), where=length[:, None] > 0)
            step *= np.sign(axes.sum(axis=1))[:, None]
            at = {
                mean: (value + step[:, place]).clip(0, 1)
                for place, (mean, value) in enumerate(measurement.means.items())
            }
        return combine_means(self.linear.formula, at)

    def _find_slopes(self, at: Mapping[ItemMean, _Column]) -> NDArray[np.float64]:
        slopes = dict.fromkeys(at, np.zeros(1))
        n_systems = len(next(iter(at.values())))
        for mean, slope in list_slopes(self.linear.formula, at, np.ones(n_systems)):
            slopes[mean] = slopes[mean] + slope
        return np.stack(list(slopes.values()), axis=1)
