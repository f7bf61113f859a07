"""Parser of locations around a listener."""

import math
import re

from evaluation.listeners.words import Wording, plain

Place = tuple[float, float]
"""Right and front, on the unit circle."""

_LEFT, _RIGHT = Wording("left* | 左"), Wording("right* | 右")
_AHEAD = Wording("front | ahead | forward* | 前")
_BEHIND = Wording("back | behind | rear | backward* | 后")
# Contexts in which "right" is not a side.
_NO_SIDE = re.compile(r"\bright (?=in front|ahead|behind|next|beside|in the)|\bdirectly |\bstraight |正")
_PLACE_WORDS = (
    r"(?:the |your |my |its |far |directly |straight |in )*[a-z]+"
    r"(?:[- ](?:left|right|front|back|side|hand|ahead|of|you))*"
)
_FROM_TO = re.compile(
    rf"\bfrom (?P<start>{_PLACE_WORDS}) (?:to|towards?|into|over to|across to) (?P<end>{_PLACE_WORDS})"
)
_BARE_TO = re.compile(
    r"\b(?P<start>(?:front|back|rear)?[- ]?(?:left|right|front|back|ahead|behind))[- ]to[- ](?:the )?"
    r"(?P<end>(?:front|back|rear)?[- ]?(?:left|right|front|back|behind))\b"
)
_CHINESE_TO = re.compile(
    r"从?(?P<start>[左右前后正]{1,2})(?:侧|边|方|面|声道)?(?:向|到|往|至|移到|移向)(?P<end>[左右前后正]{1,2})"
)


def read_place(text: str) -> Place | None:
    """Return the location in a few words, or None if they name none or several."""
    text = _NO_SIDE.sub("", plain(text))
    left, right, ahead, behind = (sign.found_in(text) for sign in (_LEFT, _RIGHT, _AHEAD, _BEHIND))
    x, y = float(right) - float(left), float(ahead) - float(behind)
    if (left and right) or (ahead and behind) or not (x or y):
        return None
    size = math.hypot(x, y)
    return (x / size, y / size)


def read_movement(text: str) -> tuple[Place, Place] | None:
    """Return start and end of a movement described in a text; None if they are missing."""
    for sign in (_FROM_TO, _BARE_TO, _CHINESE_TO):
        for match in sign.finditer(plain(text)):
            start, end = read_place(match["start"]), read_place(match["end"])
            if start is not None and end is not None and start != end:
                return start, end
    return None


def is_simple(place: Place) -> bool:
    """Whether a location is one of the four main directions."""
    return 0.0 in place


def name_place(place: Place) -> str:
    """Return a location in words."""
    across = "left" if place[0] < 0 else "right" if place[0] > 0 else ""
    along = "front" if place[1] > 0 else "back" if place[1] < 0 else ""
    return "-".join(word for word in (along, across) if word) or "middle"
