"""Sentences that say what something is by one word of an option: "I would say the piano", "the setting is a kitchen".

The name must be part of only one option, and no sentence may say that something is what another option names.
"""

import re
from functools import lru_cache

from evaluation.extraction.language.units import is_comparable, is_negative, list_distinctive, list_units
from evaluation.extraction.paraphrases.pointing import list_informative

_LONGEST, _MAX_OPTIONS = 500, 8
_HEDGE = "(?: (?:clearly|probably|most likely|likely|definitely|obviously|certainly|simply|just|indeed))?"
_NAMED = re.compile(
    r"(?:(?:so|thus|therefore|hence|well|hmm|okay|overall|i think|i believe"
    r"|i guess),? )?(?:"
    rf"i(?:'d| would)?{_HEDGE} (?:say|guess|go (?:for|with)|pick|choose)(?: that)?(?: (?:it's|it is|this is"
    rf"|that it's|it was))?"
    rf"|it(?:'s| is| was| must be| should be| sounds like| seems to be)|(?:this|that)(?:'s| is| was| must be"
    rf"| sounds like)"
    r"|the (?:setting|scene|location|place|instrument|speaker|topic|subject|source|cause|reason|mood|emotion"
    r"|genre|answer"
    r"|environment|venue|activity|event|sound|animal|vehicle)(?: (?:here|in question|we hear|i hear))?(?:'s| is"
    r"| was| seems to be| must be)"
    rf"){_HEDGE} (?:in |at |on )?(?P<article>an? |the )(?P<name>[a-z]+(?: [a-z]+)?)"
    r"(?=[.,;:!\n]|\Z| (?:because|since|as|given|where|with|that|who|which)(?![a-z]))"
)
_SENTENCE_END = re.compile(r"(?<=[.!?\n]) ?")
_REASON = re.compile(r":|,? ?(?:because|since|as|given|rather than|instead of|not|unlike|while|whereas)(?![a-z])")
_OPEN = re.compile(
    r"(?<![a-z])(?:or|but|however|although|though|maybe|perhaps|might|could|may|if|whether|unless|actually|wait"
    r"|either|neither)(?![a-z])|\?"
)


@lru_cache(maxsize=4_096)
def _list_names(texts: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """What only one of the options has, for each; nothing where options are too many or not in English."""
    if not 2 <= len(texts) <= _MAX_OPTIONS or not all(map(str.isascii, texts)):
        return ()
    return list_distinctive([frozenset(list_units(text)) for text in texts])


def find_identified(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option of which a cleaned response in lower case says, by a name, that something is it.

    >>> find_identified("the setting is a kitchen: oil sizzles.", ("in a kitchen", "at a gym"))
    0
    """
    names = _list_names(texts)
    if not names or not is_comparable(lowered, texts, _LONGEST) or _OPEN.search(lowered):
        return None
    places = set[int]()
    rests: list[str] = []
    for sentence in _SENTENCE_END.split(lowered):
        match = _NAMED.match(sentence)
        rest = sentence[match.end() :] if match else sentence
        if not is_negative(rest) and not (match and _REASON.match(rest)):
            rests.append(rest)
        if match is not None:
            units = frozenset(list_units(match["name"])) & list_informative(match["name"])
            found = [place for place, own in enumerate(names) if units and units <= own]
            if not found:
                return None
            places.update(found)
    place = places.pop() if len(places) == 1 else None
    return None if place is None or _names_other(place, names, rests) else place


def _names_other(place: int, names: tuple[frozenset[str], ...], parts: list[str]) -> bool:
    """Whether parts of a response have a word that only another option has."""
    units = frozenset[str]().union(*(list_units(part) for part in parts))
    return any(not own.isdisjoint(units) for other, own in enumerate(names) if other != place)
