"""Sets of letters with which a response ends, "…, so choose B and C", where nothing before speaks against them."""

import re

from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.symbols import ARTICLE_OR_I
from evaluation.extraction.language.units import is_negative
from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, PreparedOptions, mark_texts
from evaluation.types import Reading

_LETTERS = r"[A-J](?:(?:, ?(?:and )?| (?:and|&) | |、|，|和|与|及)?[A-J]){0,9}"
_CONCLUDING = r"(?:(?:so|thus|hence|therefore|overall|所以|因此|因而|综上所?述?|故|最终)[,，]?\s*)*"
_CUE = (
    r"(?:(?:i(?:'d| would)? )?(?:choose|select|pick|go with)(?: options?)?[:\s]"
    r"|(?:this|that|it|which) (?:gives|leaves|leads to|points to|means)(?: us| me)?(?: (?:with|options?))*[:\s]"
    r"|(?:the |my )?(?:final |correct |right )*(?:answers?|options?|choices?|selections?)(?: is| are)?[:\s]"
    r"|(?:correct|right|true|supported)(?: ones?)?(?: are)?: ?|正确的?:"
    r"|(?:我|应该?|正确|最终)*(?:的?答案|选择|选项|选)(?:应该?)?(?:是|为)?[:：]?|(?:即|也就是|分别是|对应的?(?:选项)?(?:是|为)?))"
)
_CLOSING = re.compile(
    rf"(?:\n\W*|(?:[.。!！;；,，\n])\s*{_CONCLUDING}{_CUE})[^\w\n]*(?P<letters>(?-i:{_LETTERS}))[^\w\n]*\Z",
    re.IGNORECASE,
)
# What may speak against the set, or leave it open.
_AGAINST = re.compile(
    r"(?<![a-z])(?:or|either|maybe|perhaps|might|could|unless|wait|actually|except|only|wrong|incorrect|false|invalid"
    r"|unsupported|eliminated?|drop|rejected|answers?|excluded?|ruled? out"
    r"|not (?:[a-z]+ )?[A-J](?![a-z]))(?![a-z])"
    r"|[✗✘❌×?？]|或|可能|也许|不对|错|等等|只|除|不选|不成立|不正确|答案",
    re.IGNORECASE,
)
# "Answer: A and B", on a line of its own: what was weighed above is decided.
_HEADED = re.compile(
    r"\n[^\w\n]{0,4}(?:(?:the |my )?(?:final |correct )?(?:answer|choice|selection)s?|(?:最终|正确)?答案)"
    r"[^\w\n]{0,4}[:：]",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"(?<![a-z])(?:unless|wait|actually|only|answers?|not sure|not (?:[a-z]+ )?[A-J](?![a-z]))(?![a-z])"
    r"|[?？]|等等|只|答案",
    re.IGNORECASE,
)
_HEARD = re.compile(
    r"(?<![a-z])(?:hear|heard|audible|present|there(?: is|'s| are)|plays?|consistent|fits?|match(?:es)?|clear(?:ly)?)"
    r"(?![a-z])"
)
_LETTERED = re.compile("(?<![A-Za-z])[A-J]{1,8}(?![A-Za-z])")
_LETTER, _FEWEST, _REACH = re.compile("[A-J]"), 2, 120
_CLAUSE_END = re.compile(r"[,;.。!\n]|(?<![a-z])but(?![a-z])|但")
_TEXTS = re.compile("[\ue000-\uf8ff]")
# "The answer is (A) and (C)."
_IN_BRACKETS = re.compile(r"\(([A-J])\)(?=[ ,.;、和与]|\Z)")
# "The correct selections are B and D. The voice …"
_OPENING = re.compile(
    r"\W{0,4}(?:the |my )?(?:final |correct |right )*(?:answers?|options?|choices?|selections?)(?: is| are)?[:\s]+"
    rf"(?P<letters>(?-i:{_LETTERS}))[*_]{{0,2}}[.。\n]",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(r"(?<![a-z])(?:rather than|instead of)(?![a-z])[^,.;]*")
_CLOSED_REASONS = frozenset({"ambiguous", "contradiction"})


def find_closing_set(response: str) -> tuple[str, str] | None:
    r"""Return the letters with which a response ends and what stands before; None where that may say another set.

    >>> find_closing_set("It turns from joy to anger, so choose B and C.")
    ('B and C', 'It turns from joy to anger')
    >>> find_closing_set("B is wrong.\nA, B")
    """
    match = _CLOSING.search(response, max(0, len(response) - _REACH))
    if match is None or len(_LETTER.findall(match["letters"])) < _FEWEST:
        return None
    before = response[: match.start()]
    named = set("".join(_LETTERED.findall(ARTICLE_OR_I.sub("", before))))
    against = _REVISED if _HEADED.search(response, match.start(), match.end()) else _AGAINST
    if not named <= set(_LETTER.findall(match["letters"])) or against.search(before):
        return None
    return match["letters"], before


def find_opening_set(response: str) -> tuple[str, str] | None:
    """Return the letters that the first sentence gives as the answer, and what follows; None where that may say others.

    >>> find_opening_set("The correct choices are B and D. It is a tenor rather than a bass.")
    ('B and D', 'It is a tenor rather than a bass.')
    """
    match = _OPENING.match(response)
    if match is None or len(_LETTER.findall(match["letters"])) < _FEWEST:
        return None
    behind = response[match.end() :].strip()
    return (
        None
        if _LETTERED.search(ARTICLE_OR_I.sub("", behind)) or _AGAINST.search(behind)
        else (match["letters"], behind)
    )


def settle_closing(response: str, prepared: PreparedOptions, reading: Reading) -> Reading:
    """Read the letters at an end of a response, unread or read in part, that are all the options it affirms elsewhere.

    Args:
        response: As it was written.
        prepared: The options.
        reading: Of the whole.
    """
    is_open = reading.reason in _CLOSED_REASONS or reading.indices is not None
    response = _IN_BRACKETS.sub(r"\1", response) if is_open and "(" in response else response
    closing = find_closing_set(response) if is_open else None
    opening = find_opening_set(response) if is_open and closing is None else None
    found = closing or opening
    if found is None:
        return reading
    letters, reasons = found
    is_headed = closing is not None and _HEADED.search(response, len(reasons)) is not None
    chosen = frozenset(ord(letter) - 65 for letter in _LETTER.findall(letters))
    if reading.indices is not None and not reading.indices < chosen:
        return reading
    for clause in _CLAUSE_END.split(mark_texts(clean(reasons), prepared)):
        named = {ord(sign) - PLACEHOLDER_BASE for sign in _TEXTS.findall(clause)}
        is_denied = is_negative(_CONTRASTED.sub("", clause))
        if opening is not None and is_denied and named & chosen:
            return reading
        if not named <= chosen and not is_negative(clause) and not (is_headed and not _HEARD.search(clause)):
            return reading
    return Reading(indices=chosen) if max(chosen) < prepared.profile.size else reading
