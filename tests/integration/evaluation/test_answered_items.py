"""Items with right answers and responses: they agree with what scoring finds."""

from collections.abc import Iterator
from functools import cache

import msgspec
import numpy as np
import pytest

from evaluation.answer_keys import AnswerKey
from evaluation.answered_items import OUTCOMES, AnsweredItem, iter_answered
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.packs import example_predictions
from evaluation.types import ABSENT, Prediction

MOTION = get_benchmark("audio-motion-bench")
STAR = get_benchmark("star-bench")
SYNTHETIC = get_benchmark("audio-process-bench", "synthetic-3")
MDAR = get_benchmark("mdar", "demo")
EDITION = "e-7f3kq9x2"


@cache
def make_key(benchmark: Benchmark) -> AnswerKey:
    key = benchmark.make_key("test", "5" * 64)
    return benchmark.make_edition_key(key, EDITION) if benchmark.has_editions else key


def guess(benchmark: Benchmark) -> list[Prediction]:
    """Return random guesses, one of them unreadable and one missing."""
    rows = example_predictions(benchmark.content(make_key(benchmark)))
    found = [msgspec.convert({"response": None, **row}, Prediction) for row in rows]
    first = found[0]
    return [Prediction(first.id, first.run, "I cannot hear anything."), *found[2:]]


@pytest.mark.parametrize("benchmark", [MOTION, STAR, SYNTHETIC], ids=lambda benchmark: benchmark.id)
def test_outcomes_are_those_of_scoring(benchmark: Benchmark) -> None:
    key, predictions = make_key(benchmark), guess(benchmark)
    scored = benchmark.score(key, predictions).outcomes
    found = {one.item.id: one for one in iter_answered(benchmark, key, predictions)}
    assert sum(len(one.runs) for one in found.values()) == int((scored.choices != ABSENT).sum())
    for row, item_id in enumerate(scored.item_ids):
        for run in found[item_id].runs:
            if benchmark is SYNTHETIC:
                assert (run.outcome == "correct") <= (scored.correct[row, 0] == 1.0)
            else:
                assert (run.outcome == "correct") == (scored.correct[row, run.run] == 1.0)
    counts = {name: sum(run.outcome == name for one in found.values() for run in one.runs) for name in OUTCOMES}
    assert counts["unreadable"] >= 1
    assert counts["missing"] == 1
    assert counts["correct"] > 10
    assert counts["wrong"] > 10
    assert np.isfinite(scored.correct[scored.choices != ABSENT]).all()


def iter_right(benchmark: Benchmark) -> Iterator[tuple[AnsweredItem, str]]:
    for one in iter_answered(benchmark, make_key(benchmark), guess(benchmark)):
        for run in one.runs:
            yield one, run.right


def test_right_answers_are_written_as_answers(subtests: pytest.Subtests) -> None:
    for benchmark, formats in ((MOTION, {"choice", "boolean"}), (SYNTHETIC, {"steps"}), (STAR, {"choice"})):
        with subtests.test(benchmark=benchmark.id):
            seen = set()
            for one, right in iter_right(benchmark):
                seen.add(one.item.answer_format)
                match one.item.answer_format:
                    case "choice":
                        assert right in tuple("ABCDEFGH"[: len(one.item.options)])
                    case "boolean":
                        assert right in ("True", "False")
                    case _:
                        assert right.startswith(("erroneous steps: ", "no erroneous step"))
            assert seen == formats


def test_right_answers_themselves_are_all_correct(subtests: pytest.Subtests) -> None:
    for benchmark in (MOTION, STAR):
        with subtests.test(benchmark=benchmark.id):
            key = make_key(benchmark)
            right = [
                Prediction(one.item.id, run.run, run.right)
                for one in iter_answered(benchmark, key, guess(benchmark))
                for run in one.runs
            ]
            assert {run.outcome for one in iter_answered(benchmark, key, right) for run in one.runs} == {"correct"}
            correct = benchmark.score(key, right).outcomes.correct
            assert np.nanmin(correct) == 1.0


def test_unsubmitted_parts_and_seeds_are_left_out() -> None:
    key = make_key(MOTION)
    some = [one for one in guess(MOTION) if one.run == 0]
    found = list(iter_answered(MOTION, key, some))
    assert {run.run for one in found for run in one.runs} == {0}
    sct = {item.id for item in MOTION.content(key).items if item.part == "sct"}
    found = list(iter_answered(MOTION, key, [one for one in some if one.id in sct]))
    assert {one.item.part for one in found} == {"sct"}
