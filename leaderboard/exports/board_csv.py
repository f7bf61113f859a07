"""CSV export of a board, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from leaderboard.boards.provenance.papers import list_authors
from leaderboard.exports.view import ExportView
from submissions.published_rows.formula_cells import escape_formula

_RANK_FIELDS = ("rank", "rank_low", "rank_high")
_SCORE_FIELDS = ("value", "std", "low", "high")
_MODEL_FIELDS = ("name", "organisation", "kind", "size_billions", "open_weights", "url", "sent_as")
_PAPER_FIELDS = ("title", "authors", "year", "url", "tables", "row", "data_version")
_ROW_FIELDS = ("parts", "runs", "missing", "unreadable", "signature", "submission", "date", "printed_on", "reference")


def write_csv(view: ExportView) -> bytes:
    """Return a view as CSV: scores are fractions with deviation and interval; missing values are empty cells."""
    columns = [column.key for column in view.columns]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    scores = [name for column in columns for name in (column, *(f"{column}|{part}" for part in _SCORE_FIELDS[1:]))]
    models = [f"model_{name}" for name in _MODEL_FIELDS]
    papers = [f"paper_{name}" for name in _PAPER_FIELDS]
    writer.writerow([*_RANK_FIELDS, *models, "source", "setting", *scores, *_ROW_FIELDS, *papers])
    writer.writerows(_cells(row, columns) for row in view.rows)
    return text.getvalue().encode()


def neutralise(value: object) -> str:
    """Return a value as a cell that spreadsheets do not evaluate as a formula.

    >>> neutralise("=HYPERLINK(1)"), neutralise(-0.5), neutralise(None)
    ("'=HYPERLINK(1)", '-0.5', '')
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return escape_formula(value) if isinstance(value, str) else str(value)


def _cells(row: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    scores = row["scores"]
    values: list[object] = [row[name] for name in _RANK_FIELDS]
    values += [*(row["model"][name] for name in _MODEL_FIELDS), row["source"], row["setting"]]
    for column in columns:
        score = scores.get(column) or {}
        values += [score.get(part) for part in _SCORE_FIELDS]
    values += [" ".join(row["parts"]), *(row[name] for name in _ROW_FIELDS[1:])]
    values += _paper_cells(row["paper"])
    return [neutralise(value) for value in values]


def _paper_cells(paper: Mapping[str, Any] | None) -> list[object]:
    if paper is None:
        return [None] * len(_PAPER_FIELDS)
    cells = dict(paper, authors=list_authors(paper["authors"]), tables=", ".join(paper["tables"]))
    return [cells[name] for name in _PAPER_FIELDS]
