"""Streaming reader of one large JSON list or object, in bounded memory, with the line of each element.

The scanner of the standard library finds the end of each element. This module reads the brackets, commas and colons
between elements, counts lines, and words what is broken.

No streaming parser from a library replaces it. Measured with ijson 3.6.0 (yajl2_c) and json-stream 2.5.1 on a list of
53 MB, 210,000 predictions: 34 MB/s here; 16 with ijson once lines are counted and rows bounded; 13 with json-stream
alone. ijson does not tell lines, keeps the last of two equal names, turns an unpaired surrogate into “?”, and ends the
file at NaN. Each of these is a problem of one row here. `docs/performance.md` has the details.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.broken_json import find_flaw
from evaluation.predictions.problems import FileFaultError
from evaluation.predictions.rows import MAX_ROW_BYTES

_CHUNK_BYTES = 1 << 18
_LOOK_CHARACTERS = 4_000
_BLANK = re.compile(r"[ \t\r\n]+")
_scan = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode


class TextPieces:
    """The text of a file, with position and line."""

    def __init__(self, file: BinaryIO, form: str) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._form = form
        self._text = ""
        self._at = 0
        self._ended = False
        self.line = 1

    def find_elements(self, closing: str) -> Iterator[None]:
        """Move to each element in turn, which the caller reads, up to the closing bracket and the end of the file.

        Raises:
            FileFaultError: A comma or the closing bracket is missing, or something follows it.
        """
        self.next_letter()
        self.pass_letter()
        letter = "" if self.next_letter() == closing else ","
        while letter == ",":
            self.next_letter()
            yield
            letter = self.next_letter()
            if letter == ",":
                self.pass_letter()
        if self.next_letter() != closing:
            raise self.broken(behind_value=True)
        self.pass_letter()
        self._require_end()

    def next_letter(self) -> str:
        """Move to the next character that is not a space, and return it; an empty text at the end of the file."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            end = self._at if blank is None else blank.end()
            self._pass_to(end)
            if end < len(self._text):
                return self._text[end]
            if self._ended:
                return ""
            self._read_more()

    def pass_letter(self) -> None:
        """Skip the character that `next_letter` returned."""
        self._pass_to(self._at + 1)

    def value(self) -> bytes:
        """Return the JSON value that starts here, reading until it is complete, and move past it.

        Raises:
            FileFaultError: There is no value, or it is too long.
        """
        while True:
            end = self._find_end()
            # A number at the end of a piece may continue in the next.
            if end is not None and (end < len(self._text) or self._ended):
                json_text = self._text[self._at : end]
                self._pass_to(end)
                # Lone surrogates pass the scanner; decoding their encoded form fails later.
                return json_text.encode(errors="surrogatepass")
            if self._ended or len(self._text) - self._at > MAX_ROW_BYTES:
                raise self.broken()
            self._read_more()

    def broken(self, *, behind_value: bool = False) -> FileFaultError:
        """Return the error of a file that cannot be read further.

        Args:
            behind_value: Whether a value ends here, so that a comma or the closing bracket should follow.
        """
        reason, remedy = self._find_reason(behind_value=behind_value)
        where = f"The {self._form} cannot be read from line {self.line} on"
        return FileFaultError("not-json", f"{where}: {reason} {_EXAMPLES[self._form]} {remedy}", self.line)

    def _require_end(self) -> None:
        if self.next_letter():
            raise FileFaultError(
                "not-json",
                f"Line {self.line}: there is extra text after the end of the {self._form}. Remove it.",
                self.line,
            )

    def _find_reason(self, *, behind_value: bool) -> tuple[str, str]:
        """Return why nothing can be read here, and the fix."""
        rest = self._text[self._at : self._at + _LOOK_CHARACTERS]
        if not rest:
            return "it is cut off, or its closing bracket is missing.", "Send all of it."
        if rest[0] in "]}" and not behind_value:
            return "there is a comma before the closing bracket.", "Remove it."
        if behind_value and rest[0] in '{["':
            return "a comma is missing here.", "Add it."
        begins_row = rest[0] in "{'" and not behind_value
        flaw = find_flaw(f"{{{rest.removeprefix('{')}".encode(errors="replace")) if begins_row else None
        is_end = self._ended and len(self._text) - self._at <= _LOOK_CHARACTERS
        if begins_row and is_end and (flaw is None or flaw.is_end):
            return "it is cut off.", "Send all of it."
        if flaw is not None and not flaw.is_end:
            return f"the following text {flaw.what}", flaw.remedy
        what = f"the following text is not JSON, or is longer than {MAX_ROW_BYTES:,} bytes."
        return what, "Write it with a JSON library."

    def _find_end(self) -> int | None:
        try:
            return _scan(self._text, self._at)[1]
        except (RecursionError, ValueError):
            return None

    def _read_more(self) -> None:
        """Drop consumed text, and append the next piece."""
        data = self._file.read(_CHUNK_BYTES)
        try:
            self._text = self._text[self._at :] + self._decode(data, final=not data)
        except UnicodeDecodeError:
            raise FileFaultError(
                "encoding", f"The file is not UTF-8 from line {self.line} on. Save it as UTF-8.", self.line
            ) from None
        self._at = 0
        self._ended = not data

    def _pass_to(self, end: int) -> None:
        """Count the lines up to a position, and move there."""
        self.line += self._text.count("\n", self._at, end)
        self._at = end


_EXAMPLES = {
    "list": "Write a list of predictions as [{…}, {…}].",
    "object": 'Write an object of predictions as {"<id>": "<response>", …}.',
}
