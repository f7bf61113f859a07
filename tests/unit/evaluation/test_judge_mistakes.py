"""Error sorting of wrong answers: without a judge, by a judge, and undecided."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from evaluation.judge import Judge, MemoryCache, mistakes
from evaluation.judge.mistakes import LABELS, SAMPLE_SIZE, WrongAnswer, sample_wrong, sign_sorting, sort_mistakes
from evaluation.types import Reading

WRONG = [WrongAnswer(f"item-{n}", f"第{n}问", "三点", f"两点{n}", Reading(index=1)) for n in range(300)]
FORMLESS = WrongAnswer("formless", "第零问", "三点", "或者", Reading(reason="ambiguous"))


@dataclass
class Sorter:
    """Judge that names one mistake, and records its messages."""

    mistake: object
    model: str = "sorter"
    sent: list[str] = field(default_factory=list)
    schemas: list[Mapping[str, object]] = field(default_factory=list)

    async def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, object]) -> str:
        self.sent.append(messages[-1]["content"])
        self.schemas.append(schema)
        seal = re.findall(r"code of this message is (\w+)", self.sent[-1])[0]
        return f"Well: {json.dumps({'code': seal, 'mistake': self.mistake})}"


def test_wrong_answer_is_sorted_by_the_judge_unless_its_format_decides() -> None:
    sorter, cache = Sorter("reasoning"), MemoryCache()
    for _ in range(2):
        found = asyncio.run(sort_mistakes(Judge(sorter, cache), "mdar", [*WRONG[:3], FORMLESS], seed="s"))
        assert found.labels["formless"] == "formatting"
        assert sorted(found.labels.values()) == ["formatting", "reasoning", "reasoning", "reasoning"]
        assert (found.n_wrong, found.errors, found.is_lacking) == ({"": 4}, {}, False)
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
            assert (found.labels, found.is_lacking, cache.values, len(sorter.sent)) == ({}, True, {}, 3)
            assert "allowed: perception, reasoning, knowledge" in found.errors["item-0"]


def test_sample_depends_on_its_seed_but_not_on_the_order() -> None:
    drawn = sample_wrong(WRONG, "s")
    assert len(drawn) == len(set(drawn)) == SAMPLE_SIZE
    assert sample_wrong(WRONG[::-1], "s") == drawn
    assert sample_wrong(WRONG, "t") != drawn
    assert sample_wrong(WRONG[:5], "s") == WRONG[:5]


def test_bare_letter_is_undecided_and_costs_no_call() -> None:
    letters = [
        replace(one, id=f"letter-{n}", response=said) for n, (one, said) in enumerate(zip(WRONG, "BC", strict=False))
    ]
    sorter = Sorter("perception")
    found = asyncio.run(sort_mistakes(Judge(sorter, MemoryCache()), "mdar", [*letters, WRONG[5]], seed="s"))
    assert found.labels == {"letter-0": "cannot-tell", "letter-1": "cannot-tell", "item-5": "perception"}
    assert len(sorter.sent) == 1
    mute = asyncio.run(sort_mistakes(Judge(Sorter("?"), MemoryCache()), "mdar", [*letters, WRONG[5]], seed="s"))
    assert mute.is_lacking, "what is known without a judge says nothing of the rest"


def test_parts_are_sampled_apart_and_equally(subtests: pytest.Subtests) -> None:
    def draw(temporal: int, spatial: int) -> Counter[str]:
        parts = [*("temporal" for _ in range(temporal)), *("spatial" for _ in range(spatial))]
        wrong = [replace(one, part=part) for one, part in zip(WRONG, parts, strict=False)]
        return Counter(one.part for one in sample_wrong(wrong, "s"))

    rows = (((180, 120), (100, 100)), ((290, 10), (190, 10)), ((30, 40), (30, 40)), ((300, 0), (200, 0)))
    for counts, expected in rows:
        with subtests.test(counts=counts):
            drawn = draw(*counts)
            assert (drawn["temporal"], drawn["spatial"]) == expected
    alone = [replace(one, part="temporal") for one in WRONG[:180]]
    both = [*alone, *(replace(one, part="spatial") for one in WRONG[180:])]
    first = [one for one in sample_wrong(both, "s") if one.part == "temporal"]
    assert first == sample_wrong(alone, "s", 100), "what another part holds changes nothing"


def test_item_of_a_wrong_answer_is_its_name_without_the_run() -> None:
    assert [replace(WRONG[0], id=name).item for name in ("a#b#2", "a#2", "a")] == ["a#b", "a", "a"]


def test_sorting_is_signed_by_whatever_could_change_its_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    signed = sign_sorting("lab/judge-1", "mdar")
    assert re.fullmatch(r"lab\.judge-1-[0-9a-f]{6}\+[0-9a-f]{8}\+200", signed)
    others = [sign_sorting("lab.judge-1", "mdar"), sign_sorting("lab/judge-1", "star-bench")]
    others.append(sign_sorting("lab/judge-1", "mdar", size=100))
    monkeypatch.setattr(mistakes, "_digest_prompt", lambda: "another")
    others.append(sign_sorting("lab/judge-1", "mdar"))
    assert len({signed, *others}) == 5
