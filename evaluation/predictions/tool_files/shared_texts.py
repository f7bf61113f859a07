"""Shared texts of a workbook: its cells name them by number."""

import re
from array import array
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.tool_files.xml_pieces import make_damaged, read_xml
from evaluation.predictions.unpacking import MAX_UNPACKED_BYTES

MAX_SHARED_BYTES = 100_000_000
MAX_SHARED_TEXTS = 4_000_000
_CONTROL = re.compile(r"_x00(0[0-9A-Fa-f]|1[0-9A-Fa-f])_")


class SharedTexts:
    """Texts in one block of memory. How much they may fill cells is limited, because many cells may name one text."""

    def __init__(self) -> None:
        self._texts = bytearray()
        self._ends = array("q", [0])
        self._n_left = MAX_UNPACKED_BYTES
        self._pieces: list[str] = []
        self._n_pending = 0
        self._is_text = False
        self._is_phonetic = False

    def read_file(self, file: BinaryIO) -> None:
        """Read the part of a workbook with these texts.

        Raises:
            FileFaultError: It is damaged, or there are too many.
        """
        for _ in read_xml(file, self):
            pass

    def find_text(self, number: int) -> str:
        """Return a text.

        Raises:
            FileFaultError: There is none with this number, or cells name too many long texts.
        """
        if not 0 <= number < len(self._ends) - 1:
            raise make_damaged("a cell names a text that does not exist")
        begin, end = self._ends[number], self._ends[number + 1]
        self._n_left -= end - begin
        if self._n_left < 0:
            raise FileFaultError(
                "too-large",
                f"The cells of the workbook have more than {MAX_UNPACKED_BYTES:,} bytes. Send only the answers.",
            )
        return self._texts[begin:end].decode()

    def begin_element(self, name: str, _: dict[str, str]) -> None:
        """Begin a text, or a part of it; hints for the pronunciation are no part of it."""
        self._is_phonetic |= name == "rPh"
        self._is_text = name == "t" and not self._is_phonetic

    def end_element(self, name: str) -> None:
        """End a text."""
        self._is_text = False
        if name == "rPh":
            self._is_phonetic = False
        elif name == "si":
            self._texts += unescape_text("".join(self._pieces)).encode()
            self._ends.append(len(self._texts))
            self._pieces.clear()
            self._n_pending = 0
            self._require_room()

    def add_text(self, text: str) -> None:
        """Add a part of a text."""
        if self._is_text:
            self._pieces.append(text)
            self._n_pending += len(text)
            self._require_room()

    def _require_room(self) -> None:
        if len(self._texts) + self._n_pending > MAX_SHARED_BYTES or len(self._ends) > MAX_SHARED_TEXTS:
            raise _too_large()


def unescape_text(text: str) -> str:
    """Return a text of a cell with its escaped control characters, such as `_x000D_`."""
    return _CONTROL.sub(lambda match: chr(int(match[1], 16)), text) if "_x00" in text else text


def _too_large() -> FileFaultError:
    return FileFaultError(
        "too-large",
        f"The workbook has more than {MAX_SHARED_BYTES:,} bytes or {MAX_SHARED_TEXTS:,} different texts. Send only the "
        "columns with ids and responses, or CSV.",
    )
