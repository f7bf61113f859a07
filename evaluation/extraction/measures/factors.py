"""Options of several parts, "Back-right, 5 m": an answer may name each part at a place of its own."""

import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_texts.quantities import NUMBER, UNIT, scale

_BETWEEN = re.compile(r" ?[,;] ?(?:and )?| and |、|并且|[而并]?且")
_JOINED = re.compile(r" and |且")
_LONGEST, _LONGEST_JOINED, _MAX_OPTIONS, _SHORTEST_IN_CHINESE = 600, 160, 16, 2
_QUANTITY = re.compile(rf"(?<![a-z0-9.])(?P<number>{NUMBER})[- ]?(?P<unit>{UNIT})(?![a-z])")
_UNSURE = re.compile(
    r"(?<![a-z])(?:not|no|never|or|either|neither|nor|than|if|between|rather|maybe|perhaps|might|could|may|except)(?![a-z])"
    r"|n't|不|没|非|或|如果|之间|可能"
)
# "The first is higher and the second is shorter": of two things, one value each.
_OF_TWO = re.compile(
    r"(?<![a-z])(?:first|second|third|former|latter|other|another|while|whereas|but|then|before|after)(?![a-z])"
    r"|(?:and|,|;) (?:the|an?|his|her) [a-z]+(?: [a-z]+)? (?:is|was|are|were|sounds?|comes?|gets?|becomes?"
    r"|seems?)(?![a-z])"
    r"|第[一二三]|另|前者|后者|而(?!且)|先|再"
)
_CHANGES = (
    r"[^.,;:\n]{0,24}?(?<![a-z])(?:(?:is|are|was|gets?|got|becomes?|became|goes|went|comes?|sounds?|has|turns?) )?"
    r"(?:(?:a bit|slightly|much|clearly|also|too|both) )?"
)
_MORE = r"(?:higher|increas\w+|rises?|rose|rising|up|grows?|grew|greater|louder|bigger|stronger|goes up)(?![a-z])"
_LESS = r"(?:lower|decreas\w+|drops?|dropped|falls?|fell|falling|down|smaller|quieter|softer|weaker|goes down)(?![a-z])"
_MORE_IN_CHINESE, _LESS_IN_CHINESE = (
    r"(?:也|都|则|却)?(?:变得?|更|较|有所)*(?:大|高|响|强|升高|增大|增强|提高|上升|变大)了?",
    r"(?:也|都|则|却)?(?:变得?|更|较|有所)*(?:小|低|轻|弱|降低|减小|减弱|下降|变小)了?",
)
_LOUDNESS, _LOUDNESS_IN_CHINESE = r"(?<![a-z])(?:loudness|volume|level)", "(?:响度|音量|声音)"
_PITCH, _PITCH_IN_CHINESE = r"(?<![a-z])(?:pitch|frequency)", "(?:音高|音调|频率)"
# How loud and how high something is, in the words of the answer, and in a word for each.
_QUALITIES = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (rf"{_LOUDNESS}{_CHANGES}{_MORE}|{_LOUDNESS_IN_CHINESE}{_MORE_IN_CHINESE}", " {louder} "),
        (rf"{_LOUDNESS}{_CHANGES}{_LESS}|{_LOUDNESS_IN_CHINESE}{_LESS_IN_CHINESE}", " {quieter} "),
        (rf"{_PITCH}{_CHANGES}{_MORE}|{_PITCH_IN_CHINESE}{_MORE_IN_CHINESE}", " {higher} "),
        (rf"{_PITCH}{_CHANGES}{_LESS}|{_PITCH_IN_CHINESE}{_LESS_IN_CHINESE}", " {lower} "),
        (r"(?<![a-z])louder(?![a-z])|更(?:大声|响亮?)|更大(?!声)", " {louder} "),
        (r"(?<![a-z])(?:quieter|softer|fainter)(?![a-z])|更(?:小声|轻)|更小(?!声)", " {quieter} "),
        (r"(?<![a-z])higher(?: in pitch|-pitched)?(?![a-z])|更高", " {higher} "),
        (r"(?<![a-z])(?:lower|deeper)(?: in pitch|-pitched)?(?![a-z])|更低", " {lower} "),
    )
)
_OF_FIRST = re.compile("(?<![a-z])first(?![a-z])|第一")
_QUALITY = re.compile(r"\{[a-z]+\}")
# What an answer says that it compares: "the second tone compared with the first".
_COMPARED = re.compile(
    r"(?:^|(?<=[.,;\n] ))(?:compared (?:to|with) the first(?: [a-z]+)?,? )?(?:the second (?:tone|sound|note|one|clip"
    r"|beep)(?:'s)?(?:,? compared (?:to|with) the first(?: [a-z]+)?,?)?) "
    r"|(?:与|和|跟|同|相比于?)?第一个(?:音|声音)?相比[,，]第二个(?:音|声音)?的?"
    r"|第二个(?:音|声音)?(?:(?:与|和|跟|同)第一个(?:音|声音)?(?:相比|比较)[,，]?|比第一个(?:音|声音)?|的)?"
)


class _Factors(NamedTuple):
    """The values of each part, the option of each combination, and how long a response may be."""

    finders: tuple[re.Pattern[str], ...]
    places: dict[tuple[str, ...], int]
    longest: int


def _write(text: str) -> str:
    """A text with hyphens as spaces and quantities in one unit."""
    text = _QUANTITY.sub(lambda match: "{:g}~{}".format(*scale(match["number"], match["unit"])), text)
    return text.replace("-", " ")


@lru_cache(maxsize=4_096)
def find_factors(texts: tuple[str, ...]) -> _Factors | None:
    """The parts of options in which every part takes one of few values; None where options are not so."""
    if not 4 <= len(texts) <= _MAX_OPTIONS or not all(map(_BETWEEN.search, texts)):
        return None
    rows = [tuple(_BETWEEN.split(_write(text))) for text in texts]
    if len(set(map(len, rows))) > 1 or len(set(rows)) < len(rows):
        return None
    rows = list(zip(*map(_drop_common_start, zip(*rows, strict=True)), strict=True))
    slots = [sorted(set(column), key=len, reverse=True) for column in zip(*rows, strict=True)]
    if any(not 2 <= len(values) < len(rows) or "" in values for values in slots):
        return None
    finders = tuple(
        re.compile(rf"(?<![a-z0-9.])(?:{'|'.join(map(re.escape, values))})(?![a-z0-9~])") for values in slots
    )
    longest = _LONGEST_JOINED if any(map(_JOINED.search, texts)) else _LONGEST
    return _Factors(finders, {row: place for place, row in enumerate(rows)}, longest)


def _drop_common_start(column: tuple[str, ...]) -> tuple[str, ...]:
    """The values of a part without the words that all of them start with: "on the left" and "on the right"."""
    shared = next((at for at, signs in enumerate(zip(*column, strict=False)) if len(set(signs)) > 1), 0)
    if all(map(str.isascii, column)):
        shared = column[0].rfind(" ", 0, shared) + 1
    else:
        shared = min(shared, *(max(len(value) - _SHORTEST_IN_CHINESE, 0) for value in column))
    return tuple(value[shared:] for value in column)


@lru_cache(maxsize=4_096)
def list_qualities(texts: tuple[str, ...]) -> dict[frozenset[str], int]:
    """The option of each pair of a loudness and a pitch; nothing where options are no such pairs."""
    pairs = {frozenset(_QUALITY.findall(_write_qualities(text))): place for place, text in enumerate(texts)}
    is_complete = len(pairs) == len(texts) == 4 and {len(pair) for pair in pairs} == {2}
    return pairs if is_complete and len(frozenset().union(*pairs)) == 4 else {}


def _write_qualities(lowered: str) -> str:
    for pattern, written in _QUALITIES:
        lowered = pattern.sub(written, lowered)
    return lowered


def find_qualities(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that says how loud and how high something is, where a cleaned text in lower case says both once.

    >>> texts = ("louder and higher", "louder and lower", "softer and higher", "softer and lower")
    >>> find_qualities("the loudness drops and the pitch gets lower, too.", texts)
    3
    """
    pairs = list_qualities(texts)
    if not pairs or len(lowered) > _LONGEST_JOINED:
        return None
    plain = _COMPARED.sub("", lowered, count=1)
    said = _write_qualities(plain)
    if _UNSURE.search(said) or _OF_TWO.search(said) or _OF_FIRST.search(plain) or is_negative(lowered):
        return None
    return pairs.get(frozenset(_QUALITY.findall(said)))


def find_combination(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option of which a cleaned text in lower case names every part and no other value of any part."""
    factors = find_factors(texts)
    if factors is None or len(lowered) > factors.longest or _UNSURE.search(lowered):
        return None
    if factors.longest == _LONGEST_JOINED and _OF_TWO.search(lowered) and not any(map(_OF_TWO.search, texts)):
        return None
    written = _write(lowered)
    named = [set(finder.findall(written)) for finder in factors.finders]
    if any(len(values) != 1 for values in named):
        return None
    return factors.places.get(tuple(values.pop() for values in named))
