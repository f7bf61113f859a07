"""Tables of a file's problems for the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from submissions.client import Json
from submissions.intake.validation_texts import list_more_ids


def build_table_of_problems(problems: Sequence[Json]) -> Table:
    """Return the problems of a file; colours appear only on a terminal, and not if NO_COLOR is set."""
    table = Table(box=None)
    table.add_column("line", justify="right", style="yellow")
    table.add_column("kind", style="red", overflow="fold")
    table.add_column("id", style="cyan", overflow="fold")
    table.add_column("problem and fix", overflow="fold")
    for problem in problems:
        code, message = problem.get("code"), problem.get("message")
        ids = [str(detail["id"]) for detail in problem.get("details", ()) if detail.get("id")]
        more = list_more_ids(str(code), str(message), ids)
        told = f"{message}\nFirst {len(ids)} IDs: {more}" if more else message
        cells = (problem.get("line"), code, problem.get("id"), told)
        # Text: the content of a file is never interpreted as markup.
        table.add_row(*(Text("–" if cell is None else str(cell)) for cell in cells))
    return table


def build_table_of_unreadable(examples: Sequence[Json]) -> Table:
    """Return the unreadable answers of a file, with the reasons."""
    table = Table(box=None)
    table.add_column("line", justify="right", style="yellow")
    table.add_column("run", justify="right")
    table.add_column("id", style="cyan", overflow="fold")
    table.add_column("response", overflow="fold")
    table.add_column("reason", overflow="fold")
    for example in examples:
        cells = (example[name] for name in ("line", "run", "id", "response", "reason"))
        table.add_row(*(Text("–" if cell is None else str(cell)) for cell in cells))
    return table
