"""Options of several parts, "Back-right, 5 m": an answer may name each part at a place of its own."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.option_texts.quantities import NUMBER, UNIT, scale

_BETWEEN = re.compile(r" ?[,;] ?")
_LONGEST, _MAX_OPTIONS = 600, 16
_QUANTITY = re.compile(rf"(?<![a-z0-9.])(?P<number>{NUMBER})[- ]?(?P<unit>{UNIT})(?![a-z])")
_UNSURE = re.compile(
    r"(?<![a-z])(?:not|no|never|or|either|neither|nor|than|if|between|rather|maybe|perhaps|might|could|may|except)(?![a-z])"
    r"|n't|不|没|非|或|如果|之间|可能"
)


class _Factors(NamedTuple):
    """The values of each part, and the option of each combination."""

    finders: tuple[re.Pattern[str], ...]
    places: dict[tuple[str, ...], int]


def _write(text: str) -> str:
    """A text with hyphens as spaces and quantities in one unit."""
    text = _QUANTITY.sub(lambda match: "{:g}~{}".format(*scale(match["number"], match["unit"])), text)
    return text.replace("-", " ")


@lru_cache(maxsize=4_096)
def find_factors(texts: tuple[str, ...]) -> _Factors | None:
    """The parts of options in which every part takes one of few values; None where options are not so."""
    if not 4 <= len(texts) <= _MAX_OPTIONS or not all("," in text or ";" in text for text in texts):
        return None
    rows = [tuple(_BETWEEN.split(_write(text))) for text in texts]
    if len(set(map(len, rows))) > 1 or len(set(rows)) < len(rows):
        return None
    slots = [sorted(set(column), key=len, reverse=True) for column in zip(*rows, strict=True)]
    if any(not 2 <= len(values) < len(rows) or "" in values for values in slots):
        return None
    finders = tuple(
        re.compile(rf"(?<![a-z0-9.])(?:{'|'.join(map(re.escape, values))})(?![a-z0-9~])") for values in slots
    )
    return _Factors(finders, {row: place for place, row in enumerate(rows)})


def find_combination(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option of which a cleaned text in lower case names every part and no other value of any part."""
    if len(lowered) > _LONGEST or (factors := find_factors(texts)) is None or _UNSURE.search(lowered):
        return None
    written = _write(lowered)
    named = [set(finder.findall(written)) for finder in factors.finders]
    if any(len(values) != 1 for values in named):
        return None
    return factors.places.get(tuple(values.pop() for values in named))
