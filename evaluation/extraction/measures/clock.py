"""Options that are times of day: "half past nine" and "9.30" are the option "9:30"."""

import re
from functools import lru_cache
from typing import NamedTuple

_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MINUTES = {
    "five": 5,
    "ten": 10,
    "quarter": 15,
    "a quarter": 15,
    "twenty": 20,
    "twenty-five": 25,
    "twenty five": 25,
    "half": 30,
}
_MINUTES_AFTER = {
    "fifteen": 15, "thirty": 30, "forty-five": 45, "forty five": 45, "twenty": 20, "ten": 10, "forty": 40, "fifty": 50,
}  # fmt: skip
_HOUR = rf"(?:{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_CHINESE = "一二三四五六七八九十"
_TIME = re.compile(
    rf"(?<![0-9a-z.:,$])(?:(?P<h>[01]?[0-9]|2[0-3])[:.h](?P<m>[0-5][0-9])(?![0-9:]|\.[0-9]| ?(?:s|sec|seconds"
    rf"|hz|khz|m|db)(?![a-z]))"
    rf"|(?P<past>{'|'.join(_MINUTES)}) (?P<way>past|after|to|before|till) (?P<past_h>{_HOUR})(?![a-z0-9:])"
    rf"|(?P<clock>{_HOUR}) o'clock|(?P<word_h>{'|'.join(_HOURS)}) (?P<word_m>{'|'.join(_MINUTES_AFTER)})(?![a-z])"
    r"|(?P<am>[01]?[0-9])(?= ?[ap]\.?m(?![a-z])))"
    r"(?:,? (?:in the |at )?(?P<day>morning|afternoon|evening|night|noon|midnight)| ?(?P<half>[ap])\.?m\b\.?)?"
    rf"|(?P<zh_day>早上|早晨|上午|下午|晚上|凌晨|中午|傍晚|清晨|夜里)?(?P<zh>[{_CHINESE}两]{{1,3}}|[0-9]{{1,2}})点(?:钟"
    rf"|整)?(?P<zh_m>半|一刻|三刻|[{_CHINESE}]{{1,3}}分?|[0-9]{{1,2}}分?)?"
)
_HALF_DAY = 720
_BEFORE_NOON = frozenset({"morning", "a", "早上", "早晨", "上午", "凌晨", "清晨"})
_AFTER_NOON = frozenset({"afternoon", "evening", "p", "下午", "晚上", "傍晚"})
_DENIED = re.compile(r"(?:(?<![a-z])(?:not|n't|instead of|rather than)(?: at)?|不是|而非) ?$")
_CONCLUDED = re.compile(r"(?<![a-z])(?:so|therefore|thus|hence)(?![a-z])[^.!?\n]*$|(?:所以|因此)[^。!?\n]*$")
_ABOUT = re.compile(r"^(?:at |about |around |exactly |just |大约|约)+")
# "3点钟方向", "3 o'clock position": times that say where a sound is.
_DIRECTION = re.compile(r"的?(?:方向|位置|方位)$| (?:direction|position)$")
_LONGEST = 600


def _chinese_number(written: str) -> int:
    if written.isdigit():
        return int(written)
    written = written.replace("两", "二")
    if "十" not in written:
        return _CHINESE.index(written) + 1 if len(written) == 1 else -99
    tens, _, ones = written.partition("十")
    return (_CHINESE.index(tens) + 1 if tens else 1) * 10 + (_CHINESE.index(ones) + 1 if ones else 0)


def _hour(written: str) -> int:
    return int(written) if written.isdigit() else _HOURS.index(written) + 1


def _minutes(match: re.Match[str]) -> int:
    """Minutes since midnight, as they are written."""
    if match["h"]:
        minutes = int(match["h"]) * 60 + int(match["m"])
    elif match["past"]:
        offset = _MINUTES[match["past"]]
        minutes = _hour(match["past_h"]) * 60 + (offset if match["way"] in {"past", "after"} else -offset)
    elif match["clock"] or match["am"]:
        minutes = _hour(match["clock"] or match["am"]) * 60
    elif match["word_h"]:
        minutes = _hour(match["word_h"]) * 60 + _MINUTES_AFTER[match["word_m"]]
    else:
        after = (match["zh_m"] or "").removesuffix("分")
        named = {"半": 30, "一刻": 15, "三刻": 45, "": 0}
        minutes = _chinese_number(match["zh"]) * 60 + (named[after] if after in named else _chinese_number(after))
    return minutes


class _Time(NamedTuple):
    """A time of day.

    Attributes:
        minutes: On a dial of twelve hours.
        is_late: Which half of the day it is in, where that is known.
        has_24_hours: It is written on a dial of 24 hours.
    """

    minutes: int
    is_late: bool | None
    has_24_hours: bool

    def may_be_said(self, said: "_Time") -> bool:
        """Whether an option is said: 20:55 by "8:55", but not by "8:55 in the morning", and "3:00" not by "15:00"."""
        apart = None not in (self.is_late, said.is_late) and self.is_late != said.is_late
        return self.minutes == said.minutes and not apart and not (said.has_24_hours and self.is_late is None)


def _time(match: re.Match[str]) -> _Time:
    minutes = _minutes(match)
    day = match["day"] or match["half"] or match["zh_day"]
    is_late = True if day in _AFTER_NOON else False if day in _BEFORE_NOON else None
    has_24_hours = minutes >= _HALF_DAY + 60 or minutes < 0
    return _Time(minutes % _HALF_DAY, has_24_hours or is_late, has_24_hours)


@lru_cache(maxsize=4_096)
def list_times(texts: tuple[str, ...]) -> tuple[_Time, ...]:
    """The time that each option is; none where one of them is no time."""
    matches = [_TIME.fullmatch(_DIRECTION.sub("", _ABOUT.sub("", text))) for text in texts]
    times = tuple(_time(match) for match in matches if match is not None)
    return times if len(times) == len(texts) > 1 else ()


def find_time(lowered: str, texts: tuple[str, ...]) -> int | None:
    """Return the one option whose time a cleaned text in lower case names or concludes; None where it names several."""
    times = list_times(texts)
    if not times or len(lowered) > _LONGEST:
        return None
    named = [match for match in _TIME.finditer(lowered) if not _DENIED.search(lowered[: match.start()])]
    concluded = [match for match in named if _CONCLUDED.search(lowered[: match.start()])]
    places = {_place_of(_time(match), times) for match in (concluded or named)}
    return places.pop() if len(places) == 1 else None


def _place_of(said: _Time, times: tuple[_Time, ...]) -> int | None:
    places = [place for place, time in enumerate(times) if time.may_be_said(said)]
    return places[0] if len(places) == 1 else None
