"""Tracks through a clip: sides, pitch, spectral envelope and level of every frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.listeners.hearing.brightness import brightness
from evaluation.listeners.hearing.frames import Frames, Reals, cut_frames
from evaluation.listeners.hearing.interaural import interaural_levels, interaural_times
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels
from evaluation.listeners.hearing.pitch import CLEAR, noise_between_partials, track_pitch
from evaluation.listeners.listener_types import Sound

# Frames this much below the strongest nearby frame are in a gap or on the edge of a note.
_EDGE_DB = 4.0
_REACH_SECONDS = 0.3

# Errors of the interaural differences, in seconds and in decibels: the residual without noise, and the addition for
# noise that is as strong in one bin of the spectrum as the sound in all of them.
_MIN_TIME_ERROR, _TIME_ERROR_IN_NOISE = 1.5e-5, 4e-4
_MIN_LEVEL_ERROR, _LEVEL_ERROR_IN_NOISE = 0.15, 12.0


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """Features of all audible frames.

    Attributes:
        progress: (frames,) position in the clip, from 0 to 1.
        seconds: Duration of the clip.
        times: (frames,) seconds by which the right ear leads; None for mono.
        time_errors: (frames,) errors of `times`.
        levels: (frames,) decibels by which the right ear exceeds the left; None for mono.
        level_errors: (frames,) errors of `levels`.
        pitch: (frames,) hertz.
        pitched: bool (frames,).
        loudness: (frames,) dBFS.
        brightness: (frames,) decibels.
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
    """Track one source through a clip; None if nothing is audible."""
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
    # Noise in one bin relative to the sound in all bins, as cross-correlation over the band sees it.
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
    """Return the frames with sustained sound, without gaps and edges."""
    level = decibels(frames.power.sum(axis=1))
    reach = max(1, round(_REACH_SECONDS / max(np.diff(frames.times).min(initial=1.0), 1e-3)))
    padded = np.pad(level, reach, mode="edge")
    strongest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    is_sustained = (level > strongest - _EDGE_DB) & (level > THRESHOLD_OF_HEARING_DB)
    if not is_sustained.any():
        return None
    return Frames(frames.times[is_sustained], frames.spectra[:, is_sustained], frames.rate, frames.size, frames.length)
