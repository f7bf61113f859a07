"""EM, Jaccard, precision and recall: hand-computed values, plain loops over sets, and invariants."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics import chance_of_multi_label, score_multi_label
from evaluation.types import MISSING, UNREADABLE, Score

Items = list[tuple[int, int]]

items_of_six_options = st.lists(
    st.tuples(st.integers(0, 63) | st.sampled_from([UNREADABLE, MISSING]), st.integers(1, 63)), min_size=1, max_size=20
)


def to_set(code: int) -> frozenset[int]:
    return frozenset(place for place in range(16) if code >> place & 1) if code > 0 else frozenset()


def score(items: Items) -> dict[str, Score]:
    chosen, right = (np.array(column, np.int16) for column in zip(*items, strict=True))
    return score_multi_label(chosen, right)._asdict()


def plain_values(chosen: frozenset[int], right: frozenset[int]) -> dict[str, float]:
    """Compute the four scores of one item from sets."""
    return {
        "em": float(chosen == right),
        "ji": len(chosen & right) / len(chosen | right),
        "precision": len(chosen & right) / len(chosen) if chosen else 0.0,
        "recall": len(chosen & right) / len(right),
    }


def test_multi_label_scores_of_four_items_equal_the_hand_computed_values() -> None:
    # {A,B} for {A,B}: 1 1 1 1. {A} for {A,B}: 0 1/2 1 1/2. {A,C,D} for {A,B}: 0 1/4 1/3 1/2. Nothing: 0 0 0 0.
    scores = score([(0b0011, 0b0011), (0b0001, 0b0011), (0b1101, 0b0011), (UNREADABLE, 0b0011)])
    assert {metric: entry.n for metric, entry in scores.items()} == dict.fromkeys(scores, 4)
    values = {metric: entry.value for metric, entry in scores.items()}
    expected = {"em": 1 / 4, "ji": 1.75 / 4, "precision": (2 + 1 / 3) / 4, "recall": 2 / 4}
    assert values == pytest.approx(expected, abs=1e-12)


@given(items_of_six_options)
def test_multi_label_scores_equal_loops_over_sets(items: Items) -> None:
    plain = [plain_values(to_set(chosen), to_set(right)) for chosen, right in items]
    for metric, entry in score(items).items():
        assert entry.value == pytest.approx(sum(values[metric] for values in plain) / len(plain), abs=1e-12)


@given(st.data(), items_of_six_options)
def test_multi_label_scores_do_not_depend_on_the_order_of_items(data: st.DataObject, items: Items) -> None:
    assert score(data.draw(st.permutations(items))) == score(items)


@given(items_of_six_options)
def test_right_sets_score_one_and_missing_answers_zero(items: Items) -> None:
    assert {entry.value for entry in score([(right, right) for _, right in items]).values()} == {1.0}
    assert {entry.value for entry in score([(MISSING, right) for _, right in items]).values()} == {0.0}


@given(items_of_six_options, st.integers(0, 5))
def test_one_more_right_option_never_lowers_a_score(items: Items, place: int) -> None:
    chosen, right = items[0]
    if right >> place & 1:
        before, after = score(items), score([(max(chosen, 0) | 1 << place, right), *items[1:]])
        assert all((after[metric].value or 0) >= (before[metric].value or 0) - 1e-15 for metric in before)


@given(items_of_six_options)
def test_exact_match_never_exceeds_the_other_scores(items: Items) -> None:
    values = {metric: entry.value or 0 for metric, entry in score(items).items()}
    assert values["em"] <= values["ji"] + 1e-15 <= min(values["precision"], values["recall"]) + 2e-15


def test_multi_label_scores_without_items_are_undefined() -> None:
    assert set(score_multi_label(np.array([], np.int16), np.array([], np.int16))) == {Score(None, 0)}


def test_item_without_a_right_option_is_refused() -> None:
    with pytest.raises(ValueError, match="1 items have no correct option"):
        score_multi_label(np.array([1, 1], np.int16), np.array([1, 0], np.int16))


def test_chance_equals_the_mean_over_every_set(subtests: pytest.Subtests) -> None:
    for n, n_right in [(size, right) for size in range(1, 8) for right in range(1, size + 1)]:
        with subtests.test(n=n, n_right=n_right):
            right = frozenset(range(n_right))
            sets = [frozenset(s) for size in range(1, n + 1) for s in itertools.combinations(range(n), size)]
            plain = [plain_values(chosen, right) for chosen in sets]
            for metric, value in chance_of_multi_label(n, n_right)._asdict().items():
                assert value == pytest.approx(sum(values[metric] for values in plain) / len(plain), abs=1e-12)


def test_chance_of_an_impossible_question_is_refused(subtests: pytest.Subtests) -> None:
    for n, n_right in ((4, 0), (4, 5), (0, 0), (-1, -1)):
        with subtests.test(n=n, n_right=n_right), pytest.raises(ValueError, match="cannot be correct"):
            chance_of_multi_label(n, n_right)
