"""Words between the parts of a sequence, and metres, written as options write them: "and finally" as "then"."""

import re
from functools import lru_cache

_LINK = re.compile(
    r"(?:,? and (?:then|finally|lastly|after that)|, (?:then|finally|lastly|next|after that))(?![a-z]),? "
)
_FIRST = re.compile(r"(?:^|(?<=[.:] ))First,? (?=[a-z])")
_LINK_IN_CHINESE = re.compile("[,，]?(?:然后|接着|随后|之后|再)")
_HINTS = (
    " and then ",
    " finally ",
    " lastly ",
    " after that",
    ", then ",
    ", next ",
    "然后",
    "接着",
    "随后",
    "之后",
    "再",
)
_THEN = re.compile(",? then ")
# "In six-eight", "八六拍", "四分之三拍": how a metre is said.
_METRE = re.compile(r"[0-9]{1,2}/[0-9]{1,2}")
_BEATS = ("two", "three", "four", "five", "six", "seven", "nine", "twelve")
_SAID = re.compile(rf"(?<![a-z])({'|'.join(_BEATS)})[- /](two|four|eight)(?![a-z])", re.IGNORECASE)
_SAID_IN_CHINESE = re.compile("([二四八])(?:分之)?([二三四五六七九])拍")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "twelve": 12}
_NUMERALS = {sign: number for number, sign in enumerate("二三四五六七八九", 2)}


def write_metre(text: str, texts: tuple[str, ...]) -> str:
    """Return a cleaned text with metres in figures, if the options are such.

    >>> write_metre("It is in six-eight.", ("3/4", "6/8")), write_metre("八六拍", ("3/4", "6/8"))
    ('It is in 6/8.', '6/8拍')
    """
    if not _are_metres(texts):
        return text
    text = _SAID.sub(lambda match: f"{_NUMBERS[match[1].lower()]}/{_NUMBERS[match[2].lower()]}", text)
    return _SAID_IN_CHINESE.sub(lambda match: f"{_NUMERALS[match[2]]}/{_NUMERALS[match[1]]}拍", text)


@lru_cache(maxsize=16_384)
def _are_metres(texts: tuple[str, ...]) -> bool:
    return any(map(_METRE.search, texts))


def write_sequence(text: str, texts: tuple[str, ...]) -> str:
    """Return a cleaned text in which the parts of a sequence are linked as in the options.

    Args:
        text: In upper and lower case.
        texts: Of the options, in lower case.

    >>> write_sequence("First it rains, and finally it snows.", ("it rains, then it snows", "it snows, then it rains"))
    'it rains, then it snows.'
    """
    link = _find_link(texts) if any(map(text.__contains__, _HINTS)) else None
    if link is None:
        return text
    if not link.isascii():
        return _LINK_IN_CHINESE.sub(link, text)
    return _FIRST.sub("", _LINK.sub(link, text)) if _LINK.search(text) else text


@lru_cache(maxsize=16_384)
def _find_link(texts: tuple[str, ...]) -> str | None:
    """What links the parts of the options, if they are sequences and all have the same link."""
    links = {link for each in texts for link in _THEN.findall(each)}
    if links:
        is_plain = len(links) == 1 and not any(" and then " in each or "finally" in each for each in texts)
        return links.pop() if is_plain else None
    is_sequence = any("先" in each and "后" in each for each in texts)
    return ",后" if is_sequence and not any(map(_LINK_IN_CHINESE.search, texts)) else None
