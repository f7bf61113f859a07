"""Paired differences: which have an interval and counts, and which are withheld."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from db.records import ScoreRecord
from evaluation.statistics import compare
from evaluation.types import Item, Outcomes
from submissions.comparisons.differences import (
    MIN_P,
    ScoreDifference,
    from_result,
    subtract_figures,
    to_result,
    turn_around,
)
from submissions.comparisons.paired_differences import (
    FEW_ITEMS,
    FEW_TELLING,
    NOT_COVERED,
    NOT_OF_ITEMS,
    NOT_THE_SAME,
    PairedDifferences,
    ScoringOutcomes,
)
from tests.support.samples.boards_with_outcomes import KEY, N_A, N_B, N_ITEMS, SMALL, rows, score

Table = NDArray[np.float32]


def chosen(correct: Table, wrong_choice: int = 1) -> Outcomes:
    """Return outcomes whose right answers are all choice 0; a wrong one is another choice."""
    choices = np.where(np.isnan(correct), -3, np.where(correct == 1, 0, wrong_choice))
    return Outcomes((), correct, choices.astype(np.int16))


def drawn(share: float, seed: int) -> Table:
    return (np.random.default_rng(seed).random((N_ITEMS, 1)) < share).astype(np.float32)


def figures(correct: Table, **others: float) -> list[ScoreRecord]:
    n = {"few": 10, "a": N_A, "b": N_B, "overall": N_ITEMS}
    found = score(correct) | others
    records = []
    for key, value in found.items():
        slice_name, metric = key.split("|")
        records.append(ScoreRecord(slice_name, metric, value, n[slice_name]))
    return records


def compare_rows(
    a: Table, b: Table, *, names: tuple[str, str] = ("s-1", "s-2"), benchmark: Any = SMALL, **outcomes: Any
) -> dict[str, ScoreDifference]:
    plain = subtract_figures(SMALL, figures(a), figures(b))
    first, second = outcomes.get("first", chosen(a)), outcomes.get("second", chosen(b))
    pair = PairedDifferences(benchmark, KEY, ScoringOutcomes(names[0], first), ScoringOutcomes(names[1], second))
    return {one.figure: one for one in pair.add_to(plain)}


def test_difference_of_a_slice_is_that_of_compare_on_its_items() -> None:
    a, b = drawn(0.7, 1), drawn(0.5, 2)
    found = compare_rows(a, b)["a|accuracy"]
    clusters = SMALL.cluster_items(KEY)
    weighs = rows("a") > 0
    alone = compare(a[weighs, 0], b[weighs, 0], clusters[weighs])
    assert alone.low is not None
    assert alone.high is not None
    assert alone.p_value is not None
    assert found.difference == pytest.approx(alone.difference)
    assert (found.wins, found.losses, found.ties) == (alone.wins, alone.losses, alone.ties)
    assert (found.n_items, found.n_clusters) == (N_A, N_A)
    assert alone.low - 1e-4 <= (found.low or 0) <= alone.low
    assert alone.high <= (found.high or 0) <= alone.high + 1e-4
    assert alone.p_value <= (found.p_value or 0) <= alone.p_value + MIN_P


def test_difference_by_hand() -> None:
    a, b = np.zeros((N_ITEMS, 1), np.float32), np.zeros((N_ITEMS, 1), np.float32)
    a[:50], b[30:60] = 1, 1  # of the first 80: 30 right in a alone, 20 in both, 10 in b alone, 20 in neither
    found = compare_rows(a, b)
    one = found["a|accuracy"]
    assert (one.first, one.second, one.difference) == (50 / 80, 30 / 80, 0.25)
    assert (one.wins, one.losses, one.ties) == (30, 10, 40)
    assert found["b|accuracy"].difference == 0
    assert found["b|accuracy"].note == FEW_TELLING
    assert found["overall|accuracy"].difference == pytest.approx(0.125)
    assert found["a|errors"].difference == -0.25
    assert "few|accuracy" not in found, "ten items are too few for a secret key"


def test_p_values_are_adjusted_among_the_figures_that_have_one() -> None:
    found = compare_rows(drawn(0.7, 1), drawn(0.5, 2))
    tested = [one for one in found.values() if one.p_value is not None]
    assert {one.figure for one in tested} == {
        *("a|errors", "a|bias", "a|accuracy", "b|accuracy", "overall|accuracy"),
    }
    smallest = min(tested, key=lambda one: one.p_value or 1)
    assert smallest.p_adjusted == pytest.approx(min(1, 5 * (smallest.p_value or 1)))
    assert found["a|largest"].note == NOT_OF_ITEMS
    assert found["a|largest"].p_adjusted is None


def test_columns_that_are_not_first_shown_have_no_counts() -> None:
    found = compare_rows(drawn(0.7, 1), drawn(0.5, 2))
    assert found["a|bias"].p_value is not None
    assert (found["a|bias"].wins, found["a|bias"].losses, found["a|bias"].ties) == (None, None, None)
    assert found["overall|accuracy"].wins is not None, "a mean of means of one score"


def test_counts_are_kept_back_where_those_of_a_part_would_follow_from_them() -> None:
    a = drawn(0.6, 1)
    b = a.copy()
    b[N_A : N_A + 30] = 1 - b[N_A : N_A + 30]
    found = compare_rows(a, b)
    assert found["b|accuracy"].wins is not None
    assert found["a|accuracy"].note == FEW_TELLING
    b[0] = 1 - b[0]
    found = compare_rows(a, b)
    assert found["a|accuracy"].note == FEW_ITEMS
    assert found["b|accuracy"].note != FEW_ITEMS
    assert [one.wins for one in found.values()] == [None] * len(found), "wins of a are those of all less those of b"


def test_turned_around_it_is_what_comparing_the_other_way_gives() -> None:
    a, b = drawn(0.7, 1), drawn(0.5, 2)
    there = compare_rows(a, b)
    plain = subtract_figures(SMALL, figures(b), figures(a))
    back = PairedDifferences(SMALL, KEY, ScoringOutcomes("s-1", chosen(b)), ScoringOutcomes("s-2", chosen(a))).add_to(
        plain
    )
    assert [turn_around(one) for one in back] == list(there.values())


def test_equal_files_differ_by_nothing_and_there_is_nothing_to_test() -> None:
    a = drawn(0.6, 1)
    for one in compare_rows(a, a).values():
        assert (one.difference, one.low, one.high, one.p_value, one.p_adjusted) == (0, None, None, None, None)
    assert compare_rows(a, a)["overall|accuracy"].note == FEW_TELLING
    assert compare_rows(a, a)["overall|accuracy"].ties == N_ITEMS


def test_differences_come_back_as_they_were_stored_and_are_the_same_every_time() -> None:
    a, b = drawn(0.7, 1), drawn(0.5, 2)
    found = list(compare_rows(a, b).values())
    assert from_result(to_result(found)) == found == list(compare_rows(a, b).values())


@pytest.mark.parametrize("n_otherwise", [0, 1, 19, 20])
def test_files_that_differ_on_few_items_show_the_plain_difference_only(n_otherwise: int) -> None:
    a = drawn(0.6, 1)
    b = a.copy()
    b[:n_otherwise] = 1 - b[:n_otherwise]
    one = compare_rows(a, b)["a|accuracy"]
    is_kept_back = 0 < n_otherwise < 20
    assert (one.note == FEW_ITEMS) == is_kept_back
    assert (one.wins is None) == is_kept_back
    assert (one.low is None) == (one.p_value is None) == (is_kept_back or n_otherwise == 0)
    assert one.difference == pytest.approx(one.first - one.second)


@pytest.mark.parametrize("n_alike", [0, 1, 19, 20])
def test_files_that_agree_on_few_items_show_the_plain_difference_only(n_alike: int) -> None:
    a, b = np.zeros((N_ITEMS, 1), np.float32), np.zeros((N_ITEMS, 1), np.float32)
    first, second = chosen(a, wrong_choice=1), chosen(b, wrong_choice=2)
    second.choices[:n_alike] = 1
    one = compare_rows(a, b, first=first, second=second)["a|accuracy"]
    assert (one.note == FEW_ITEMS) == (0 < n_alike < 20)


def test_runs_that_only_one_file_has_do_not_count_as_agreement() -> None:
    a = drawn(0.6, 1)
    three = np.repeat(a, 3, axis=1)
    one = compare_rows(three, np.hstack([a, np.full_like(three[:, :2], np.nan)]))["a|accuracy"]
    assert (one.difference, one.note) == (0, FEW_TELLING)


def test_few_items_are_no_matter_where_answers_are_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SMALL, "answers_are_secret", False)
    a = drawn(0.6, 1)
    b = a.copy()
    b[0] = 1 - b[0]
    found = compare_rows(a, b)
    assert found["a|accuracy"].wins is not None
    assert found["a|bias"].wins is not None


def test_steps_that_are_judged_otherwise_are_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    content = SMALL.content(KEY)
    items: tuple[Item, ...] = tuple(replace(item, n_steps=2) for item in content.items)
    monkeypatch.setattr(SMALL, "content", lambda _key: replace(content, items=items))
    a = drawn(0.6, 1)
    first, second = (replace(chosen(a), step_verdicts=np.zeros(2 * N_ITEMS, np.int8)) for _ in range(2))
    assert second.step_verdicts is not None
    assert compare_rows(a, a, first=first, second=second)["a|accuracy"].note == FEW_TELLING
    second.step_verdicts[4:6] = 1
    found = compare_rows(a, a, first=first, second=second)
    assert found["a|accuracy"].note == FEW_ITEMS
    assert found["b|accuracy"].note == FEW_TELLING
    assert found["b|accuracy"].wins is None, "verdicts on steps are no single answer"


def test_figure_that_one_file_does_not_cover_has_no_interval() -> None:
    a = drawn(0.7, 1)
    b = a.copy()
    b[0] = np.nan
    plain = subtract_figures(SMALL, figures(a), figures(a))
    pair = PairedDifferences(SMALL, KEY, ScoringOutcomes("s-1", chosen(a)), ScoringOutcomes("s-2", chosen(b)))
    found = {one.figure: one for one in pair.add_to(plain)}
    assert found["a|accuracy"].note == found["overall|accuracy"].note == NOT_COVERED
    assert found["b|accuracy"].note == FEW_TELLING, "it is covered, and both are the same"


def test_figure_that_its_outcomes_do_not_give_has_no_interval() -> None:
    a, b = drawn(0.7, 1), drawn(0.5, 2)
    plain = subtract_figures(SMALL, figures(a, **{"a|accuracy": 0.9}), figures(b))
    pair = PairedDifferences(SMALL, KEY, ScoringOutcomes("s-1", chosen(a)), ScoringOutcomes("s-2", chosen(b)))
    found = {one.figure: one for one in pair.add_to(plain)}
    assert (found["a|accuracy"].low, found["a|accuracy"].note) == (None, NOT_THE_SAME)


def test_wins_are_of_the_better_where_lower_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = tuple(replace(column, shown=True) for column in SMALL.columns)
    monkeypatch.setattr(type(SMALL), "columns", columns)
    found = compare_rows(drawn(0.9, 1), drawn(0.3, 2))
    right, wrong = found["a|accuracy"], found["a|errors"]
    assert right.wins == wrong.wins
    assert right.losses == wrong.losses
    assert right.difference == pytest.approx(-wrong.difference)
    assert (right.wins or 0) > (right.losses or 0)


def test_score_over_few_recordings_says_why_it_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SMALL, "answers_are_secret", False)
    monkeypatch.setattr(SMALL, "min_public_items", 1)
    few = compare_rows(drawn(0.7, 1), drawn(0.5, 2))["few|accuracy"]
    assert few.low is None
    assert few.note == "Too few recordings in this score, or in a large part of it, for a confidence interval."
