"""Options that are numbers, with or without a unit: "five seconds" is the option "5 s"; a range is none of its ends."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_CHINESE = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2}
_CHINESE_NUMERAL = re.compile(
    "(?:([一二两三四五六七八九])百零?)?(?:([一二两三四五六七八九]?)十)?([一二两三四五六七八九]?)"
)
_UNITS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒", "秒钟"), ("s", 1.0)),
    **dict.fromkeys(("ms", "millisecond", "milliseconds", "毫秒"), ("s", 0.001)),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "分钟"), ("s", 60.0)),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres", "米"), ("m", 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres", "厘米"), ("m", 0.01)),
    **dict.fromkeys(("hz", "hertz", "赫兹", "赫"), ("hz", 1.0)),
    **dict.fromkeys(("khz", "kilohertz", "千赫"), ("hz", 1000.0)),
    **dict.fromkeys(("db", "decibel", "decibels", "分贝"), ("db", 1.0)),
    **dict.fromkeys(("°", "deg", "degree", "degrees", "度"), ("deg", 1.0)),
    **dict.fromkeys(("%", "percent", "per cent"), ("%", 1.0)),
    **dict.fromkeys(("time", "times", "次", "下", "遍"), ("times", 1.0)),
    **dict.fromkeys(("person", "people", "persons", "人", "个人"), ("people", 1.0)),
    **dict.fromkeys(("speaker", "speakers", "voice", "voices"), ("voices", 1.0)),
    "cents": ("cents", 1.0),
    **dict.fromkeys(("bpm", "beats per minute"), ("bpm", 1.0)),
    **dict.fromkeys(("$", "dollar", "dollars", "bucks", "美元"), ("$", 1.0)),
    **dict.fromkeys(("€", "euro", "euros", "欧元"), ("€", 1.0)),
    **dict.fromkeys(("£", "pound", "pounds", "英镑"), ("£", 1.0)),
    **dict.fromkeys(("¥", "yuan", "rmb", "元", "块", "块钱"), ("¥", 1.0)),
}
_CURRENCY = "(?:(?P<sign>[$€£¥]) ?)?"
UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_BELOW_HUNDRED = (
    rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_WORDS[1:10])}))?|{'|'.join(sorted(_WORDS, key=len, reverse=True))}"
)
_ENGLISH = rf"(?:(?:an?|{'|'.join(_WORDS[1:10])}) hundred(?:(?: and)? (?:{_BELOW_HUNDRED}))?|{_BELOW_HUNDRED})"
NUMBER = rf"(?:[0-9]+(?:\.[0-9]+)?(?![0-9.,]*[0-9])|(?<![a-z])(?:{_ENGLISH})(?![a-z])|[零一二两三四五六七八九十百]+)"
_QUANTITY = re.compile(
    rf"(?<![\w.,+])(?:[$€£¥] ?)?{NUMBER}[- ]?(?:(?:{UNIT})(?![a-z]))?"
    rf"|(?<=[\u4e00-\u9fff]){NUMBER} ?(?:(?:{UNIT})(?![a-z]))?"
)
_PARTS = re.compile(rf"{_CURRENCY}(?P<number>{NUMBER})[- ]?(?P<unit>{UNIT})?")
_OPTION = re.compile(
    rf"(?:about |around |approximately |exactly |约|大约)?{_CURRENCY}(?P<number>{NUMBER})[- ]?(?P<unit>{UNIT})?个?"
)
# Beside these a number is no answer: a range, a bound, a place in a list, an alternative, a name.
_BEFORE = re.compile(
    r"(?:[0-9][-–~]|\b(?:than|least|most|over|under|below|above|exceeds?|between|to|or|not|n't|isn't"
    r"|step|option|clip|audio|tone|sound"
    r"|number|no|channel|speaker|question|than the|and|from|up to|within|point|first|last|next|per)|[至到~-]"
    r"|超过|至少|最多|不到|不是|第|或|少于|多于|大于|小于|和)"
    r" ?(?:[0-9]{1,2} ?)?\Z"
)
_AFTER = re.compile(r" ?(?:-|–|~|to\b|or\b|and\b|至|到|或|以上|以下|多(?!次)|\+)(?! ?$)")
# "At least two" and "not only one" leave a count open.
_BOUND_BEFORE = re.compile(
    r"(?:\bat (?:least|most)|\b(?:more|fewer|less) than|\bnot (?:only|just|merely)"
    r"|至少|至多|最多|不[止只仅]|多于|少于|超过|不[到足])(?:有|是)? ?\Z"
)
_BOUND_AFTER = re.compile(
    r"[a-z ]{0,20}(?<![a-z])(?:or (?:more|fewer|less)|at (?:least|most))(?![a-z])|[个位次种名声]?以[上下内]"
)
# "15" as the whole answer needs no unit.
_BARE = re.compile(
    rf"(?:the |my )?(?:(?:final |correct |right )?(?:answer|choice)(?: is|:)?|it(?: is|'s)|答案(?:是|为"
    rf"|:)?)?:? ?(?:about |around |approximately |约)?(?P<number>{NUMBER})[.!。]?"
)
# "… so five are left. Five.": the last sentence is a number and nothing else.
_LAST = re.compile(rf"(?<=[.!?。] )(?P<number>{NUMBER})[.!。]?\Z")
LONGEST_WITH_QUANTITIES, _REACH = 600, 24
BESIDE_QUANTITIES = frozenset(
    {
        *_WORDS,
        *_TENS,
        *_CHINESE,
        *"至到十第或和",
        *["than", "least", "most", "over", "under", "below", "above", "between", "to", "or", "not", "and", "up"],
    }
    | {"from", "within", "isn", "超", "多", "少", "大", "小", "不", "-", "~", *map(str, range(1000))}
)
"""Words beside a quantity that may bound it or be another one."""
_ONLY_WORDS = frozenset({"one", "一", "十"})
# "I have zero doubt": it counts nothing.
_NO_ZERO = re.compile(
    r"zero[ -](?:evidence|doubts?|confidence|certainty|chance|indications?|hints?|signs?|traces?|ideas?|clues?|reasons?"
    r"|based|cross|point|in |on |sense|support|need)|零[星碎售食件点度基距]"
)
# Of these any noun is one: "3 knocks" are "three times".
_COUNTED = frozenset({"times", "people", "voices"})
_TIMES = {"once": "1 time", "twice": "2 times", "thrice": "3 times"}
_MIN_SUMMED = 3
_PARTS_FOLLOW = re.compile(
    r"[^.,;。]{0,40}(?:[:(]| - |,? (?:namely|including|of (?:which|whom|them))(?![a-z])|其中|包括)"
)
_TOTAL_FOLLOWS = re.compile(r"(?<![a-z])(?:so|total|altogether|in all|makes?|makes? up)(?![a-z])|=|共|总")
_NO_NUMBER_IN_CHINESE = re.compile("一(?=[共起直样些般])|第[一二三四五六]")
# "Two women and one man": parts, of which the sum is not told.
_AND_ONE = re.compile(r"(?<![a-z])(?:and|plus) (?:one|an?|1) [a-z]|和一[个位名声]")


class Quantities(NamedTuple):
    """Options that are all numbers.

    Attributes:
        by_value: Value and unit ("" where it has none) → position.
        by_number: The same by the number alone, as it is written.
        has_units: Whether they have units.
        counts: Whether they count something: times, people.
    """

    by_value: Mapping[tuple[float, str], int]
    by_number: Mapping[float, int]
    has_units: bool
    counts: bool


def _value(written: str) -> float:
    """The value of a number in digits or words; NaN where it is none: "两三" is two or three."""
    if written[0].isdigit():
        return float(written)
    if written.isascii():
        head, _, tail = written.replace("-", " ").replace(" and ", " ").rpartition("hundred")
        return 100.0 * (_count(head.strip()) if head else 0) + _count(tail.strip())
    if "百" not in written and "十" not in written:
        digits = [_CHINESE[sign] for sign in written]
        is_rough = len(digits) == 2 and digits[1] - digits[0] == 1
        return math.nan if is_rough else float("".join(map(str, digits)))
    match = _CHINESE_NUMERAL.fullmatch(written)
    if match is None:
        return math.nan
    hundreds, tens, ones = (_CHINESE[sign] if sign else 0 for sign in match.groups())
    return float(100 * hundreds + 10 * (tens or int("十" in written)) + ones)


def _count(words: str) -> int:
    """The value of an English number below one hundred, or of an article."""
    head, _, tail = words.partition(" ")
    if head in {"a", "an", ""}:
        return len(head[:1])
    return _TENS[head] + (_WORDS.index(tail) if tail else 0) if head in _TENS else _WORDS.index(head)


def scale(number: str, unit: str | None) -> tuple[float, str]:
    """The value and the unit of a number in the first unit of its kind."""
    name, factor = _UNITS[unit] if unit else ("", 1.0)
    return round(_value(number) * factor, 6), name


def find_quantities(texts: tuple[str, ...]) -> Quantities | None:
    """Return the quantities that options are, given their texts in lower case; None where one of them is none."""
    matches = [_OPTION.fullmatch(_TIMES.get(text, text)) for text in texts]
    if len(texts) < 2 or not all(matches):
        return None
    found = [scale(match["number"], match["sign"] or match["unit"]) for match in matches if match]
    units = {unit for _, unit in found}
    if len(set(found)) < len(found) or len(units) > 1:
        return None
    written = [_value(match["number"]) for match in matches if match]
    by_number = {number: place for place, number in enumerate(written) if written.count(number) == 1}
    return Quantities(
        {quantity: place for place, quantity in enumerate(found)}, by_number, units != {""}, units <= _COUNTED
    )


@lru_cache(maxsize=16_384)
def has_number(sentence: str) -> bool:
    """Whether a sentence has a number of any kind."""
    return _QUANTITY.search(sentence.lower()) is not None


def count_numbers(lowered: str) -> int:
    """How many numbers a text in lower case has.

    >>> count_numbers("two beeps and three knocks")
    2
    """
    return sum(1 for _ in _QUANTITY.finditer(lowered))


def mark_quantities(lowered: str, quantities: Quantities) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and option of the numbers in a text that are an option; -1 for the end of a range.

    Without units a number counts only where it is the one number of the text: other numbers may count anything.
    """
    if len(lowered) > LONGEST_WITH_QUANTITIES:
        return
    if quantities.has_units and (bare := _BARE.fullmatch(lowered)):
        place = quantities.by_number.get(_value(bare["number"]))
        if place is not None:
            yield *bare.span("number"), place
        return
    if not quantities.has_units and (last := _LAST.search(lowered)) and _value(last["number"]) in quantities.by_number:
        yield *last.span("number"), quantities.by_number[_value(last["number"])]
        return
    numbers = list(_QUANTITY.finditer(lowered))
    total = _find_total(lowered, numbers)
    if total is not None and (not quantities.has_units or quantities.counts):
        number = _value(total.group("number"))
        if number in quantities.by_number:
            yield *total.span("number"), quantities.by_number[number]
        return
    found: list[tuple[int, int, tuple[float, str], bool]] = []
    for match in numbers:
        parts = _PARTS.match(match.group())
        if parts is None or (parts["number"] in _ONLY_WORDS and not parts["unit"] and len(lowered) > 3):
            continue
        if parts["number"] in {"zero", "零"} and _NO_ZERO.match(lowered, match.start()):
            continue
        quantity = scale(parts["number"], parts["sign"] or parts["unit"])
        before = lowered[max(0, match.start() - _REACH) : match.start()]
        is_bounded = bool(_BEFORE.search(before) or _AFTER.match(lowered, match.end()))
        found.append((match.start(), match.start() + len(parts.group().rstrip(" -")), quantity, is_bounded))
    if quantities.counts and found and all(unit == "" for _, _, (_, unit), _ in found):
        quantities = _drop_units(quantities)
    plain = [(value if quantities.has_units else (value[0], "")) for _, _, value, _ in found]
    if not quantities.has_units and (
        len(set(plain)) != 1 or any(bounded for *_, bounded in found) or _AND_ONE.search(lowered)
    ):
        return
    for (start, end, _, bounded), value in zip(found, plain, strict=True):
        place = quantities.by_value.get(value)
        if place is not None:
            yield start, end, -1 if bounded else place


def has_only_bounds(lowered: str, quantities: Quantities, place: int) -> bool:
    """Whether a text names the number of an option as a bound alone, as in "at least two"."""
    numbers = [
        match
        for match in _QUANTITY.finditer(lowered)
        if (parts := _PARTS.match(match.group())) and quantities.by_number.get(_value(parts["number"])) == place
    ]
    return bool(numbers) and all(
        _BOUND_BEFORE.search(lowered, max(0, match.start() - _REACH), match.start())
        or _BOUND_AFTER.match(lowered, match.end())
        for match in numbers
    )


def _drop_units(quantities: Quantities) -> Quantities:
    by_value = {(number, ""): place for number, place in quantities.by_number.items()}
    return quantities._replace(by_value=by_value, has_units=False)


def _find_total(lowered: str, numbers: list[re.Match[str]]) -> re.Match[str] | None:
    """The number that is the sum of all others: "three speakers: two women and one man"."""
    if not lowered.isascii() and _NO_NUMBER_IN_CHINESE.search(lowered):
        lowered = _NO_NUMBER_IN_CHINESE.sub(lambda match: "  "[: len(match.group())], lowered)
        numbers = list(_QUANTITY.finditer(lowered))
    if len(numbers) < _MIN_SUMMED:
        return None
    matches = [parts for match in numbers if (parts := _PARTS.match(lowered, match.start()))]
    values = [_value(match["number"]) for match in matches]
    if len(values) < _MIN_SUMMED:
        return None
    first, last = values[0], values[-1]
    if 2 * first == sum(values) and _PARTS_FOLLOW.match(lowered, matches[0].end(), matches[1].start()):
        return matches[0]
    if 2 * last == sum(values) and _TOTAL_FOLLOWS.search(lowered, matches[-2].end()):
        return matches[-1]
    return None
