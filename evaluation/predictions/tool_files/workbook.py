"""Reader of Excel workbooks (XLSX): the first sheet, with a header and one prediction per row, in bounded memory."""

import posixpath
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.csv_table import read_cells, require_columns
from evaluation.predictions.problems import FileFaultError, Problem, Problems, make_common_cause
from evaluation.predictions.table_columns import TableColumns
from evaluation.predictions.tool_files.shared_texts import SharedTexts
from evaluation.predictions.tool_files.sheet_rows import FORMULA, MAX_COLUMNS, SheetRows
from evaluation.predictions.tool_files.xml_pieces import make_damaged, read_xml
from evaluation.predictions.zip_archive import ZipEntries
from evaluation.types import Prediction

_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_MAX_RELATIONS = 1_000
_FORMULA = "has a formula instead of a text. Write the responses as texts, or send the table as CSV."


class _Relations:
    """Finds the parts of a workbook: its first sheet, and its shared texts."""

    def __init__(self) -> None:
        self._first = ""
        self._targets: dict[str, str] = {}
        self.shared_texts = ""

    @property
    def first_sheet(self) -> str:
        return self._targets.get(self._first, "")

    def begin_element(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet" and not self._first:
            self._first = next((value for key, value in attributes.items() if key.endswith(":id")), "")
        elif name == "Relationship" and len(self._targets) < _MAX_RELATIONS:
            target = posixpath.join("xl", attributes.get("Target", "")).removeprefix("/")
            self._targets[attributes.get("Id", "")] = target
            if attributes.get("Type", "").endswith("/sharedStrings"):
                self.shared_texts = target

    def end_element(self, name: str) -> None:
        """An end tells nothing here."""

    def add_text(self, text: str) -> None:
        """Texts tell nothing here."""


def read_workbook(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a workbook's first sheet, and collect the errors of invalid rows.

    Raises:
        FileFaultError: The workbook is damaged, unpacks to too much, has no header, or has too many errors.
    """
    problems.place = "row"
    archive = ZipEntries(file)
    parts = {entry.filename: entry for entry in archive.entries}
    if _WORKBOOK not in parts:
        raise FileFaultError(
            "wrong-kind", "The file is an Office document, but not an Excel workbook. Send a text file."
        )
    relations = _Relations()
    for name in (_WORKBOOK, _RELATIONS):
        for _ in read_xml(archive.open_entry(_find_part(parts, name)), relations):
            pass
    texts = SharedTexts()
    if relations.shared_texts:
        texts.read_file(archive.open_entry(_find_part(parts, relations.shared_texts)))
    sheet = archive.open_entry(_find_part(parts, relations.first_sheet))
    yield from _read_rows(SheetRows(texts), sheet, problems)


def _find_part(parts: dict[str, zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    entry = parts.get(name)
    if entry is None:
        raise make_damaged("a part of it is missing")
    return entry


def _read_rows(rows: SheetRows, sheet: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    columns: TableColumns | None = None
    for number, cells in rows.read_rows_of_file(sheet):
        if columns is None:
            names = [cells.get(column, "").strip() for column in range(MAX_COLUMNS)]
            columns = require_columns(",".join(filter(None, names)), names, number)
            rows.select_columns(frozenset(columns.at.values()))
            continue
        prediction = _read_row(cells, columns, number, problems)
        if prediction is not None:
            yield prediction
        else:
            problems.require_patience(number)


def _read_row(cells: dict[int, str], columns: TableColumns, number: int, problems: Problems) -> Prediction | None:
    if FORMULA in cells.values():
        problems.add(Problem("wrong-type", f"Line {number} {_FORMULA}", number, cause=make_common_cause(_FORMULA)))
        return None
    width = 1 + max(columns.at.values())
    return read_cells([cells.get(column, "") for column in range(width)], columns, number, problems)
