"""Parts of a body that is held whole: one range of bytes, as RFC 9110 has it. Pure."""

import re
from typing import NamedTuple

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class ByteRange(NamedTuple):
    """The first byte that is sent, and the one after the last."""

    begin: int
    end: int


class UnsatisfiableRangeError(Exception):
    """A range that begins after the end."""


def read_range(header: str | None, size: int) -> ByteRange | None:
    """Return which bytes are asked for; None for all, and for what a server may overlook: several ranges, other units.

    Raises:
        UnsatisfiableRangeError: There are no such bytes.

    >>> read_range("bytes=2-", 10), read_range("bytes=-3", 10), read_range("bytes=0-4", 10)
    (Span(begin=2, end=10), Span(begin=7, end=10), Span(begin=0, end=5))
    """
    found = _RANGE.fullmatch((header or "").replace(" ", ""))
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        begin, end = max(0, size - int(found[2])), size
    else:
        begin, end = int(found[1]), min(size, int(found[2]) + 1) if found[2] else size
        if found[2] and int(found[2]) < begin:
            return None
    if begin >= end:
        raise UnsatisfiableRangeError
    return ByteRange(begin, end)
