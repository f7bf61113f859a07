"""Synthetic sounds and prompts for tests of listeners."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from evaluation.audio import read_sound
from evaluation.listeners import Heard, Sound
from evaluation.types import Run, TextPart

Samples = NDArray[np.float64]


def harmonic(hertz: float, seconds: float, rate: int, advance_samples: float = 0.0, n: int = 6) -> Samples:
    """Return a harmonic tone of `n` partials with 1/k amplitudes, advanced by a number of samples."""
    time = (np.arange(round(seconds * rate)) + advance_samples) / rate
    buzz: Samples = 0.1 * np.sum([np.sin(2 * np.pi * k * hertz * time) / k for k in range(1, n + 1)], axis=0)
    return buzz


def tone(hertz: float, seconds: float, rate: int, amplitude: float = 0.3) -> Samples:
    """Return a pure tone with short fades."""
    samples = amplitude * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)
    edge = np.minimum(1.0, np.minimum(np.arange(len(samples)), np.arange(len(samples))[::-1]) / (0.01 * rate))
    return samples * edge


def silence(seconds: float, rate: int) -> Samples:
    """Return silence."""
    return np.zeros(round(seconds * rate))


def stereo(left: Samples, right: Samples, rate: int) -> Sound:
    """Return a stereo sound from two channels."""
    return Sound(np.stack([left, right], axis=1), rate)


def hear_run(run: Run, clips: Mapping[str, bytes]) -> tuple[Heard, ...]:
    """Return the prompt of a run in the form that a listener receives."""
    return tuple(part.text if isinstance(part, TextPart) else decode(clips[part.clip]) for part in run.prompt)


def decode(data: bytes) -> Sound:
    """Decode an audio file."""
    return Sound(*read_sound(data))


def swap_sides(text: str) -> str:
    """Swap "left" and "right" in a text."""
    return re.sub("left|right", lambda side: "right" if side[0] == "left" else "left", text)
