"""Design of AudioMotionBench: balance under every seed, so that constant answers score at chance."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from evaluation import get_benchmark
from evaluation.answer_keys import PRACTICE_SEED
from evaluation.benchmarks.audio_motion_bench import design
from evaluation.benchmarks.audio_motion_bench.design import (
    CONDITIONS,
    RUNS,
    TRAJECTORIES,
    VARIANTS,
    DesignedItem,
    design_items,
    false_statement,
    mirror_front_back,
    mirror_left_right,
    option_set,
    reverse,
)
from evaluation.errors import AnswerKeyError
from evaluation.synthesis import Trajectory
from evaluation.types import Split
from tests.support.samples.key_answers import position_of

BENCHMARK = get_benchmark("audio-motion-bench")
SPLITS: list[tuple[Split, str]] = [
    ("practice", PRACTICE_SEED),
    ("test", "a"),
    ("test", "ключ 鍵"),
    ("test", "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"),
]
CELLS = [(variant, condition) for variant in VARIANTS for condition in CONDITIONS]


@pytest.fixture(params=SPLITS, ids=["practice", "short", "unicode", "random"])
def designed(request: pytest.FixtureRequest) -> tuple[DesignedItem, ...]:
    return design_items(*request.param)


def by_cell(items: Iterable[DesignedItem]) -> Iterator[list[DesignedItem]]:
    cells: dict[tuple[str, str], list[DesignedItem]] = defaultdict(list)
    for item in items:
        cells[item.clip.variant, item.clip.condition].append(item)
    assert set(cells) == set(CELLS)
    return iter(cells.values())


def of_form(items: Iterable[DesignedItem], form: str) -> list[DesignedItem]:
    return [item for item in items if item.form == form]


def offered_sets(items: Iterable[DesignedItem]) -> dict[frozenset[Trajectory], list[Trajectory]]:
    """Return option set → the truths of the multiple-choice items that offer it."""
    truths: dict[frozenset[Trajectory], list[Trajectory]] = defaultdict(list)
    for item in of_form(items, "mcq"):
        truths[frozenset(item.offered)].append(item.clip.trajectory)
    return truths


def test_design_of_any_seed_has_672_clips_and_2016_items(designed: tuple[DesignedItem, ...]) -> None:
    clips = {item.clip for item in designed}
    assert len(designed) == 2016
    assert len(clips) == len({clip.name for clip in clips}) == 672
    assert Counter(item.form for item in designed) == {"mcq": 672, "tf": 1344}
    assert {(c.trajectory, c.variant, c.condition) for c in clips} == {
        (path, variant, condition) for path in TRAJECTORIES for variant, condition in CELLS
    }
    assert len(TRAJECTORIES) == len(set(TRAJECTORIES)) == 56


def test_every_clip_has_one_choice_and_two_statements(designed: tuple[DesignedItem, ...]) -> None:
    forms: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for item in designed:
        forms[item.clip.name].append((item.form, item.form == "tf" and bool(item.answer)))
    assert all(sorted(kinds) == [("mcq", False), ("tf", False), ("tf", True)] for kinds in forms.values())


def test_ids_of_any_seed_are_opaque_and_unique(designed: tuple[DesignedItem, ...]) -> None:
    assert len({item.item.id for item in designed}) == 2016
    for item in designed:
        assert re.fullmatch(r"amb-[0-9a-hjkmnp-tv-z]{8}", item.item.id), item.item.id
        assert re.fullmatch(r"clip-[0-9a-hjkmnp-tv-z]{8}", item.clip.name)


def test_ids_of_two_seeds_or_splits_are_disjoint() -> None:
    sources = [*SPLITS, ("test", PRACTICE_SEED)]
    names = [
        {name for designed in design_items(split, seed) for name in (designed.item.id, designed.clip.name)}
        for split, seed in sources
    ]
    assert all(first.isdisjoint(second) for first, second in combinations(names, 2))


def test_items_of_any_seed_are_ordered_by_id(designed: tuple[DesignedItem, ...]) -> None:
    ids = [item.item.id for item in designed]
    assert ids == sorted(ids)


def test_order_of_items_reveals_no_answers() -> None:
    # A position in the pack has another question under another seed: matches are as rare as by chance (1 in 2,016).
    first, second = (design_items("test", seed) for seed in ("a", "b"))
    same = sum(
        (a.form, a.clip.variant, a.clip.condition, a.clip.trajectory, a.answer)
        == (b.form, b.clip.variant, b.clip.condition, b.clip.trajectory, b.answer)
        for a, b in zip(first, second, strict=True)
    )
    assert same < 10


def test_every_letter_is_right_14_times_in_every_cell(designed: tuple[DesignedItem, ...]) -> None:
    for cell in by_cell(designed):
        assert Counter(item.answer for item in of_form(cell, "mcq")) == {0: 14, 1: 14, 2: 14, 3: 14}


def test_half_of_the_statements_are_true_in_every_cell(designed: tuple[DesignedItem, ...]) -> None:
    for cell in by_cell(designed):
        assert Counter(item.answer for item in of_form(cell, "tf")) == {True: 56, False: 56}


def test_every_option_of_a_set_is_right_once_in_every_cell(designed: tuple[DesignedItem, ...]) -> None:
    # The attack: learn from the texts alone which member of an option set is right.
    for cell in by_cell(designed):
        truths = offered_sets(cell)
        assert len(truths) == 14
        for options, right in truths.items():
            assert len(options) == len(right) == 4
            assert set(right) == options, "each member is right exactly once"


def test_items_with_the_same_options_show_them_in_the_same_order(designed: tuple[DesignedItem, ...]) -> None:
    # The attack: each letter is right 14 times in a cell; a model that narrows items to two options could count.
    for cell in by_cell(designed):
        orders: dict[frozenset[Trajectory], set[tuple[Trajectory, ...]]] = defaultdict(set)
        for item in of_form(cell, "mcq"):
            orders[frozenset(item.offered)].add(item.offered)
        assert all(len(shown) == 1 for shown in orders.values())


def test_orders_of_options_differ_between_sets_and_cells(designed: tuple[DesignedItem, ...]) -> None:
    orders = {(item.item.task, item.offered) for item in of_form(designed, "mcq")}
    by_set: dict[frozenset[Trajectory], set[tuple[Trajectory, ...]]] = defaultdict(set)
    for _, offered in orders:
        by_set[frozenset(offered)].add(offered)
    assert len(orders) == 14 * len(CELLS)
    assert all(len(shown) >= 2 for shown in by_set.values())


def test_ids_of_another_design_version_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    key = BENCHMARK.make_key("test", "a")
    monkeypatch.setattr(design, "DESIGN_VERSION", "of old")
    design_items.cache_clear()
    older = replace(key, answers={item.item.id: item.answer for item in design_items("test", "a")})
    monkeypatch.undo()
    design_items.cache_clear()
    BENCHMARK.check_key(key)
    with pytest.raises(AnswerKeyError, match="4032 ids differ"):
        BENCHMARK.check_key(older)


def test_every_statement_is_true_once_and_false_once_in_every_cell(designed: tuple[DesignedItem, ...]) -> None:
    for cell in by_cell(designed):
        verdicts: dict[str, list[bool]] = defaultdict(list)
        for item in of_form(cell, "tf"):
            verdicts[item.item.question].append(bool(item.answer))
        assert len(verdicts) == 56
        assert all(sorted(answers) == [False, True] for answers in verdicts.values())


def test_pair_of_statements_does_not_single_out_an_option(designed: tuple[DesignedItem, ...]) -> None:
    # The attack: two clips with the same options and the same two statements, and different truths.
    for cell in by_cell(designed):
        options = {item.clip.name: frozenset(item.offered) for item in of_form(cell, "mcq")}
        claims: dict[str, set[Trajectory]] = defaultdict(set)
        for item in of_form(cell, "tf"):
            claims[item.clip.name].add(item.offered[0])
        truths: dict[tuple[frozenset[Trajectory], frozenset[Trajectory]], set[Trajectory]] = defaultdict(set)
        for item in of_form(cell, "mcq"):
            truths[options[item.clip.name], frozenset(claims[item.clip.name])].add(item.clip.trajectory)
        assert all(right == pair for (_, pair), right in truths.items())


def test_false_statement_is_among_the_options_of_its_clip(designed: tuple[DesignedItem, ...]) -> None:
    options = {item.clip.name: item.offered for item in of_form(designed, "mcq")}
    for item in of_form(designed, "tf"):
        (claim,) = item.offered
        assert claim in options[item.clip.name]
        assert (claim == item.clip.trajectory) is item.answer


def test_right_option_is_the_trajectory_of_the_clip(designed: tuple[DesignedItem, ...]) -> None:
    for item in of_form(designed, "mcq"):
        assert item.offered[position_of(item.answer)] == item.clip.trajectory
        assert len(set(item.offered)) == len(set(item.item.options)) == 4


def test_option_sets_are_the_same_in_all_conditions(designed: tuple[DesignedItem, ...]) -> None:
    sets: dict[tuple[str, Trajectory], set[frozenset[Trajectory]]] = defaultdict(set)
    for item in of_form(designed, "mcq"):
        sets[item.clip.variant, item.clip.trajectory].add(frozenset(item.offered))
    assert len(sets) == 3 * 56
    assert all(len(option_sets) == 1 for option_sets in sets.values())


def test_task_and_part_of_an_item_name_its_cell(designed: tuple[DesignedItem, ...]) -> None:
    for item in designed:
        assert item.item.task == f"{item.clip.variant}/{item.clip.condition}/{item.form}"
        assert item.item.part == item.clip.variant
        assert item.item.runs == RUNS
        assert item.item.clips == (item.clip.name,)
        assert item.item.answer_format == ("choice" if item.form == "mcq" else "boolean")


def test_symmetry_applied_twice_returns_the_trajectory(subtests: pytest.Subtests) -> None:
    for path in TRAJECTORIES:
        for symmetry in (mirror_left_right, mirror_front_back, reverse):
            with subtests.test(symmetry=symmetry, path=path):
                assert callable(symmetry)
                assert symmetry(path) in TRAJECTORIES
                assert symmetry(symmetry(path)) == path


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_member_of_an_option_set_has_the_same_set(variant: str) -> None:
    for path in TRAJECTORIES:
        options = option_set(path, variant)
        assert path in options
        assert len(set(options)) == 4
        assert all(option_set(other, variant) == options for other in options)


@pytest.mark.parametrize("variant", VARIANTS)
def test_false_statement_of_the_false_statement_is_the_truth(variant: str) -> None:
    for path in TRAJECTORIES:
        claim = false_statement(path, variant)
        assert claim != path
        assert claim in option_set(path, variant)
        assert false_statement(claim, variant) == path


def test_distractors_of_40_trajectories_rotate_over_the_variants() -> None:
    images = (mirror_left_right, mirror_front_back, reverse)
    rotating = [path for path in TRAJECTORIES if len({option_set(path, variant) for variant in VARIANTS}) == 3]
    assert len(rotating) == 40
    for path in rotating:
        counts = Counter(image for variant in VARIANTS for image in images if image(path) in option_set(path, variant))
        assert set(counts.values()) == {2}, "each symmetry in two of the three variants"


def test_content_of_one_seed_is_deterministic() -> None:
    content = BENCHMARK.content(BENCHMARK.make_key("test", "a"))
    design_items.cache_clear()
    assert BENCHMARK.content(BENCHMARK.make_key("test", "a")) == content
    assert tuple(item.item for item in design_items("test", "a")) == content.items


def test_content_digests_of_seeds_and_splits_differ() -> None:
    digests = [
        BENCHMARK.content(BENCHMARK.make_key(split, seed)).digest for split, seed in [*SPLITS, ("test", PRACTICE_SEED)]
    ]
    assert len(set(digests)) == len(digests)


def test_public_item_contains_no_answer() -> None:
    item = BENCHMARK.content(BENCHMARK.make_key("test", "a")).items[0]
    assert set(item.__dataclass_fields__) == {
        "id",
        "part",
        "task",
        "question",
        "answer_format",
        "options",
        "runs",
        "n_steps",
        "context",
        "clips",
    }
