"""Items about tones: the audiogram, and pairs that differ in pitch, loudness or duration.

Each cell of the audiogram has one item. At each level the tone is in the first half, in the second half or absent at
four frequencies each, for one of them at three. If it is absent, the cell counts a correct rejection.
"""

from collections.abc import Iterator

import numpy as np

from evaluation.benchmarks.star_bench.design import FREQUENCIES_HZ, LEVELS_DB_HL
from evaluation.benchmarks.star_bench.rendered.planned import FIRST, SECOND, Planned, order_pair, pairs_of_levels
from evaluation.benchmarks.star_bench.rendered.stimuli import Tones
from evaluation.synthesis.tones import Tone, amplitude_of_level

ABSENT_TONE = 2

PITCH_CENTS = (0, 50, 100, 200, 400, 1200)
LOUDNESS_DB = (0, 4, 8, 12, 24, 48)
DURATION_PERCENT = (0, 20, 50, 100, 150, 200)
PAIRS_PER_LEVEL = 20

_AUDIOGRAM_SECONDS, _AUDIOGRAM_TONE_SECONDS = 3.0, 1.0
_LEAD_SECONDS, _GAP_SECONDS, _TONE_SECONDS = 0.2, 0.4, 0.6
_PAIR_SECONDS, _DURATION_PAIR_SECONDS = 2.0, 3.4


def plan_audiogram(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield a tone, or silence, for each frequency and level."""
    offset = int(rng.integers(3))
    for row, level_db_hl in enumerate(LEVELS_DB_HL):
        answers = [answer for answer in (FIRST, SECOND, ABSENT_TONE) for _ in range(4)]
        answers.remove((row + offset) % 3)
        for frequency_hz, answer in zip(FREQUENCIES_HZ, rng.permutation(answers), strict=True):
            begin = float(rng.uniform(0.1, 0.4)) + _AUDIOGRAM_SECONDS / 2 * int(answer == SECOND)
            amplitude = amplitude_of_level(frequency_hz, level_db_hl)
            tone = Tone(float(frequency_hz), begin, _AUDIOGRAM_TONE_SECONDS, amplitude)
            tones = () if answer == ABSENT_TONE else (tone,)
            sound = Tones(tones, _AUDIOGRAM_SECONDS, _vary(rng), is_fine=True)
            yield Planned(int(answer), (sound,), frequency_hz=frequency_hz, level_db_hl=level_db_hl)


def plan_pitch(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs of tones that differ in pitch."""
    for level, cents, answer in pairs_of_levels(PITCH_CENTS, PAIRS_PER_LEVEL):
        low = float(200 * 4 ** rng.random())
        pitches = order_pair(answer, low * 2 ** (cents / 1200), low)
        amplitude = float(rng.uniform(0.3, 0.5))
        yield Planned(answer, (_two_tones(rng, pitches, (amplitude, amplitude)),), level)


def plan_loudness(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs of tones that differ in level."""
    for level, decibels, answer in pairs_of_levels(LOUDNESS_DB, PAIRS_PER_LEVEL):
        pitch = float(300 * 5 ** rng.random())
        loud = float(rng.uniform(0.25, 0.5))
        yield Planned(
            answer, (_two_tones(rng, (pitch, pitch), order_pair(answer, loud, loud * 10 ** (-decibels / 20))),), level
        )


def plan_duration(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs of tones that differ in duration; all clips have the same duration."""
    for level, percent, answer in pairs_of_levels(DURATION_PERCENT, PAIRS_PER_LEVEL):
        pitch, short = float(300 * 4 ** rng.random()), float(rng.uniform(0.4, 0.6))
        first, second = order_pair(answer, short * (1 + percent / 100), short)
        begin = _LEAD_SECONDS + first + _GAP_SECONDS
        tones = (Tone(pitch, _LEAD_SECONDS, first, 0.4), Tone(pitch, begin, second, 0.4))
        yield Planned(answer, (Tones(tones, _DURATION_PAIR_SECONDS, _vary(rng)),), level)


def _vary(rng: np.random.Generator) -> str:
    return rng.bytes(8).hex()


def _two_tones(rng: np.random.Generator, pitches: tuple[float, float], amplitudes: tuple[float, float]) -> Tones:
    begins = (_LEAD_SECONDS, _LEAD_SECONDS + _TONE_SECONDS + _GAP_SECONDS)
    tones = zip(pitches, begins, amplitudes, strict=True)
    return Tones(tuple(Tone(pitch, at, _TONE_SECONDS, level) for pitch, at, level in tones), _PAIR_SECONDS, _vary(rng))
