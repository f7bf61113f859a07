"""Scenes: everyday sounds arranged in time and around two ears, described in JSON.

`{"seconds": 4, "events": [{"kind": "bell", "at": 0.5, "seconds": 2, "pitch": 660, "pan": -0.5, "pan_to": 0.5}]}`

An event with a position, as `{"kind": "siren", "at": 0, "seconds": 6, "gain": 5, "from": [-40, 6], "to": [40, 6]}`, is
rendered by the physics of `places`: its position determines the differences of time and level between the ears, and the
Doppler shift. Its distance determines its level, so a scene with positions is never scaled down: one that would exceed
full scale is rejected. An event without a position differs between the ears in level only, by its `pan`.
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
from evaluation.synthesis.household import HOUSEHOLD
from evaluation.synthesis.places import MAX_METRES_PER_SECOND, hear_path
from evaluation.synthesis.scene import REACH_METRES, StraightPath
from evaluation.synthesis.sketches import Samples, SoundSketch
from evaluation.synthesis.sounds import KINDS

SCENE_RATE = 16_000
MAX_SECONDS = 60.0
EARLIEST_SECONDS = 1.0

SCENE_VERSION = "1"
"""Changes whenever the audio of a position, a gain change or a household sound changes.

Every scene with any of them has it as its `version`, so digests of the scene include it. Scenes without them have no
version; `RENDERER_VERSION` identifies their audio.
"""

_FULL_SCALE = 0.8 * 32767


class SceneError(EvaluationError):
    """A description is not a valid scene."""


class SceneEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sound of a scene.

    Attributes:
        kind: One of `sounds.KINDS`.
        at: Start in seconds; events with a position may start up to a second early, to be audible from the start.
        seconds: Duration; cut at the end of the scene.
        pitch: Hertz; defaults to the usual pitch of its kind.
        pitch_to: Final pitch of a glide, a vessel or an engine.
        gain: Peak, from 0 to 1; for events with a position, the peak at a distance of one metre, which may far exceed
            1.
        gain_to: Gain at the end, reached linearly.
        place: Initial position in metres from the listener: to the right, and to the front.
        place_to: Final position, reached in a straight line at constant speed.
        pan: Initial panning: -1 left, 0 middle, 1 right.
        pan_to: Final panning.
        digits: Dialled digits.
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
    gain_to: float | None = None
    place: tuple[float, float] | None = msgspec.field(name="from", default=None)
    place_to: tuple[float, float] | None = msgspec.field(name="to", default=None)


class SoundScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A duration in seconds and the events.

    Attributes:
        seconds: Duration; longer events are cut.
        events: The events.
        version: `SCENE_VERSION`, if the audio depends on it.
    """

    seconds: float
    events: tuple[SceneEvent, ...]
    version: str | None = None

    @property
    def has_places(self) -> bool:
        """Whether any of its sources has a position."""
        return any(event.place is not None for event in self.events)


def render_scene(description: Mapping[str, Any]) -> bytes:
    """Render a scene as a WAV file: 16 kHz, 16 bit, stereo. The same description gives the same bytes.

    Panned ears differ in level only, with equal power: cos and sin of (pan + 1)·45°. If the sum of a scene without
    positions would exceed full scale, the whole scene is scaled down.

    Raises:
        SceneError: The description is invalid, or a scene with positions exceeds full scale.
    """
    scene = _parse(description)
    mix = np.zeros((round(scene.seconds * SCENE_RATE), 2))
    for number, event in enumerate(scene.events):
        begin = round(event.at * SCENE_RATE)
        sound = _render_event(event, number, len(mix) - begin, json.dumps(description, sort_keys=True))
        heard = sound[max(-begin, 0) :]
        mix[max(begin, 0) : max(begin, 0) + len(heard)] += heard
    peak = float(np.abs(mix).max(initial=0.0))
    if scene.has_places and peak > 1.0:
        raise SceneError(
            f"This scene peaks at {peak:.2f} of full scale, and the most is 1; lower the gains of its events."
        )
    return encode_wav(np.round(mix / max(peak, 1.0) * _FULL_SCALE).astype(np.int16), SCENE_RATE)


def _parse(description: Mapping[str, Any]) -> SoundScene:
    try:
        scene = msgspec.convert(description, SoundScene)
    except msgspec.ValidationError as error:
        raise SceneError(f"This is no scene: {error}.") from None
    if not 0 < scene.seconds <= MAX_SECONDS:
        raise SceneError(f"A scene lasts up to {MAX_SECONDS:.0f} seconds, and this one {scene.seconds}.")
    for event in scene.events:
        _check_event(event, scene.seconds)
    _check_version(scene)
    return scene


def _check_event(event: SceneEvent, seconds: float) -> None:
    if event.kind not in KINDS:
        raise SceneError(f"There is no sound {event.kind!r}. Sounds: {', '.join(KINDS)}.")
    pans = [event.pan, event.pan if event.pan_to is None else event.pan_to]
    gains = [event.gain, event.gain if event.gain_to is None else event.gain_to]
    earliest, most = (0.0, 1.0) if event.place is None else (-EARLIEST_SECONDS, REACH_METRES)
    if not (
        earliest <= event.at < seconds
        and event.seconds > 0
        and 0 <= min(gains) <= max(gains) <= most
        and max(map(abs, pans)) <= 1
    ):
        raise SceneError(f"The {event.kind} at {event.at} s is outside the scene, or its gain or pan is out of range.")
    if event.digits.strip("0123456789*#"):
        raise SceneError(f"{event.digits!r} cannot be dialled; a telephone has 0 to 9, * and #.")
    _check_place(event)


def _check_place(event: SceneEvent) -> None:
    if event.place is None:
        if event.place_to is not None:
            raise SceneError(f"The {event.kind} at {event.at} s goes to a place and comes from none; give `from` too.")
        return
    if event.pan or event.pan_to is not None:
        raise SceneError(f"The {event.kind} at {event.at} s has a place and a pan; give one of them.")
    try:
        path = _path(event, event.place)
    except ValueError as error:
        raise SceneError(f"The {event.kind} at {event.at} s is too far off: {error}.") from None
    if path.length_metres > MAX_METRES_PER_SECOND * event.seconds:
        raise SceneError(f"The {event.kind} at {event.at} s is faster than {MAX_METRES_PER_SECOND:.0f} m/s.")


def _check_version(scene: SoundScene) -> None:
    """Reject a scene that would sound different from the one that its description was written for."""
    versioned = scene.has_places or any(event.kind in HOUSEHOLD or event.gain_to is not None for event in scene.events)
    if scene.version != (SCENE_VERSION if versioned else None):
        needed = f'`"version": "{SCENE_VERSION}"`' if versioned else "no `version`"
        raise SceneError(f"This scene needs {needed}, because of the sounds that are in it; it has {scene.version!r}.")


def _path(event: SceneEvent, place: tuple[float, float]) -> StraightPath:
    return StraightPath(place, place if event.place_to is None else event.place_to)


def _render_event(event: SceneEvent, number: int, room: int, description: str) -> NDArray[np.float64]:
    """Render one event in stereo; `room` is the number of samples until the end of the scene."""
    rng = stream(description, f"event {number}")
    whole = round(event.seconds * SCENE_RATE)
    n = min(whole, room) if event.place is None else whole
    mono = KINDS[event.kind](SoundSketch(n, SCENE_RATE, event.pitch, event.pitch_to, event.digits, rng))
    gain = event.gain if event.gain_to is None else np.linspace(event.gain, event.gain_to, n)
    if event.place is not None:
        return hear_path(_path(event, event.place), gain * mono)[:room]
    return np.atleast_1d(gain)[:, None] * mono[:, None] * _find_gains(event, n)


def _find_gains(event: SceneEvent, n: int) -> Samples:
    """Return the gains of both ears, (n, 2)."""
    end = event.pan if event.pan_to is None else event.pan_to
    angle = (np.linspace(event.pan, end, n) + 1) * np.pi / 4
    ears: Samples = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return ears
