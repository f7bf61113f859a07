"""Differences of error-type shares between two rows, with intervals if both were sorted alike."""

from dataclasses import replace

import pytest

from db.records import ScoreRecord
from evaluation.benchmarks import get_benchmark
from submissions.comparisons.differences import FEW_SORTED, NOT_PAIRED, SORTED_OTHERWISE, subtract_scores, turn_around
from submissions.rescoring.changes import compare_score_records

STAR = get_benchmark("star-bench", "demo")
NOTE = "100 of 312 wrong answers, sorted by judge-1+ab+200."
FIRST = ScoreRecord("temporal", "perception_error_share", 0.84, 100, note=NOTE, low=0.7558, high=0.8991)
SECOND = replace(FIRST, value=0.54, low=0.4426, high=0.6344, note=NOTE.replace("312", "555"))


def test_difference_of_shares_has_an_unpaired_interval() -> None:
    (difference,) = subtract_scores(STAR, [FIRST], [SECOND])
    assert (difference.figure, difference.note) == ("temporal|perception_error_share", NOT_PAIRED)
    assert difference.difference == pytest.approx(0.3)
    assert difference.low is not None
    assert difference.high is not None
    assert 0.17 < difference.low < 0.3 < difference.high < 0.42
    assert difference.p_value is None
    (other,) = subtract_scores(STAR, [SECOND], [FIRST])
    assert turn_around(other).low == pytest.approx(difference.low)


def test_difference_of_shares_by_two_judges_or_of_few_answers_has_no_interval() -> None:
    by_another_judge = replace(SECOND, note="100 of 555 wrong answers, sorted by judge-2+ab+200.")
    few = replace(SECOND, n=30, low=None, high=None)
    for other, note in ((by_another_judge, SORTED_OTHERWISE), (few, FEW_SORTED)):
        (difference,) = subtract_scores(STAR, [FIRST], [other])
        assert (difference.low, difference.high, difference.note) == (None, None, note)


def test_rescoring_compares_no_shares() -> None:
    assert compare_score_records(STAR, [FIRST], []).n_figures == 0
