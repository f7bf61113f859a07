"""Skimmer of JSON objects: keeps the few values that are wanted and passes all others, in bounded memory.

Result files of evaluation tools are mostly transcripts and encoded audio, so one sample may have hundreds of megabytes
of which a few hundred bytes are needed. Values that are not wanted are never stored, decoded or checked.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import msgspec

from evaluation.predictions.rows import MAX_ROW_BYTES
from evaluation.predictions.wrong_values import UNREADABLE

Wanted = Mapping[str, "Wanted | None"]
"""Names of wanted values: a name → None for the whole value, or → the wanted names in it; "0" is a list's first."""

_CHUNK_BYTES = 1 << 17
_MAX_NAME_BYTES = 400
_BLANKS = re.compile(rb"[ \t\r\n]*+")
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_IN_BRACKETS = re.compile(rb'[^"{}\[\]]*+')
_SCALAR = re.compile(rb'[^\s,:"{}\[\]]*+')
_QUOTE, _COMMA, _COLON, _BACKSLASH = b'",:\\'
_OPENING, _CLOSING = tuple(b"{["), tuple(b"}]")
_NAME = msgspec.json.Decoder(str)


class SkimError(Exception):
    """A text cannot be skimmed further; `what` is the predicate of a sentence, `code` its kind."""

    def __init__(self, what: str, code: str = "not-json") -> None:
        self.what = what
        self.code = code
        super().__init__(what)


CUT_OFF = "is cut off."
_NO_JSON = "is not JSON."


class JsonSkimmer:
    """The bytes of a JSON text, read piece by piece, with position and line.

    Attributes:
        line: Line of the position, 1-based.
    """

    def __init__(self, read: Callable[[int], bytes], line: int = 1) -> None:
        """Create a skimmer.

        Args:
            read: Returns at most this many bytes; none at the end.
            line: Line of the first byte.
        """
        self._read = read
        self._data = b""
        self._at = 0
        self.line = line

    def peek_byte(self) -> int:
        """Move to the next byte that is not a space, and return it; -1 at the end."""
        while True:
            self._pass_to(_end_of(_BLANKS.match(self._data, self._at)))
            if self._at < len(self._data):
                return self._data[self._at]
            if not self._read_more():
                return -1

    def pass_byte(self) -> None:
        """Move past the byte that `peek_byte` returned."""
        self._pass_to(self._at + 1)

    def find_names(self) -> Iterator[str]:
        """Yield the name of each member of the object here; the caller passes or keeps its value.

        Raises:
            SkimError: There is no object, or it is broken.
        """
        self._require_byte(b"{")
        if self.peek_byte() == _CLOSING[0]:
            self.pass_byte()
            return
        while True:
            if self.peek_byte() != _QUOTE:
                raise self._make_error()
            name = self._read_name()
            self._require_byte(b":")
            self.peek_byte()
            yield name
            if not self._has_next(_CLOSING[0]):
                return

    def find_elements(self) -> Iterator[int]:
        """Yield the position of each element of the list here; the caller passes or keeps it.

        Raises:
            SkimError: There is no list, or it is broken.
        """
        self._require_byte(b"[")
        if self.peek_byte() == _CLOSING[1]:
            self.pass_byte()
            return
        number = 0
        while True:
            self.peek_byte()
            yield number
            number += 1
            if not self._has_next(_CLOSING[1]):
                return

    def read_record(self, wanted: Wanted) -> dict[str, bytes]:
        """Return the wanted values of the value here as JSON: path, such as `output.completion` → value.

        Raises:
            SkimError: The text is broken, a wanted value is too long, or it is there twice.
        """
        record: dict[str, bytes] = {}
        self._read_members(wanted, "", record)
        return record

    def pass_value(self) -> None:
        """Move past the value here."""
        self._go_past_value(None)

    def read_value(self) -> bytes:
        """Return the value here and move past it.

        Raises:
            SkimError: It is broken or too long.
        """
        pieces = _Kept()
        self._go_past_value(pieces)
        return b"".join(pieces)

    def _read_members(self, wanted: Wanted, prefix: str, record: dict[str, bytes]) -> None:
        first = self.peek_byte()
        if first not in _OPENING:
            self.pass_value()
            return
        seen: set[str] = set()
        for name in map(str, self.find_elements()) if first == _OPENING[1] else self.find_names():
            if name not in wanted:
                self.pass_value()
                continue
            path = f"{prefix}{name}"
            if name in seen:
                raise SkimError(f"has `{path}` more than once.", "duplicate-field")
            seen.add(name)
            inner = wanted[name]
            if inner is None:
                record[path] = self.read_value()
            else:
                self._read_members(inner, f"{path}.", record)

    def _read_name(self) -> str:
        pieces = _Kept(_MAX_NAME_BYTES)
        try:
            self._go_past_value(pieces)
            return _NAME.decode(b"".join(pieces))
        except SkimError:
            if not pieces.is_full:
                raise
            raise SkimError("has a field name that is too long.") from None
        except UNREADABLE:
            raise SkimError(_NO_JSON) from None

    def _has_next(self, closing: int) -> bool:
        """Move past the comma or the closing bracket; return whether it was a comma."""
        letter = self.peek_byte()
        if letter not in (_COMMA, closing):
            raise self._make_error()
        self.pass_byte()
        return letter == _COMMA

    def _require_byte(self, letter: bytes) -> None:
        if self.peek_byte() != letter[0]:
            raise self._make_error()
        self.pass_byte()

    def _go_past_value(self, kept: "_Kept | None") -> None:
        letter = self.peek_byte()
        if letter == _QUOTE:
            self._go_past_string(kept)
        elif letter in _OPENING:
            self._go_past_brackets(kept)
        else:
            length = self._go_past(_SCALAR, kept)
            if not length:
                raise self._make_error()

    def _go_past_string(self, kept: "_Kept | None") -> None:
        self._keep_to(self._at + 1, kept)
        while True:
            self._keep_to(_end_of(_IN_STRING.match(self._data, self._at)), kept)
            if self._at < len(self._data) and self._data[self._at] == _QUOTE:
                self._keep_to(self._at + 1, kept)
                return
            # A backslash at the end of a piece stays for the next one.
            if not self._read_more():
                raise SkimError(CUT_OFF)

    def _go_past_brackets(self, kept: "_Kept | None") -> None:
        depth = 0
        while True:
            self._go_past(_IN_BRACKETS, kept)
            if self._at >= len(self._data):
                raise SkimError(CUT_OFF)
            letter = self._data[self._at]
            if letter == _QUOTE:
                self._go_past_string(kept)
                continue
            depth += 1 if letter in _OPENING else -1
            self._keep_to(self._at + 1, kept)
            if not depth:
                return

    def _go_past(self, pattern: re.Pattern[bytes], kept: "_Kept | None") -> int:
        """Move past all that a pattern matches, in this piece and the next ones; return the number of bytes."""
        n_bytes = 0
        while True:
            end = _end_of(pattern.match(self._data, self._at))
            n_bytes += end - self._at
            self._keep_to(end, kept)
            if end < len(self._data) or not self._read_more():
                return n_bytes

    def _keep_to(self, end: int, kept: "_Kept | None") -> None:
        if kept is not None:
            kept.append_piece(self._data[self._at : end])
        self._pass_to(end)

    def _pass_to(self, end: int) -> None:
        self.line += self._data.count(b"\n", self._at, end)
        self._at = end

    def _read_more(self) -> bool:
        """Drop passed bytes and append the next piece; return whether there is one."""
        data = self._read(_CHUNK_BYTES)
        self._data = self._data[self._at :] + data
        self._at = 0
        return bool(data)

    def _make_error(self) -> SkimError:
        return SkimError(CUT_OFF if self.peek_byte() == -1 else _NO_JSON)


class _Kept(list[bytes]):
    """Pieces of a value with a limited number of bytes."""

    def __init__(self, max_bytes: int = MAX_ROW_BYTES) -> None:
        super().__init__()
        self._n_left = max_bytes

    @property
    def is_full(self) -> bool:
        """Whether more was to be kept than is allowed."""
        return self._n_left < 0

    def append_piece(self, piece: bytes) -> None:
        """Keep a piece.

        Raises:
            SkimError: There are too many bytes.
        """
        self._n_left -= len(piece)
        if self._n_left < 0:
            raise SkimError(f"has a value of more than {MAX_ROW_BYTES:,} bytes.", "line-too-long")
        self.append(piece)


def _end_of(match: re.Match[bytes] | None) -> int:
    """Return the end of a match, of a pattern that matches everywhere."""
    return 0 if match is None else match.end()
