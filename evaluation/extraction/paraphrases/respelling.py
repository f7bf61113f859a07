"""Options that a response says in full but spelled otherwise, "左前方，约30度", or by a few of their words."""

import re
from functools import lru_cache

from evaluation.extraction.language.lexicon import KIND
from evaluation.extraction.language.tokens import tokenize
from evaluation.extraction.language.units import is_negative, list_units

_DIGITS = {sign: str(digit) for digit, sign in enumerate("零一二三四五六七八九")} | {"〇": "0"}
_YEAR = re.compile("[零〇一二三四五六七八九]{4}(?=年)")
_LONGEST, _LONGEST_YEAR = 40, 600
_LIGHT = re.compile(r"[\s,.。、()]|大约|大概|约|左右|about|approximately|around|roughly")
# A few words and nothing that steers a sentence.
_LONGEST_FRAGMENT, _SHORTEST_UNIT = 30, 3
_CHINESE_FRAGMENT = re.compile("[\u4e00-\u9fff]{2,8}。?")
_PLAIN = frozenset({KIND.WORD, KIND.FILLER, KIND.STOP, KIND.IS})
# A few English words without signs: one of them may be mistyped.
_TYPED, _SHORTEST_TYPED = re.compile(r"[a-z]+(?: [a-z]+){0,4}[.!]?"), 5
_BARE_NUMBER = re.compile(r"\W*([1-9])\W*")
_NUMBERED = re.compile(r"(?:[a-z]+|步骤|音频|片段|录音) ?[1-9]")
_DEGREES = re.compile(r"度|(?<=[0-9]) ?deg(?:rees?)?(?![a-z])")


def _spell(text: str) -> str:
    return _DEGREES.sub("°", _LIGHT.sub("", text))


@lru_cache(maxsize=4_096)
def _spell_all(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_spell, texts))


def find_respelled(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that a short cleaned text in lower case is, but for signs, "about" and the way a number is written."""
    if len(lowered) <= _LONGEST:
        spellings, spelled = _spell_all(texts), _spell(lowered)
        if spellings.count(spelled) == 1:
            return spellings.index(spelled)
        if _TYPED.fullmatch(lowered) and (place := _find_mistyped(lowered, texts)) is not None:
            return place
    if (number := _BARE_NUMBER.fullmatch(lowered)) is not None:
        return _find_numbered(int(number[1]), texts)
    if len(lowered) > _LONGEST_YEAR or "年" not in lowered or not (years := _YEAR.findall(lowered)):
        return None
    written = {"".join(_DIGITS[sign] for sign in year) + "年" for year in years}
    found = [place for place, text in enumerate(texts) if text in written]
    return found[0] if len(found) == len(written) == 1 else None


def _find_numbered(number: int, texts: tuple[str, ...]) -> int | None:
    """The option that a bare number names, where options are called by their places: "Audio 1", "Audio 2"."""
    numbered = {
        place for place, text in enumerate(texts) if _NUMBERED.fullmatch(text) and text.endswith(str(place + 1))
    }
    return number - 1 if number - 1 in numbered and len(numbered) >= len(texts) - 1 else None


def _find_mistyped(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The one option of which a response lacks a letter, or has one too many or two in the wrong order."""
    written = lowered.rstrip(" .!")
    found = [place for place, text in enumerate(texts) if _differs_by_typing(written, text)]
    return found[0] if len(found) == 1 else None


def _differs_by_typing(written: str, text: str) -> bool:
    if min(len(written), len(text)) < _SHORTEST_TYPED or abs(len(written) - len(text)) > 1 or written[0] != text[0]:
        return False  # "Lower" is no mistyped "slower".
    if len(written) == len(text):
        places = [place for place, (own, other) in enumerate(zip(written, text, strict=True)) if own != other]
        swapped = len(places) == 2 and places[1] - places[0] == 1
        return swapped and written[places[0]] == text[places[1]] and written[places[1]] == text[places[0]]
    longer, shorter = sorted((written, text), key=len, reverse=True)
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))


def _find_chinese_fragment(core: str, texts: tuple[str, ...]) -> int | None:
    """The option that a Chinese word stands in, and no other one."""
    if any(token.kind is not KIND.WORD for token in tokenize(core)):
        return None
    sharing = [place for place, text in enumerate(texts) if core in text]
    return sharing[0] if len(sharing) == 1 and not is_negative(texts[sharing[0]]) else None


def find_fragment(lowered: str, texts: tuple[str, ...]) -> int | None:
    """The option that a few English words are a part of, and of no other: "the water" for "The pouring water".

    >>> find_fragment("the water.", ("the pouring water", "the bell"))
    0
    """
    if len(lowered) > _LONGEST_FRAGMENT or is_negative(lowered):
        return None
    lowered = lowered.replace("/", " ")  # "Landlord / tenant": both are parts of one option.
    if _CHINESE_FRAGMENT.fullmatch(lowered):
        return _find_chinese_fragment(lowered.rstrip("。"), texts)
    if any(token.kind not in _PLAIN for token in tokenize(lowered)):
        return None
    units = set(list_units(lowered))
    if not units or min(map(len, units)) < _SHORTEST_UNIT:
        return None
    sharing = [place for place, text in enumerate(texts) if not units.isdisjoint(list_units(text))]
    if len(sharing) != 1 or is_negative(texts[sharing[0]]):
        return None
    return sharing[0] if units.issubset(list_units(texts[sharing[0]])) else None
