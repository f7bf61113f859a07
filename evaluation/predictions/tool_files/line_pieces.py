"""Lines of a file as texts to be skimmed one by one, however long they are."""

from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.jsonl import BOM
from evaluation.predictions.problems import Problems
from evaluation.predictions.tool_files.json_skimmer import JsonSkimmer, SkimError

_CHUNK_BYTES = 1 << 17


def find_lines(file: BinaryIO, problems: Problems) -> Iterator[JsonSkimmer]:
    """Yield a skimmer at the beginning of each line that is not empty, which ends at the end of its line."""
    lines = _LineSource(file)
    while lines.begin_line():
        skimmer = JsonSkimmer(lines.read_piece, lines.number)
        if lines.number == 1:
            skip_mark(skimmer)
        if skimmer.peek_byte() == -1:
            problems.count_empty_line(lines.number)
            continue
        yield skimmer


def require_end(skimmer: JsonSkimmer) -> None:
    """Check that nothing follows.

    Raises:
        SkimError: Something does.
    """
    if skimmer.peek_byte() != -1:
        raise SkimError("has extra text after the object.")


def skip_mark(skimmer: JsonSkimmer) -> JsonSkimmer:
    """Move past a byte order mark."""
    while skimmer.peek_byte() in tuple(BOM):
        skimmer.pass_byte()
    return skimmer


class _LineSource:
    """The lines of a file, each read in pieces, so that long lines need no memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._data = b""
        self._is_at_end_of_line = True
        self.number = 0

    def begin_line(self) -> bool:
        """Move to the next line; return whether there is one."""
        while not self._is_at_end_of_line and self.read_piece(_CHUNK_BYTES):
            pass
        if not self._data:
            self._data = self._file.read(_CHUNK_BYTES)
        self.number += 1
        self._is_at_end_of_line = False
        return bool(self._data)

    def read_piece(self, n_bytes: int) -> bytes:
        """Return the next bytes of the line; none at its end."""
        if self._is_at_end_of_line:
            return b""
        if not self._data:
            self._data = self._file.read(n_bytes)
        end = self._data.find(b"\n") + 1
        self._is_at_end_of_line = bool(end) or not self._data
        piece, self._data = (self._data[:end], self._data[end:]) if end else (self._data, b"")
        return piece.removesuffix(b"\n")
