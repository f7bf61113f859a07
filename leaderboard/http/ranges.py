"""Byte ranges (RFC 9110): a single range of a body that is in memory. Pure."""

import re
from typing import NamedTuple

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


class ByteRange(NamedTuple):
    """A half-open range of bytes."""

    begin: int
    end: int


class UnsatisfiableRangeError(Exception):
    """The range begins after the end of the body."""


def read_range(header: str | None, size: int) -> ByteRange | None:
    """Return the requested bytes; None for all, and for headers that a server may ignore: several ranges, other units.

    Raises:
        UnsatisfiableRangeError: The range begins after the end.

    >>> read_range("bytes=2-", 10), read_range("bytes=-3", 10), read_range("bytes=0-4", 10)
    (ByteRange(begin=2, end=10), ByteRange(begin=7, end=10), ByteRange(begin=0, end=5))
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
