"""One of two options that a response named, singled out by a word: "the key is the minor one of these two"."""

import re

from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_reviews.remainders import place_of

_SINGLED = re.compile(
    r"(?:'s|(?<![a-z])(?:is|be|choose|pick)) (?:therefore |clearly |probably )?the (?P<word>[a-z]+) (?:one|key"
    r"|option|version)"
    r"(?P<pair>(?: out)? of (?:these|those|the|them) (?:two|pair))?[^a-z]*$"
)
_TEXTS = re.compile("[\ue000-\uf8ff]")
_PAIR = 2
_OPEN = re.compile(r"(?<![a-z])(?:perhaps|maybe|might|could|may|if)(?![a-z])|\?")


def find_singled_out(marked: str, texts: tuple[str, ...]) -> int | None:
    r"""The one of two named options that the end of a marked text in lower case singles out.

    >>> find_singled_out("\ue000 or \ue002? it's the minor one of the two.", ("c major", "c minor", "a minor"))
    2
    """
    match = _SINGLED.search(marked) if " one" in marked or " of the" in marked else None
    if match is None:
        return None
    places = {place_of(sign) for sign in _TEXTS.findall(marked)}
    start = max(marked.rfind(sign, 0, match.start()) for sign in (". ", "? ", "! ", "\n"))
    sentence = marked[start + 1 : match.end()]
    if len(places) != _PAIR or max(places) >= len(texts) or is_negative(sentence) or _OPEN.search(sentence):
        return None
    having = [place for place in places if match["word"] in texts[place].split()]
    return having[0] if len(having) == 1 else None
