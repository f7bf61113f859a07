"""Reading one JSON list of predictions, the form of MDAR's official result files, in bounded memory."""

import codecs
import json
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import Problem, Problems
from evaluation.predictions.rows import MAX_ROW_BYTES, parse_row
from evaluation.types import Prediction

_CHUNK_BYTES = 1 << 18
_BLANK = " \t\r\n"
_scan = json.JSONDecoder().raw_decode


class _ListError(Exception):
    """The list cannot be read on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


class _Text:
    """The text of a file, a piece at a time."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False

    def read_more(self) -> None:
        """Forget what was passed, and add the next piece."""
        data = self._file.read(_CHUNK_BYTES)
        try:
            self.text = self.text[self.at :] + self._decode(data, final=not data)
        except UnicodeDecodeError:
            raise _ListError(
                Problem("encoding", f"The file is not UTF-8 from line {self.line} on. Save it as UTF-8.", self.line)
            ) from None
        self.at = 0
        self.ended = not data

    def pass_to(self, end: int) -> None:
        """Count the lines up to a place, and stand there."""
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def next_letter(self) -> str:
        """Return the next letter that is not blank, and stand on it; an empty text at the end of the file."""
        while True:
            end = self.at
            while end < len(self.text) and self.text[end] in _BLANK:
                end += 1
            self.pass_to(end)
            if end < len(self.text):
                return self.text[end]
            if self.ended:
                return ""
            self.read_more()


def read_json_list(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a list of objects and collect the faults of those that hold none.

    Where the list itself is broken, reading ends with one fault that says from which line on.
    """
    text = _Text(file)
    try:
        text.next_letter()
        text.pass_to(text.at + 1)
        for row, line in _elements(text):
            prediction = parse_row(row, line, problems)
            if prediction is not None:
                yield prediction
    except _ListError as fault:
        problems.add(fault.problem)


def _elements(text: _Text) -> Iterator[tuple[bytes, int]]:
    """Yield the elements of a list whose bracket was passed, each with its line."""
    letter = "" if text.next_letter() == "]" else ","
    while letter == ",":
        text.next_letter()
        line, row = text.line, _element(text)
        # Lone surrogates pass the scanner; parse_row refuses what they are encoded to.
        yield row.encode(errors="surrogatepass"), line
        letter = text.next_letter()
        if letter == ",":
            text.pass_to(text.at + 1)
    if text.next_letter() != "]":
        raise _ListError(_broken(text.line))
    text.pass_to(text.at + 1)
    if text.next_letter():
        raise _ListError(
            Problem("not-json", f"Line {text.line}: something follows the end of the list. Remove it.", text.line)
        )


def _element(text: _Text) -> str:
    """Return the element that begins here, reading on until it is whole."""
    while True:
        try:
            _, end = _scan(text.text, text.at)
        except (RecursionError, ValueError):
            end = None
        # A number at the end of the piece may go on in the next.
        if end is not None and (end < len(text.text) or text.ended):
            row = text.text[text.at : end]
            text.pass_to(end)
            return row
        if text.ended or len(text.text) - text.at > MAX_ROW_BYTES:
            raise _ListError(_broken(text.line))
        text.read_more()


def _broken(line: int) -> Problem:
    return Problem(
        "not-json",
        f"The list cannot be read from line {line} on: what begins there is no JSON, or is longer than "
        f"{MAX_ROW_BYTES:,} bytes. A list of predictions is [{{…}}, {{…}}]. Write it with a JSON library.",
        line,
    )
