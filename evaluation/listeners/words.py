"""Search patterns: whole English words, or prefixes with `*`; Chinese words anywhere."""

import re
from functools import lru_cache

NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""Number words, each at the index of its number."""

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'"})


class Wording:
    """A set of synonymous words and phrases, separated by ` | `.

    >>> Wording("louder | loud* | 更响").found_in("the first is LOUDER")
    True
    """

    def __init__(self, phrases: str) -> None:
        self._pattern = re.compile("|".join(_expression(phrase.strip()) for phrase in phrases.split("|")))

    def found_in(self, text: str) -> bool:
        """Whether a text contains one of them."""
        return self._pattern.search(plain(text)) is not None

    def find_first(self, text: str) -> int | None:
        """Return the position of the first of them in a text, or None."""
        match = self._pattern.search(plain(text))
        return match.start() if match else None


@lru_cache(maxsize=64)  # every family of questions looks for its words in the same few texts
def plain(text: str) -> str:
    """Return a text in lower case, with single spaces and plain apostrophes."""
    return " ".join(text.lower().translate(_APOSTROPHES).split())


def _expression(phrase: str) -> str:
    if not phrase.isascii():
        return re.escape(phrase)
    begun = phrase.endswith("*")
    return rf"\b{re.escape(phrase.rstrip('*'))}{'' if begun else chr(92) + 'b'}"
