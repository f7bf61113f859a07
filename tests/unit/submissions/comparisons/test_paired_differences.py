"""Paired differences: intervals and counts, and when they are withheld."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.statistics import compare
from evaluation.types import Item, Outcomes
from submissions.comparisons.differences import (
    MIN_P,
    ScoreDifference,
    from_result,
    subtract_scores,
    to_result,
    turn_around,
)
from submissions.comparisons.item_differences import (
    FEW_ITEMS,
    FEW_TELLING,
    NOT_COVERED,
    NOT_OF_ITEMS,
    NOT_THE_SAME,
    ScoringOutcomes,
)
from submissions.comparisons.paired_differences import PairedDifferences
from tests.support.samples.boards_with_outcomes import KEY, N_A, N_ITEMS, SMALL, make_scores, rows

Table = NDArray[np.float32]


def make_outcomes(correct: Table, wrong_choice: int = 1) -> Outcomes:
    """Return outcomes whose right answers are all choice 0; a wrong one is another choice."""
    choices = np.where(np.isnan(correct), -3, np.where(correct == 1, 0, wrong_choice))
    return Outcomes((), correct, choices.astype(np.int16))


def draw_outcomes(share: float, seed: int) -> Table:
    return (np.random.default_rng(seed).random((N_ITEMS, 1)) < share).astype(np.float32)


def compare_rows(
    a: Table, b: Table, *, names: tuple[str, str] = ("s-1", "s-2"), benchmark: Any = SMALL, **outcomes: Any
) -> dict[str, ScoreDifference]:
    plain = subtract_scores(SMALL, make_scores(a), make_scores(b))
    first, second = outcomes.get("first", make_outcomes(a)), outcomes.get("second", make_outcomes(b))
    pair = PairedDifferences(benchmark, KEY, ScoringOutcomes(names[0], first), ScoringOutcomes(names[1], second))
    return {difference.figure: difference for difference in pair.add_to(plain)}


def test_difference_of_a_slice_equals_compare_on_its_items() -> None:
    a, b = draw_outcomes(0.7, 1), draw_outcomes(0.5, 2)
    difference = compare_rows(a, b)["a|accuracy"]
    clusters = SMALL.cluster_items(KEY)
    weighs = rows("a") > 0
    expected = compare(a[weighs, 0], b[weighs, 0], clusters[weighs])
    assert expected.low is not None
    assert expected.high is not None
    assert expected.p_value is not None
    assert difference.difference == pytest.approx(expected.difference)
    assert (difference.wins, difference.losses, difference.ties) == (expected.wins, expected.losses, expected.ties)
    assert (difference.n_items, difference.n_clusters) == (N_A, N_A)
    assert expected.low - 1e-4 <= (difference.low or 0) <= expected.low
    assert expected.high <= (difference.high or 0) <= expected.high + 1e-4
    assert expected.p_value <= (difference.p_value or 0) <= expected.p_value + MIN_P


def test_differences_match_a_hand_computed_example() -> None:
    a, b = np.zeros((N_ITEMS, 1), np.float32), np.zeros((N_ITEMS, 1), np.float32)
    a[:50], b[30:60] = 1, 1  # of the first 80: 30 right in a alone, 20 in both, 10 in b alone, 20 in neither
    differences = compare_rows(a, b)
    difference = differences["a|accuracy"]
    assert (difference.first, difference.second, difference.difference) == (50 / 80, 30 / 80, 0.25)
    assert (difference.wins, difference.losses, difference.ties) == (30, 10, 40)
    assert differences["b|accuracy"].difference == 0
    assert differences["b|accuracy"].note == FEW_TELLING
    assert differences["overall|accuracy"].difference == pytest.approx(0.125)
    assert differences["a|errors"].difference == -0.25
    assert "few|accuracy" not in differences, "ten items are too few for a secret key"


def test_p_values_are_adjusted_across_all_tested_scores() -> None:
    differences = compare_rows(draw_outcomes(0.7, 1), draw_outcomes(0.5, 2))
    tested = [difference for difference in differences.values() if difference.p_value is not None]
    assert {difference.figure for difference in tested} == {
        *("a|errors", "a|bias", "a|accuracy", "b|accuracy", "overall|accuracy"),
    }
    smallest = min(tested, key=lambda difference: difference.p_value or 1)
    assert smallest.p_adjusted == pytest.approx(min(1, 5 * (smallest.p_value or 1)))
    assert differences["a|largest"].note == NOT_OF_ITEMS
    assert differences["a|largest"].p_adjusted is None


def test_columns_hidden_by_default_have_no_counts() -> None:
    differences = compare_rows(draw_outcomes(0.7, 1), draw_outcomes(0.5, 2))
    assert differences["a|bias"].p_value is not None
    assert (differences["a|bias"].wins, differences["a|bias"].losses, differences["a|bias"].ties) == (None, None, None)
    assert differences["overall|accuracy"].wins is not None, "a mean of means of one score"


def test_counts_are_withheld_if_they_reveal_those_of_a_part() -> None:
    a = draw_outcomes(0.6, 1)
    b = a.copy()
    b[N_A : N_A + 30] = 1 - b[N_A : N_A + 30]
    differences = compare_rows(a, b)
    assert differences["b|accuracy"].wins is not None
    assert differences["a|accuracy"].note == FEW_TELLING
    b[0] = 1 - b[0]
    differences = compare_rows(a, b)
    assert differences["a|accuracy"].note == FEW_ITEMS
    assert differences["b|accuracy"].note != FEW_ITEMS
    assert [difference.wins for difference in differences.values()] == [None] * len(differences), (
        "wins of a follow from those of all and those of b"
    )


def test_turned_around_differences_equal_the_reverse_comparison() -> None:
    a, b = draw_outcomes(0.7, 1), draw_outcomes(0.5, 2)
    forward = compare_rows(a, b)
    plain = subtract_scores(SMALL, make_scores(b), make_scores(a))
    backward = PairedDifferences(
        SMALL, KEY, ScoringOutcomes("s-1", make_outcomes(b)), ScoringOutcomes("s-2", make_outcomes(a))
    ).add_to(plain)
    assert [turn_around(difference) for difference in backward] == list(forward.values())


def test_equal_files_have_no_difference_and_no_test() -> None:
    a = draw_outcomes(0.6, 1)
    for difference in compare_rows(a, a).values():
        assert (difference.difference, difference.low, difference.high, difference.p_value, difference.p_adjusted) == (
            0,
            None,
            None,
            None,
            None,
        )
    assert compare_rows(a, a)["overall|accuracy"].note == FEW_TELLING
    assert compare_rows(a, a)["overall|accuracy"].ties == N_ITEMS


def test_differences_survive_storage_and_are_deterministic() -> None:
    a, b = draw_outcomes(0.7, 1), draw_outcomes(0.5, 2)
    differences = list(compare_rows(a, b).values())
    assert from_result(to_result(differences)) == differences == list(compare_rows(a, b).values())


@pytest.mark.parametrize("n_different", [0, 1, 19, 20])
def test_files_that_differ_on_few_items_show_only_the_plain_difference(n_different: int) -> None:
    a = draw_outcomes(0.6, 1)
    b = a.copy()
    b[:n_different] = 1 - b[:n_different]
    difference = compare_rows(a, b)["a|accuracy"]
    is_withheld = 0 < n_different < 20
    assert (difference.note == FEW_ITEMS) == is_withheld
    assert (difference.wins is None) == is_withheld
    assert (difference.low is None) == (difference.p_value is None) == (is_withheld or n_different == 0)
    assert difference.difference == pytest.approx(difference.first - difference.second)


@pytest.mark.parametrize("n_equal", [0, 1, 19, 20])
def test_files_that_agree_on_few_items_show_only_the_plain_difference(n_equal: int) -> None:
    a, b = np.zeros((N_ITEMS, 1), np.float32), np.zeros((N_ITEMS, 1), np.float32)
    first, second = make_outcomes(a, wrong_choice=1), make_outcomes(b, wrong_choice=2)
    second.choices[:n_equal] = 1
    difference = compare_rows(a, b, first=first, second=second)["a|accuracy"]
    assert (difference.note == FEW_ITEMS) == (0 < n_equal < 20)


def test_runs_of_only_one_file_do_not_count_as_agreement() -> None:
    a = draw_outcomes(0.6, 1)
    three = np.repeat(a, 3, axis=1)
    difference = compare_rows(three, np.hstack([a, np.full_like(three[:, :2], np.nan)]))["a|accuracy"]
    assert (difference.difference, difference.note) == (0, FEW_TELLING)


def test_few_items_are_shown_if_answers_are_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SMALL, "answers_are_secret", False)
    a = draw_outcomes(0.6, 1)
    b = a.copy()
    b[0] = 1 - b[0]
    differences = compare_rows(a, b)
    assert differences["a|accuracy"].wins is not None
    assert differences["a|bias"].wins is not None


def test_different_step_verdicts_are_different_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    content = SMALL.content(KEY)
    items: tuple[Item, ...] = tuple(replace(item, n_steps=2) for item in content.items)
    monkeypatch.setattr(SMALL, "content", lambda _key: replace(content, items=items))
    a = draw_outcomes(0.6, 1)
    first, second = (replace(make_outcomes(a), step_verdicts=np.zeros(2 * N_ITEMS, np.int8)) for _ in range(2))
    assert second.step_verdicts is not None
    assert compare_rows(a, a, first=first, second=second)["a|accuracy"].note == FEW_TELLING
    second.step_verdicts[4:6] = 1
    differences = compare_rows(a, a, first=first, second=second)
    assert differences["a|accuracy"].note == FEW_ITEMS
    assert differences["b|accuracy"].note == FEW_TELLING
    assert differences["b|accuracy"].wins is None, "step verdicts are not a single answer"


def test_score_that_one_file_does_not_cover_has_no_interval() -> None:
    a = draw_outcomes(0.7, 1)
    b = a.copy()
    b[0] = np.nan
    plain = subtract_scores(SMALL, make_scores(a), make_scores(a))
    pair = PairedDifferences(
        SMALL, KEY, ScoringOutcomes("s-1", make_outcomes(a)), ScoringOutcomes("s-2", make_outcomes(b))
    )
    differences = {difference.figure: difference for difference in pair.add_to(plain)}
    assert differences["a|accuracy"].note == differences["overall|accuracy"].note == NOT_COVERED
    assert differences["b|accuracy"].note == FEW_TELLING, "both files cover it, with equal answers"


def test_score_that_outcomes_do_not_reproduce_has_no_interval() -> None:
    a, b = draw_outcomes(0.7, 1), draw_outcomes(0.5, 2)
    plain = subtract_scores(SMALL, make_scores(a, **{"a|accuracy": 0.9}), make_scores(b))
    pair = PairedDifferences(
        SMALL, KEY, ScoringOutcomes("s-1", make_outcomes(a)), ScoringOutcomes("s-2", make_outcomes(b))
    )
    differences = {difference.figure: difference for difference in pair.add_to(plain)}
    assert (differences["a|accuracy"].low, differences["a|accuracy"].note) == (None, NOT_THE_SAME)


def test_wins_belong_to_the_better_row_if_lower_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = tuple(replace(column, shown=True) for column in SMALL.columns)
    monkeypatch.setattr(type(SMALL), "columns", columns)
    differences = compare_rows(draw_outcomes(0.9, 1), draw_outcomes(0.3, 2))
    right, wrong = differences["a|accuracy"], differences["a|errors"]
    assert right.wins == wrong.wins
    assert right.losses == wrong.losses
    assert right.difference == pytest.approx(-wrong.difference)
    assert (right.wins or 0) > (right.losses or 0)


def test_score_over_few_recordings_states_why_it_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SMALL, "answers_are_secret", False)
    monkeypatch.setattr(SMALL, "min_public_items", 1)
    few = compare_rows(draw_outcomes(0.7, 1), draw_outcomes(0.5, 2))["few|accuracy"]
    assert few.low is None
    assert few.note == "Too few recordings in this score, or in a large part of it, for a confidence interval."
