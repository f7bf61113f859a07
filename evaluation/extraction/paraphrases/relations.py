"""Options that place one sound beside another, "left of the alarm", said from either end."""

import re
from functools import lru_cache

from evaluation.extraction.language.glossary import write_concepts

_SIDES = {
    "left": "right",
    "right": "left",
    "above": "below",
    "below": "above",
    "behind": "front",
    "front": "behind",
}
_OPTION = re.compile(
    r"(?:it is |the \w+ is )?(?:to |on |(?:right |directly |straight )?in )?(?:the )?"
    r"(left|right|above|below|behind|front)(?: side)?(?: of)? the (\w+(?: \w+)?)"
)
_TOLD = re.compile(
    r"(?<![a-z])the (?P<subject>[a-z]+(?: [a-z]+)?) (?:is|was|[a-z]{3,}s)(?![a-z])[^.;,\n]{0,30}?"
    r"(?<![a-z])(?P<side>left|right(?! in front)|above|below|behind|front)(?:[- ]hand)?(?: side)?"
    r"(?: (?:of|than|from|relative to|compared (?:to|with)))? the (?P<other>[a-z]+(?: [a-z]+)?)"
)
# "The horn is on the left, the bell on the right."
_BESIDE = re.compile(
    r"(?<![a-z])the (?P<subject>[a-z]+(?: [a-z]+)?) (?:is|sits|lies|comes|sounds|was|seems|appears)[^.;,\n]{0,30}?"
    r"(?<![a-z])(?P<side>left|right)(?: side| ear)?(?:,? (?:and|while|whereas|but)|,) the (?P<other>[a-z]+(?: [a-z]+)?)"
    r"(?: (?:is|comes|sounds))?(?: more)? (?:on|from|to|at|in) the (?P<opposite>left|right)"
)
# "Compared with the bell, the horn is more to the left."
_COMPARED = re.compile(
    r"(?:compared (?:to|with)|relative to) the (?P<other>[a-z]+(?: [a-z]+)?), the [a-z ]{2,20}?"
    r" (?:is|sits|lies|comes|sounds)"
    r"(?: (?:more|further|farther|located|slightly))* (?:to|on|from) the (?P<side>left|right)"
)
# Without a name, "to the left of it" is beside the reference.
_SHORT = re.compile(
    r"(?:it(?:'s| is)|they are)? ?(?:just |slightly |directly )?(?:to|on) (?:the |its )?(?P<side>left|right)"
    r"(?: side)?(?: of (?:it|that))?[.!]?"
)
# "The talker's right-hand side" is the right of the talker.
_OWN_SIDE = re.compile(r"(?<![a-z])the ([a-z]+(?: [a-z]+)?)'s (left|right)(?:[- ]hand)?(?: side)?(?![a-z])")
_DOUBT = re.compile(r"(?<![a-z])(?:not|if|whether|or|neither|nor|could|might|may)(?![a-z])|n't|\?")


@lru_cache(maxsize=4_096)
def list_relations(texts: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Return side and reference → position of the options that place a sound relative to another one."""
    matches = ((place, _OPTION.fullmatch(text)) for place, text in enumerate(texts))
    relations = {(match[1], match[2]): place for place, match in matches if match is not None}
    return relations if len(relations) > 1 else {}


def _find_same(name: str, references: set[str]) -> str:
    """The reference that a name is another word for, "speaker" for "talker"; the name where none is."""
    concept = write_concepts(name)
    return next((reference for reference in references if write_concepts(reference) == concept), name)


def find_relation(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that a response says from either end: "the alarm is to the right of the whistle"."""
    relations = list_relations(texts)
    if _DOUBT.search(lowered):
        return None
    references = {reference for _, reference in relations}
    if "'s " in lowered:
        lowered = _OWN_SIDE.sub(r"the \2 of the \1", lowered)
    found: set[int | None] = set()
    if (short := _SHORT.fullmatch(lowered)) is not None:
        found = {place for (side, _), place in relations.items() if side == short["side"]}
    for match in _TOLD.finditer(lowered):
        other = _find_same(match["other"], references)
        if other in references:
            found.add(relations.get((match["side"], other)))
        elif match["subject"] in references:
            found.add(relations.get((_SIDES[match["side"]], match["subject"])))
    found |= {relations.get((match["side"], match["other"])) for match in _COMPARED.finditer(lowered)}
    for match in _BESIDE.finditer(lowered):
        if match["opposite"] == _SIDES[match["side"]]:
            found.add(relations.get((match["side"], match["other"])))
            found.add(relations.get((match["opposite"], match["subject"])))
            found.discard(None)
    return found.pop() if len(found) == 1 else None


# Two options that state the same two events in opposite orders: "the truck passes before the car".
_PRECEDING = re.compile(r"(?:the )?(?P<first>\w+(?: \w+)?) \w+ before (?:the )?(?P<second>\w+(?: \w+)?)")
_SENTENCE = re.compile(r"[^.;!?\n]+")
_AHEAD = re.compile(
    r"(?<![a-z])(?:(?:well |far |just |right )?ahead of|before|earlier than|sooner than|precedes?)(?![a-z])"
)
_BEHIND = re.compile(r"(?<![a-z])(?:after|later than|follows?)(?![a-z])")
_LEADING = re.compile(r"(?<![a-z])(?:first|earlier|sooner)(?: ?[,.]|$)")


@lru_cache(maxsize=4_096)
def list_precedences(texts: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Return what is first and what second → position of two options that mirror each other."""
    matches = ((place, _PRECEDING.fullmatch(text)) for place, text in enumerate(texts))
    found = {(match["first"], match["second"]): place for place, match in matches if match is not None}
    return found if len(found) == 2 and all(pair[::-1] in found for pair in found) else {}


def find_precedence(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option whose order a response tells in other words: "the truck passes first".

    >>> texts = ("the truck passes before the car", "the car passes before the truck")
    >>> find_precedence("the car comes well after the truck.", texts)
    0
    """
    precedences = list_precedences(texts)
    if not precedences or _DOUBT.search(lowered):
        return None
    names = next(iter(precedences))
    found: set[int] = set()
    for sentence in _SENTENCE.findall(lowered):
        named = sorted((sentence.find(name), name) for name in names if name in sentence)
        between = sentence[named[0][0] : named[1][0]] if len(named) == 2 else ""
        first = None
        if _AHEAD.search(between) or (len(named) == 1 and _LEADING.search(sentence[named[0][0] :])):
            first = named[0][1]
        elif _BEHIND.search(between):
            first = named[1][1]
        found |= {place for (name, _), place in precedences.items() if name == first}
    return found.pop() if len(found) == 1 else None
