"""CSV of the items of a closed edition, one line per run."""

import csv
import io
from collections.abc import Iterable

from evaluation.answered_items import AnsweredItem
from submissions.published_rows.formula_cells import escape_formula

COLUMNS = ("id", "run", "part", "task", "question", "options", "right", "parsed", "outcome", "reason", "response")


def write_items_csv(items: Iterable[AnsweredItem]) -> bytes:
    """Return a table of items; cells that a spreadsheet would evaluate are escaped."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in items:
        item = one.item
        for run in one.runs:
            cells = (item.id, str(run.run), item.part, item.task, item.question, " | ".join(run.options), run.right)
            given = (run.parsed or "", run.outcome, run.reason or "", run.response or "")
            writer.writerow([escape_formula(cell) for cell in (*cells, *given)])
    return text.getvalue().encode()
