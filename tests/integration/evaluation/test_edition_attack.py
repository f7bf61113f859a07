"""Attack on an edition by someone who knows everything about closed ones: it ends within chance."""

import re
from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import pytest

from bench.disclosed_features import DisclosedItem, cut_name
from bench.edition_attack import (
    N_ERRORS,
    TARGETS,
    Alter,
    AttackResult,
    attack,
    disclose_edition,
    main,
    make_key,
    name_edition,
    see_edition,
)
from bench.edition_names import ALPHABET, DIGITS, cut_seed, list_names, predict_letters
from evaluation import get_benchmark

LINKED, ALONE, STAR, TRACES = TARGETS
MOTION = get_benchmark("audio-motion-bench")
IDS = [name_edition(number).removeprefix("e-") for number in range(3)]
# `python -m bench.edition_attack` and the soak attack everything; the suite does what takes a second.
each_target = pytest.mark.parametrize("target", [LINKED, pytest.param(ALONE, marks=pytest.mark.slow), STAR, TRACES])
each_target_in_soak = pytest.mark.parametrize(
    "target", [LINKED, *(pytest.param(target, marks=pytest.mark.slow) for target in (ALONE, STAR, TRACES))]
)


def list_attempts(
    target: str, alter: Alter = tuple, n_seen: int = 1, following: int | None = None
) -> list[AttackResult]:
    """Attack one edition after some others: by default the one after them."""
    seen = [see_edition(TARGETS[target], number, alter) for number in range(n_seen)]
    return list(attack(target, seen, [see_edition(TARGETS[target], n_seen if following is None else following, alter)]))


@each_target
def test_closed_editions_reveal_nothing_about_the_next_one(target: str, soak: bool) -> None:
    attempts = list_attempts(target, n_seen=5 if soak else 1)
    assert {attempt.score for attempt in attempts} == TARGETS[target].bounds.keys()
    assert [attempt for attempt in attempts if attempt.excess > N_ERRORS] == []


def test_bounds_are_what_boards_state() -> None:
    (linking,) = (baseline.scores for baseline in MOTION.baselines if baseline.id == "linking")
    (constant,) = (baseline.scores for baseline in get_benchmark("star-bench").baselines if baseline.id == "constant")
    for target, stated in ((LINKED, linking), (ALONE, MOTION.chance), (STAR, constant)):
        bounds = TARGETS[target].bounds
        assert bounds == pytest.approx({name: stated[name] for name in bounds})


# --- designs that tell: the same attack succeeds


def tell_by_id(items: Sequence[DisclosedItem]) -> Sequence[DisclosedItem]:
    """Show IDs whose last letter depends on the answer."""
    names = [f"{item.question.name[:-1]}{ALPHABET[crc32(item.right.encode()) % 32]}" for item in items]
    return [replace(item, question=replace(item.question, name=name)) for item, name in zip(items, names, strict=True)]


def sort_by_answer(items: Sequence[DisclosedItem]) -> Sequence[DisclosedItem]:
    """Sort the pack by the answers."""
    return sorted(items, key=lambda item: item.right)


@each_target_in_soak
@pytest.mark.parametrize("alter", [tell_by_id, sort_by_answer])
def test_attack_finds_names_and_places_that_tell(target: str, alter: Alter) -> None:
    assert max(attempt.excess for attempt in list_attempts(target, alter)) > N_ERRORS


def tell_by_wording(items: Sequence[DisclosedItem]) -> Sequence[DisclosedItem]:
    """Show another word in half of the erroneous steps."""
    told = []
    for item in items:
        wrong = re.findall(r"\d+", item.right)
        steps = tuple(
            f"{step} Surely." if str(number) in wrong and crc32(step.encode()) % 2 else step
            for number, step in enumerate(item.question.steps, start=1)
        )
        told.append(replace(item, question=replace(item.question, steps=steps)))
    return told


def test_attack_finds_wordings_that_tell() -> None:
    assert max(attempt.excess for attempt in list_attempts(TRACES, tell_by_wording)) > N_ERRORS


@each_target_in_soak
def test_attack_finds_a_seed_that_is_used_twice(target: str) -> None:
    assert max(attempt.excess for attempt in list_attempts(target, following=0)) > N_ERRORS


# --- names and seeds


def test_names_and_seeds_of_the_next_edition_cannot_be_predicted(subtests: pytest.Subtests) -> None:
    names = [list_names(disclose_edition(MOTION, number)) for number in range(3)]
    seeds = [[cut_seed(make_key(MOTION, number).seed)] for number in range(3)]
    for alphabet, (*seen, following) in ((ALPHABET, names), (DIGITS, seeds)):
        chance, n_letters = 1 / len(alphabet), sum(map(len, following))
        error = (chance * (1 - chance) / n_letters) ** 0.5
        for method, share in predict_letters(seen, IDS[:2], following, IDS[2], alphabet).items():
            with subtests.test(method=method, n_letters=n_letters):
                assert abs(share - chance) < N_ERRORS * error


def test_names_that_do_not_depend_on_the_edition_are_predicted() -> None:
    names = [cut_name(item.question.name) for item in disclose_edition(MOTION, 0)]
    shares = predict_letters([names, names], IDS[:2], names, IDS[2], ALPHABET)
    assert shares["same place"] == shares["step"] == 1


def test_counted_names_are_predicted() -> None:
    editions = [[ALPHABET[number + step] * 8 for step in range(20)] for number in (0, 4, 8)]
    assert predict_letters(editions[:2], IDS[:2], editions[2], IDS[2], ALPHABET)["step"] == 1


def test_names_that_spell_the_edition_are_predicted() -> None:
    editions = [[f"{edition[0]}{letter}" for letter in ALPHABET] for edition in ("0a", "1b", "0c")]
    shares = predict_letters(editions[:2], ["00", "11"], editions[2], "00", ALPHABET)
    assert shares["ID of the edition"] >= 0.5


def test_command_prints_a_row_for_every_method(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--editions", "1", "--next", "1", "--benchmark", "audio-motion-bench"]
    monkeypatch.setattr("bench.edition_attack.TARGETS", {LINKED: TARGETS[LINKED]})
    monkeypatch.setattr("sys.argv", ["edition_attack", *arguments])
    main()
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + 6 * 3 + 2 * 4
    assert all(row.startswith("|") for row in rows)
