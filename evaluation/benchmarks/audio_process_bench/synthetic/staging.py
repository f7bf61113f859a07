"""Sequences of sounds in a recording: the subject of a question, and bystanders before or after it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Event = dict[str, Any]
Scene = Mapping[str, Any]

# Duration of a sound next to others; short enough for eight seconds in total.
BYSTANDERS: Mapping[str, float] = {
    "door": 0.5,
    "splash": 0.8,
    "whistle": 0.7,
    "alarm": 1.0,
    "engine": 0.9,
    "noise": 0.7,
}
_PITCHES = {"door": 70.0, "whistle": 1500.0, "alarm": 2000.0, "engine": 80.0, "bell": 660.0}
PAN = 0.7
SCENE_SECONDS = 10.0


def bystander(rng: np.random.Generator, kind: str, pan: float) -> Event:
    """Return a single sound that starts at 0."""
    gain = _round(rng.uniform(0.4, 0.7))
    event: Event = {"kind": kind, "at": 0.0, "seconds": BYSTANDERS.get(kind, 0.8), "gain": gain}
    if kind in _PITCHES:
        event["pitch"] = _round(_PITCHES[kind] * rng.uniform(0.9, 1.1))
    return event | {"pan": pan}


def stage(rng: np.random.Generator, groups: Sequence[Sequence[Event]]) -> Scene:
    """Return a scene in which groups of sounds follow each other with clear pauses.

    Times within a group count from its start. All scenes have the same duration, with a random start that leaves enough
    room: otherwise the length of a file would reveal how many sounds it has.
    """
    at = rng.uniform(0.6, 1.0)
    events: list[Event] = []
    for group in groups:
        events += [event | {"at": _round(at + event["at"])} for event in group]
        at += max(event["at"] + event["seconds"] for event in group) + rng.uniform(0.6, 0.9)
    late = rng.uniform(0.0, SCENE_SECONDS - at)
    return {"seconds": SCENE_SECONDS, "events": [event | {"at": _round(late + event["at"])} for event in events]}


def row(rng: np.random.Generator, n: int, seconds: float, event: Event, pauses: Mapping[int, float]) -> list[Event]:
    """Return equal sounds at regular intervals; `pauses` adds seconds before some of them."""
    pace, at = seconds + rng.uniform(0.08, 0.16), 0.0
    events = []
    for number in range(n):
        at += pauses.get(number, 0.0)
        events.append(event | {"at": _round(at), "seconds": _round(seconds)})
        at += pace
    return events


def _round(value: float) -> float:
    return round(float(value), 3)
