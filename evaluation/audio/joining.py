"""Concatenation of clips, for models that accept a single clip."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.audio.files import HIGHEST_RATE, MAX_SAMPLES, SampleFormat, read_with_format, write_sound
from evaluation.audio.wav import AudioError

_COARSE_TO_FINE: tuple[SampleFormat, ...] = ("int16", "int24", "float32")


def join_with_silence(sounds: Sequence[bytes], silence_seconds: float = 2.0) -> bytes:
    """Concatenate clips with silence between them.

    Args:
        sounds: Whole files with the same sample rate. Mono clips are copied to all channels of multichannel ones.
        silence_seconds: Length of each silence, rounded to whole samples.

    Returns:
        A WAV file with the finest sample format of the clips.

    Raises:
        AudioError: There are no clips, one cannot be read, or their rates or channel numbers differ.
    """
    if not sounds:
        raise AudioError("there is no audio to join; pass at least one clip")
    if not (math.isfinite(silence_seconds) and 0 <= silence_seconds <= MAX_SAMPLES / HIGHEST_RATE):
        longest = MAX_SAMPLES // HIGHEST_RATE
        raise AudioError(f"silence between clips must be 0 to {longest} seconds, got {silence_seconds!r}")
    read = [read_with_format(data) for data in sounds]
    rates = sorted({rate for _, rate, _ in read})
    if len(rates) > 1:
        raise AudioError(
            f"the clips have different sample rates ({', '.join(map(str, rates))} Hz); resample them first"
        )
    silence = np.zeros((round(silence_seconds * rates[0]), 1))
    pieces = [piece for samples, _, _ in read for piece in (silence, samples)][1:]
    finest = max((sample_format for _, _, sample_format in read), key=_COARSE_TO_FINE.index)
    return write_sound(np.vstack(_share_channels(pieces)), rates[0], sample_format=finest)


def _share_channels(pieces: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Give all pieces the same number of channels."""
    numbers = sorted({piece.shape[1] for piece in pieces})
    if len(set(numbers) - {1}) > 1:
        listed = ", ".join(map(str, numbers))
        raise AudioError(f"clips of {listed} channels cannot be joined; convert them to the same number first")
    return [np.broadcast_to(piece, (len(piece), numbers[-1])) for piece in pieces]
