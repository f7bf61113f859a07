"""Options that are ranges of a quantity: "about 3 seconds" lies in "2 to 5 seconds"."""

import math
import re
from functools import lru_cache
from typing import NamedTuple

from evaluation.extraction.option_texts.quantities import NUMBER, UNIT, scale

_LESS = (
    r"less than|under|below|fewer than|up to|at most|no more than|not even|within|closer than|nearer than"
    r"|shorter than|小于|少于|低于|不到|不足|至多|最多|不超过"
)
_MORE = (
    r"more than|over|above|beyond|farther than|further than|longer than|at least|greater than|beyond"
    r"|exceed(?:s|ing)?|upwards of|大于|多于|高于|超过|至少|不少于"
)
_BOUND = re.compile(
    rf"(?P<less>{_LESS})? ?(?P<more>{_MORE})? ?(?:about |around |roughly |approximately |约"
    rf"|大约)?(?P<low>{NUMBER})(?:[- ]?(?P<low_unit>{UNIT})(?![a-z]))?"
    rf"(?: ?(?:-|–|~|to|and|至"
    rf"|到|和|与) ?(?P<high>{NUMBER})(?:[- ]?(?P<high_unit>{UNIT})(?![a-z]))?)?(?P<after> ?(?:or (?:less"
    rf"|fewer|shorter|under)|以下|以内|之内))?"
    r"(?P<beyond> ?(?:or (?:more|longer|over)|以上|多(?![少])|\+))?",
)
# "Between 5 and 10 seconds", "longer than 5 and shorter than 10 s": a range with its bounds in words.
_BETWEEN = re.compile(
    rf"(?:(?<![a-z])(?:between|from|in the range (?:of|from)|somewhere between)(?![a-z])|介于|在) ?(?={NUMBER})",
)
_BOTH_BOUNDS = re.compile(
    rf"(?P<first>{_MORE}|{_LESS}) ?(?P<one>{NUMBER})[- ]?(?P<unit>(?:{UNIT})(?![a-z]))? ?"
    rf"(?:,? ?(?:and|but)|,?(?:但|且|而)?) ?(?P<second>{_MORE}|{_LESS}) ?(?P<other>{NUMBER})"
)
_MORE_WORD = re.compile(_MORE)
_IN_BRACKETS = re.compile(r"^[^0-9(]{1,40}?(?: ?\(([^()]{2,40})\)?|, ([^,]{2,40}))$")
_HALF = re.compile(r"(?<![a-z])half (?:a|an) (second|minute|hour|metre|meter)")
# "A metre or so", "a couple of metres"; "a second sound" is no second.
_ARTICLE = re.compile(
    r"(?<![a-z])an? (?:(?P<few>couple)(?: of)? |(?P<twelve>dozen) |(?=(?:single )?(?:metre|meter|minute)(?![a-z]))"
    r"|(?=second(?: or so| or less| long)?(?: ?[.,;!]|$)))"
)
_OR_SO = re.compile(r",? (?:or so|or thereabouts)(?![a-z])")
_AND_A_HALF = re.compile(
    r"(?<![a-z])(?:(?P<count>one|two|three|four|five|six|seven|eight|nine|ten|[0-9]{1,3}) and a half (?P<unit>[a-z]+)"
    r"|an? (?P<one>[a-z]+) and a half)(?![a-z])|(?P<zh>[一二两三四五六七八九十]|[0-9]{1,3})(?P<zh_unit>米|秒|分钟)半"
)
_NEVER_NEGATIVE = frozenset({"m", "s", "hz"})
# "五六米" is five or six.
_ROUGH = re.compile(
    "(?<![一二两三四五六七八九十])(?:一二|一两|两三|二三|三四|四五|五六|六七|七八|八九)(?=个?(?:米|秒|分钟|厘米))"
)
_DIGITS = {sign: str(n) for n, sign in enumerate("一二三四五六七八九", 1)} | {"两": "2"}
_COUNTS = (
    {
        word: n
        for n, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1)
    }
    | {sign: n for n, sign in enumerate("一二三四五六七八九十", 1)}
    | {"两": 2}
)
_DISMISSED = re.compile(r" ?(?:(?:又|就|则)?太|(?:is|are|would be|seems) (?:far |much )?too )")
# "Three." as the whole answer counts what all options count; a low digit may be the number of an option.
_BARE = re.compile(rf"(?:it is |it's |about |around )*(?P<number>{NUMBER})[.!。]?")
_COUNTED = frozenset({"voices", "people", "times", "bpm"})
_LONGEST = 600
_DENIED = re.compile(r"(?<![a-z])(?:not|cannot|isn't|never|or|if)(?![a-z])|n't|不(?![到足超少多大小])|或")


class _Interval(NamedTuple):
    low: float
    high: float
    unit: str


def _interval(match: re.Match[str], unit: str | None = None) -> _Interval | None:
    """The interval that a matched bound, range or value says; `unit` where it names none."""
    written = match["high_unit"] or match["low_unit"]
    low, name = scale(match["low"], match["low_unit"] or written)
    if unit is not None and not name:
        return None
    if match["high"]:
        high, _ = scale(match["high"], written)
        return _Interval(low, high, name) if low < high else None
    if match["less"] or match["after"]:
        # No distance or duration is below zero: "less than a metre" lies in "0 to 3 metres".
        return _Interval(0.0 if unit is not None and name in _NEVER_NEGATIVE else -math.inf, low, name)
    if match["more"] or match["beyond"]:
        return _Interval(low, math.inf, name)
    return _Interval(low, low, name)


@lru_cache(maxsize=4_096)
def list_intervals(texts: tuple[str, ...]) -> dict[int, _Interval]:
    """Position → interval of the options that are one; none where fewer than two are, or units differ."""
    found = {}
    for place, text in enumerate(texts):
        match = _BOUND.fullmatch(_IN_BRACKETS.sub(r"\1\2", _write_ranges(text)))
        interval = _interval(match) if match is not None else None
        if interval is not None:
            found[place] = interval
    bounded = sum(interval.low < interval.high for interval in found.values())
    return (
        found if bounded >= 1 and len(found) >= 2 and len({interval.unit for interval in found.values()}) == 1 else {}
    )


def find_interval(lowered: str, texts: tuple[str, ...]) -> int | None:
    """Return the one option in which every quantity of a cleaned text in lower case lies; None where there is none."""
    intervals = list_intervals(texts)
    if intervals and " or " in lowered:
        lowered = _OR_SO.sub("", lowered)
    if not intervals or len(lowered) > _LONGEST or _DENIED.search(lowered):
        return None
    unit = next(iter(intervals.values())).unit
    bare = _BARE.fullmatch(lowered) if unit in _COUNTED else None
    value = scale(bare["number"], None)[0] if bare is not None else 0.0
    if bare is not None and (value > len(texts) or not bare["number"][0].isdigit()):
        within = [place for place, interval in intervals.items() if _lies_in(_Interval(value, value, unit), interval)]
        return within[0] if len(within) == 1 else None
    places = set()
    lowered = _write_ranges(_write_halves(lowered))
    whole = _BOUND.fullmatch(lowered.rstrip(" .!。"))
    if whole is not None and whole["high"] and not whole["low_unit"] and not whole["high_unit"]:
        lowered = f"{lowered.rstrip(' .!。')} {unit}"  # "Between 5 and 10", where all options are in seconds.
    for match in _BOUND.finditer(lowered):
        if _DISMISSED.match(lowered, match.end()):
            continue
        said = _interval(match, unit)
        if said is None or said.unit != unit:
            continue
        within = [place for place, interval in intervals.items() if _lies_in(said, interval)]
        places.add(within[0] if len(within) == 1 else None)
    return places.pop() if len(places) == 1 else None


def _write_ranges(lowered: str) -> str:
    """Write "between 5 and 10" and "longer than 5 and shorter than 10" as "5-10"."""
    if "than" in lowered or "于" in lowered or "over" in lowered or "above" in lowered:
        lowered = _BOTH_BOUNDS.sub(_write_bounds, lowered)
    return _BETWEEN.sub("", lowered).replace("之间", "")


def _write_bounds(match: re.Match[str]) -> str:
    is_more, then_more = (_MORE_WORD.fullmatch(match[which]) is not None for which in ("first", "second"))
    if is_more == then_more:
        return match.group()
    low, high = (match["one"], match["other"]) if is_more else (match["other"], match["one"])
    return f"{low} to {high}" if not match["unit"] or is_more else f"{low} {match['unit']} to {high}"


def _write_halves(lowered: str) -> str:
    """Write "one and a half metres", "half a second", "a metre or so" and "十几米" as numbers."""
    lowered = _HALF.sub(r"0.5 \1", lowered)
    if not lowered.isascii():
        lowered = _ROUGH.sub(lambda match: "到".join(_DIGITS[sign] for sign in match.group()), lowered)
    if "几" in lowered:
        lowered = lowered.replace("几十", "20-99").replace("十几", "11-19")
    lowered = _ARTICLE.sub(lambda match: "2 " if match["few"] else "12 " if match["twelve"] else "1 ", lowered)
    return _AND_A_HALF.sub(_write_half, lowered) if "half" in lowered or "半" in lowered else lowered


def _write_half(match: re.Match[str]) -> str:
    if match["one"]:
        return f"1.5 {match['one']}"
    count = match["count"] or match["zh"]
    return f"{_COUNTS.get(count) or int(count)}.5 {match['unit'] or match['zh_unit']}"


def _lies_in(said: _Interval, option: _Interval) -> bool:
    """Whether all that is said lies in an option; a single value at its edge could belong to its neighbour."""
    if said.low == said.high:
        return option.low < said.low < option.high or option.low == said.low == option.high
    return option.low <= said.low and said.high <= option.high
