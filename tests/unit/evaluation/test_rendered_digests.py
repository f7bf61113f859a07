"""Pinned bytes of rendered clips: if they change, the renderer's version must change too."""

import hashlib

import numpy as np
import pytest

from evaluation.audio import write_sound
from evaluation.audio.files import SampleFormat
from evaluation.synthesis import (
    ROOM_VERSION,
    TONE_VERSION,
    SourcePosition,
    Tone,
    amplitude_of_level,
    render_dry,
    render_in_room,
    render_tones,
)

TONES = [
    Tone(125.0, 0.2, 0.5, amplitude_of_level(125.0, 110.0)),
    Tone(3000.0, 1.1, 0.4, amplitude_of_level(3000.0, -10.0)),
]
CLIPS = [
    ("small", 0, SourcePosition(60, 0, 1.0), "alarm", "035a0b9e399a21c7"),
    ("medium", 1, SourcePosition(240, -75, 1.2), "applause", "fed96b2af32f8c95"),
    ("large", 1, SourcePosition(30, 15, 10.0), "telephone", "ed8dfc13ada63306"),
]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@pytest.mark.parametrize(
    ("sample_format", "expected"),
    [("float32", "55ef40f54368977c"), ("int24", "7cbedb75cf61f9c2"), ("int16", "0969a6ce37217a51")],
)
def test_tones_of_this_version_have_the_pinned_bytes(sample_format: SampleFormat, expected: str) -> None:
    assert TONE_VERSION == "1"
    assert digest(write_sound(render_tones(TONES, 2.0), 44_100, sample_format=sample_format)) == expected


@pytest.mark.parametrize(("room", "listener", "position", "name", "expected"), CLIPS)
def test_clips_in_rooms_of_this_version_have_the_pinned_bytes(
    room: str, listener: int, position: SourcePosition, name: str, expected: str
) -> None:
    assert ROOM_VERSION == "kemar-ism-1"
    dry = render_dry(name, 1.0, np.random.default_rng(20))
    assert digest(write_sound(render_in_room(dry, room, listener, position), 44_100)) == expected
