"""Tracks through a sound: sides, pitch, spectral envelope and level for every frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.listeners.hearing.brightness import brightness
from evaluation.listeners.hearing.frames import Frames, Reals, cut_frames
from evaluation.listeners.hearing.interaural import interaural_levels, interaural_times
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels
from evaluation.listeners.hearing.pitch import CLEAR, noise_between_partials, track_pitch
from evaluation.listeners.listener_types import Sound

# Frames this much below the strongest one within reach stand in a gap or on an edge of a note.
_EDGE_DB = 4.0
_REACH_SECONDS = 0.3

# Errors of the differences between the ears, in seconds and in decibels: what is left without noise, and what noise as
# strong in one bin of the spectrum as the sound in all of them would add.
_MIN_TIME_ERROR, _TIME_ERROR_IN_NOISE = 1.5e-5, 4e-4
_MIN_LEVEL_ERROR, _LEVEL_ERROR_IN_NOISE = 0.15, 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """What is heard from frame to frame, of the frames in which something is.

    Attributes:
        progress: (frames,) where in the sound, from 0 to 1.
        seconds: Length of the sound.
        times: (frames,) by which the right ear is ahead, in seconds; None with one channel.
        time_errors: (frames,) how far off `times` may be.
        levels: (frames,) by how many decibels the right ear is above; None with one channel.
        level_errors: (frames,) the same of `levels`.
        pitch: (frames,) in hertz.
        pitched: bool (frames,).
        loudness: (frames,) in decibels under full scale.
        brightness: (frames,) in decibels.
    """

    progress: Reals
    seconds: float
    times: Reals | None
    time_errors: Reals
    levels: Reals | None
    level_errors: Reals
    pitch: Reals
    pitched: NDArray[np.bool_]
    loudness: Reals
    brightness: Reals


def follow(sound: Sound) -> Track | None:
    """Follow one source through a sound; None where nothing is heard."""
    frames = _sustained(cut_frames(sound))
    if frames is None:
        return None
    pitch, periodicity = track_pitch(frames)
    pitched = periodicity > CLEAR
    floor = float(np.median(noise_between_partials(frames, pitch)[pitched])) if pitched.any() else 0.0
    power = frames.power
    in_band = (frames.frequencies > 80.0) & (frames.frequencies < 6000.0)
    total = power[:, in_band].sum(axis=1)
    noise = floor * in_band.sum()
    # Noise in one bin against the sound in all: what cross-correlation over the band makes of it.
    ratio = np.sqrt(floor / np.maximum(total - noise, 0.05 * total + 1e-30))
    times = levels = None
    if len(frames.spectra) == 2:
        times = interaural_times(frames.spectra[0], frames.spectra[1], frames.rate, floor)
        ears = np.square(np.abs(frames.spectra))[:, :, in_band].sum(axis=2)
        levels = interaural_levels(ears[0], ears[1], noise)
    return Track(
        progress=frames.times * frames.rate / len(sound.samples),
        seconds=len(sound.samples) / sound.rate,
        times=times,
        time_errors=_MIN_TIME_ERROR + _TIME_ERROR_IN_NOISE * ratio,
        levels=levels,
        level_errors=_MIN_LEVEL_ERROR + _LEVEL_ERROR_IN_NOISE * ratio,
        pitch=pitch,
        pitched=pitched,
        loudness=decibels(np.maximum(total - noise, 1e-30)),
        brightness=brightness(frames),
    )


def _sustained(frames: Frames) -> Frames | None:
    """Return the frames in which a sound stands, without gaps and edges."""
    level = decibels(frames.power.sum(axis=1))
    reach = max(1, round(_REACH_SECONDS / max(np.diff(frames.times).min(initial=1.0), 1e-3)))
    padded = np.pad(level, reach, mode="edge")
    strongest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    kept = (level > strongest - _EDGE_DB) & (level > THRESHOLD_OF_HEARING_DB)
    if not kept.any():
        return None
    return Frames(frames.times[kept], frames.spectra[:, kept], frames.rate, frames.size, frames.length)
