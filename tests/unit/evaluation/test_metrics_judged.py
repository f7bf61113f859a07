"""Scores of open answers: hand-computed values, plain loops, and invariants."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import Judgement, JudgementError, item_score, score_judged
from evaluation.types import Score

judgements = st.builds(
    Judgement,
    candidate=st.floats(0, 10),
    reference=st.floats(0.5, 10),
    candidate_first=st.booleans(),
)
answers = st.lists(st.lists(judgements, max_size=4), min_size=1, max_size=8)


def points(judgement: Judgement) -> float:
    """Return the released rule's score, from 0 to 10."""
    return min(10.0, 10.0 * judgement.candidate / judgement.reference)


def test_judged_scores_of_three_items_equal_the_hand_computed_values() -> None:
    scored = score_judged(
        [
            [Judgement(6, 8, candidate_first=True), Judgement(4, 8, candidate_first=False)],  # 7.5 and 5: 6.25
            [Judgement(9, 6, candidate_first=True), Judgement(3, 6, candidate_first=False)],  # 10 and 5: 7.5
            [],  # an empty answer: 0
        ]
    )
    assert scored.judge_score.value == pytest.approx((6.25 + 7.5 + 0) / 30)
    assert scored.judge_raw.value == pytest.approx((5 + 6 + 0) / 30)
    assert scored.judge_spread.value == pytest.approx((statistics.stdev([7.5, 5]) + statistics.stdev([10, 5])) / 20)
    assert scored.position_effect.value == pytest.approx((2.5 + 5) / 20)
    assert [score.n for score in scored] == [3, 3, 2, 2]


def test_answer_better_than_its_reference_scores_at_most_ten() -> None:
    assert item_score([Judgement(10, 5, candidate_first=True)]) == 1.0


@given(answers)
def test_judged_scores_equal_plain_loops(answers: list[list[Judgement]]) -> None:
    total = raw = 0.0
    spreads, effects = [], []
    for answer in answers:
        scores = [points(judged) for judged in answer]
        total += sum(scores) / len(scores) if scores else 0
        raw += sum(judged.candidate for judged in answer) / len(answer) if answer else 0
        if len(scores) > 1:
            spreads.append(statistics.stdev(scores))
        first = [points(judged) for judged in answer if judged.candidate_first]
        second = [points(judged) for judged in answer if not judged.candidate_first]
        if first and second:
            effects.append(sum(first) / len(first) - sum(second) / len(second))
    scored = score_judged(answers)
    assert scored.judge_score.value == pytest.approx(total / len(answers) / 10, abs=1e-9)
    assert scored.judge_raw.value == pytest.approx(raw / len(answers) / 10, abs=1e-9)
    for score, values in ((scored.judge_spread, spreads), (scored.position_effect, effects)):
        assert score.n == len(values)
        assert (score.value is None) == (not values)
        if score.value is not None:
            assert score.value == pytest.approx(sum(values) / len(values) / 10, abs=1e-9)


@given(st.data(), answers)
def test_judged_scores_do_not_depend_on_any_order(data: st.DataObject, answers: list[list[Judgement]]) -> None:
    shuffled = data.draw(st.permutations([data.draw(st.permutations(answer)) for answer in answers]))
    assert score_judged(shuffled) == score_judged(answers)


@given(st.lists(judgements, min_size=1, max_size=4), st.floats(0, 10))
def test_better_candidate_never_lowers_a_score(answer: list[Judgement], candidate: float) -> None:
    better = Judgement(max(candidate, answer[0].candidate), answer[0].reference, answer[0].candidate_first)
    before, after = score_judged([answer]), score_judged([[better, *answer[1:]]])
    assert (after.judge_score.value or 0) >= (before.judge_score.value or 0)
    assert (after.judge_raw.value or 0) >= (before.judge_raw.value or 0)


@given(st.lists(judgements, min_size=1, max_size=4))
def test_answer_as_good_as_its_reference_scores_one(answer: list[Judgement]) -> None:
    equal = [Judgement(judged.reference, judged.reference, judged.candidate_first) for judged in answer]
    assert score_judged([equal]).judge_score == Score(1.0, 1)


def test_judged_scores_without_items_are_undefined() -> None:
    assert set(score_judged([])) == {Score(None, 0)}


def test_spread_and_position_effect_without_a_comparison_are_undefined() -> None:
    one_order = [Judgement(5, 5, candidate_first=True), Judgement(4, 5, candidate_first=True)]
    assert score_judged([one_order]).position_effect == Score(None, 0)
    assert score_judged([one_order[:1]]).judge_spread == Score(None, 0)


def test_judgement_out_of_range_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[float, float]] = [
        (-1, 5),
        (10.5, 5),
        (float("nan"), 5),
        (float("inf"), 5),
        (5, 0),
        (5, -1),
        (5, 11),
        (5, float("nan")),
    ]
    for candidate, reference in rows:
        with (
            subtests.test(candidate=candidate, reference=reference),
            pytest.raises(JudgementError, match="Judge it again"),
        ):
            Judgement(candidate, reference, candidate_first=True)
