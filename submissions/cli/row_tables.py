"""Tables of reported rows for the terminal."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
_DONE = {"add": "added", "correct": "corrected", "unchanged": "unchanged"}


def build_table_of_planned(rows: Sequence[Json]) -> Table:
    """Return the effects of a file's rows, one per line."""
    cells = [
        (one["line"], one["id"], _name_board(one), one["model"], one["verdict"], _describe_changes(one["changes"]))
        for one in rows
    ]
    return _build(("line", "id", "board", "model", "verdict", "changed scores"), cells)


def build_table_of_rows(rows: Sequence[Json]) -> Table:
    """Return rows with their ids, grouped by board."""
    ordered = sorted(rows, key=lambda one: (_name_board(one), one["model"].casefold(), one["id"]))
    cells = []
    for one in ordered:
        paper, change = one["paper"], one["last_change"]
        source = f"{paper['title']}, {one['date']}" if paper and one["date"] else paper and paper["title"]
        state = "removed" if one["removed"] else one["origin"]
        told = f"{state}, by {change['by']}: {change['reason']}" if change else state
        cells.append((one["id"], _name_board(one), one["model"], source, told))
    return _build(("id", "board", "model", "paper", "state"), cells)


def describe_planned(rows: Sequence[Json], *, dry_run: bool) -> str:
    """Return how many rows are added, corrected and unchanged."""
    counts = Counter(one["verdict"] for one in rows)
    told = ", ".join(f"{counts[verdict]} {word}" for verdict, word in _DONE.items() if counts[verdict])
    return f"Preview, nothing was changed: {told} if you run it with --reason." if dry_run else f"{told}.".capitalize()


def _name_board(one: Json) -> str:
    return f"{one['benchmark']} {one['version']} {one['setting']}, {one['source']}"


def _describe_changes(changes: Sequence[Json]) -> str:
    return "\n".join(
        f"{one['slice']}|{one['metric']}: {_percent(one['old'])} → {_percent(one['new'])}" for one in changes
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f} %"


def _build(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    table = Table(box=None)
    for name in names:
        table.add_column(name, overflow="fold")
    for cells in rows:
        # Text: the content of a file is never interpreted as markup.
        table.add_row(*(Text("–" if cell is None else str(cell)) for cell in cells))
    return table
