"""Example questions: a practice question of each benchmark that visitors can play."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evaluation.benchmarks import Benchmark
from evaluation.types import Item
from submissions.listening_test.practice_packs import practice_content

_STEP_NUMBER = re.compile(r"^\d+\.\s*")
_TRUTH_VALUES = ("True", "False")


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """A practice question without its answer.

    Attributes:
        question: Its text.
        options: Its options.
        steps: Steps to check, if the question is about reasoning.
        translation: Question and options in English, if they are in another language.
        sounds: Addresses of its clips.
    """

    question: str
    options: tuple[str, ...]
    steps: tuple[str, ...]
    translation: tuple[str, ...]
    sounds: tuple[str, ...]


@lru_cache(maxsize=16)
def find_example(versions: tuple[Benchmark, ...]) -> ExampleQuestion | None:
    """Return the example of a benchmark from its first version with practice questions, or None."""
    benchmark = next((version for version in versions if "practice" in version.splits), None)
    if benchmark is None:
        return None
    items = practice_content(benchmark.id, benchmark.version).items
    item = _choose_item(items, benchmark.example.task if benchmark.example else None)
    return ExampleQuestion(
        question=item.question,
        options=_TRUTH_VALUES if item.answer_format == "boolean" else tuple(item.options),
        steps=tuple(_STEP_NUMBER.sub("", line) for line in item.context.get("steps", "").splitlines()),
        translation=benchmark.example.translation if benchmark.example else (),
        sounds=_list_sounds(benchmark, item),
    )


def _choose_item(items: Sequence[Item], task: str | None) -> Item:
    return next((item for item in items if item.task == task), items[0])


def _list_sounds(benchmark: Benchmark, item: Item) -> tuple[str, ...]:
    """Return the addresses of practice clips, including those not in the listening test."""
    base = f"/api/v1/listening/{benchmark.id}/audio"
    return tuple(f"{base}/{clip}.wav?version={benchmark.version}" for clip in item.clips)
