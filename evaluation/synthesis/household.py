"""More sounds of house and street, as sketchy as those of `sounds`: hums, breaks, drips, creaks and spins."""

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.synthesis.sketches import Samples, SoundSketch, fade, knock_at, normalise, sing, smooth

_HUM_HARMONICS = (1.0, 0.6, 0.4, 0.3, 0.2, 0.1)
_SHARDS = 60


def hum(sound: SoundSketch) -> Samples:
    """A transformer or a small motor: a steady low tone and its harmonics."""
    return fade(sing(np.full(sound.n, sound.pitch_or(100.0)), sound.rate, _HUM_HARMONICS), sound.rate)


def bang(sound: SoundSketch) -> Samples:
    """An explosion: all at once, dull, and gone in a second or so."""
    thump = np.sin(2 * np.pi * sound.pitch_or(55.0) * sound.time)
    return normalise((smooth(sound.rng.standard_normal(sound.n), 6) + 0.5 * thump) * np.exp(-sound.time / 0.25))


def shatter(sound: SoundSketch) -> Samples:
    """Glass that breaks: a crack, and then bright shards, fewer and fewer."""
    crack = sound.rng.standard_normal(sound.n) * np.exp(-sound.time / 0.02)
    out = crack / max(float(np.abs(crack).max()), 1e-9)
    for at in np.minimum(sound.rng.exponential(0.18, _SHARDS), 0.8) * sound.n:
        time = np.arange(sound.n - int(at)) / sound.rate
        pitch, life = sound.rng.uniform(2500, 7000), sound.rng.uniform(0.01, 0.05)
        out[int(at) :] += 0.4 * np.sin(2 * np.pi * pitch * time) * np.exp(-time / life) * np.exp(-3 * at / sound.n)
    return normalise(out)


def drips(sound: SoundSketch) -> Samples:
    """Drops that fall into water, about twice a second: each a short chirp upwards."""
    out = np.zeros(sound.n)
    start = sound.pitch_or(800.0)
    for second in np.arange(0.05, sound.n / sound.rate, 0.5):
        begin = int((second + sound.rng.uniform(0, 0.2)) * sound.rate)
        time = np.arange(min(int(0.06 * sound.rate), max(sound.n - begin, 0))) / sound.rate
        out[begin : begin + len(time)] += sing(start * (1 + 15 * time), sound.rate) * np.exp(-time / 0.015)
    return normalise(out)


def creak(sound: SoundSketch) -> Samples:
    """A hinge: it sticks and slips, ever faster, and each slip rings in the wood."""
    beat = np.cumsum(18 + 40 * sound.share**2) / sound.rate
    slips = (np.flatnonzero(np.diff(np.floor(beat))) + sound.rng.integers(0, 60)) / sound.rate
    inside = slips[slips < sound.n / sound.rate]
    return fade(knock_at(sound, inside, sound.pitch_or(650.0), 0.008), sound.rate)


def sweep(sound: SoundSketch) -> Samples:
    """A broom or a brush: strokes of noise; the pitch is the number of strokes a second."""
    strokes = np.sin(np.pi * sound.pitch_or(1.5) * sound.time) ** 4
    return fade(normalise(smooth(sound.rng.standard_normal(sound.n), 3) * strokes), sound.rate)


def coin(sound: SoundSketch) -> Samples:
    """A coin that spins on a table and settles: it rattles ever faster and softer, and stops dead."""
    settled = 0.9 * sound.n / sound.rate
    left = np.maximum(1 - sound.time / settled, 0.0)
    beat = np.cumsum(np.where(left > 0, 5 / np.maximum(left, 0.02), 0.0)) / sound.rate
    times = np.flatnonzero(np.diff(np.floor(beat))) / sound.rate
    levels = [float(0.1 + 0.9 * (1 - time / settled)) for time in times]
    return knock_at(sound, times, sound.pitch_or(3200.0), 0.012, levels)


HOUSEHOLD: Mapping[str, Callable[[SoundSketch], Samples]] = {
    kind.__name__: kind for kind in (hum, bang, shatter, drips, creak, sweep, coin)
}
