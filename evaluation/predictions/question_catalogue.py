"""Question catalogue for uploads: IDs and runs of a benchmark version, without answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from evaluation.benchmarks import Benchmark
from evaluation.types import AnswerFormat, Item


@dataclass(frozen=True, slots=True)
class CatalogueItem:
    """An item in the catalogue. It has no answer and no text, so that many catalogues fit in memory."""

    part: str
    answer_format: AnswerFormat
    runs: tuple[int, ...]
    n_steps: int | None = None
    task: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The IDs of one benchmark version in one setting.

    Attributes:
        title: Name and version for messages, such as `AudioMotionBench 1.0`.
        items: ID → catalogue item.
        runs_are_seeds: Whether a run may be omitted for all items of a part (see `Benchmark`).
    """

    title: str
    items: Mapping[str, CatalogueItem]
    runs_are_seeds: bool = False

    def select_setting(self, benchmark: Benchmark, setting: str) -> Self:
        """Return the catalogue of the items in a setting."""
        tasks = {(item.part, item.task) for item in self.items.values()}
        is_included = {task: benchmark.includes_task(setting, *task) for task in tasks}
        items = {item_id: item for item_id, item in self.items.items() if is_included[item.part, item.task]}
        return self if len(items) == len(self.items) else replace(self, items=items)


def make_catalogue(title: str, items: Iterable[Item], *, runs_are_seeds: bool = False) -> Catalogue:
    """Return the catalogue of a list of items."""
    by_id = {
        item.id: CatalogueItem(item.part, item.answer_format, item.runs, item.n_steps, item.task) for item in items
    }
    return Catalogue(title, by_id, runs_are_seeds)
