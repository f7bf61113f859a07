"""Column presets above a table: the default columns, and the scores of each part of a benchmark."""

from collections.abc import Iterator
from typing import NamedTuple

from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.error_shares import is_error_share

_MAX_COLUMNS = 25


class BoardView(NamedTuple):
    """A column preset.

    Attributes:
        title: Title.
        columns: Column keys, starting with the one to sort by; empty for the default columns.
        descending: Whether to sort in descending order.
    """

    title: str
    columns: tuple[str, ...]
    descending: bool


def list_views(benchmark: Benchmark) -> list[BoardView]:
    """Return the presets of a benchmark, the default columns first; empty if there is nothing to choose."""
    parts = list(_list_parts(benchmark))
    is_overall = benchmark.headline.slice == "overall"
    return [BoardView("Overall" if is_overall else "All parts", (), True), *parts] if parts else []


def _list_parts(benchmark: Benchmark) -> Iterator[BoardView]:
    """Yield the parts that have a headline score of their own, and further scores."""
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
        # Deeper slices and error types would make a table of dozens of columns; the column menu has them.
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
