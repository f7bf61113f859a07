"""Intervals of composite scores over recordings of several items."""

from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.statistics import (
    Clusters,
    Estimator,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    Resampling,
    ScoreFormula,
    has_interval,
)

LABELS = np.repeat(np.arange(100), 4)
EVERY = np.ones(400, np.int64)
PAIR = ItemMean("a", EVERY), ItemMean("b", EVERY)


def estimate(formula: ScoreFormula, **scores: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the value and interval of a score of one system."""
    drawn = Resampling.draw(LABELS, 40, np.random.default_rng(1))
    result = Estimator(formula, drawn).estimate({name: table[:, None] for name, table in scores.items()})
    return float(result.value[0]), float(result.low[0]), float(result.high[0])


def test_interval_of_a_mean_of_means_has_the_width_of_the_delta_method() -> None:
    rng = np.random.default_rng(2)
    a, b = ((rng.random(400) < np.repeat(rng.beta(2, 2, 100), 4)).astype(float) for _ in range(2))
    value, low, high = estimate(MeanOf(PAIR), a=a, b=b)
    recording_means = ((a + b) / 2).reshape(100, 4).mean(axis=1)
    deviation = sqrt(np.square(recording_means - value).sum() / (99 * 100))
    assert (high - low) / 2 == pytest.approx(1.99 * deviation, rel=0.04)


def test_interval_of_a_perfect_or_zero_score_contains_it_and_has_a_width() -> None:
    for formula in (MeanOf(PAIR), HarmonicMeanOf(*PAIR)):
        value, low, high = estimate(formula, a=np.ones(400), b=np.ones(400))
        assert (value, high) == (1.0, 1.0)
        assert 0.8 < low < 0.97
        value, low, high = estimate(formula, a=np.zeros(400), b=np.zeros(400))
        assert (value, low) == (0.0, 0.0)
        assert 0.03 < high < 0.2


def test_member_needs_recordings_in_proportion_to_its_share() -> None:
    clusters = Clusters.of(LABELS)
    few = ItemMean("b", (np.arange(400) < 4 * 18).astype(np.int64))  # 18 recordings
    assert not has_interval(few, clusters)
    assert not has_interval(HarmonicMeanOf(PAIR[0], few), clusters), "half of the figure"
    others = tuple(ItemMean(name, EVERY) for name in "acdef")
    assert has_interval(MeanOf((few, *others)), clusters), "a sixth of the score needs 16.7"
    fewer = ItemMean("b", (np.arange(400) < 4 * 9).astype(np.int64))
    many = tuple(ItemMean(str(number), EVERY) for number in range(20))
    assert not has_interval(MeanOf((fewer, *many)), clusters), "never fewer than ten"
