"""Localisation questions: azimuth, elevation and distance of one source, or of two compared."""

import math
import re

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.ears import Ears
from evaluation.listeners.hearing.head_model import judge_azimuth, judge_elevation, weigh_azimuths
from evaluation.listeners.prompt import Option
from evaluation.listeners.questions.comparing import ATTRIBUTES, SAME, choose_rank, find_attribute, read_rank
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.questions.place_words import read_place
from evaluation.listeners.words import Wording

# Onset level of an ordinary source at one metre, in dBFS, and its attenuation at ten times the distance: less than the
# 20 dB of open air, because reflections of the nearest walls arrive within an onset.
_ONSET_AT_ONE_METRE_DB, _FADES_DB = -19.0, 18.0
_USUAL_MIN_DEGREES, _USUAL_MIN_METRES = 45.0, 3.0
# Elevations closer to ear level than this count as ear level.
_LEVEL_DEGREES = 25.0
# Tolerance around the location in an option.
_REGION_DEGREES = 45.0

_DEGREES = re.compile(r"(-?\d+(?:\.\d+)?) ?(?:°|degrees?|度)")
_METRES = re.compile(r"(\d+(?:\.\d+)?) ?(?:m\b|met(?:er|re)s?\b|米)")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
_COUNTERCLOCKWISE = Wording("counterclockwise | counter-clockwise | anticlockwise | anti-clockwise | 逆时针")
_AZIMUTH = Wording(
    "azimuth | direction | directions | angle | angles | quarter | quadrant | where | side | 方位 | 方向 | 哪边 | 哪侧"
)
_DIFFERENT = Wording("different | differ | not the same | no | 不同 | 不一样")
_ABOVE, _BELOW = (
    Wording("above | higher | over | overhead | 上方 | 更高"),
    Wording("below | lower | under | beneath | 下方"),
)
_LEVEL = Wording(
    "at ear | at the ears | as high as | same height | level with | at the level | at the height | at the same | "
    "ear height | 齐平 | 同高 | 同一高度"
)
_MEDIUM = Wording("medium | moderate | middle | some way | intermediate | 中等")
_NEAR, _FAR = Wording("near | nearby | close | close by | 近"), Wording("far | far off | distant | far away | 远")


def answer_two_places(task: ListeningTask) -> Perception | None:
    """Answer whether two sounds come from one direction, or which is higher or farther away."""
    if len(task.ears) != 2 or not task.question.options:
        return None
    attribute = find_attribute(task.question.text)
    if attribute is not None and attribute.name == "elevation":
        values = [_elevation(ears) for ears in task.ears]
        least = _least(task, _DEGREES, _USUAL_MIN_DEGREES)
    elif attribute is not None and attribute.name == "distance":
        values = [_distance(ears) for ears in task.ears]
        least = _least(task, _METRES, _USUAL_MIN_METRES)
    else:
        return _compare_azimuths(task)
    if values[0] is None or values[1] is None:
        return None
    return choose_rank(task, attribute, values[0] - values[1], least)


def answer_place(task: ListeningTask) -> Perception | None:
    """Answer in which direction, how high or how far away the source of one sound is."""
    if len(task.ears) != 1 or not task.question.options or task.ears[0].direct is None:
        return None
    attribute = find_attribute(task.question.text)
    if attribute is ATTRIBUTES["elevation"]:
        return _choose_elevation(task)
    if attribute is ATTRIBUTES["distance"]:
        return _choose_distance(task)
    return _choose_azimuth(task)


def _azimuth(ears: Ears) -> float | None:
    return None if ears.direct is None else judge_azimuth(ears.direct)


def _elevation(ears: Ears) -> float | None:
    return None if ears.direct is None else judge_elevation(ears.direct)


def _distance(ears: Ears) -> float | None:
    """Return the distance in metres of a source of ordinary level."""
    if ears.direct is None:
        return None
    return float(10.0 ** ((_ONSET_AT_ONE_METRE_DB - ears.direct.level_db) / _FADES_DB))


def _least(task: ListeningTask, unit: re.Pattern[str], usual: float) -> float:
    """Return the difference that counts in a question: the number in it, or the default."""
    matches = unit.findall(task.question.text)
    return float(matches[-1]) if matches else usual


def _offered(task: ListeningTask) -> list[tuple[int, Option]]:
    return [(place, option) for place, option in enumerate(task.question.options) if not is_unknown_option(option.text)]


def _compare_azimuths(task: ListeningTask) -> Perception | None:
    if not _AZIMUTH.found_in(task.question.text):
        return None
    differing = {place: _differs(option.text) for place, option in _offered(task)}
    if set(differing.values()) != {True, False}:
        return None
    azimuths = [_azimuth(ears) for ears in task.ears]
    if azimuths[0] is None or azimuths[1] is None:
        return Perception("With one ear I can only guess", (task.break_tie(list(differing)),))
    turn = abs((azimuths[0] - azimuths[1] + 180.0) % 360.0 - 180.0)
    different = turn >= _least(task, _DEGREES, _USUAL_MIN_DEGREES)
    choice = next(place for place, differs in differing.items() if differs == different)
    return Perception(f"The two directions are about {turn:.0f}° apart", (choice,))


def _differs(option: str) -> bool | None:
    """Whether an option says that two locations differ; None if it says neither."""
    return True if _DIFFERENT.found_in(option) else False if read_rank(option) == SAME else None


def _choose_azimuth(task: ListeningTask) -> Perception | None:
    centres = {place: _centre(option.text, task.question.text) for place, option in _offered(task)}
    offered = {place: centre for place, centre in centres.items() if centre is not None}
    if len(offered) < 2 or len(offered) < len(centres) or not _AZIMUTH.found_in(task.question.all_words):
        return None
    weighed = None if task.ears[0].direct is None else weigh_azimuths(task.ears[0].direct)
    if weighed is None:
        return Perception("With one ear I can only guess", (task.break_tie(list(offered)),))
    azimuths, misfits = weighed
    # An option names the middle of a region; its fit decreases with distance.
    turns = {place: np.abs((azimuths - centre + 180.0) % 360.0 - 180.0) for place, centre in offered.items()}
    fits = {
        place: float(np.min(misfits + (turn / _REGION_DEGREES) ** 4, initial=np.inf, where=turn <= 2 * _REGION_DEGREES))
        for place, turn in turns.items()
    }
    choice = min(fits, key=lambda place: fits[place])
    return Perception(f"The sound comes from about {azimuths[int(np.argmin(misfits))]:.0f}° clockwise", (choice,))


def _centre(option: str, question: str) -> float | None:
    """Return the middle of the directions in an option, in degrees clockwise from the front."""
    place = read_place(option)
    if place is not None:
        return math.degrees(math.atan2(place[0], place[1])) % 360.0
    degrees = [float(number) for number in _DEGREES.findall(option)]
    if not degrees:
        return None
    middle = sum(degrees) / len(degrees)
    return -middle % 360.0 if _COUNTERCLOCKWISE.found_in(question) else middle % 360.0


def _choose_elevation(task: ListeningTask) -> Perception | None:
    elevation = _elevation(task.ears[0])
    if elevation is None:
        return None
    region = _ABOVE if elevation > _LEVEL_DEGREES else _BELOW if elevation < -_LEVEL_DEGREES else _LEVEL
    heard = {_ABOVE: "It sounds as from above", _BELOW: "It sounds as from below", _LEVEL: "It sounds level"}[region]
    for place, option in _offered(task):
        kind = next(
            (region_words for region_words in (_LEVEL, _ABOVE, _BELOW) if region_words.found_in(option.text)), None
        )
        if kind is region:
            return Perception(heard, (place,))
    return None


def _choose_distance(task: ListeningTask) -> Perception | None:
    distance = _distance(task.ears[0])
    spans = {place: _span(option.text) for place, option in _offered(task)}
    offered = {place: span for place, span in spans.items() if span is not None}
    if distance is None or len(offered) < max(2, len(spans)):
        return None
    choice = min(offered, key=lambda place: max(offered[place][0] - distance, distance - offered[place][1], 0.0))
    return Perception(f"It sounds about {max(distance, 0.1):.1g} metres away", (choice,))


def _span(option: str) -> tuple[float, float] | None:
    """Return the range of an option, in metres."""
    numbers = [float(number) for number in _NUMBERS.findall(option)]
    if len(numbers) >= 2:
        return min(numbers), max(numbers)
    near, far = _NEAR.found_in(option), _FAR.found_in(option)
    if near and not far:
        return 0.0, numbers[0] if numbers else 3.0
    if far:
        return (numbers[0] if numbers else 8.0), math.inf
    return (3.0, 8.0) if _MEDIUM.found_in(option) else None
