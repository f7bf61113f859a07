"""Intervals of composite scores over clusters of several items, for systems that make hardly any error."""

import numpy as np
import pytest

from evaluation.statistics import Estimator, HarmonicMeanOf, ItemMean, MeanOf, Resampling
from evaluation.statistics.score_formulas import ScoreFormula

N_CLUSTERS, SIZE, N_SYSTEMS = 60, 12, 600
ERROR_RATE = 0.004

# Every item has a step; in every second cluster, one trace is free of errors, as in the two halves of FEI and AEI.
STEPS = ItemMean("step", np.ones(N_CLUSTERS * SIZE, np.int64))
TRACES = ItemMean("trace", (np.arange(N_CLUSTERS * SIZE) % (2 * SIZE) == 0).astype(np.int64))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (MeanOf((STEPS, TRACES)), 1 - ERROR_RATE / 2),
        (HarmonicMeanOf(STEPS, TRACES), 2 * (1 - ERROR_RATE) / (2 - ERROR_RATE)),
    ],
    ids=["mean", "harmonic mean"],
)
def test_interval_beside_a_perfect_member_with_few_items_covers_the_score(
    formula: ScoreFormula, expected: float
) -> None:
    rng = np.random.default_rng(5)
    steps = (rng.random((N_CLUSTERS * SIZE, N_SYSTEMS)) >= ERROR_RATE).astype(np.float64)
    resampling = Resampling.draw(np.arange(N_CLUSTERS * SIZE) // SIZE, 40, rng)
    found = Estimator(formula, resampling).estimate({"step": steps, "trace": np.ones_like(steps)})
    varies = found.value < 1
    assert varies.mean() > 0.9
    covered = (found.low <= expected) & (expected <= found.high)
    # A shift by the weight of a trace, which is larger than the error, had them cover in half of the cases.
    assert covered[varies].mean() > 0.9
    assert (found.low[varies] < found.value[varies]).all()
    assert np.median((found.high - found.low)[varies]) < 0.01
