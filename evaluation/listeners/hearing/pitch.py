"""Pitch tracking: the fundamental of each frame, refined on its partials."""

import numpy as np

from evaluation.listeners.hearing.frames import Frames, Reals
from evaluation.listeners.hearing.interaural import parabolic_peaks
from evaluation.listeners.listener_types import Sound

LOWEST_HZ, HIGHEST_HZ = 60.0, 2000.0
# Lags whose correlation comes this close to the best one are equally good; the shortest of them is the period.
_NEARLY = 0.9
# Step of the lags, as a fraction of a sample.
_FINER = 4
_PARTIALS = np.arange(1, 9)
_FEWEST_SAMPLES = 32
CLEAR = 0.5
"""Minimum periodicity of a frame with a pitch."""


def track_pitch(frames: Frames) -> tuple[Reals, Reals]:
    """Return the fundamental of every frame in hertz, and its periodicity, from 0 to 1."""
    coarse, periodicity = _find_periods(frames)
    return _refine_pitch(frames, coarse), periodicity


def _find_periods(frames: Frames) -> tuple[Reals, Reals]:
    """Find periods by autocorrelation, corrected for the decay due to the window."""
    shortest = _FINER * max(2, int(frames.rate / HIGHEST_HZ))
    longest = _FINER * min(int(frames.rate / LOWEST_HZ) + 1, frames.size // 3)
    if longest - shortest < 3:
        return np.zeros(len(frames.times)), np.zeros(len(frames.times))
    audible = (frames.frequencies >= 0.8 * LOWEST_HZ) & (frames.frequencies <= 5000.0)
    rows = np.fft.irfft(frames.power * audible, _FINER * frames.size)[:, :longest]
    rows = rows[:, shortest:] / np.maximum(rows[:, :1], 1e-300) / _find_window_decay(frames.length, shortest, longest)
    peaks = (rows[:, 1:-1] >= rows[:, :-2]) & (rows[:, 1:-1] >= rows[:, 2:])
    peaks &= rows[:, 1:-1] > _NEARLY * rows.max(axis=1, keepdims=True)
    first = np.where(peaks.any(axis=1), np.argmax(peaks, axis=1) + 1, np.argmax(rows, axis=1))
    near = np.clip(first[:, None] + np.arange(-1, 2), 0, rows.shape[1] - 1)
    place, height = parabolic_peaks(rows[np.arange(len(rows))[:, None], near])
    return _FINER * frames.rate / (shortest + first - 1 + place), np.clip(height, 0.0, 1.0)


def _find_window_decay(length: int, shortest: int, longest: int) -> Reals:
    """Return the decay of a Hann window's autocorrelation over lags in fine steps."""
    share = np.arange(shortest, longest) / (_FINER * length)
    turn = 2.0 * np.pi * share
    fall: Reals = (1.0 - share) * (2.0 / 3.0 + np.cos(turn) / 3.0) + np.sin(turn) / (2.0 * np.pi)
    return np.maximum(fall, 0.1)


def _refine_pitch(frames: Frames, coarse: Reals) -> Reals:
    """Return the mean fundamental over partials, weighted by amplitude and number."""
    magnitudes = np.sqrt(frames.power)
    bin_hz = frames.rate / frames.size
    centres = np.rint(coarse[:, None] * _PARTIALS / bin_hz).astype(np.int64)
    inside = (centres > 1) & (centres < magnitudes.shape[1] - 2)
    centres = np.clip(centres, 2, magnitudes.shape[1] - 3)
    rows = np.log(np.maximum(magnitudes, 1e-15))
    index = np.arange(len(rows))[:, None, None]
    near = rows[index, centres[:, :, None] + np.arange(-2, 3)]
    place, height = parabolic_peaks(near.reshape(-1, 5))
    place, height = place.reshape(centres.shape), height.reshape(centres.shape)
    weights = inside * np.exp(height) * _PARTIALS
    fundamentals = (centres - 2 + place) * bin_hz / _PARTIALS
    total = weights.sum(axis=1)
    refined = np.divide((weights * fundamentals).sum(axis=1), total, out=coarse.copy(), where=total > 1e-12)
    return np.where(np.abs(refined - coarse) < 0.05 * np.maximum(coarse, 1.0), refined, coarse)


def noise_between_partials(frames: Frames, pitch: Reals) -> Reals:
    """Return the noise power per bin of every frame, measured halfway between two partials."""
    numbers = np.arange(1, 13) + 0.5
    places = np.rint(pitch[:, None] * numbers * frames.size / frames.rate).astype(np.int64)
    last = frames.power.shape[1] - 1
    power = frames.power[np.arange(len(places))[:, None], np.minimum(places, last)]
    inside = (places < 0.95 * last) | (places == places.min(axis=1, keepdims=True))
    # The median of an exponential distribution is ln 2 times its mean.
    return np.asarray(np.nanmedian(np.where(inside, power, np.nan), axis=1) / np.log(2.0))


def strongest_partial(sound: Sound) -> tuple[float, float]:
    """Return the frequency of a sound's strongest partial in hertz, and its share of the sound's power."""
    if len(sound.samples) < _FEWEST_SAMPLES:
        return 0.0, 0.0
    window = np.hanning(len(sound.samples) + 2)[1:-1, None]
    size = 2 << (len(sound.samples) - 1).bit_length()
    spectrum = np.fft.rfft(sound.samples * window, size, axis=0)
    power: Reals = np.sum(np.square(spectrum.real) + np.square(spectrum.imag), axis=1)
    power[: max(2, int(20.0 * size / sound.rate))] = 0.0
    if power.max() <= 0.0:
        return 0.0, 0.0
    best = int(np.clip(np.argmax(power), 1, len(power) - 2))
    place, _ = parabolic_peaks(np.log(np.maximum(power[None, best - 1 : best + 2], 1e-300)))
    reach = int(np.ceil(6.0 * size / len(sound.samples)))
    share = float(power[max(0, best - reach) : best + reach + 1].sum() / power.sum())
    return float((best - 1 + place[0]) * sound.rate / size), share
