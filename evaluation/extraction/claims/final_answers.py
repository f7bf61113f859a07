"""Letters with which a response ends as its answer, where what stands before them says nothing else for sure."""

import re
from collections.abc import Callable

from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_reviews.remainders import place_of
from evaluation.extraction.option_texts.options import PreparedOptions, mark_texts
from evaluation.types import Reading

_CONCLUDING = r"(?:(?:so|thus|hence|therefore|overall|所以|因此|综上所?述?)[,，]?\s*)?"
_CUE = (
    r"(?:(?:the |my )?(?:(?:(?:final|correct|best|right|most likely) ){0,2}(?:answer|choice)"
    r"|(?:correct|best|right|most likely) option)(?: is| would be)?(?: option)?"
    r"|(?:我|应该?)?选择?|(?:最终|正确|最佳)*的?(?:答案|选项)(?:应该?)?(?:是|为)?)"
)
_FINAL = re.compile(
    rf"(?:\A|[.!。！]\s*|\n\W*){_CONCLUDING}{_CUE}[*_]{{0,2}}[:：]?[ *_]{{0,4}}"
    r"(?-i:[(（]?(?P<letter>[A-J])[)）]?)[*_.。]{0,4}\s*\Z",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?<![A-Za-z'])(?:[B-H]|J|[AI](?! [a-z]|'[a-z]))(?![A-Za-z'])")
# What may leave the answer open, or say another.
_OPEN = re.compile(
    r"(?<![a-z])(?:unless|wait|actually|answers? (?:is|are|:)|not sure|guess|can't|cannot|can not|unable"
    r"|cut off)(?![a-z])"
    r"|[?？]|无法|不能|不确定|猜|答案",
    re.IGNORECASE,
)
_TEXTS = re.compile("[\ue000-\uf8ff]")
_CLAUSE_END = re.compile(r"[,;.。，；!\n]|(?<![a-z])(?:but|so)(?![a-z])|但")
_RULED_OUT = re.compile(r"rul(?:e|ed|es|ing) out|exclud|eliminat|排除", re.IGNORECASE)
_OPEN_REASONS = frozenset({"ambiguous", "contradiction"})
_REACH = 80


def settle_final(
    response: str, prepared: PreparedOptions, reading: Reading, read: Callable[[str, PreparedOptions], Reading]
) -> Reading:
    """Read the letter at the end of an unread response that weighs options in words only.

    "It could be a pump or a fridge. The bubbling fits a pump better. Answer: A".

    Args:
        response: As it was written.
        prepared: The options.
        reading: Of the whole.
        read: Reads what stands before the letter.
    """
    if reading.reason not in _OPEN_REASONS:
        return reading
    final = _FINAL.search(response, max(0, len(response) - _REACH))
    if final is None or (chosen := ord(final["letter"]) - ord("A")) >= prepared.profile.size:
        return reading
    before = response[: final.start()]
    if not before or _OPEN.search(before) or not {final["letter"]}.issuperset(_LETTERED.findall(before)):
        return reading
    marked = mark_texts(clean(before), prepared)
    named = {place_of(sign) for sign in _TEXTS.findall(marked)}
    denied = {
        place_of(sign)
        for clause in _CLAUSE_END.split(marked)
        if is_negative(lower(clause)) or _RULED_OUT.search(clause)
        for sign in _TEXTS.findall(clause)
    }
    if chosen in denied or (named and chosen not in named):
        return reading
    said = read(before, prepared).index
    return Reading(index=chosen) if said is None or said == chosen else reading
