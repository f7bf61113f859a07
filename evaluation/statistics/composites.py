"""Confidence intervals of composite scores over clusters of several items, such as Overall of AudioProcessBench.

The delta method gives the variance V of a score v from the contribution of each cluster. v(1 − v) / V independent items
have the same variance, so the interval is Wilson's on that number, with the quantile of Student's t. The degrees of
freedom follow from the scatter of the squared contributions (Satterthwaite). A member over few clusters contributes
little to V if its share is small, so a score can have an interval although one of its members has none.

Source: Korn and Graubard, Survey Methodology 24 (1998); CR2 and degrees of freedom: Bell and McCaffrey, Survey
Methodology 28 (2002).
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.intervals import FEWER_DEGREES, draw_offsets, make_wilson, student_quantile
from evaluation.statistics.linear import LinearFormula, ScoreMeasurement
from evaluation.statistics.score_formulas import list_shares

_FEWEST_DEGREES = 2.0
_NOTHING = 1e-12

_Column = NDArray[np.float64]


def make_composite_interval(
    linear: LinearFormula, measurement: ScoreMeasurement, additions: NDArray[np.float64], salt: bytes
) -> tuple[_Column, _Column]:
    """Return the ends of the 95 % interval of a composite score for each system; they lie in [0, 1] around the score.

    The score is shifted by up to half of the weight of a single item, so that without the salt nobody can compute
    answers from the ends. An almost perfect system errs in members of many items only; then half of its standard error,
    which a single error makes as large as the weight of its item, is the limit. A larger shift would miss the score.

    Args:
        linear: The score and its clusters.
        measurement: The score of each system, from `LinearFormula.measure`.
        additions: systems × clusters, from `LinearFormula.find_additions`.
        salt: Determines, with the sums, how far each score is shifted.

    >>> from evaluation.statistics import Clusters, ItemMean, MeanOf
    >>> first, second = (ItemMean(name, np.ones(200, np.int64)) for name in ("x", "y"))
    >>> linear = LinearFormula(MeanOf((first, second)), Clusters.of(np.arange(200) // 2))
    >>> found = linear.measure({"x": np.arange(200)[:, None] % 4 < 2, "y": np.arange(200)[:, None] % 8 < 6})
    >>> [end.round(3).tolist() for end in make_composite_interval(linear, found, linear.find_additions(found), b"")]
    [[0.539], [0.703]]
    """
    value = measurement.value
    residuals = (additions - value[:, None] * linear.shares) / linear.n_items
    squares = np.square(residuals)
    variance = squares.sum(axis=1)
    quantile = student_quantile(_find_degrees(squares, variance))
    shift = np.minimum(_find_largest_item_weight(linear), np.sqrt(variance))
    shifted = value + draw_offsets(np.concatenate(list(measurement.sums.values())), salt) * shift
    low, high = make_wilson(shifted.clip(0, 1), _count_effective_items(linear, value, variance), quantile)
    return np.minimum(low, value).clip(0, 1), np.maximum(high, value).clip(0, 1)


def _find_largest_item_weight(linear: LinearFormula) -> float:
    """Return the largest weight of a single item in the score."""
    shares = list_shares(linear.formula, 1.0)
    return max(share / max(linear.leaves[mean].clusters.n_items, 1) for mean, share in shares)


def _count_effective_items(linear: LinearFormula, value: _Column, variance: _Column) -> _Column:
    """Return the number of independent items with the same variance; the number of clusters if the variance is zero."""
    spread = value * (1 - value)
    varies = (variance > _NOTHING) & (spread > _NOTHING)
    return np.divide(spread, variance, out=np.full_like(value, linear.n_clusters), where=varies)


def _find_degrees(squares: NDArray[np.float64], variance: _Column) -> _Column:
    """Return the degrees of freedom of each variance: 2 V² over the variance of V, times the factor of means."""
    n_clusters = squares.shape[1]
    scatter = np.square(squares).sum(axis=1) / np.maximum(np.square(variance), _NOTHING**2)
    # Squares of normal residuals have a variance of 3 / n; their mean has 1 / n of that.
    relative = np.maximum(scatter - 1 / n_clusters, 2 / n_clusters) / 2
    degrees = np.where(variance > _NOTHING, FEWER_DEGREES / relative, _FEWEST_DEGREES)
    return np.maximum(degrees, _FEWEST_DEGREES)
