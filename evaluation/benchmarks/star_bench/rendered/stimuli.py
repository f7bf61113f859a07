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

# Supports the highest tone, 8 kHz, with room above it for the slopes of a listener's own filters.
TONE_RATE = 24_000

# Root mean squares of the noise floor. Without it, two equal tones would be bit-identical, and a half without a tone
# would contain zeros. In a 16-bit clip it is one step of the scale; in a fine one −130 dB, of which an auditory band
# around 3 kHz passes 4 dB less than a tone of 0 dB HL has.
FLOOR, FINE_FLOOR = 2.0**-15, 10.0 ** (-130 / 20)

DRY_SECONDS = 1.2
EARLIEST_SECONDS, LATEST_SECONDS = 0.03, 0.13  # Arrival time of direct sound; 10 m take 0.029 s.
ROOM_CLIP_SECONDS = 2.1  # By then the reverberation of the largest room, whose late part is halved, has faded.


@dataclass(frozen=True, slots=True)
class Tones:
    """A mono clip with pure tones over a noise floor.

    Attributes:
        tones: Tones in order of time; may be empty.
        seconds: Duration of the clip.
        variation: Seed of the noise floor.
        is_fine: Whether levels are far below what 16 bits can represent; the file then has 32-bit floats.
    """

    tones: tuple[Tone, ...]
    seconds: float
    variation: str
    is_fine: bool = False


@dataclass(frozen=True, slots=True)
class InRoom:
    """A binaural clip with one source in a room.

    Attributes:
        source: Name of the dry sound.
        variation: Seed of its random elements.
        room: Name of the room.
        listener: Which of the two listener positions.
        place: Location of the source, relative to the listener.
        lead_seconds: Start of the source; the direct sound arrives after its travel time.
    """

    source: str
    variation: str
    room: str
    listener: int
    place: SourcePosition
    lead_seconds: float


Stimulus = Tones | InRoom


def render_stimulus(stimulus: Stimulus) -> bytes:
    """Render a clip as a WAV file: tones at 24 kHz, rooms at 44.1 kHz with 16 bits.

    Levels are never adjusted per clip: rooms share one gain, and tones have their stated levels.
    """
    if isinstance(stimulus, Tones):
        samples = render_tones(stimulus.tones, stimulus.seconds, TONE_RATE)
        floor = FINE_FLOOR if stimulus.is_fine else FLOOR
        samples += floor * stream(stimulus.variation, "floor").standard_normal(len(samples))
        return write_sound(samples, TONE_RATE, sample_format="float32" if stimulus.is_fine else "int16")
    lead = np.zeros(round(stimulus.lead_seconds * HEAD_SAMPLE_RATE))
    dry = np.concatenate([lead, _render_dry(stimulus.source, stimulus.variation)])
    heard = render_in_room(dry, stimulus.room, stimulus.listener, stimulus.place)
    return write_sound(_fit_length(heard, round(ROOM_CLIP_SECONDS * HEAD_SAMPLE_RATE)), HEAD_SAMPLE_RATE)


@lru_cache(maxsize=4)
def _render_dry(source: str, variation: str) -> NDArray[np.float64]:
    return render_dry(source, DRY_SECONDS, stream(variation, f"dry|{source}"))


def _fit_length(samples: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return exactly `n` frames: all clips have the same duration, although distant sound arrives later."""
    return np.pad(samples[:n], ((0, max(0, n - len(samples))), (0, 0)))
