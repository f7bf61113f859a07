"""Markup of published rows on the Admin tab: previews, problems and changed rows. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from leaderboard.pages.shared.board_names import name_board
from leaderboard.rendering.templating import Markup, render_macro
from submissions.published_rows.reported_rows import RowsPreview
from submissions.published_rows.row_checks import name_problem_fields
from submissions.published_rows.row_lists import ChangedRow
from submissions.published_rows.row_plans import PlannedRow, Verdict

ROWS_URL = "/api/v1/admin/reported-rows"
_TEMPLATE = "pages/admin/row_editor/rows.html"
_NOTES = "pages/admin/row_editor/notes.html"
_VERDICTS: Mapping[Verdict, str] = {"add": "added", "correct": "corrected", "unchanged": "unchanged"}
_MAX_SHOWN_ROWS = 200


class PlannedRows(NamedTuple):
    """Rows of a file, as their template takes them.

    Attributes:
        changed: The first added or corrected rows, with their changes.
        n_more_changed: Number of further ones.
        unchanged: Models of the first unchanged rows.
        n_unchanged: Number of unchanged rows.
    """

    changed: list[tuple[PlannedRow, str]]
    n_more_changed: int
    unchanged: list[str]
    n_unchanged: int

    @property
    def has_any(self) -> bool:
        """Whether the file has any row."""
        return bool(self.changed) or self.n_unchanged > 0


def render_downloads() -> Markup:
    """Return the description of a file of rows, with links to the current rows and to an example."""
    return render_macro(_NOTES, "downloads", ROWS_URL)


def render_preview(preview: RowsPreview) -> Markup:
    """Return the changes of a file; if it has problems, the lines to correct first."""
    rows = _sort_rows(preview.rows)
    if not preview.problems:
        return render_macro(_TEMPLATE, "preview", count_verdicts(preview.rows), rows)
    problems = [(problem, name_problem_fields(problem)) for problem in preview.problems]
    return render_macro(_TEMPLATE, "refused", preview.n_problems, problems, rows)


def render_applied(rows: Sequence[PlannedRow]) -> Markup:
    """Return the applied changes."""
    return render_macro(_TEMPLATE, "applied", count_verdicts(rows), _sort_rows(rows))


def _sort_rows(rows: Sequence[PlannedRow]) -> PlannedRows:
    changed = [(row, _VERDICTS[row.verdict]) for row in rows if row.verdict != "unchanged"]
    unchanged = [row.given.model.name for row in rows if row.verdict == "unchanged"]
    n_more = max(0, len(changed) - _MAX_SHOWN_ROWS)
    return PlannedRows(changed[:_MAX_SHOWN_ROWS], n_more, unchanged[:_MAX_SHOWN_ROWS], len(unchanged))


def count_verdicts(rows: Iterable[PlannedRow]) -> str:
    """Return the numbers of added, corrected and unchanged rows."""
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]:,} {word}" for verdict, word in _VERDICTS.items() if counts[verdict])


def render_changed_rows(rows: Sequence[ChangedRow], now: datetime) -> Markup:
    """Return the rows that maintainers added, corrected or removed, with user, time and reason."""
    if not rows:
        return render_macro(_NOTES, "unchanged")
    shown = [(row, _describe_board(row)) for row in rows[:_MAX_SHOWN_ROWS]]
    return render_macro(_TEMPLATE, "changed_rows", shown, len(rows) - _MAX_SHOWN_ROWS, now)


def list_changed_choices(rows: Sequence[ChangedRow]) -> list[tuple[str, str]]:
    """Return (label, ID) of each changed row."""
    shown = rows[:_MAX_SHOWN_ROWS]
    return [(f"{row.row.model.name} · {_describe_board(row)} · {row.state}", row.row.id) for row in shown]


def _describe_board(row: ChangedRow) -> str:
    one = row.row
    return f"{name_board(one.benchmark, one.version, one.setting)}, {one.source}"
