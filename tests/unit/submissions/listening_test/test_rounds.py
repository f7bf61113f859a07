"""Rounds of the listening test: balanced, reproducible by seed, and graded correctly."""

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


def test_draw_round_returns_equal_questions_only_for_equal_seeds_and_content() -> None:
    first = draw_round(ITEMS, 20, 7, "d")
    assert first == draw_round(list(ITEMS), 20, 7, "d")
    assert first != draw_round(ITEMS, 20, 8, "d")
    assert first != draw_round(ITEMS, 20, 7, "other questions")


@pytest.mark.parametrize("n", [10, 20, 40])
def test_draw_round_balances_parts_and_tasks(n: int) -> None:
    items = draw_round(ITEMS, n, 3, "d")
    assert len({item.id for item in items}) == n
    assert set(Counter(item.part for item in items).values()) == {n // 2}
    tasks = Counter(item.task for item in items).values()
    assert len(tasks) == 4
    assert max(tasks) - min(tasks) <= 1


def test_draw_round_takes_all_items_of_a_small_part_and_the_rest_from_others() -> None:
    few = [make_item("only", "c/z")]
    counts = Counter(item.part for item in draw_round([*ITEMS, *few], 20, 1, "d"))
    assert counts == Counter({"a": counts["a"], "b": 19 - counts["a"], "c": 1})
    assert abs(counts["a"] - counts["b"]) == 1


def test_draw_round_repeats_no_clip_while_others_remain() -> None:
    items = [make_item(f"{at}", "a/x", clip=f"clip-{at // 3}") for at in range(60)]
    clips = [item.clips[0] for item in draw_round(items, 20, 5, "d")]
    assert len(set(clips)) == 20
    assert len({item.id for item in draw_round(items, 40, 5, "d")}) == 40


@pytest.mark.parametrize(("n", "seed"), [(11, 1), (0, 1), (40, 1), (10, -1), (10, 10**9)])
def test_draw_round_of_unknown_length_or_seed_is_refused(n: int, seed: int) -> None:
    with pytest.raises(BadRequestError):
        draw_round(ITEMS[:30], n, seed, "d")


def test_share_is_even_and_never_exceeds_the_supply() -> None:
    rng = np.random.default_rng(1)
    assert share(100, {"a": 2, "b": 3}, rng) == {"a": 2, "b": 3}
    assert sorted(share(10, {"a": 1, "b": 9, "c": 9}, rng).values()) == [1, 4, 5]
    assert list_lengths(21) == (10, 20)
    assert list_lengths(9) == ()


def test_groups_are_parts_or_the_tasks_of_the_only_part() -> None:
    assert set(name_groups(ITEMS).values()) == {"a", "b"}
    assert set(name_groups(ITEMS[:40]).values()) == {"a/x", "a/y"}
    assert name_groups(ITEMS[:20]) == {"a/x": "a/x"}
    assert (find_common(ITEMS), find_common(ITEMS[:40])) == ("", "a")


def test_list_listening_items_omits_formats_without_buttons() -> None:
    assert {item.answer_format for item in list_listening_items("mdar", "demo")} == {"choice", "choices"}
    assert len(list_listening_items("mdar", "demo")) == 21
    assert list_listening_items("audio-process-bench", "synthetic-3") == ()
    assert list_listening_items("mdar", "1.0") == (), "it has no practice split"


MIXED = (make_item("c"), make_item("m", "a/y", "choices"), make_item("t", "b/x", "boolean"), make_item("s", "b/y"))
TRUTHS: dict[str, int | bool | frozenset[int]] = {"c": 2, "m": frozenset({0, 3}), "t": False, "s": 1}


def test_mark_round_compares_every_format_and_counts_skipped_questions_as_wrong() -> None:
    marks = mark_round(MIXED, TRUTHS, {"c": 2, "m": [3, 0], "t": False, "s": None})
    assert [mark.is_right for mark in marks] == [True, True, True, False]
    marks = mark_round(MIXED, TRUTHS, {"c": 1, "m": [0], "t": True, "s": 1})
    assert [mark.is_right for mark in marks] == [False, False, False, True]


def test_mark_round_refuses_invalid_answers(subtests: pytest.Subtests) -> None:
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
            answers = {"c": 2, "m": [0, 3], "t": False, "s": None} | change
            with pytest.raises(BadRequestError):
                mark_round(MIXED, TRUTHS, answers)  # type: ignore[arg-type]


def test_mark_round_without_an_answer_to_each_question_is_refused() -> None:
    with pytest.raises(BadRequestError, match="3 of 4 questions have no answer"):
        mark_round(MIXED, TRUTHS, {"c": 2})


def test_chance_is_that_of_an_even_pick_among_the_possible_answers() -> None:
    # 1/4, 1 of the 15 non-empty subsets of four options, 1/2, 1/4.
    assert find_chance(MIXED) == pytest.approx((1 / 4 + 1 / 15 + 1 / 2 + 1 / 4) / 4)


def test_count_share_has_the_wilson_interval() -> None:
    marks = [Mark(item, 1 if at < 7 else 0, 1) for at, item in enumerate(ITEMS[:10])]
    counted = count_share(marks)
    assert (counted.n_right, counted.n, counted.value, counted.chance) == (7, 10, 0.7, 0.25)
    assert (counted.low, counted.high) == pytest.approx((0.39677, 0.89221), abs=1e-5)
