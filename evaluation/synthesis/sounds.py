"""Short everyday sounds from a few parameters: the building blocks of scenes.

They are sketches: recognisable by ear and by simple analysis (pitch, envelope, rhythm, spectrum), not recordings. Every
function returns float64 samples (n,) of one channel with a peak near 1; time is in seconds, pitch in hertz.
"""

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.synthesis.household import HOUSEHOLD
from evaluation.synthesis.sketches import Samples, SoundSketch, fade, knock_at, normalise, sing, smooth

# Frequencies of the keys of a telephone, ITU-T Q.23.
_KEY_ROWS, _KEY_COLUMNS = (697.0, 770.0, 852.0, 941.0), (1209.0, 1336.0, 1477.0)
_KEYS = {key: (_KEY_ROWS[n // 3], _KEY_COLUMNS[n % 3]) for n, key in enumerate("123456789*0#")}
_BELL_PARTIALS = ((0.5, 0.6, 1.0), (1.0, 1.0, 0.7), (1.2, 0.5, 0.6), (2.0, 0.6, 0.4), (2.7, 0.3, 0.25))


def tone(sound: SoundSketch) -> Samples:
    """A steady pure tone."""
    return fade(np.sin(2 * np.pi * sound.pitch_or(440.0) * sound.time), sound.rate)


def glide(sound: SoundSketch) -> Samples:
    """A tone that moves from one pitch to another, evenly in semitones."""
    start = sound.pitch_or(300.0)
    end = start * 2 if sound.pitch_to is None else sound.pitch_to
    return fade(sing(start * (end / start) ** sound.share, sound.rate), sound.rate)


def bell(sound: SoundSketch) -> Samples:
    """A struck bell: inharmonic partials, the higher the sooner gone."""
    length = max(sound.n / sound.rate, 0.05)
    partials = [
        level
        * np.sin(2 * np.pi * sound.pitch_or(660.0) * ratio * sound.time)
        * np.exp(-4 * sound.time / (life * length))
        for ratio, level, life in _BELL_PARTIALS
    ]
    return normalise(np.sum(partials, axis=0))


def click(sound: SoundSketch) -> Samples:
    """One short knock on something hard."""
    return knock_at(sound, [0.0], sound.pitch_or(1800.0), 0.012)


def knock(sound: SoundSketch) -> Samples:
    """Knuckles on wood, three times a second."""
    return knock_at(sound, np.arange(0, sound.n / sound.rate, 1 / 3), sound.pitch_or(220.0), 0.05)


def footsteps(sound: SoundSketch) -> Samples:
    """Steps, two a second."""
    return knock_at(sound, np.arange(0, sound.n / sound.rate, 0.5), sound.pitch_or(110.0), 0.06)


def bounce(sound: SoundSketch) -> Samples:
    """A ball that comes to rest: each interval, and each impact, is 0.7 of the one before."""
    length, times = sound.n / sound.rate, [0.0]
    interval = 0.3 * length
    while interval > 0.02 and times[-1] + interval < length:
        times.append(times[-1] + interval)
        interval *= 0.7
    return knock_at(sound, times, sound.pitch_or(400.0), 0.03, [0.7**n for n in range(len(times))])


def door(sound: SoundSketch) -> Samples:
    """A door that falls shut: one low, long impact."""
    return knock_at(sound, [0.0], sound.pitch_or(70.0), 0.15)


def pour(sound: SoundSketch) -> Samples:
    """Water into a vessel: the resonance rises as the vessel fills."""
    start = sound.pitch_or(300.0)
    end = start * 4 if sound.pitch_to is None else sound.pitch_to
    hiss = smooth(sound.rng.standard_normal(sound.n), 6)
    return fade(normalise(hiss * (0.3 + np.abs(sing(start + (end - start) * sound.share**2, sound.rate)))), sound.rate)


def siren(sound: SoundSketch) -> Samples:
    """A siren that swings up and down by a fifth, once every one and a half seconds."""
    swing = 1 + 0.25 * np.sin(2 * np.pi * sound.time / 1.5)
    return fade(sing(sound.pitch_or(700.0) * swing, sound.rate, (1.0, 0.4, 0.2)), sound.rate)


def alarm(sound: SoundSketch) -> Samples:
    """A beeper: four beeps a second."""
    gate = (sound.time * 4 % 1 < 0.5).astype(np.float64)
    return fade(np.sin(2 * np.pi * sound.pitch_or(2000.0) * sound.time) * smooth(gate, sound.rate // 400), sound.rate)


def ring(sound: SoundSketch) -> Samples:
    """A telephone bell: two pitches that alternate twenty times a second, one second in two."""
    pitch = sound.pitch_or(800.0)
    swing = np.where(sound.time * 20 % 1 < 0.5, pitch, 1.25 * pitch)
    gate = (sound.time % 2 < 1).astype(np.float64)
    return fade(sing(swing, sound.rate, (1.0, 0.5)) * smooth(gate, sound.rate // 100), sound.rate)


def dial(sound: SoundSketch) -> Samples:
    """Keys of a telephone, evenly spread, each pressed for half of its share of the time."""
    share = sound.n // max(len(sound.digits), 1)
    out, time = np.zeros(sound.n), np.arange(share // 2) / sound.rate
    for place, key in enumerate(sound.digits):
        low, high = _KEYS[key]
        pressed = np.sin(2 * np.pi * low * time) + np.sin(2 * np.pi * high * time)
        out[place * share : place * share + len(time)] = fade(pressed / 2, sound.rate)
    return out


def engine(sound: SoundSketch) -> Samples:
    """An engine: a low buzz with many harmonics, which may speed up or slow down."""
    start = sound.pitch_or(80.0)
    end = start if sound.pitch_to is None else sound.pitch_to
    buzz = sing(start + (end - start) * sound.share, sound.rate, tuple(1 / n for n in range(1, 9)))
    return fade(normalise(buzz + 0.1 * sound.rng.standard_normal(sound.n)), sound.rate)


def whistle(sound: SoundSketch) -> Samples:
    """A whistle: a high tone that trembles."""
    return fade(sing(sound.pitch_or(1500.0) * (1 + 0.02 * np.sin(2 * np.pi * 6 * sound.time)), sound.rate), sound.rate)


def noise(sound: SoundSketch) -> Samples:
    """White noise."""
    return fade(normalise(sound.rng.standard_normal(sound.n)), sound.rate)


def rain(sound: SoundSketch) -> Samples:
    """Rain: dull noise with drops."""
    drops = np.where(sound.rng.random(sound.n) < 60 / sound.rate, sound.rng.standard_normal(sound.n), 0.0)
    return fade(normalise(0.2 * smooth(sound.rng.standard_normal(sound.n), 8) + smooth(drops, 12) * 6), sound.rate)


def applause(sound: SoundSketch) -> Samples:
    """Many hands: bursts of noise at random times."""
    claps = np.where(sound.rng.random(sound.n) < 40 / sound.rate, 1.0, 0.0)
    body = np.exp(-np.arange(int(0.02 * sound.rate)) / (0.004 * sound.rate))
    envelope = np.convolve(claps, body)[: sound.n]
    return fade(normalise(sound.rng.standard_normal(sound.n) * envelope), sound.rate)


def splash(sound: SoundSketch) -> Samples:
    """Something falls into water: noise that is suddenly there and dies away."""
    return normalise(smooth(sound.rng.standard_normal(sound.n), 3) * np.exp(-5 * sound.share))


KINDS: Mapping[str, Callable[[SoundSketch], Samples]] = {
    kind.__name__: kind
    for kind in (
        tone, glide, bell, click, knock, footsteps, bounce, door, pour, siren, alarm, ring, dial, engine, whistle,
        noise, rain, applause, splash, *HOUSEHOLD.values(),
    )
}  # fmt: skip
