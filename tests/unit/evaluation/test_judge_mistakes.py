"""Sorting wrong answers: what is decided without a judge, by one, and not at all."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from evaluation.judge import Judge, MemoryCache, mistakes
from evaluation.judge.mistakes import LABELS, SAMPLE_SIZE, WrongAnswer, sample_wrong, sign_sorting, sort_mistakes
from evaluation.types import Reading

WRONG = [WrongAnswer(f"item-{n}", f"第{n}问", "三点", f"两点{n}", Reading(index=1)) for n in range(300)]
FORMLESS = WrongAnswer("formless", "第零问", "三点", "或者", Reading(reason="ambiguous"))


@dataclass
class Sorter:
    """Names one mistake, and keeps what it was sent."""

    mistake: object
    model: str = "sorter"
    sent: list[str] = field(default_factory=list)
    schemas: list[Mapping[str, object]] = field(default_factory=list)

    async def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, object]) -> str:
        self.sent.append(messages[-1]["content"])
        self.schemas.append(schema)
        seal = re.findall(r"code of this message is (\w+)", self.sent[-1])[0]
        return f"Well: {json.dumps({'code': seal, 'mistake': self.mistake})}"


def test_wrong_answer_is_sorted_by_the_judge_and_one_without_form_is_not_asked_about() -> None:
    sorter, cache = Sorter("reasoning"), MemoryCache()
    for _ in range(2):
        found = asyncio.run(sort_mistakes(Judge(sorter, cache), "mdar", [*WRONG[:3], FORMLESS], seed="s"))
        assert found.labels["formless"] == "formatting"
        assert found.shares == {"formatting": 0.25, "reasoning": 0.75}
        assert (found.n_wrong, found.errors) == (4, {})
    assert len(sorter.sent) == 3, "the second time all is known"
    assert "第零问" not in "".join(sorter.sent)


def test_labels_of_star_bench_are_its_own() -> None:
    for benchmark, expected in (("mdar", 3), ("star-bench", 6)):
        sorter = Sorter("hallucination")
        found = asyncio.run(sort_mistakes(Judge(sorter, MemoryCache()), benchmark, WRONG[:1], seed="s"))
        assert len(LABELS[benchmark]) == expected
        assert all(f"* {label}: " in sorter.sent[0] for label in LABELS[benchmark])
        assert bool(found.errors) == (benchmark == "mdar"), "a label of another benchmark is none"


def test_label_that_was_not_offered_is_an_error_and_counts_nowhere(subtests: pytest.Subtests) -> None:
    for mistake in ("formatting", "", None, 3, ["reasoning"]):
        with subtests.test(mistake=mistake):
            sorter, cache = Sorter(mistake), MemoryCache()
            found = asyncio.run(sort_mistakes(Judge(sorter, cache), "mdar", WRONG[:1], seed="s"))
            assert (found.labels, found.shares, cache.values, len(sorter.sent)) == ({}, {}, {}, 3)
            assert "perception, reasoning, knowledge are allowed" in found.errors["item-0"]


def test_sample_is_drawn_by_its_seed_whatever_the_order() -> None:
    drawn = sample_wrong(WRONG, "s")
    assert len(drawn) == len(set(drawn)) == SAMPLE_SIZE
    assert sample_wrong(WRONG[::-1], "s") == drawn
    assert sample_wrong(WRONG, "t") != drawn
    assert sample_wrong(WRONG[:5], "s") == WRONG[:5]


def test_sorting_is_signed_by_whatever_could_change_its_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    signed = sign_sorting("lab/judge-1", "mdar")
    assert re.fullmatch(r"lab\.judge-1-[0-9a-f]{6}\+[0-9a-f]{8}\+200", signed)
    others = [sign_sorting("lab.judge-1", "mdar"), sign_sorting("lab/judge-1", "star-bench")]
    others.append(sign_sorting("lab/judge-1", "mdar", size=100))
    monkeypatch.setattr(mistakes, "_digest_prompt", lambda: "another")
    others.append(sign_sorting("lab/judge-1", "mdar"))
    assert len({signed, *others}) == 5
