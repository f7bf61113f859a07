"""Texts of a comparison in edge cases."""

import pytest

from evaluation.benchmarks import Column
from leaderboard.pages.compare.comparison_texts import (
    MISSING,
    Names,
    write_adjusted,
    write_counts,
    write_method,
    write_p,
    write_verdict,
)
from leaderboard.rendering.formatting import write_points
from submissions.comparisons.differences import ScoreDifference
from tests.support.pages.compared_pairs import AMB, make_difference

NAMES = Names("Ann", "Bob")
BIAS = next(column for column in AMB.columns if column.key == "overall/tf|yes_bias")


def judge(difference: ScoreDifference | None, column: Column = AMB.headline) -> str:
    return write_verdict(AMB, column, difference, NAMES)


def test_write_verdict_names_the_better_model_and_orients_the_interval() -> None:
    assert judge(make_difference()) == "Ann is better on Overall by 3.1 points (1.2 to 5.0), p = 0.002."
    other = make_difference(-0.031, low=-0.05, high=-0.012)
    assert judge(other) == "Bob is better on Overall by 3.1 points (1.2 to 5.0), p = 0.002."


def test_write_verdict_of_a_tie_states_the_detectable_difference() -> None:
    difference = make_difference(0.004, low=-0.012, high=0.02, p_value=0.61)
    # Half of the interval, 1.6 points, is 1.96 standard errors; 2.80 of them are detected with 80 % power.
    assert judge(difference) == (
        "Ann and Bob cannot be distinguished on Overall: A − B = +0.4 points (−1.2 to +2.0), p = 0.61. "
        "Smallest detectable difference with 2,016 items: about 2.3 points."
    )


@pytest.mark.parametrize(("p", "is_distinguished"), [(0.0499, True), (0.05, False)])
def test_write_verdict_at_the_significance_level_depends_on_p_only(p: float, is_distinguished: bool) -> None:
    verdict = judge(make_difference(low=0.0, p_value=p))
    assert ("is better" in verdict) == is_distinguished
    assert "0.0499" in verdict if is_distinguished else "p = 0.050" in verdict


def test_write_verdict_of_identical_answers_states_no_detectable_difference() -> None:
    difference = make_difference(0.0, low=0.0, high=0.0, p_value=1.0)
    assert (
        judge(difference)
        == "Ann and Bob cannot be distinguished on Overall: A − B = 0.0 points (0.0 to 0.0), p = 1.00."
    )


def test_write_verdict_of_independent_samples_has_an_interval_and_no_p() -> None:
    difference = make_difference(0.3, low=0.174, high=0.41, p_value=None)
    assert judge(difference) == "Overall of Ann is 30.0 points (17.4 to 41.0) above that of Bob."
    other = make_difference(-0.3, low=-0.41, high=-0.174, p_value=None)
    assert judge(other) == "Overall of Bob is 30.0 points (17.4 to 41.0) above that of Ann."


def test_write_verdict_of_a_bias_calls_no_model_better() -> None:
    verdict = judge(make_difference(figure=BIAS.key), BIAS)
    assert verdict == "All variants: YesBias of Ann is higher than that of Bob by 3.1 points (1.2 to 5.0), p = 0.002."


@pytest.mark.parametrize(
    ("difference", "text"),
    [
        (0.031, "Overall of Ann is 3.1 points above that of Bob."),
        (-0.031, "Overall of Bob is 3.1 points above that of Ann."),
        (0.0004, "Ann and Bob differ by less than 0.1 points in Overall."),
        (0.0, "Ann and Bob have the same Overall."),
    ],
)
def test_write_verdict_of_plain_scores_only_states_the_difference(difference: float, text: str) -> None:
    plain = make_difference(difference, low=None, high=None, p_value=None, p_adjusted=None)
    assert judge(plain) == text
    assert judge(None) == MISSING


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, "–"),
        (0.0002, "0.0002"),
        (0.00123, "0.001"),
        (0.0496, "0.0496"),
        (0.05, "0.050"),
        (0.0504, "0.0504"),
        (500 / 10_001, "0.049995"),
    ],
)
def test_write_p_never_rounds_across_the_significance_level(p: float, text: str) -> None:
    assert write_p(p) == text


@pytest.mark.parametrize(
    ("fraction", "text"), [(None, "–"), (0.0, "0.0"), (-0.0004, "0.0"), (0.012, "+1.2"), (-0.012, "−1.2")]
)
def test_write_points_has_a_sign_unless_zero(fraction: float, text: str) -> None:
    assert write_points(fraction) == text


def test_write_adjusted_states_when_a_difference_is_not_significant_after_adjustment() -> None:
    assert write_adjusted(make_difference(), 24) == (
        "Adjusted for all 24 scores of this comparison with a p-value (Holm), p = 0.020."
    )
    assert "not significant after adjustment" in write_adjusted(make_difference(p_adjusted=0.2), 24)
    assert write_adjusted(make_difference(), 1) == write_adjusted(None, 24) == ""


def test_write_counts_explains_missing_counts() -> None:
    assert write_counts(make_difference()) == ""
    assert "only if answers are public" in write_counts(make_difference(wins=None, losses=None, ties=None))
    assert write_counts(make_difference(wins=None, p_value=None)) == ""


def test_write_method_states_the_numbers_of_clips_and_items() -> None:
    difference = make_difference(n_items=2_016, n_clusters=672)
    assert "difference over 672 clips with 2,016 items (McNemar" in write_method(difference)
    assert "difference (McNemar" in write_method(make_difference(n_items=None, n_clusters=None))
    assert write_method(make_difference(p_value=None)) == ""


def test_independent_samples_have_another_test_and_no_counts() -> None:
    difference = make_difference(n_items=2_016, n_clusters=672, wins=None, losses=None, ties=None)
    method = write_method(difference, is_independent=True)
    assert "two independent samples, each over 672 clips with 2,016 items (chi-square" in method
    assert write_counts(difference, is_independent=True) == ""
