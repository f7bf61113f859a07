"""Scenes: everyday sounds put together in time and between two ears, from a description in JSON.

`{"seconds": 4, "events": [{"kind": "bell", "at": 0.5, "seconds": 2, "pitch": 660, "pan": -0.5, "pan_to": 0.5}]}`
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluation.audio import encode_wav
from evaluation.errors import EvaluationError
from evaluation.streams import stream
from evaluation.synthesis.sounds import KINDS, Sound

SCENE_RATE = 16_000
MOST_SECONDS = 60.0
_FULL_SCALE = 0.8 * 32767


class SceneError(EvaluationError):
    """A description that is no scene."""


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sound of a scene.

    Attributes:
        kind: One of `sounds.KINDS`.
        at: When it begins, in seconds.
        seconds: How long it lasts; cut where the scene ends.
        pitch: Hertz; the usual one of its kind where it is absent.
        pitch_to: Where a glide, a vessel or an engine ends.
        gain: Peak, from 0 to 1.
        pan: Where it is heard: -1 left, 0 middle, 1 right.
        pan_to: Where it has moved to at its end.
        digits: What is dialled.
    """

    kind: str
    at: float
    seconds: float
    pitch: float | None = None
    pitch_to: float | None = None
    gain: float = 0.5
    pan: float = 0.0
    pan_to: float | None = None
    digits: str = ""


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A length in seconds and what happens in it."""

    seconds: float
    events: tuple[Event, ...]


def render_scene(description: Mapping[str, Any]) -> bytes:
    """Render a scene as a WAV file: 16 kHz, 16 bit, two channels. The same description gives the same bytes.

    The two ears differ in level only, by equal power: cos and sin of (pan + 1)·45°. Where the sum would pass full
    scale, the whole scene is turned down.

    Raises:
        SceneError: The description is no scene.
    """
    scene = _parse(description)
    mix = np.zeros((round(scene.seconds * SCENE_RATE), 2))
    for number, event in enumerate(scene.events):
        begin = round(event.at * SCENE_RATE)
        sound = _render(event, number, len(mix) - begin, json.dumps(description, sort_keys=True))
        mix[begin : begin + len(sound)] += sound
    peak = float(np.abs(mix).max(initial=0.0))
    return encode_wav(np.round(mix / max(peak, 1.0) * _FULL_SCALE).astype(np.int16), SCENE_RATE)


def _parse(description: Mapping[str, Any]) -> Scene:
    try:
        scene = msgspec.convert(description, Scene)
    except msgspec.ValidationError as error:
        raise SceneError(f"This is no scene: {error}.") from None
    if not 0 < scene.seconds <= MOST_SECONDS:
        raise SceneError(f"A scene lasts up to {MOST_SECONDS:.0f} seconds, and this one {scene.seconds}.")
    for event in scene.events:
        _check(event, scene.seconds)
    return scene


def _check(event: Event, seconds: float) -> None:
    if event.kind not in KINDS:
        raise SceneError(f"There is no sound {event.kind!r}. Sounds: {', '.join(KINDS)}.")
    pans = [event.pan, event.pan if event.pan_to is None else event.pan_to]
    if not (0 <= event.at < seconds and event.seconds > 0 and 0 <= event.gain <= 1 and max(map(abs, pans)) <= 1):
        raise SceneError(f"The {event.kind} at {event.at} s is outside the scene, or its gain or pan is out of range.")
    if event.digits.strip("0123456789*#"):
        raise SceneError(f"{event.digits!r} cannot be dialled; a telephone has 0 to 9, * and #.")


def _render(event: Event, number: int, room: int, description: str) -> NDArray[np.float64]:
    """Render one event in two channels; `room` is the number of samples up to the end of the scene."""
    n = min(round(event.seconds * SCENE_RATE), room)
    rng = stream(description, f"event {number}")
    mono = KINDS[event.kind](Sound(n, SCENE_RATE, event.pitch, event.pitch_to, event.digits, rng))
    end = event.pan if event.pan_to is None else event.pan_to
    angle = (np.linspace(event.pan, end, n) + 1) * np.pi / 4
    ears: NDArray[np.float64] = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return event.gain * mono[:, None] * ears
