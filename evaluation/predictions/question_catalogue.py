"""Question catalogue of intake: IDs and runs of a benchmark version, and no answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from evaluation.benchmarks import Benchmark
from evaluation.types import AnswerFormat, Item


@dataclass(frozen=True, slots=True)
class CatalogueItem:
    """What intake knows of an item. No answer, and no text: a catalogue fits in memory many times over."""

    part: str
    answer_format: AnswerFormat
    runs: tuple[int, ...]
    n_steps: int | None = None
    task: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The ids of one benchmark version under one setting.

    Attributes:
        title: Name and version for messages, such as `AudioMotionBench 1.0`.
        items: id → what is known of it.
        runs_are_seeds: Whether a run may be left out for all items of a part (see `Benchmark`).
    """

    title: str
    items: Mapping[str, CatalogueItem]
    runs_are_seeds: bool = False

    def select_setting(self, benchmark: Benchmark, setting: str) -> Self:
        """Return the catalogue of the items that a setting asks."""
        tasks = {(item.part, item.task) for item in self.items.values()}
        asked = {task: benchmark.includes_task(setting, *task) for task in tasks}
        items = {item_id: item for item_id, item in self.items.items() if asked[item.part, item.task]}
        return self if len(items) == len(self.items) else replace(self, items=items)


def make_catalogue(title: str, items: Iterable[Item], *, runs_are_seeds: bool = False) -> Catalogue:
    """Return the catalogue of a list of items."""
    known = {
        item.id: CatalogueItem(item.part, item.answer_format, item.runs, item.n_steps, item.task) for item in items
    }
    return Catalogue(title, known, runs_are_seeds)
