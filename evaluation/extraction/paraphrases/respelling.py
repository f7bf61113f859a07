"""Options that a response says in full, spelled in another way: "左前方，约30度" for "左前方30°"."""

import re
from functools import lru_cache

_DIGITS = {sign: str(digit) for digit, sign in enumerate("零一二三四五六七八九")} | {"〇": "0"}
_YEAR = re.compile("[零〇一二三四五六七八九]{4}(?=年)")
_LONGEST, _LONGEST_YEAR = 40, 600
_LIGHT = re.compile(r"[\s,.。、()]|大约|大概|约|左右|about|approximately|around|roughly")
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
    if len(lowered) > _LONGEST_YEAR or "年" not in lowered or not (years := _YEAR.findall(lowered)):
        return None
    written = {"".join(_DIGITS[sign] for sign in year) + "年" for year in years}
    found = [place for place, text in enumerate(texts) if text in written]
    return found[0] if len(found) == len(written) == 1 else None
