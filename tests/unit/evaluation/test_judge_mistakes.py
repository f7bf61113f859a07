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
        result = asyncio.run(sort_mistakes(Judge(sorter, cache), "mdar", [*WRONG[:3], FORMLESS], seed="s"))
        assert result.labels["formless"] == "formatting"
        assert sorted(result.labels.values()) == ["formatting", "reasoning", "reasoning", "reasoning"]
        assert (result.n_wrong, result.errors, result.is_lacking) == ({"": 4}, {}, False)
    assert len(sorter.sent) == 3, "the second sorting uses the cache"
    assert "第零问" not in "".join(sorter.sent)


def test_star_bench_has_its_own_labels() -> None:
    for benchmark, expected in (("mdar", 3), ("star-bench", 6)):
        sorter = Sorter("hallucination")
        result = asyncio.run(sort_mistakes(Judge(sorter, MemoryCache()), benchmark, WRONG[:1], seed="s"))
        assert len(LABELS[benchmark]) == expected
        assert all(f"* {label}: " in sorter.sent[0] for label in LABELS[benchmark])
        assert bool(result.errors) == (benchmark == "mdar"), "labels of another benchmark are refused"


def test_label_outside_the_offered_ones_is_an_error_and_not_counted(subtests: pytest.Subtests) -> None:
    for mistake in ("formatting", "", None, 3, ["reasoning"]):
        with subtests.test(mistake=mistake):
            sorter, cache = Sorter(mistake), MemoryCache()
            result = asyncio.run(sort_mistakes(Judge(sorter, cache), "mdar", WRONG[:1], seed="s"))
            assert (result.labels, result.is_lacking, cache.values, len(sorter.sent)) == ({}, True, {}, 3)
            assert "allowed: perception, reasoning, knowledge" in result.errors["item-0"]


def test_sample_depends_on_its_seed_but_not_on_the_order() -> None:
    drawn = sample_wrong(WRONG, "s")
    assert len(drawn) == len(set(drawn)) == SAMPLE_SIZE
    assert sample_wrong(WRONG[::-1], "s") == drawn
    assert sample_wrong(WRONG, "t") != drawn
    assert sample_wrong(WRONG[:5], "s") == WRONG[:5]


def test_bare_letter_is_undecided_and_costs_no_call() -> None:
    letters = [
        replace(answer, id=f"letter-{n}", response=response)
        for n, (answer, response) in enumerate(zip(WRONG, "BC", strict=False))
    ]
    sorter = Sorter("perception")
    result = asyncio.run(sort_mistakes(Judge(sorter, MemoryCache()), "mdar", [*letters, WRONG[5]], seed="s"))
    assert result.labels == {"letter-0": "cannot-tell", "letter-1": "cannot-tell", "item-5": "perception"}
    assert len(sorter.sent) == 1
    mute = asyncio.run(sort_mistakes(Judge(Sorter("?"), MemoryCache()), "mdar", [*letters, WRONG[5]], seed="s"))
    assert mute.is_lacking, "labels without a judge do not complete the sorting"


def test_parts_are_sampled_separately_and_equally(subtests: pytest.Subtests) -> None:
    def draw(temporal: int, spatial: int) -> Counter[str]:
        parts = [*("temporal" for _ in range(temporal)), *("spatial" for _ in range(spatial))]
        wrong = [replace(answer, part=part) for answer, part in zip(WRONG, parts, strict=False)]
        return Counter(answer.part for answer in sample_wrong(wrong, "s"))

    rows = (((180, 120), (100, 100)), ((290, 10), (190, 10)), ((30, 40), (30, 40)), ((300, 0), (200, 0)))
    for counts, expected in rows:
        with subtests.test(counts=counts):
            drawn = draw(*counts)
            assert (drawn["temporal"], drawn["spatial"]) == expected
    temporal_only = [replace(answer, part="temporal") for answer in WRONG[:180]]
    both = [*temporal_only, *(replace(answer, part="spatial") for answer in WRONG[180:])]
    first = [answer for answer in sample_wrong(both, "s") if answer.part == "temporal"]
    assert first == sample_wrong(temporal_only, "s", 100), "other parts do not affect the sample"


def test_item_of_a_wrong_answer_is_its_id_without_the_run() -> None:
    assert [replace(WRONG[0], id=name).item for name in ("a#b#2", "a#2", "a")] == ["a#b", "a", "a"]


def test_signature_of_a_sorting_changes_with_everything_that_affects_its_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signature = sign_sorting("lab/judge-1", "mdar")
    assert re.fullmatch(r"lab\.judge-1-[0-9a-f]{6}\+[0-9a-f]{8}\+200", signature)
    others = [sign_sorting("lab.judge-1", "mdar"), sign_sorting("lab/judge-1", "star-bench")]
    others.append(sign_sorting("lab/judge-1", "mdar", size=100))
    monkeypatch.setattr(mistakes, "_digest_prompt", lambda: "another")
    others.append(sign_sorting("lab/judge-1", "mdar"))
    assert len({signature, *others}) == 5
