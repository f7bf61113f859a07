"""Answers that name one option by what distinguishes it: "this is metal", "the reverb suggests a hall".

What is said for sure must have words of one option that no other option has, and none of another one. They count if
they are all that tells the option from the others, several of its words, all that their clause says, or what it
concludes.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.lexicon import WORD_LISTS
from evaluation.extraction.language.units import (
    find_derived,
    find_opposites,
    is_comparable,
    is_negative,
    list_distinctive,
)
from evaluation.extraction.paraphrases.gist import find_doubts, find_plural, join_prefixes
from evaluation.extraction.paraphrases.pointing import list_informative

_LONGEST, _MAX_OPTIONS, _MIN_HITS, _MAX_CLAUSES = 400, 8, 2, 6
_SHORTEST_WORD, _MAX_FOREIGN = 3, 4
# Alternatives, guesses and changes of mind anywhere leave the answer open.
_OPEN = re.compile(
    r"(?<![a-z])(?:or|maybe|perhaps|possibly|might|could|may|either|neither|nor|if|unless|whether|sorry|unable|unsure"
    r"|not sure|thought|initially|actually|wait|hmm|although|though|but|yet|however|between|depends|options?|question"
    r"|asks?|asked|example|usually)(?![a-z])|\?"
)
# What is compared, only heard or only spoken of is no answer.
_ASIDE = re.compile(
    r"(?<![a-z])(?:would|then|(?<!more )(?<!less )than|as if|like|similar|resembl[a-z]*|both|some|there"
    r" (?:is|are|was|were)|hear|heard|mention[a-z]*|talk[a-z]*|discuss[a-z]*|first|second|clip)(?![a-z])|'ll(?![a-z])"
)
_CONCLUDES = re.compile(
    r"(?<![a-z])(?:so|thus|hence|therefore|i\.e|this is|it's|it is|that's|that is|must be|definitely|clearly)(?![a-z])"
)
_CUE = (
    r"(?<![a-z])(?:suggest(?:s|ing)?|indicat(?:es|ing)|points? to|pointing to|impl(?:ies|ying)|means that|shows? that"
    r"|(?:characteristic|typical) of|gives? away|tells us (?:about|that))(?![a-z])|->|→|="
)
_CUED = re.compile(_CUE)
_CLAUSE = re.compile(
    rf"(?<!i)(?<!i\.e)[.!;:\n]+|,|(?={_CUE})| - |(?= (?:rather than|instead of|not|because|since)(?![a-z]))"
)
_ORDERED = re.compile(r"(?<![a-z])(?:from .+ to|first|then|before|after|until|and|or|clip)(?![a-z])")
_WORD = re.compile("[a-z0-9]+")
# Words with a second meaning are no names: where one is a whole option, only its text counts.
_PLAIN = frozenset({"left", "right", "ahead", "behind", "front", "back", "up", "down"}) | WORD_LISTS["ORDINARY"]


_EITHER = re.compile(r"([a-z]+) or (?:an? |the )?([a-z]+)")
# "She makes a promise" is distinguished by the promise.
_LIGHT_VERBS = frozenset({"mak", "tak", "giv", "get", "hav", "want", "tell", "becom"})
_MAX_FOREIGN_ALONE = 2


class _Mark(NamedTuple):
    """What distinguishes an option: its own units, all of them, those that exclude it, and its plural."""

    own: frozenset[str]
    units: frozenset[str]
    opposed: frozenset[str]
    plural: str


@lru_cache(maxsize=4_096)
def list_marks(texts: tuple[str, ...]) -> tuple[_Mark, ...]:
    """What distinguishes each option; nothing where single words do not, or options tell of orders or denials."""
    if not 2 <= len(texts) <= _MAX_OPTIONS or not all(map(str.isascii, texts)):
        return ()
    if any(_PLAIN.issuperset(_WORD.findall(text)) for text in texts):
        return ()
    if any(map(is_negative, texts)) or any(map(_ORDERED.search, texts)):
        return ()
    units = [list_informative(text) - _LIGHT_VERBS for text in texts]
    marks = [
        _Mark(own - _PLAIN, each, find_opposites(each), find_plural(text))
        for text, each, own in zip(texts, units, list_distinctive(units), strict=True)
    ]
    return tuple(marks) if all(mark.own for mark in marks) else ()


def find_distinguished(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option that a cleaned response in lower case names by what distinguishes it.

    >>> find_distinguished("distorted guitars, growled vocals: this is metal.", ("jazz", "reggae", "heavy metal"))
    2
    """
    marks = list_marks(texts)
    if not marks or not is_comparable(lowered, texts, _LONGEST) or _OPEN.search(lowered):
        return None
    clauses = [clause for clause in _CLAUSE.split(join_prefixes(lowered)) if clause.strip()]
    if not 0 < len(clauses) <= _MAX_CLAUSES:
        return None
    known = frozenset[str]().union(*(mark.units for mark in marks))
    said = [frozenset(find_derived(unit, known) for unit in list_informative(clause)) for clause in clauses]
    sure = [not (is_negative(clause) or find_doubts(clause)) for clause in clauses]
    affirmed = frozenset[str]().union(*(units for units, is_sure in zip(said, sure, strict=True) if is_sure))
    denied = frozenset[str]().union(*(units for units, is_sure in zip(said, sure, strict=True) if not is_sure))
    places = [place for place, mark in enumerate(marks) if affirmed & mark.own]
    if len(places) != 1 or marks[places[0]].opposed & affirmed:
        return None
    mark = marks[places[0]]
    if (mark.plural and mark.plural in lowered) or not _has_own(said[-1] - denied, mark):
        return None
    return places[0] if sure[-1] and _suffices(clauses[-1], said[-1], mark, marks) else None


def offers_another(lowered: str, texts: tuple[str, ...], place: int) -> bool:
    """Whether a response in lower case names an option and, next to "or", another one by what distinguishes it.

    >>> offers_another("this is metal or jazz.", ("jazz", "reggae", "heavy metal"), 0)
    True
    """
    marks = list_marks(texts) if " or " in lowered else ()
    if not marks:
        return False
    pairs = [frozenset(list_informative(f"{match[1]} {match[2]}")) for match in _EITHER.finditer(lowered)]
    named = [{at for at, mark in enumerate(marks) if mark.own & units} for units in pairs]
    return any(place in places and len(places) > 1 for places in named)


def _has_own(units: frozenset[str], mark: _Mark) -> bool:
    """Whether a clause has a word of an option alone that is no short one."""
    return any(len(unit) >= _SHORTEST_WORD for unit in units & mark.own)


def _suffices(clause: str, units: frozenset[str], mark: _Mark, marks: tuple[_Mark, ...]) -> bool:
    """Whether the last clause, which has words of an option, names it."""
    if _ASIDE.search(clause):
        return False
    hits = units & mark.own
    foreign = units - frozenset[str]().union(*(each.units for each in marks))
    if not foreign:
        return True
    if _CUED.match(clause) or _CONCLUDES.search(clause) or len(hits) >= _MIN_HITS:
        return len(foreign) <= _MAX_FOREIGN
    return hits == mark.own and len(foreign) <= _MAX_FOREIGN_ALONE
