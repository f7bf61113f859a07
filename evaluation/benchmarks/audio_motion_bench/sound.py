"""Audio of AudioMotionBench: a clip's name and the split's seed → samples.

The seed determines the pitch (within a semitone of 440 Hz for SCT and TAT, whose clips have a single pitch; the seven
notes of an octave, detuned by up to 30 cents, for SDT) and the noise. Otherwise a clean practice clip, whose answer is
public, would be byte-identical to its test counterpart.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.audio import encode_wav
from evaluation.benchmarks.audio_motion_bench.design import SNR_DB, Clip, design_items
from evaluation.streams import stream
from evaluation.synthesis import Trajectory, add_noise, render_motion
from evaluation.types import Split

# Increment this with any change below; it is part of the content digest.
SOUND_VERSION = "1"

CLIP_SECONDS = 6.0
NOTE_SECONDS = 0.5
SPEED_FACTOR = {"sct": 1, "sdt": 1, "tat": 2}
CONSTANT_PITCH_HZ = 440.0
CONSTANT_PITCH_SPREAD_CENTS = 100.0
SCALE_SPREAD_CENTS = 30.0
# C major from middle C, equal temperament: seven discrete pitches.
SCALE_HZ = tuple(440.0 * 2 ** (semitones / 12) for semitones in (-9, -7, -5, -4, -2, 0, 2))


def render_clip(split: Split, seed: str, name: str) -> bytes:
    """Return a clip as 16-bit stereo WAV at 16 kHz.

    Raises:
        KeyError: The split does not have this clip.
    """
    clip = clips_by_name(split, seed)[name]
    samples, rate = _render_clean(clip.trajectory, clip_notes(split, seed, clip), SPEED_FACTOR[clip.variant])
    snr_db = SNR_DB[clip.condition]
    if snr_db is not None:
        samples = add_noise(samples, snr_db, stream(seed, f"{split}|noise|{name}"))
    return encode_wav(samples, rate)


@lru_cache(maxsize=8)
def clips_by_name(split: Split, seed: str) -> dict[str, Clip]:
    """Return every clip of a split by its opaque name."""
    return {designed.clip.name: designed.clip for designed in design_items(split, seed)}


def clip_notes(split: Split, seed: str, clip: Clip) -> tuple[float, ...]:
    """Return the fundamental frequencies (Hz) of a clip's notes, which are the same in all four conditions."""
    rng = stream(seed, f"{split}|notes|{clip.variant}|{clip.trajectory.start}-{clip.trajectory.end}")
    n_notes = round(CLIP_SECONDS / SPEED_FACTOR[clip.variant] / NOTE_SECONDS)
    if clip.variant == "sdt":
        cents = rng.uniform(-SCALE_SPREAD_CENTS, SCALE_SPREAD_CENTS)
        pitches = rng.choice(SCALE_HZ, size=n_notes)
    else:
        cents = rng.uniform(-CONSTANT_PITCH_SPREAD_CENTS, CONSTANT_PITCH_SPREAD_CENTS)
        pitches = np.full(n_notes, CONSTANT_PITCH_HZ)
    return tuple(float(pitch) for pitch in pitches * 2 ** (cents / 1200))


# Caches all 168 clean recordings of a split (54 MB): a pack lists clips by opaque name, which scatters the four
# conditions of a recording.
@lru_cache(maxsize=168)
def _render_clean(trajectory: Trajectory, notes: tuple[float, ...], speed: int) -> tuple[NDArray[np.int16], int]:
    return render_motion(trajectory, notes=notes, duration_seconds=CLIP_SECONDS / speed)
