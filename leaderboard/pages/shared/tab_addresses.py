"""Addresses of tabs: parsing of query parameters. Pure."""

from collections.abc import Collection
from urllib.parse import parse_qsl

_MAX_CHARACTERS = 4_000
_MAX_WORDS = 40
_MAX_OF_ONE = 500


def read_address(search: str | None, names: Collection[str]) -> dict[str, str]:
    """Return the known parameters of a query, without empty and unprintable values.

    >>> read_address("?tab=model&model=m-1&x=2&row=", ("model", "row"))
    {'model': 'm-1'}
    """
    if not isinstance(search, str) or len(search) > _MAX_CHARACTERS:
        return {}
    try:
        pairs = parse_qsl(search.removeprefix("?"), max_num_fields=_MAX_WORDS)
    except ValueError:
        return {}
    words: dict[str, str] = {}
    for name, value in pairs:
        if name in names and value.isprintable() and len(value) <= _MAX_OF_ONE:
            words.setdefault(name, value)
    return words
