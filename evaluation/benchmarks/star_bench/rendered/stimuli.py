"""Stimuli of the perception task: their parameters, and rendering to a WAV file."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.audio import write_sound
from evaluation.streams import stream
from evaluation.synthesis.dry import render_dry
from evaluation.synthesis.head import HEAD_SAMPLE_RATE
from evaluation.synthesis.rooms import SourcePosition, render_in_room
from evaluation.synthesis.tones import Tone, render_tones

# Carries the highest tone, 8 kHz, with room above it for the slopes of a listener's own filters.
TONE_RATE = 24_000

# Root mean squares of the floor. Without one, two equal tones would be equal bit for bit, and a half without a tone
# would hold zeros. In a clip of 16 bits it is a step of the scale; in a fine one −130 dB, of which the band of an ear
# around 3 kHz lets through 4 dB less than a tone of 0 dB HL has.
FLOOR, FINE_FLOOR = 2.0**-15, 10.0 ** (-130 / 20)

DRY_SECONDS = 1.2
EARLIEST_SECONDS, LATEST_SECONDS = 0.03, 0.13  # when direct sound arrives; 10 m take 0.029 s
ROOM_CLIP_SECONDS = 2.1  # the reverberation of the largest room, of which the late part is halved, has faded by then


@dataclass(frozen=True, slots=True)
class Tones:
    """A clip of one channel with pure tones in it, over a noise floor.

    Attributes:
        tones: In the order of time; perhaps none.
        seconds: Length of the clip.
        variation: Seeds the floor.
        is_fine: Whether levels go far below what 16 bits carry; the file then holds 32-bit floating point.
    """

    tones: tuple[Tone, ...]
    seconds: float
    variation: str
    is_fine: bool = False


@dataclass(frozen=True, slots=True)
class InRoom:
    """A clip of two ears, with one source in a room.

    Attributes:
        source: Name of the dry sound.
        variation: Seeds its chance elements.
        room: Name of the room.
        listener: Which of the two positions in it.
        place: Where the source is, seen from the listener.
        lead_seconds: When the source begins; the direct sound arrives after its way.
    """

    source: str
    variation: str
    room: str
    listener: int
    place: SourcePosition
    lead_seconds: float


Stimulus = Tones | InRoom


def render_stimulus(stimulus: Stimulus) -> bytes:
    """Return a clip as a WAV file: tones at 24 kHz, rooms at 44.1 kHz in 16 bits.

    A level is never changed for one clip alone: rooms share one gain, and tones are as loud as they are said to be.
    """
    if isinstance(stimulus, Tones):
        samples = render_tones(stimulus.tones, stimulus.seconds, TONE_RATE)
        floor = FINE_FLOOR if stimulus.is_fine else FLOOR
        samples += floor * stream(stimulus.variation, "floor").standard_normal(len(samples))
        return write_sound(samples, TONE_RATE, sample_format="float32" if stimulus.is_fine else "int16")
    lead = np.zeros(round(stimulus.lead_seconds * HEAD_SAMPLE_RATE))
    dry = np.concatenate([lead, _render_dry(stimulus.source, stimulus.variation)])
    heard = render_in_room(dry, stimulus.room, stimulus.listener, stimulus.place)
    return write_sound(_fit(heard, round(ROOM_CLIP_SECONDS * HEAD_SAMPLE_RATE)), HEAD_SAMPLE_RATE)


@lru_cache(maxsize=4)
def _render_dry(source: str, variation: str) -> NDArray[np.float64]:
    return render_dry(source, DRY_SECONDS, stream(variation, f"dry|{source}"))


def _fit(samples: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return so many frames: every clip lasts equally long, for a longer way takes longer to arrive."""
    return np.pad(samples[:n], ((0, max(0, n - len(samples))), (0, 0)))
