"""Scores from the texts of a question pack without its sounds: item by item, and by linking items."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from evaluation import Prediction, Report, get_benchmark
from evaluation.packs import all_runs, question

BENCHMARK = get_benchmark("audio-motion-bench")
SEEDS = ("one", "two", "three", "four")
CLAIM = re.compile(r"The sound moves (from [^.]+)\.")

Question = dict[str, Any]
Answers = dict[str, str]


@cache
def read_questions(seed: str) -> list[Question]:
    """Return `questions.jsonl` of a test split, one run of each item: all text that a participant sees."""
    content = BENCHMARK.content(BENCHMARK.make_key("test", seed))
    return [line for line in map(question, all_runs(BENCHMARK, content)) if line["run"] == 0]


def text_of(line: Question) -> str:
    return "\n".join(part["text"] for part in line["prompt"] if part["type"] == "text")


def clip_of(line: Question) -> str:
    return next(str(part["path"]) for part in line["prompt"] if part["type"] == "audio")


def claim_of(line: Question) -> str:
    match = CLAIM.search(text_of(line))
    assert match is not None
    return match[1].capitalize()


def link(lines: Iterable[Question]) -> list[list[Question]]:
    """Return the questions about each clip: four options, and two statements."""
    by_clip: dict[str, list[Question]] = defaultdict(list)
    for line in lines:
        by_clip[clip_of(line)].append(line)
    return [sorted(about, key=lambda line: str(line["answer_format"]), reverse=True) for about in by_clip.values()]


def answer_as_if(path: str, about: list[Question]) -> Answers:
    """Answer everything about a clip as if its path were known."""
    choice, *statements = about
    answers = {choice["id"]: "ABCD"[choice["options"].index(path)]}
    return answers | {line["id"]: str(claim_of(line) == path) for line in statements}


def believe_first_claim(lines: list[Question]) -> Answers:
    """Link a clip's items: one of the two claims is right, so believe the one that comes first in the alphabet."""
    answers: Answers = {}
    for about in link(lines):
        answers |= answer_as_if(min(claim_of(line) for line in about[1:]), about)
    return answers


def believe_each_claim_once(lines: list[Question]) -> Answers:
    """Link clips too: of two clips with the same two claims, each claim is right once, so believe each once."""
    answers: Answers = {}
    seen: dict[object, int] = defaultdict(int)
    for about in sorted(link(lines), key=lambda about: str(about[0]["id"])):
        claims = sorted(claim_of(line) for line in about[1:])
        group = (about[0]["task"], *claims)
        answers |= answer_as_if(claims[seen[group] % 2], about)
        seen[group] += 1
    return answers


def read_item_by_item(lines: list[Question]) -> Answers:
    """Answer each text on its own, always the same to the same text."""
    return {line["id"]: ("AB" if line["options"] else ("True", "False"))[len(text_of(line)) % 2] for line in lines}


def score(seed: str, strategy: Callable[[list[Question]], Answers]) -> Report:
    answers = strategy(read_questions(seed))
    return BENCHMARK.score(BENCHMARK.make_key("test", seed), (Prediction(id_, 0, a) for id_, a in answers.items()))


def list_accuracies(report: Report) -> tuple[float | None, ...]:
    return tuple(report.scores[name]["accuracy"].value for name in ("overall", "overall/mcq", "overall/tf"))


def test_reading_item_by_item_scores_exactly_chance(subtests: pytest.Subtests) -> None:
    for seed in SEEDS:
        with subtests.test(seed=seed):
            assert list_accuracies(score(seed, read_item_by_item)) == (840 / 2016, 168 / 672, 672 / 1344)


def test_linking_the_items_of_a_clip_scores_exactly_a_half(subtests: pytest.Subtests) -> None:
    for seed in SEEDS:
        with subtests.test(seed=seed):
            assert list_accuracies(score(seed, believe_first_claim)) == (0.5, 0.5, 0.5)


def test_linking_clips_as_well_scores_no_more() -> None:
    overall = [list_accuracies(score(seed, believe_each_claim_once))[0] or 0.0 for seed in SEEDS]
    # Each of 336 pairs of clips is right or wrong as a whole: a standard error of 0.5/√336/√4 = 0.014; four of them.
    assert sum(overall) / len(overall) == pytest.approx(0.5, abs=0.055)


def test_no_linking_of_texts_scores_more_because_clips_come_in_pairs_with_the_same_texts(
    subtests: pytest.Subtests,
) -> None:
    """Two indistinguishable clips have different truths, so any rule is right about exactly one."""
    for seed in SEEDS:
        with subtests.test(seed=seed):
            key = BENCHMARK.make_key("test", seed)
            truths: dict[tuple[str, ...], list[str]] = defaultdict(list)
            for about in link(read_questions(seed)):
                choice, *statements = about
                texts = (choice["task"], text_of(choice), *sorted(text_of(line) for line in statements))
                truths[texts].append(choice["options"][key.answers[choice["id"]]])
                assert truths[texts][-1] in {claim_of(line) for line in statements if key.answers[line["id"]]}
            assert len(truths) == 336
            for texts, right in truths.items():
                assert len(set(right)) == len(right) == 2
                assert {path.lower() for path in right} == {CLAIM.findall(text)[0].lower() for text in texts[2:]}
