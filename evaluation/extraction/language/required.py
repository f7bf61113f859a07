"""Parts that a text must contain for a pattern to match in it, derived from the pattern.

Looking for a few parts is many times faster than searching for a large pattern. Derived parts cannot be forgotten when
a pattern changes.
"""

import re
from collections.abc import Iterator
from typing import Any

# The parser of patterns has had no public name since Python 3.11, but what it returns has not changed since Python 2.
_PARSER: Any = vars(re)["_parser"]
_MAX_PARTS = 48

_Parts = frozenset[str] | None


def find_required(pattern: str) -> frozenset[str] | None:
    """Return parts of which each match, with what surrounds it, contains at least one; None without such parts.

    Args:
        pattern: A regular expression; one that ignores case has no such parts.

    >>> sorted(find_required("(?:a|the) (?:bell|horn)s?(?= rings)|wind"))
    [' rings', 'wind']
    >>> find_required("(?:the )?[a-z]+") is None
    True
    """
    if re.compile(pattern).flags & re.IGNORECASE:
        return None
    parts = _require_all(_PARSER.parse(pattern))
    # A part within another one is enough.
    return parts and frozenset(part for part in parts if not any(each in part for each in parts - {part}))


def _require_all(sequence: Any) -> _Parts:
    """Return the most distinctive parts of a sequence, all elements of which must match."""
    found = [parts for parts in _list_parts(sequence) if parts and len(parts) <= _MAX_PARTS]
    return max(found, key=lambda parts: (min(map(len, parts)), -len(parts)), default=None)


def _list_parts(sequence: Any) -> Iterator[_Parts]:
    run = ""
    for kind, value in sequence:
        if kind is _PARSER.LITERAL:
            run += chr(value)
            continue
        if run:
            yield frozenset({run})
        run = ""
        yield _require_one(kind, value)
    if run:
        yield frozenset({run})


def _require_one(kind: Any, value: Any) -> _Parts:
    """Return the parts of one element; None if it can match without a particular part."""
    if kind is _PARSER.BRANCH:
        return _require_any(value[1])
    if kind is _PARSER.SUBPATTERN:
        _, flags, _, inner = value
        return None if flags & re.IGNORECASE else _require_all(inner)
    if kind in {_PARSER.MAX_REPEAT, _PARSER.MIN_REPEAT, _PARSER.POSSESSIVE_REPEAT}:
        least, _, inner = value
        return _require_all(inner) if least else None
    if kind is _PARSER.ASSERT:
        return _require_all(value[1])
    if kind is _PARSER.IN and all(each is _PARSER.LITERAL for each, _ in value):
        return frozenset(chr(code) for _, code in value)
    return None


def _require_any(branches: Any) -> _Parts:
    parts: frozenset[str] = frozenset()
    for branch in branches:
        required = _require_all(branch)
        if required is None:
            return None
        parts |= required
    return parts
