"""Numbers whose digits are grouped by commas: "1,000 Hz" is "1 kHz"."""

import re
from functools import lru_cache

_GROUPED = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9]|,[0-9])")


def _join(text: str) -> str:
    return _GROUPED.sub(lambda match: match.group().replace(",", ""), text)


@lru_cache(maxsize=4_096)
def has_groups(texts: tuple[str, ...]) -> bool:
    """Whether an option has a number in groups of digits."""
    return any(_GROUPED.search(text) for text in texts if "," in text)


def join_groups(response: str, texts: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """Return a response and options with their digits joined; None where they have no groups.

    >>> join_groups("1 kHz", ("440 Hz", "1,000 Hz"))
    ('1 kHz', ('440 Hz', '1000 Hz'))
    """
    joined = _join(response), tuple(map(_join, texts))
    return None if joined == (response, texts) else joined
