"""Column presets above a table: the default columns, and the scores of each part of a benchmark."""

from collections.abc import Iterator
from typing import NamedTuple

from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.error_shares import is_error_share

_MAX_COLUMNS = 25


class BoardView(NamedTuple):
    """A choice of columns.

    Attributes:
        title: What it is called.
        columns: Keys of what it shows, that by which it ranks first; empty for the usual columns.
        descending: Whether the largest of that figure comes first.
    """

    title: str
    columns: tuple[str, ...]
    descending: bool


def list_views(benchmark: Benchmark) -> list[BoardView]:
    """Return the quick choices of a benchmark, the usual columns first; none where there is nothing to choose."""
    parts = list(_list_parts(benchmark))
    is_overall = benchmark.headline.slice == "overall"
    return [BoardView("Overall" if is_overall else "All parts", (), True), *parts] if parts else []


def _list_parts(benchmark: Benchmark) -> Iterator[BoardView]:
    """Yield the pieces that have a figure of their own among the headline figures, and more behind it."""
    smaller_is_better = {metric.id for metric in benchmark.metrics if not metric.higher_is_better}
    unranked = {metric.id for metric in benchmark.metrics if not metric.ranked}
    titles = {part.id: part.title.split(" · ")[0] for part in benchmark.parts}
    # Columns of one setting would be empty in the others, and gaps between settings in most rows.
    apart = {
        column.key for setting in benchmark.settings for column in benchmark.columns_of(setting) if not column.shown
    }
    apart |= {gap.key for gap in benchmark.setting_gaps}
    heads: dict[str, Column] = {}
    for column in benchmark.columns:
        if not column.group and "/" not in column.slice and column.slice != "overall":
            heads.setdefault(column.slice, column)
    for slice_name, head in heads.items():
        # What lies deeper, and error types, would make a table of dozens of columns; the menu of columns has it.
        others = [column for column in benchmark.columns if column != head and column.key not in apart]
        near = [column for column in others if _is_near(column, slice_name)]
        if len(near) >= _MAX_COLUMNS:
            near = [column for column in near if column.metric not in unranked]
        if near:
            title = titles.get(slice_name, head.title)
            keys = (head.key, *(column.key for column in near))
            yield BoardView(title, keys, head.metric not in smaller_is_better)


def _is_near(column: Column, slice_name: str) -> bool:
    is_near = column.slice == slice_name or column.slice.rpartition("/")[0] == slice_name
    return is_near and not is_error_share(column.metric)
