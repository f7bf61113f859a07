"""Parameter-free Ladder: which submissions of a series get a new public score on fixed questions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.linear import LinearFormula
from evaluation.statistics.score_formulas import ItemMean, ScoreFormula, Scores

_OUTCOME = "outcome"
_ROUNDING = 1e-9


class LadderDecision(NamedTuple):
    """Whether a submission gets a public score. Only `is_released` and `score` may be shown to its owner.

    Attributes:
        is_released: Whether the public score changes; otherwise the owner reads "no significant change".
        score: The new public score, rounded to 1/n; None if it does not change.
        gain: Mean difference from the best submission released so far; None without one, and without items.
        standard_error: Standard error of the gain; None with fewer than two clusters, or without a gain.
    """

    is_released: bool
    score: float | None
    gain: float | None
    standard_error: float | None


def decide_release(
    outcomes: ArrayLike, best: ArrayLike | None, clusters: Clusters, *, min_gain: float = 0.0
) -> LadderDecision:
    """Decide whether a submission of a series gets a new public score.

    With the difference D between the new submission's and the best released submission's sum over a cluster of n_c
    of the N items, the gain is d = Σ D / N, and its standard error se = √(Σ (D − d n_c)² / (1 − n_c / N)) / N. For
    independent items, se is the sample standard deviation of the items' differences, divided by √N. The score is
    released if d > se. It is the mean outcome, rounded to a multiple of 1/N. The caller keeps the outcomes of the
    released submission as `best` for the next decision.

    The first submission is released. Without items nothing is. With one cluster there is no standard error, so only the
    first submission is released.

    The rule limits what submissions that were made blindly reveal, such as those of a majority vote. It does not stop
    an owner who changes few answers at a time: two corrected answers already exceed their standard error. For this,
    require a minimum gain, which limits the number of releases to 1 / `min_gain`.

    Args:
        outcomes: Outcomes of the new submission (items), fractions in [0, 1], higher is better.
        best: Outcomes of the best submission released so far, on the same items; None for the first of a series.
        clusters: Clusters of the items.
        min_gain: Gain in [0, 1] that a release also has to reach; 0 for the parameter-free rule.

    Raises:
        StatisticsError: Shapes do not fit, or values are NaN or outside [0, 1].

    Source: Blum and Hardt, The Ladder: A Reliable Leaderboard for Machine Learning Competitions, ICML 2015: the
    parameter-free mechanism, with losses replaced by outcomes and the standard error by that of clusters; `min_gain` is
    the step of their first mechanism.

    >>> clusters = Clusters.of(range(4))
    >>> decide_release([1, 0, 1, 0], None, clusters).score
    0.5
    >>> decide_release([1, 1, 1, 0], [1, 0, 1, 0], clusters).is_released
    False
    >>> decide_release([1, 1, 1, 1], [1, 0, 1, 0], clusters).score
    1.0
    """
    formula = ItemMean(_OUTCOME, np.ones(clusters.n_items, np.int64))
    earlier = None if best is None else _name_outcomes(best, clusters)
    return decide_score_release(formula, clusters, _name_outcomes(outcomes, clusters), earlier, min_gain=min_gain)


def decide_score_release(
    formula: ScoreFormula, clusters: Clusters, scores: Scores, best: Scores | None, *, min_gain: float = 0.0
) -> LadderDecision:
    """Decide like `decide_release` on a score of items, which may be a mean of means.

    Gain and standard error are those of the score: D is the difference between a cluster's contributions to both
    scores (see `evaluation.statistics.linear`). N is the number of items; in a composite score, that of its largest
    mean.

    Args:
        formula: How the score follows from items.
        clusters: Clusters of all items.
        scores: Item scores of the new submission by name, fractions in [0, 1]; NaN only for items without weight.
        best: Item scores of the best submission released so far; None for the first of a series.
        min_gain: See `decide_release`.

    Raises:
        StatisticsError: Shapes do not fit, or values are NaN or outside [0, 1].
    """
    linear = LinearFormula(formula, clusters)
    if not linear.n_items:
        return LadderDecision(False, None, None, None)
    names = sorted({mean.score for mean in linear.leaves})
    both = {
        name: np.stack([np.asarray(one[name], np.float64) for one in (scores, best or scores)], 1) for name in names
    }
    measurement = linear.measure(both)
    score = round(float(measurement.value[0]) * linear.n_items) / linear.n_items
    if best is None:
        return LadderDecision(True, score, None, None)
    gain = float(measurement.value[0] - measurement.value[1])
    if linear.n_clusters < 2:
        return LadderDecision(False, None, gain, None)
    residuals = linear.center_additions(linear.find_additions(measurement), measurement.value)
    error = float(np.sqrt(np.square(residuals[0] - residuals[1]).sum())) / linear.n_items
    # One changed answer has a gain of exactly one standard error.
    is_released = gain > error * (1 + _ROUNDING) and gain >= min_gain * (1 - _ROUNDING) and gain > _ROUNDING
    return LadderDecision(is_released, score if is_released else None, gain, error)


def _name_outcomes(outcomes: ArrayLike, clusters: Clusters) -> dict[str, NDArray[np.float64]]:
    column = np.atleast_1d(np.asarray(outcomes, np.float64))
    if column.shape != (clusters.n_items,):
        raise StatisticsError(f"Outcomes have the shape {column.shape}; pass one for each of {clusters.n_items} items.")
    return {_OUTCOME: column}
