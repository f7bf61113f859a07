"""Numbers of steps as a critic writes them: "1, 2 and 4", "the first and the last", 第二步."""

import re

from evaluation.extraction.language.symbols import ORDINALS

CHINESE_NUMBERS = "一二三四五六七八九十"
SPELLED_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VALUES = {word: n for words in (SPELLED_NUMBERS, ORDINALS) for n, word in enumerate(words, 1)}
_VALUES |= {"last": -1, "final": -1, "penultimate": -2, "两": 2, "俩": 2}
_VALUES |= {sign: n for n, sign in enumerate(CHINESE_NUMBERS, 1)}

DIGITS = r"[0-9]{1,4}"
SPELLED = "|".join(SPELLED_NUMBERS)
NUMBER = rf"(?:{DIGITS}|(?:{SPELLED})(?![a-z]))"
ORDINAL = rf"(?:{'|'.join(ORDINALS)}|last|final|penultimate|[0-9]{{1,2}}(?:st|nd|rd|th))"
_NUMBER_OR_RANGE = re.compile(
    rf"(?P<through>\bto\b|through|thru|until|up to|~|-(?! ?step)|到|至)"
    rf"|(?P<number>{DIGITS}|(?:{SPELLED})(?![a-z])|[{CHINESE_NUMBERS}两]+|{ORDINAL})"
)
_OF_HOW_MANY = re.compile(r" ?/ ?[0-9]+| of [0-9]+")
_MAX_NUMBERS = 100


def read_number(text: str) -> int:
    """The number that a word, an ordinal or digits stand for; below zero from the end."""
    if text in _VALUES:
        return _VALUES[text]
    if text[0] in CHINESE_NUMBERS:
        tens, _, ones = text.partition("十")
        return 10 * (_VALUES.get(tens, 1) if tens else 1) + _VALUES.get(ones, 0) if "十" in text else 0
    digits = re.match("[0-9]+", text)
    return int(digits.group()) if digits else 0


def list_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of "1, 2 and 4", "1-3", "the first and the last" or "第二步"; those from the end are below 0.

    >>> list_numbers("steps 1, 2 and 4"), list_numbers("第二到第四步"), list_numbers("the last")
    ((1, 2, 4), (2, 3, 4), (-1,))
    """
    numbers: list[int] = []
    through = False
    for match in _NUMBER_OR_RANGE.finditer(_OF_HOW_MANY.sub("", text)):
        if match["through"]:
            through = bool(numbers)
            continue
        number = read_number(match["number"])
        if through and 0 < number - numbers[-1] < _MAX_NUMBERS:
            numbers += range(numbers[-1] + 1, number)
        numbers.append(number)
        through = False
    return tuple(numbers)
