"""Vocabulary for sounds, numbers, locations and order, in plain English."""

import re
from collections.abc import Mapping

from evaluation.listeners.words import NUMBER_WORDS, plain

# Name of a sound → the kinds of event that it can mean. Longer names come first.
_SOUNDS: Mapping[str, frozenset[str]] = {
    name: frozenset(kinds.split())
    for name, kinds in {
        r"long tones?": "tone",
        r"bells?|strokes?|strikes?|chimes?|gongs?": "bell",
        r"click\w*|tick\w*|knocks?": "click",
        r"beep\w*|tones?|pips?": "tone",
        r"telephones? being dialled|dial\w*|keys?|telephones?|touch-?tones?": "key",
        r"doors?|thuds?|slams?": "thud",
        r"splash\w*": "splash",
        r"whistl\w*": "whistle",
        r"alarms?": "alarm",
        r"engines?|motors?": "engine",
        r"hiss\w*|noises?|static": "hiss",
        r"melod\w*|notes?|music": "note",
    }.items()
}
_SOUND = re.compile("|".join(rf"(?P<s{number}>\b(?:{name})\b)" for number, name in enumerate(_SOUNDS)))
_KINDS = tuple(_SOUNDS.values())

_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS)} | {"once": 1, "twice": 2}
_NUMBER = re.compile(rf"\b(?:{'|'.join(_NUMBERS)}|\d+)\b")
ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "last": -1}
_ORDINAL = re.compile(rf"\b(?:{'|'.join(ORDINALS)})\b")
_PLACES = {"left": "left", "right": "right", "middle": "middle", "centre": "middle", "center": "middle"}
_PLACE = re.compile(r"\b(?:on|to|from|in|at) the (left|right|middle|cent(?:re|er))\b|\A(left|right|middle)\b")


def find_sounds(text: str) -> list[frozenset[str]]:
    """Return the kinds of every sound that a text names, in order."""
    kinds = []
    for match in _SOUND.finditer(plain(text)):
        kinds.append(_KINDS[int((match.lastgroup or "s0")[1:])])
    return kinds


def find_numbers(text: str) -> list[int]:
    """Return the numbers in a text, as words or digits."""
    return [_NUMBERS.get(word, int(word) if word.isdigit() else 0) for word in _NUMBER.findall(plain(text))]


def find_ordinals(text: str) -> list[int]:
    """Return the ordinals in a text: 0 for the first, −1 for the last."""
    return [ORDINALS[word] for word in _ORDINAL.findall(plain(text))]


def find_place(text: str) -> str | None:
    """Return `left`, `right` or `middle` if a text names one of them as a location."""
    match = _PLACE.search(plain(text))
    return None if match is None else _PLACES[match[1] or match[2]]


def find_way(text: str) -> str | None:
    """Return the path between sides in a text, such as `left-right`, or `left-left` if the sound stays."""
    plain_text = plain(text)
    moves = re.search(r"from (?:the )?(left|right) to (?:the )?(left|right)\b", plain_text)
    if moves:
        return f"{moves[1]}-{moves[2]}"
    stays = re.search(r"\b(?:stays?|remains?|keeps?) (?:on|to|at) the (left|right)\b", plain_text)
    return f"{stays[1]}-{stays[1]}" if stays else None
