"""Motion questions: described paths, ranked by their likelihood given the audio."""

from collections.abc import Sequence

import numpy as np

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.hearing.track import Track
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.questions.paths import StatedPath, weigh
from evaluation.listeners.questions.place_words import Place, is_simple, name_place, read_movement, read_place
from evaluation.listeners.words import Wording

# Paths with smaller differences in evidence are indistinguishable: the listener guesses among them.
INDISTINCT = 0.02

_STAYS = Wording(
    "stay* | stationary | still | static | fixed | not move | doesn't move | isn't moving | "
    "does not move | no movement | never moves | remain* | 不动 | 静止 | 原地 | 不移动"
)
_AROUND = tuple((float(np.sin(angle)), float(np.cos(angle))) for angle in np.arange(0.0, 2 * np.pi, np.pi / 6))
# A movement from one side to the other may pass in front of the listener or behind.
_ASIDE = 0.6


def answer_motion(task: ListeningTask) -> Perception | None:
    """Answer which path a sound takes, or whether it takes a claimed one; None if no path is mentioned."""
    question = task.question
    if len(task.ears) != 1:
        return None
    if question.options:
        return _choose_path(task)
    movement = read_movement(question.text)
    if question.form != "boolean" or movement is None:
        return None
    return _verify_path(task, movement)


def _choose_path(task: ListeningTask) -> Perception | None:
    hypotheses = [_hypotheses(option.text) for option in task.question.options]
    moving = sum(any(path.start != path.end for path in paths) for paths in hypotheses)
    offered = [place for place, option in enumerate(task.question.options) if not is_unknown_option(option.text)]
    if moving < 2 or any(not hypotheses[place] for place in offered):
        return None
    track = task.ears[0].track
    if track is None:
        return None
    evidence = {place: max(weigh(track, path) for path in hypotheses[place]) for place in offered}
    choice = task.break_tie(find_equals(evidence))
    text = task.question.options[choice].text.rstrip(".。")
    return Perception(f"What I hear fits “{text}” best", (choice,))


def find_equals(evidence: dict[int, float]) -> list[int]:
    """Return the paths with the most evidence, and those indistinguishable from them."""
    most = max(evidence.values())
    return [place for place, value in evidence.items() if value >= most - INDISTINCT]


def _hypotheses(text: str) -> tuple[StatedPath, ...]:
    """Return the paths that an option may mean; none if it mentions no path."""
    movement = read_movement(text)
    if movement is not None:
        return widen(*movement)
    if not _STAYS.found_in(text):
        return ()
    place = read_place(text)
    return tuple(StatedPath(where, where) for where in ([place] if place else _AROUND))


def widen(start: Place, end: Place) -> tuple[StatedPath, ...]:
    """Return a path and, if it goes from side to side, its variants in front and behind."""
    paths: tuple[StatedPath, ...] = (StatedPath(start, end),)
    if is_simple(start) and start[1] == end[1] == 0.0:
        paths += tuple(StatedPath((start[0], aside), (end[0], aside)) for aside in (_ASIDE, -_ASIDE))
    return paths


def _verify_path(task: ListeningTask, movement: tuple[Place, Place]) -> Perception | None:
    """Compare a claimed path with its mirror images and reversals."""
    track = task.ears[0].track
    if track is None:
        return None
    claimed = widen(*movement)
    claim = max(weigh(track, path) for path in claimed)
    images = {image for path in claimed for image in path.images()} - set(claimed)
    other = _best(track, sorted(images, key=lambda path: (path.start, path.end)))
    truth = bool(task.rng.integers(2)) if abs(claim - other) < INDISTINCT else claim > other
    start, end = (name_place(place) for place in movement)
    way = f"from the {start} to the {end}"
    return Perception(f"I hear it move {way}" if truth else f"What I hear does not fit a path {way}", truth=truth)


def _best(track: Track, paths: Sequence[StatedPath]) -> float:
    return max((weigh(track, path) for path in paths), default=float("-inf"))
