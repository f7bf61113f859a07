"""Options that are a number of things each, "2 coughs": an answer that counts other things chooses none of those."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.units import stem
from evaluation.extraction.option_texts.quantities import NUMBER, scale

_NUMBER = rf"(?:no|zero|an?|{NUMBER})"
_OPTION = re.compile(rf"(?P<number>{_NUMBER}) (?P<noun>[a-z]+)")
_CONTRAST = re.compile(
    rf",? ?\(?(?:not|rather than|instead of) {_NUMBER}(?! [a-z]* (?:is|are|was|were)(?![a-z]))(?: [a-z]+)?\)?"
    r"(?=[.,;\n]|$)"
)
_OPEN = re.compile(
    r"(?<![a-z])(?:or|maybe|perhaps|might|could|may|if|unless|whether|least|most|more|fewer|less|about|around|between"
    r"|wait|actually|first|then|all|both|every|wrong|correct|incorrect|false|true|except"
    r"|another|each|one by)(?![a-z])|\?|[A-J]\)"
)
_LEAST, _LONGEST = 3, 300


class _Things(NamedTuple):
    """Stem of a noun → its number in the options and the place of that option, and what counts one in an answer."""

    numbers: Mapping[str, tuple[float, int]]
    counted: re.Pattern[str]


def _compile_counts(stems: Iterable[str]) -> re.Pattern[str]:
    """The pattern of "two loud coughs", "the number of claps is two", "claps: 2" and "I don't hear any sneezes"."""
    noun = rf"(?:{'|'.join(stems)})[a-z]{{0,4}}(?![a-z])"
    return re.compile(
        rf"(?<![a-z0-9.])(?P<number>{_NUMBER}) (?:(?!and |or )[a-z]+ )?(?P<noun>{noun})"
        rf"|(?:number|count) of (?P<of>{noun}) (?:is|was|equals) (?P<is>{_NUMBER})(?![a-z0-9])"
        rf"|(?<![a-z])(?P<head>{noun}): ?(?P<colon>{_NUMBER})(?![a-z0-9])"
        rf"|(?:n't|not|never)(?: really)? (?:hear|any|find|detect|notice)(?: any)? (?P<none>{noun})"
    )


_WORDS = {"no": 0.0, "zero": 0.0, "a": 1.0, "an": 1.0}


def _value(number: str) -> float:
    return _WORDS[number] if number in _WORDS else scale(number, None)[0]


@lru_cache(maxsize=4_096)
def list_things(texts: tuple[str, ...]) -> _Things | None:
    """The things that options count; None unless each option counts another one."""
    matches = [_OPTION.fullmatch(text) for text in texts]
    if len(texts) < _LEAST or not all(matches):
        return None
    found = {stem(match["noun"]): (_value(match["number"]), place) for place, match in enumerate(matches) if match}
    return _Things(found, _compile_counts(found)) if len(found) == len(texts) else None


def read_counts(lowered: str, texts: tuple[str, ...]) -> frozenset[int] | None:
    """The options that a cleaned response in lower case counts as they do; None where it counts none otherwise.

    The set is empty where a count differs and another one is left open.

    >>> texts = ("2 coughs", "1 sneeze", "3 claps", "1 laugh")
    >>> sorted(read_counts("two coughs and a laugh, no sneeze, and the number of claps is two, not three.", texts))
    [0, 3]
    """
    things = list_things(texts)
    if things is None or len(lowered) > _LONGEST:
        return None
    said = _CONTRAST.sub("", lowered)
    counted: dict[str, float] = {}
    for match in things.counted.finditer(said):
        noun = stem(match["noun"] or match["of"] or match["head"] or match["none"])
        number = _value(match["number"] or match["is"] or match["colon"] or "no")
        if noun in counted and (counted[noun] != number or number == 1):
            return None  # "One cough from him and one cough from her."
        if noun in things.numbers:
            counted[noun] = number
    agreeing = frozenset(place for noun, (number, place) in things.numbers.items() if counted.get(noun) == number)
    if len(agreeing) == len(counted):
        return None
    is_counted = all(noun in counted or noun not in said for noun in things.numbers)
    return agreeing if is_counted and not _OPEN.search(said) else frozenset()
