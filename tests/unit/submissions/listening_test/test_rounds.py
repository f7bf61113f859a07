"""Rounds of the listening test: balanced, reproducible by seed, and graded as by hand."""

from collections import Counter

import numpy as np
import pytest

from evaluation.types import Item
from submissions.errors import BadRequestError
from submissions.listening_test.marking import Mark, count_share, find_chance, mark_round
from submissions.listening_test.practice_packs import list_listening_items
from submissions.listening_test.rounds import draw_round, find_common, list_lengths, name_groups, share


def make_item(name: str, task: str = "a/x", answer_format: str = "choice", clip: str | None = None) -> Item:
    options = () if answer_format == "boolean" else ("one", "two", "three", "four")
    part = task.split("/")[0]
    return Item(name, part, task, "What?", answer_format, options, (0,), (clip or f"clip-{name}",))  # type: ignore[arg-type]


ITEMS = [make_item(f"{part}{task}{at}", f"{part}/{task}") for part in "ab" for task in "xy" for at in range(20)]


def test_draw_round_same_seed_gives_the_same_questions_and_another_seed_others() -> None:
    first = draw_round(ITEMS, 20, 7, "d")
    assert first == draw_round(list(ITEMS), 20, 7, "d")
    assert first != draw_round(ITEMS, 20, 8, "d")
    assert first != draw_round(ITEMS, 20, 7, "other questions")


@pytest.mark.parametrize("n", [10, 20, 40])
def test_draw_round_asks_as_much_of_every_part_and_task(n: int) -> None:
    found = draw_round(ITEMS, n, 3, "d")
    assert len({item.id for item in found}) == n
    assert set(Counter(item.part for item in found).values()) == {n // 2}
    tasks = Counter(item.task for item in found).values()
    assert len(tasks) == 4
    assert max(tasks) - min(tasks) <= 1


def test_draw_round_small_part_gives_all_it_has_and_the_others_the_rest() -> None:
    few = [make_item("only", "c/z")]
    found = Counter(item.part for item in draw_round([*ITEMS, *few], 20, 1, "d"))
    assert found == Counter({"a": found["a"], "b": 19 - found["a"], "c": 1})
    assert abs(found["a"] - found["b"]) == 1


def test_draw_round_hears_no_sound_twice_while_there_are_others() -> None:
    items = [make_item(f"{at}", "a/x", clip=f"clip-{at // 3}") for at in range(60)]
    clips = [item.clips[0] for item in draw_round(items, 20, 5, "d")]
    assert len(set(clips)) == 20
    assert len({item.id for item in draw_round(items, 40, 5, "d")}) == 40


@pytest.mark.parametrize(("n", "seed"), [(11, 1), (0, 1), (40, 1), (10, -1), (10, 10**9)])
def test_draw_round_unknown_length_or_seed_is_refused(n: int, seed: int) -> None:
    with pytest.raises(BadRequestError):
        draw_round(ITEMS[:30], n, seed, "d")


def test_share_is_even_and_never_more_than_there_is() -> None:
    rng = np.random.default_rng(1)
    assert share(100, {"a": 2, "b": 3}, rng) == {"a": 2, "b": 3}
    assert sorted(share(10, {"a": 1, "b": 9, "c": 9}, rng).values()) == [1, 4, 5]
    assert list_lengths(21) == (10, 20)
    assert list_lengths(9) == ()


def test_groups_are_parts_or_what_lies_under_the_only_one() -> None:
    assert set(name_groups(ITEMS).values()) == {"a", "b"}
    assert set(name_groups(ITEMS[:40]).values()) == {"a/x", "a/y"}
    assert name_groups(ITEMS[:20]) == {"a/x": "a/x"}
    assert (find_common(ITEMS), find_common(ITEMS[:40])) == ("", "a")


def test_list_asked_leaves_out_what_no_button_answers() -> None:
    assert {item.answer_format for item in list_listening_items("mdar", "demo")} == {"choice", "choices"}
    assert len(list_listening_items("mdar", "demo")) == 21
    assert list_listening_items("audio-process-bench", "synthetic-2") == ()
    assert list_listening_items("mdar", "1.0") == (), "it has no practice split"


MIXED = (make_item("c"), make_item("m", "a/y", "choices"), make_item("t", "b/x", "boolean"), make_item("s", "b/y"))
TRUTHS: dict[str, int | bool | frozenset[int]] = {"c": 2, "m": frozenset({0, 3}), "t": False, "s": 1}


def test_mark_round_compares_every_form_and_a_skipped_question_is_wrong() -> None:
    marks = mark_round(MIXED, TRUTHS, {"c": 2, "m": [3, 0], "t": False, "s": None})
    assert [mark.is_right for mark in marks] == [True, True, True, False]
    marks = mark_round(MIXED, TRUTHS, {"c": 1, "m": [0], "t": True, "s": 1})
    assert [mark.is_right for mark in marks] == [False, False, False, True]


def test_mark_round_answer_that_cannot_be_given_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[dict[str, object]] = [
        {"c": 4},
        {"c": -1},
        {"c": True},
        {"c": [2]},
        {"t": 0},
        {"m": []},
        {"m": [0, 0]},
        {"m": [0, 4]},
        {"m": 0},
        {"other": 1},
    ]
    for change in rows:
        with subtests.test(change=change):
            given = {"c": 2, "m": [0, 3], "t": False, "s": None} | change
            with pytest.raises(BadRequestError):
                mark_round(MIXED, TRUTHS, given)  # type: ignore[arg-type]


def test_mark_round_without_an_answer_to_each_question_is_refused() -> None:
    with pytest.raises(BadRequestError, match="3 of 4 questions have no answer"):
        mark_round(MIXED, TRUTHS, {"c": 2})


def test_chance_is_that_of_an_even_pick_among_what_can_be_answered() -> None:
    # 1/4, 1 of the 15 sets of some of four options, 1/2, 1/4.
    assert find_chance(MIXED) == pytest.approx((1 / 4 + 1 / 15 + 1 / 2 + 1 / 4) / 4)


def test_count_share_has_the_interval_of_wilson() -> None:
    marks = [Mark(item, 1 if at < 7 else 0, 1) for at, item in enumerate(ITEMS[:10])]
    found = count_share(marks)
    assert (found.n_right, found.n, found.value, found.chance) == (7, 10, 0.7, 0.25)
    assert (found.low, found.high) == pytest.approx((0.39677, 0.89221), abs=1e-5)
