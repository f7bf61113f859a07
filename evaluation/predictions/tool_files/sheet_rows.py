"""Rows of a worksheet: the texts of the cells that are read."""

import re
from collections.abc import Container, Iterator
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.rows import MAX_ROW_BYTES
from evaluation.predictions.tool_files.shared_texts import SharedTexts, unescape_text
from evaluation.predictions.tool_files.xml_pieces import make_damaged, read_xml

MAX_COLUMNS = 100
_CELL_NAME = re.compile(r"([A-Z]{1,3})[0-9]{0,7}")
_ROW_NUMBER = re.compile(r"[0-9]{1,7}")
_WHOLE = re.compile(r"[0-9]{1,9}")

FORMULA = "\x00formula"
"""Text of a cell with a formula that was never calculated, such as a response that begins with “=”."""


class SheetRows:
    """Collects the rows of a worksheet while it is read."""

    def __init__(self, texts: SharedTexts) -> None:
        """Create a collector of the texts in cells.

        Args:
            texts: Shared texts of the workbook.
        """
        self._texts = texts
        self._columns: Container[int] = range(MAX_COLUMNS)
        # A cell with a shared text has its number here: a few bytes of a file can name many long texts.
        self._rows: list[tuple[int, dict[int, str | int]]] = []
        self._row: dict[int, str | int] = {}
        self._number = 0
        self._column = -1
        self._kind = ""
        self._pieces: list[str] = []
        self._has_formula = self._is_text = False
        self._n_left = MAX_ROW_BYTES

    def read_rows_of_file(self, file: BinaryIO) -> Iterator[tuple[int, dict[int, str]]]:
        """Yield the number and the cells (column from 0 → text) of each row that is not empty.

        Raises:
            FileFaultError: The worksheet is damaged, or a row is too long.
        """
        for _ in read_xml(file, self):
            for number, cells in self._rows:
                yield number, self._find_texts(number, cells)
            self._rows.clear()

    def select_columns(self, columns: Container[int]) -> None:
        """Ignore all other columns from now on."""
        self._columns = columns

    def begin_element(self, name: str, attributes: dict[str, str]) -> None:
        """Begin a row, a cell or its text."""
        if name == "row":
            self._begin_row(attributes.get("r", ""))
        elif name == "c":
            self._begin_cell(attributes)
        elif name == "f":
            self._has_formula = True
        self._is_text = name in ("v", "t") and self._column in self._columns

    def end_element(self, name: str) -> None:
        """End a row, a cell or its text."""
        self._is_text = False
        if name == "c":
            self._end_cell()
        elif name == "row" and self._row:
            self._rows.append((self._number, self._row))

    def add_text(self, text: str) -> None:
        """Add a part of a cell's text."""
        if not self._is_text:
            return
        self._pieces.append(text)
        self._count_characters(len(text))

    def _begin_row(self, number: str) -> None:
        self._number = int(number) if _ROW_NUMBER.fullmatch(number) else self._number + 1
        self._row = {}
        self._column = -1
        self._n_left = MAX_ROW_BYTES

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        match = _CELL_NAME.fullmatch(attributes.get("r", ""))
        self._column = self._column + 1 if match is None else _find_column(match[1])
        self._kind = attributes.get("t", "n")
        self._pieces = []
        self._has_formula = False

    def _end_cell(self) -> None:
        text = "".join(self._pieces)
        if self._column not in self._columns:
            return
        if self._has_formula and not text:
            text = FORMULA
        elif self._kind == "s" and text:
            if not _WHOLE.fullmatch(text):
                raise make_damaged("a cell names a text that does not exist")
            self._row[self._column] = int(text)
            return
        if text:
            self._row[self._column] = unescape_text(text)

    def _find_texts(self, number: int, cells: dict[int, str | int]) -> dict[int, str]:
        n_characters = 0
        texts: dict[int, str] = {}
        for column, cell in cells.items():
            text = cell if isinstance(cell, str) else self._texts.find_text(cell)
            n_characters += len(text)
            if n_characters > MAX_ROW_BYTES:
                raise _too_long_row(number)
            texts[column] = text
        return texts

    def _count_characters(self, n: int) -> None:
        self._n_left -= n
        if self._n_left < 0:
            raise _too_long_row(self._number)


def _too_long_row(number: int) -> FileFaultError:
    return FileFaultError(
        "line-too-long",
        f"Row {number} of the workbook has more than {MAX_ROW_BYTES:,} characters. Send only the columns with ids and "
        "responses.",
        number,
    )


def _find_column(letters: str) -> int:
    """Return the position of a column from its letters.

    >>> _find_column("A"), _find_column("AB")
    (0, 27)
    """
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1
