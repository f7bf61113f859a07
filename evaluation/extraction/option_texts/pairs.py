"""Two things, both or neither as options: "Neither the microphone nor the source moves" is "Neither moves"."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.units import is_negative, list_units

OPEN = -1
"""The response says something of both things, and no option does."""

_LONGEST, _MAX_OPTIONS = 240, 6
_TWO_IN_CHINESE = "(?:两[者个人]|二者|双方)?(?:都|均|皆)"
_NEITHER = re.compile(
    rf"(?:neither|none|nobody|no one|nothing)(?![a-z])|both .*(?:not|n't)|{_TWO_IN_CHINESE}(?:不|没|未|无|非)"
)
_BOTH = re.compile(rf"both(?! .*(?:not|n't))(?![a-z])|the two(?![a-z])|{_TWO_IN_CHINESE}(?!不|没|未|无|非)")
_OF_TWO = re.compile(rf"neither|none|nobody|no one|nothing|both|the two|{_TWO_IN_CHINESE}")
_NAME = r"(?:(?!and |nor |or |both |neither )[a-z'-]+ ?){1,5}"
_SHORT_NAME = r"(?:the|an?) (?!and )[a-z'-]+ (?:(?!and |are |were |have |do |can |both )[a-z'-]+ )?"
_BE = r"(?:do|does|did|is|are|was|were|has|have|can)"
_ENGLISH = (
    (re.compile(rf"(?<![a-z])neither (?P<one>{_NAME}),? ?nor (?P<two>{_NAME})"), False),
    (re.compile(rf"(?<![a-z])both (?P<one>{_NAME}),? ?and (?P<two>{_NAME})"), True),
    (
        re.compile(
            rf"(?<![a-z])(?P<one>{_SHORT_NAME})and (?P<two>{_SHORT_NAME})(?:are|were|have|do|can|both)(?![a-z])"
        ),
        True,
    ),
    (re.compile(rf"(?P<one>{_NAME})(?:, (?:and )?|; |and )(?:so|as) {_BE} (?P<two>{_NAME})"), True),
    (re.compile(rf"(?P<one>{_NAME})(?:, (?:and )?|; |and )(?:neither|nor) {_BE} (?P<two>{_NAME})"), False),
)
_CHINESE = re.compile(
    r"(?P<one>[^,。;和与跟都均没不]{1,12})(?:和|与|跟)(?P<two>[^,。;都均没不]{1,12}?)(?:全?都|均|皆)(?P<no>没|不|未|无)?[^,。;]*"
    r"|(?P<first>[^,。;没不]{1,12}?)(?P<none>没|不|未)?[^,。;没不]{0,12},"
    r"(?P<second>[^,。;没不]{1,12}?)也(?P<neither>没|不|未)?[^,。;]*"
)
_NONE_OF_TWO = re.compile(r"\W*neither (?:one|of (?:them|these|those|the two(?: [a-z]+)?))(?![a-z])")
_HINTS = ("neither", "both", "nor ", "so ", "as ", "and the", "and a", "都", "均", "皆", "也")
_UNABLE = re.compile(r"unable|can ?not|can't|not enough|insufficient|unclear|无法|不能|不确定|难以")
_OPEN_WORDS = re.compile(
    r"(?<![a-z])(?:or|either|if|whether|maybe|perhaps|might|could|may|but|however|would|sure|than|before|after|then"
    r"|question|options?|answer)(?![a-z])|\?|或|如果|可能|但|不过|先|再|比|选|答案"
)
_SENTENCE_END = re.compile(r"(?<=[.!;。;\n]) ?")


class _Pair(NamedTuple):
    """Options of two things.

    Attributes:
        places: Positions of the two.
        one: What only the first thing's option has.
        two: What only the second thing's option has.
        shared: What is said of both.
        both: Position of the option that both are so, or OPEN.
        neither: Position of the option that neither is so, or OPEN.
    """

    places: tuple[int, int]
    one: frozenset[str]
    two: frozenset[str]
    shared: frozenset[str]
    both: int
    neither: int


@lru_cache(maxsize=16_384)
def list_pair(texts: tuple[str, ...]) -> _Pair | None:
    """Return the two things that options are about; None unless one of these says "both" or "neither".

    >>> list_pair(("the man", "the woman", "both")).both, list_pair(("left", "right"))
    (2, None)
    """
    if not 2 < len(texts) <= _MAX_OPTIONS:
        return None
    if not any(map(_OF_TWO.match, texts)):
        return None
    neither = [place for place, text in enumerate(texts) if _NEITHER.match(text)]
    both = [place for place, text in enumerate(texts) if _BOTH.match(text) and place not in neither]
    rest = [place for place in range(len(texts)) if place not in neither and place not in both]
    places = [place for place in rest if not _UNABLE.search(texts[place])]
    if len(neither) > 1 or len(both) > 1 or not neither + both or len(places) != 2:
        return None
    one, two = (frozenset(list_units(texts[place])) for place in places)
    if not one - two or not two - one or any(is_negative(texts[place]) for place in places):
        return None
    return _Pair(
        (places[0], places[1]),
        one - two,
        two - one,
        one & two,
        *(found[0] if found else OPEN for found in (both, neither)),
    )


def find_pair(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that a cleaned response in lower case says of both things; None where it does not speak of both.

    >>> texts = ("the microphone moves", "the source moves", "both move", "neither moves")
    >>> find_pair("neither the microphone nor the source moves.", texts)
    3
    >>> find_pair("both the source and the microphone are moving.", texts)
    2
    """
    pair = list_pair(texts)
    if pair is None or len(lowered) > _LONGEST or not any(map(lowered.__contains__, _HINTS)):
        return None
    if _OPEN_WORDS.search(lowered):
        return None
    said = {_find_in_sentence(sentence, pair) for sentence in _SENTENCE_END.split(lowered)} - {None}
    return said.pop() if len(said) == 1 else None


def is_one_of_two(place: int, texts: tuple[str, ...]) -> bool:
    """Whether an option is about one of two things.

    >>> is_one_of_two(1, ("the man", "the woman", "both"))
    True
    """
    pair = list_pair(texts)
    return pair is not None and place in pair.places


def _find_in_sentence(sentence: str, pair: _Pair) -> int | None:
    units = frozenset(list_units(sentence))
    if _NONE_OF_TWO.search(sentence) and (not pair.shared or units & pair.shared):
        return pair.neither
    if not (units & pair.one and units & pair.two) or (pair.shared and not units & pair.shared):
        return None
    if not sentence.isascii():
        match = _CHINESE.search(sentence)
        if match is None or not _names_both(match["one"] or match["first"], match["two"] or match["second"], pair):
            return None
        is_denied = bool(match["no"] or match["neither"])
        if match["first"] and bool(match["none"]) != is_denied:
            return None
        return pair.neither if is_denied else pair.both
    for pattern, is_both in _ENGLISH:
        match = pattern.search(sentence)
        if match is None or not _names_both(match["one"], match["two"], pair):
            continue
        if is_both and is_negative(sentence):
            return OPEN
        return pair.both if is_both else pair.neither
    return None


def _names_both(first: str, second: str, pair: _Pair) -> bool:
    named = [frozenset(list_units(name)) for name in (first, second)]
    return any(
        named[at] & pair.one and not named[at] & pair.two and named[1 - at] & pair.two and not named[1 - at] & pair.one
        for at in (0, 1)
    )
