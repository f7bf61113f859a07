"""Two systems compared: hand-computed counts, plain loops, symmetry, and p-values under the null."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.statistics import Comparison, Resampling, StatisticsError, compare, compare_on
from tests.support.samples.about import about

MARKS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
PAIRS = st.lists(st.tuples(MARKS, MARKS, st.integers(0, 6)), min_size=2, max_size=20).filter(
    lambda rows: len({cluster for *_, cluster in rows}) > 1
)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def plain_comparison(a: list[float], b: list[float], drawn: Resampling, clusters: list[int]) -> Comparison:
    labels = sorted(set(clusters))
    differences = []
    for row in drawn.counts.tolist():
        total = size = 0.0
        for first, second, cluster in zip(a, b, clusters, strict=True):
            total += (first - second) * row[labels.index(cluster)]
            size += row[labels.index(cluster)]
        differences.append(total / size)
    n, ordered = len(differences), sorted(differences)
    k = (n + 1) // 40
    at_most, at_least = sum(d <= 0 for d in differences), sum(d >= 0 for d in differences)
    return Comparison(
        difference=(sum(a) - sum(b)) / len(a),
        low=ordered[k - 1],
        high=ordered[n - k],
        p_value=min(1.0, 2 * (min(at_most, at_least) + 1) / (n + 1)),
        wins=sum(x > y for x, y in zip(a, b, strict=True)),
        losses=sum(x < y for x, y in zip(a, b, strict=True)),
        ties=sum(x == y for x, y in zip(a, b, strict=True)),
        n_items=len(a),
        n_clusters=len(labels),
    )


def assert_close(one: Comparison, other: Comparison) -> None:
    for name in Comparison.__slots__:
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12), name


@given(PAIRS)
def test_comparison_is_that_of_plain_loops(rows: list[tuple[float, float, int]]) -> None:
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    drawn = Resampling.draw(clusters, 199, generator())
    assert_close(compare_on(drawn, a, b), plain_comparison(a, b, drawn, clusters))


@given(PAIRS)
def test_exchanged_systems_exchange_the_comparison(rows: list[tuple[float, float, int]]) -> None:
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    one = compare(a, b, clusters, resamples=199, rng=generator())
    other = compare(b, a, clusters, resamples=199, rng=generator())
    assert one.difference is not None
    assert one.low is not None
    assert one.high is not None
    assert (one.difference, one.low, one.high) == (-(other.difference or 0), -(other.high or 0), -(other.low or 0))
    assert (one.p_value, one.wins, one.losses, one.ties) == (other.p_value, other.losses, other.wins, other.ties)


@given(PAIRS)
def test_p_value_agrees_with_the_interval(rows: list[tuple[float, float, int]]) -> None:
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    found = compare(a, b, clusters, resamples=399, rng=generator())
    assert found.p_value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.p_value <= 1
    assert (found.p_value <= 0.05) == (found.low > 0 or found.high < 0)


def test_order_of_items_changes_nothing() -> None:
    rng = generator(5)
    a, b, clusters = rng.random(90), rng.random(90), rng.integers(30, size=90)
    order = rng.permutation(90)
    one = compare(a, b, clusters, resamples=999, rng=generator())
    assert one == compare(a[order], b[order], clusters[order], resamples=999, rng=generator())


def test_standard_error_is_that_of_mcnemar() -> None:
    # 30 items won, 10 lost of 200: variance (0.2 − 0.1²) / 200.
    a, b = np.repeat([1, 0, 1], [30, 10, 160]), np.repeat([0, 1, 1], [30, 10, 160])
    found = compare(a, b, np.arange(200), resamples=9999, rng=generator())
    assert (found.difference, found.wins, found.losses, found.ties) == (0.1, 30, 10, 160)
    assert found.low is not None
    assert found.high is not None
    assert found.p_value is not None
    half = 1.96 * np.sqrt((0.2 - 0.01) / 200)
    assert (found.low, found.high) == pytest.approx((0.1 - half, 0.1 + half), abs=0.006)
    assert found.p_value == pytest.approx(0.0012, abs=0.0015)


def test_equal_systems_are_not_different() -> None:
    found = compare([1, 0, 1], [1, 0, 1], [1, 2, 3], resamples=99, rng=generator())
    assert (found.difference, found.low, found.high, found.p_value, found.ties) == (0.0, 0.0, 0.0, 1.0, 3)


def test_difference_without_variance_has_the_smallest_p_value_not_zero() -> None:
    found = compare(np.ones(30), np.zeros(30), np.arange(30), resamples=999, rng=generator())
    assert (found.difference, found.low, found.high, found.p_value) == (1.0, 1.0, 1.0, 2 / 1000)


def test_one_cluster_has_a_difference_and_no_test() -> None:
    found = compare([1, 1, 0], [0, 1, 0], [8, 8, 8], resamples=99, rng=generator())
    assert (found.low, found.high, found.p_value) == (None, None, None)
    assert (found.difference, found.wins, found.n_clusters) == (about(1 / 3), 1, 1)


def test_empty_slice_has_no_difference() -> None:
    found = compare([], [], [], resamples=99, rng=generator())
    assert found == Comparison(None, None, None, None, 0, 0, 0, 0, 0)


def test_unusable_pair_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[float], str]] = [
        ([1.0, 0.0], r"shape \(2, 1\); 3 items"),
        ([1.0, np.nan, 0.0], "NaN"),
        ([1.0, 2.0, 0.0], r"in \[0, 2\]"),
    ]
    for b, message in rows:
        with subtests.test(b=b, message=message), pytest.raises(StatisticsError, match=message):
            compare([1.0, 0.0, 0.0], b, [1, 2, 3], resamples=99, rng=generator())


def null_p_values(n_pairs: int, *, marks: bool) -> NDArray[np.float64]:
    """Return p-values of pairs that are equally good, on clips that are hard or easy for both."""
    rng = generator(21)
    clusters = np.repeat(np.arange(120), 2)
    drawn = Resampling.draw(clusters, 999, rng)
    found = []
    for _ in range(n_pairs):
        rates = rng.beta(1, 1, size=120)[clusters]
        a, b = rng.random((2, 240)) * rates if marks else rng.random((2, 240)) < rates
        found.append(compare_on(drawn, a, b).p_value)
    return np.array(found, float)


def test_p_values_of_equal_systems_are_uniform() -> None:
    p_values = null_p_values(1500, marks=True)
    assert (p_values <= 0.05).mean() == pytest.approx(0.05, abs=0.015)
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        assert (p_values <= share).mean() == pytest.approx(share, abs=0.04)


def test_p_values_of_right_and_wrong_answers_err_in_5_percent() -> None:
    # Not uniform further up: a difference of exactly 0 is common, and its p-value is 1.
    assert (null_p_values(1500, marks=False) <= 0.05).mean() == pytest.approx(0.05, abs=0.015)
