"""Binaural clips of a source that moves past a listener.

One mechanism gives every cue. Each ear receives the sound delayed by distance over speed of sound, which causes the
time difference between the ears and the Doppler shift, and attenuated in proportion to the distance, which causes the
level difference. A direction-dependent low-pass distinguishes front from back.

Source: AudioMotionBench, section 3.2. Choices where the paper leaves details open:

* Positions are 2.5 m from the listener, and every path takes the same time, so that the duration reveals no path.
* Pressure falls as 1/d, which is the paper's inverse square in power.
* Distances under 0.3 m count as 0.3 m, in delay, level and direction alike: some paths cross the head.
* The delay is that of the source's position at the moment of hearing. The source moves about 1 cm while its sound
  travels. (`places` handles fast or distant sources, and shares everything else.)
* The low-pass magnitude is of second order, without phase, and mixed by (1 + cos of the angle from the front) / 2 at
  the moment the sound is emitted; two filters without phase can be mixed without notches.
* All clips share one gain. Normalising each clip would remove the cue of how close the source came.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.synthesis.interpolation import fast_length, read_between, spline_coefficients
from evaluation.synthesis.noise import INT16_MAX
from evaluation.synthesis.scene import MotionParameters, StraightPath, Trajectory
from evaluation.synthesis.violin import Note, render_violin

RENDERER_VERSION = "1.0"
"""Changes whenever any clip's bytes change; it belongs in the signature of every score on rendered audio."""

# A full-scale source at the minimum distance reaches this share of the 16-bit scale. The rest is headroom for noise: at
# 15 dB the loudest of all paths needs a fifth of the scale for the peaks of its noise.
PEAK_SHARE = 0.7

# Silence around the source, beyond the longest delay, for the ends of filters and splines.
GUARD_SAMPLES = 64

# Arrays of this length stay in a core's cache, and avoid the system allocator's slow path for large ones.
BLOCK_SAMPLES = 8192

DEFAULT_PARAMETERS = MotionParameters()


class Shades(NamedTuple):
    """A source filtered for both ends of the front–back axis, for mixing.

    Attributes:
        dark: Spectrum of the sound from behind, after `lead` samples of silence.
        brightness: Additional signal from the front, sample by sample of the clip.
        lead: Samples of silence before the source, longer than any delay.
        length: Samples of the padded signal with the spectrum `dark`.
    """

    dark: NDArray[np.complex128]
    brightness: NDArray[np.float64]
    lead: int
    length: int


def render_motion(
    trajectory: Trajectory,
    *,
    notes: Sequence[Note] | Sequence[float] = (),
    source: NDArray[np.float64] | None = None,
    duration_seconds: float = 6.0,
    parameters: MotionParameters = DEFAULT_PARAMETERS,
) -> tuple[NDArray[np.int16], int]:
    """Render the signals of both ears for a source that moves along a path.

    A pure function: equal arguments give equal bytes. The clip starts with the source at the path's start and ends, one
    sample before it arrives, after `duration_seconds`; the speed is the path's length over that time.

    Args:
        trajectory: The path.
        notes: The moving melody: notes with their times, or only their fundamental frequencies in hertz, which are then
            spread evenly over the clip. Pass either this or `source`.
        source: Any other dry mono sound: (n,) within ±1 at the clip's sample rate. A longer one is cut, a shorter one
            is followed by silence.
        duration_seconds: Duration of the clip, rounded to whole samples.
        parameters: Physical parameters.

    Returns:
        The samples, int16 (n, 2) with the left ear first, and the sample rate. A source of amplitude a at distance d is
        heard with amplitude 0.7 · 32767 · a · 0.3 / d (for the default minimum distance of 0.3 m).

    Raises:
        ValueError: Neither or both of `notes` and `source` are given, one of them or the duration is out of bounds, or
            filtering moves the peaks of `source` off the 16-bit scale.
    """
    if not (math.isfinite(duration_seconds) and round(duration_seconds * parameters.sample_rate) > 0):
        raise ValueError(f"duration_seconds must be finite and at least one sample, got {duration_seconds!r}")
    if (source is None) == (not notes):
        raise ValueError("give either notes or a source to render, and not both")
    n_samples = round(duration_seconds * parameters.sample_rate)
    if source is None:
        shades = _shade_notes(_melody(notes, duration_seconds), n_samples, parameters)
    else:
        shades = shade(_fit_source(source, n_samples), parameters, _compass_lead(parameters))
    clip = np.empty((n_samples, 2), dtype=np.int16)
    path = trajectory.path
    _render_ears(turn_along(shades, path, parameters), shades.lead, path, parameters, out=clip)
    return clip, parameters.sample_rate


def _melody(notes: Sequence[Note] | Sequence[float], duration_seconds: float) -> tuple[Note, ...]:
    """Add times to notes that have none."""
    timed = tuple(note for note in notes if isinstance(note, Note))
    frequencies_hz = tuple(note for note in notes if not isinstance(note, Note))
    if timed and frequencies_hz:
        raise ValueError("notes are either all frequencies or all of type Note, got both")
    return timed or Note.sequence(frequencies_hz, duration_seconds)


def _fit_source(source: NDArray[np.float64], n_samples: int) -> NDArray[np.float64]:
    """Check a dry source and cut or extend it to the clip's duration."""
    source = np.asarray(source, dtype=np.float64)
    if source.ndim != 1:
        raise ValueError(f"a source is mono, of shape (n,), got shape {source.shape}")
    if not np.all(np.abs(source) <= 1.0):
        raise ValueError("a source must be finite and within ±1; scale it down")
    return np.pad(source[:n_samples], (0, max(0, n_samples - len(source))))


# The clips of one melody differ only in the path: its shades are cached, 1.5 MB for six seconds.
@lru_cache(maxsize=8)
def _shade_notes(notes: tuple[Note, ...], n_samples: int, parameters: MotionParameters) -> Shades:
    """Render notes and filter them."""
    return shade(render_violin(notes, n_samples, parameters.sample_rate), parameters, _compass_lead(parameters))


def _compass_lead(parameters: MotionParameters) -> int:
    return math.ceil(parameters.longest_delay_samples) + GUARD_SAMPLES


def shade(dry: NDArray[np.float64], parameters: MotionParameters, lead: int, trail: int = GUARD_SAMPLES) -> Shades:
    """Filter a dry source for both ends of the front–back axis, with silence before and after it, in samples."""
    length = fast_length(lead + len(dry) + trail)
    behind, added = _responses(length, parameters)
    padded = np.zeros(length)
    padded[lead : lead + len(dry)] = dry
    spectrum = np.fft.rfft(padded)
    # The padded source is no longer needed; reuse its memory for the frontal part.
    brightness = np.fft.irfft(spectrum * added, length, out=padded)[lead : lead + len(dry)]
    spectrum *= behind
    spectrum.flags.writeable = brightness.flags.writeable = False
    return Shades(spectrum, brightness, lead, length)


@lru_cache(maxsize=8)
def _responses(length: int, parameters: MotionParameters) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the magnitude from behind, and the difference between front and behind, for each bin of the spectrum."""
    frequency_hz = np.fft.rfftfreq(length, 1.0 / parameters.sample_rate)
    behind = 1.0 / np.sqrt(1.0 + (frequency_hz / parameters.rear_cutoff_hz) ** 4)
    ahead = 1.0 / np.sqrt(1.0 + (frequency_hz / parameters.front_cutoff_hz) ** 4)
    added = ahead - behind
    behind.flags.writeable = added.flags.writeable = False
    return behind, added


def turn_along(shades: Shades, path: StraightPath, parameters: MotionParameters) -> NDArray[np.float64]:
    """Return the spline of a source's emitted sound, filtered by its direction along its path, for `read_between`."""
    added = np.zeros(shades.length)
    _mix_shades(shades, path, parameters, out=added)
    spectrum = np.fft.rfft(added)
    spectrum += shades.dark
    return spline_coefficients(spectrum, shades.length)


def _mix_shades(shades: Shades, path: StraightPath, parameters: MotionParameters, out: NDArray[np.float64]) -> None:
    """Write the brightness for each moment's direction, after the leading silence."""
    n_samples = len(shades.brightness)
    for begin in range(0, n_samples, BLOCK_SAMPLES):
        index = np.arange(begin, min(begin + BLOCK_SAMPLES, n_samples))
        x, y = path.locate(index / n_samples)
        share_ahead = 0.5 + 0.5 * (y / parameters.distances(x, y))
        first = shades.lead + begin
        out[first : first + len(index)] = share_ahead * shades.brightness[begin : begin + len(index)]


def _render_ears(
    coefficients: NDArray[np.float64],
    lead: int,
    path: StraightPath,
    parameters: MotionParameters,
    out: NDArray[np.int16],
) -> None:
    """Write the signals of both ears, delayed and attenuated by the distance to each."""
    n_samples = len(out)
    half = 0.5 * parameters.ear_distance_metres
    gain = PEAK_SHARE * INT16_MAX * parameters.minimum_distance_metres
    for begin in range(0, n_samples, BLOCK_SAMPLES):
        index = np.arange(begin, min(begin + BLOCK_SAMPLES, n_samples))
        x, y = path.locate(index / n_samples)
        for ear, ear_x in enumerate((-half, half)):
            distances = parameters.distances(x - ear_x, y)
            values = read_between(coefficients, (lead + index) - parameters.samples_per_metre * distances)
            values *= gain / distances
            out[begin : begin + len(index), ear] = _quantise(values)


def _quantise(values: NDArray[np.float64]) -> NDArray[np.int16]:
    """Round to 16 bits; a value off the scale is an error, because clipping would change the sound."""
    np.rint(values, out=values)
    peak = max(values.max(), -values.min())
    if peak > INT16_MAX:
        raise ValueError(f"the source peaks at {peak:.0f} after filtering, beyond {INT16_MAX}; scale it down")
    return values.astype(np.int16)
