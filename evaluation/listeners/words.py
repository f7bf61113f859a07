"""Words to look for: English ones whole, or from their beginning with a `*`; Chinese ones anywhere."""

import re

NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""Each at the place of its number."""

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'"})


class Wording:
    """A set of words and phrases that mean one thing, written with ` | ` between them.

    >>> Wording("louder | loud* | 更响").found_in("the first is LOUDER")
    True
    """

    def __init__(self, phrases: str) -> None:
        self._pattern = re.compile("|".join(_expression(phrase.strip()) for phrase in phrases.split("|")))

    def found_in(self, text: str) -> bool:
        """Whether a text holds one of them."""
        return self._pattern.search(plain(text)) is not None

    def find_first(self, text: str) -> int | None:
        """Return where in a text the first of them begins, or None."""
        match = self._pattern.search(plain(text))
        return match.start() if match else None


def plain(text: str) -> str:
    """Return a text in lower case, with single spaces and plain apostrophes."""
    return " ".join(text.lower().translate(_APOSTROPHES).split())


def _expression(phrase: str) -> str:
    if not phrase.isascii():
        return re.escape(phrase)
    begun = phrase.endswith("*")
    return rf"\b{re.escape(phrase.rstrip('*'))}{'' if begun else chr(92) + 'b'}"
