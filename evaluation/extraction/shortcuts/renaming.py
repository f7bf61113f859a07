"""Renaming the options of a response by their first appearance, so that "not B but D" and "not D but C" are one text.

A reader that knows nothing of the options but their number treats them all alike. The first, A, keeps its name, for
"a" is also an article; so do letters that name no option.
"""

import re
from typing import NamedTuple

from evaluation.extraction.option_texts.options import PLACEHOLDER_BASE, Profile

# With more options the ninth, I, would be among them, which is also a pronoun.
_MAX_OPTIONS = 8

_NAME = re.compile("[b-hB-H\ue000-\ue007](?:(?<=[\ue000-\ue007])|(?<![A-Za-z0-9].)(?![A-Za-z0-9]))")
# Places that are counted; and letters that a sign ties to a neighbour, of which the tokens decide.
_UNEQUAL = re.compile(
    "first|second|third|fourth|fifth|sixth|seventh|eighth|last|[0-9一二三四五六七八]"
    "|['._#-][b-h](?![a-z0-9])|(?<![a-z0-9])[b-h](?:['._-][a-z0-9]|[_#'])"
)


class Renamed(NamedTuple):
    """A text with renamed options.

    Attributes:
        text: The text.
        places: For each new place the old one.
    """

    text: str
    places: tuple[int, ...]


def rename(skeleton: str, profile: Profile) -> Renamed | None:
    """Rename the options of a text with placeholders, or return None where they do not all mean the same."""
    if profile.size > _MAX_OPTIONS or profile.letters or profile.weak or profile.numbered:
        return None
    if _UNEQUAL.search(skeleton.lower()):
        return None
    names = {0: 0}

    def rename_one(match: re.Match[str]) -> str:
        character = match.group()
        base = PLACEHOLDER_BASE if character >= "\ue000" else 97 if character >= "a" else 65
        place = ord(character) - base
        return chr(base + names.setdefault(place, len(names))) if place < profile.size else character

    text = _NAME.sub(rename_one, skeleton)
    return Renamed(text, (*names, *(place for place in range(profile.size) if place not in names)))
