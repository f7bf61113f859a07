"""Scene questions: a source over time, and two sources relative to each other in distance and side."""

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.onsets import hear_onsets
from evaluation.listeners.hearing.segments import cut, split_in_two
from evaluation.listeners.hearing.track import Track
from evaluation.listeners.questions.comparing import ATTRIBUTES, THRESHOLDS, choose_rank, find_attribute, read_rank
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.words import Wording, plain

_NEARER = Wording(
    "near | nearer | closer | approach* | comes close | comes up | towards you | toward you | comes back | returns | "
    "靠近 | 驶近 | 走近 | 接近 | 越来越近"
)
_AWAY = Wording("away | recede* | leaves | farther off | fades | 远离 | 驶远 | 走远 | 离开 | 越来越远")
_KEEPS = Wording("keeps its distance | same distance | stay* | remain* | constant | 不变 | 保持")
_BY = Wording("passes by | drives by | past you | passes you | goes by | 驶过 | 经过")
_LEFT, _RIGHT = Wording("left | 左"), Wording("right | 右")
_BEHIND, _DIFFERENT = Wording("behind | 后"), Wording("different | opposite | 不同 | 两侧")
_FARTHER_SIDE = Wording("compared | second time | 相比")
_SIDES = Wording("side | sides | which ear | 侧 | 边")

_CHANGE_DB = 3.0
_SIDE_SECONDS = 8e-5
# A source counts as on a side if it spends this share of the time there.
_MIN_SHARE = 0.12


def answer_approach(task: ListeningTask) -> Perception | None:
    """Answer whether a source approaches, moves away, or keeps its distance, by its loudness."""
    if len(task.ears) != 1:
        return None
    claims = {
        place: _read_course(option.text)
        for place, option in enumerate(task.question.options)
        if not is_unknown_option(option.text)
    }
    if len({claim for claim in claims.values() if claim}) < 2:
        return None
    track = task.ears[0].track
    if track is None:
        return None
    course = _hear_course(track)
    choice = next((place for place, claim in claims.items() if claim == course), None)
    if choice is None:
        return None
    phrases = {"+": "comes nearer", "-": "goes away", "0": "keeps its distance"}
    return Perception(f"It {' and '.join(phrases[step] for step in course)}", (choice,))


def _read_course(option: str) -> str:
    """Return the changes of distance in an option: `+` nearer, `-` away, `0` neither, in order; empty without any."""
    if _BY.found_in(option):
        return "by"
    text = plain(option)
    if _KEEPS.found_in(text):
        return "0"
    nearer, away = _NEARER.find_first(text), _AWAY.find_first(text)
    if nearer is None or away is None:
        return "+" if nearer is not None else "-" if away is not None else ""
    return "+-" if nearer < away else "-+"


def _hear_course(track: Track) -> str:
    """Return the changes of distance in a track, in the same notation."""
    begin, middle, end = (
        float(np.median(track.loudness[part])) if part.any() else float(np.median(track.loudness))
        for part in (track.progress < 0.2, abs(track.progress - 0.5) < 0.12, track.progress > 0.8)
    )
    if min(middle - begin, middle - end) > _CHANGE_DB:
        return "+-"
    if min(begin - middle, end - middle) > _CHANGE_DB:
        return "-+"
    return "+" if end - begin > _CHANGE_DB else "-" if begin - end > _CHANGE_DB else "0"


def answer_nearer_of_two(task: ListeningTask) -> Perception | None:
    """Answer which of two sounds of one kind in a recording is nearer: the louder one."""
    attribute = find_attribute(task.question.text)
    if len(task.ears) != 1 or attribute is not ATTRIBUTES["distance"]:
        return None
    ranks = [read_rank(option.text) for option in task.question.options]
    before, after = split_in_two(task.ears[0].events)
    if ranks.count(None) > 1 or len(set(ranks)) < 3 or not (before and after):
        return None
    first, second = (max(event.level_db for event in part) for part in (before, after))
    return choose_rank(task, attribute, second - first, THRESHOLDS["loudness"])


def answer_sides(task: ListeningTask) -> Perception | None:
    """Answer whether two sources are on the same side, or to which side the second one has moved."""
    if len(task.ears) != 1 or not task.question.options:
        return None
    if _FARTHER_SIDE.found_in(task.question.text):
        return _compare_sides(task)
    kinds = {place: _side_of(option.text) for place, option in enumerate(task.question.options)}
    track = task.ears[0].track
    if set(kinds.values()) - {None} != {"left", "right", "both"} or not _SIDES.found_in(task.question.all_words):
        return None
    if track is None or track.times is None or track.levels is None:
        return Perception("With one ear I can only guess", (task.break_tie([p for p, kind in kinds.items() if kind]),))
    side = track.times / _SIDE_SECONDS + track.levels / _CHANGE_DB
    left, right = float(np.mean(side < -1.0)), float(np.mean(side > 1.0))
    heard_side = "both" if min(left, right) > _MIN_SHARE else "left" if left > right else "right"
    choice = next(place for place, kind in kinds.items() if kind == heard_side)
    heard = {"both": "I hear something on either side", "left": "All is on the left", "right": "All is on the right"}
    return Perception(heard[heard_side], (choice,))


def _side_of(option: str) -> str | None:
    left, right = _LEFT.found_in(option), _RIGHT.found_in(option)
    if _DIFFERENT.found_in(option) or (left and right):
        return "both"
    return "left" if left else "right" if right else None


def _compare_sides(task: ListeningTask) -> Perception | None:
    """Compare the side of the second sound with that of the first."""
    before, after = split_in_two(task.ears[0].events)
    if not (before and after):
        return None
    sound = task.ears[0].sound
    first, second = (hear_onsets(cut(sound, part[0].begin, part[-1].end)) for part in (before, after))
    kinds = {place: _side_of(option.text) for place, option in enumerate(task.question.options)}
    if first is None or second is None or not {"left", "right"} <= set(kinds.values()):
        return None
    others = [place for place, kind in kinds.items() if kind is None]
    if first.delay is None or second.delay is None:
        return Perception("With one ear I can only guess", (task.break_tie(list(kinds)),))
    moved = second.delay - first.delay
    if abs(moved) < _SIDE_SECONDS:
        return Perception("The side is the same both times", (others[0],)) if others else None
    side = "right" if moved > 0 else "left"
    choice = next(place for place, kind in kinds.items() if kind == side)
    return Perception(f"The second time it is farther to the {side}", (choice,))
