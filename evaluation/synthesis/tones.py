"""Pure tones with exact start, duration and level, for audiograms and comparisons of two tones.

Levels in dB HL are relative to the faintest tone that young ears hear, which depends on frequency. The reference levels
are those of ISO 389-8 for circumaural earphones (HDA 200), in dB SPL. A file has no inherent dB SPL, so a sine of
amplitude 1 is defined as 141 dB SPL. The loudest required tone, 110 dB HL at 125 Hz, is 140.5 dB SPL and just fits, so
that nothing is ever clipped. The faintest, -10 dB HL at 3000 Hz, is 148.5 dB below full scale, far below the step of a
16-bit file (and of a 24-bit one). So all clips with levels in dB HL are float32 WAV files, even loud ones: the format
must not reveal the level.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

TONE_VERSION = "1"
"""Changes whenever any tone's bytes change; it belongs in the signature of every score on rendered tones."""

TONE_SAMPLE_RATE = 44_100
RAMP_SECONDS = 0.01
FULL_SCALE_DB_SPL = 141.0

REFERENCE_DB_SPL: Mapping[float, float] = MappingProxyType(
    {
        125.0: 30.5,
        250.0: 18.0,
        500.0: 11.0,
        750.0: 6.0,
        1000.0: 5.5,
        1500.0: 5.5,
        2000.0: 4.5,
        3000.0: 2.5,
        4000.0: 9.5,
        6000.0: 17.0,
        8000.0: 17.5,
    }
)
"""Frequency in hertz → dB SPL of 0 dB HL, ISO 389-8."""


@dataclass(frozen=True, slots=True)
class Tone:
    """A sine with a start and a duration.

    Attributes:
        frequency_hz: Its frequency.
        begin_seconds: Start, rounded to a whole sample.
        seconds: Duration including both ramps, rounded to whole samples.
        amplitude: Peak of the sine between the ramps; full scale is 1.
    """

    frequency_hz: float
    begin_seconds: float
    seconds: float
    amplitude: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.frequency_hz) and self.frequency_hz > 0):
            raise ValueError(f"a tone needs a positive frequency in hertz, got {self.frequency_hz!r}")
        if not (math.isfinite(self.begin_seconds) and self.begin_seconds >= 0):
            raise ValueError(f"a tone begins at 0 s or later, got {self.begin_seconds!r}")
        if not (math.isfinite(self.seconds) and self.seconds >= 2 * RAMP_SECONDS):
            raise ValueError(f"a tone lasts at least {2 * RAMP_SECONDS} s, got {self.seconds!r}")
        if not 0 < self.amplitude <= 1:
            raise ValueError(f"a tone's amplitude is more than 0 and at most 1, got {self.amplitude!r}")


def render_tones(
    tones: Iterable[Tone], total_seconds: float, sample_rate: int = TONE_SAMPLE_RATE
) -> NDArray[np.float64]:
    """Render tones, each with raised-cosine ramps of 10 ms within its duration.

    The first and the last sample of a tone are not 0, and all samples around it are: the sine is sampled at half steps,
    so that it does not start with a zero. Tones may overlap; they are added.

    Args:
        tones: Tones that end within the clip; may be empty for silence.
        total_seconds: Duration of the clip, rounded to whole samples.
        sample_rate: Sample rate in hertz.

    Returns:
        float64 (n,).

    Raises:
        ValueError: The duration is not positive, a tone ends after the clip, or a frequency does not fit the band.
    """
    if not (math.isfinite(total_seconds) and round(total_seconds * sample_rate) > 0):
        raise ValueError(f"a clip is at least one sample long, got {total_seconds!r} s")
    samples = np.zeros(round(total_seconds * sample_rate))
    for tone in tones:
        begin = round(tone.begin_seconds * sample_rate)
        end = begin + round(tone.seconds * sample_rate)
        if end > len(samples):
            raise ValueError(
                f"the tone at {tone.begin_seconds} s ends at {end / sample_rate} s, after the clip's end at "
                f"{total_seconds} s"
            )
        if tone.frequency_hz >= sample_rate / 2:
            raise ValueError(f"a tone of {tone.frequency_hz} Hz does not fit a clip of {sample_rate} samples a second")
        samples[begin:end] += _render_tone(tone, end - begin, sample_rate)
    return samples


def _render_tone(tone: Tone, n_samples: int, sample_rate: int) -> NDArray[np.float64]:
    samples: NDArray[np.float64] = tone.amplitude * np.sin(
        2 * np.pi * tone.frequency_hz / sample_rate * (np.arange(n_samples) + 0.5)
    )
    n_ramp = round(RAMP_SECONDS * sample_rate)
    ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(n_ramp) + 0.5) / n_ramp)
    samples[:n_ramp] *= ramp
    samples[-n_ramp:] *= ramp[::-1]
    return samples


def amplitude_of_level(frequency_hz: float, level_db_hl: float) -> float:
    """Return the amplitude of a tone at a hearing level.

    Args:
        frequency_hz: One of the audiometric frequencies of `REFERENCE_DB_SPL`.
        level_db_hl: Level above the threshold of normal hearing.

    Returns:
        The amplitude, where 1 is full scale and 141 dB SPL; see the module docstring for the effect on files.

    Raises:
        ValueError: The frequency has no reference level, or the level exceeds full scale.
    """
    if frequency_hz not in REFERENCE_DB_SPL:
        frequencies = ", ".join(f"{frequency:g}" for frequency in REFERENCE_DB_SPL)
        raise ValueError(f"there is no reference level for {frequency_hz:g} Hz; there is one for {frequencies} Hz")
    below_full_scale = REFERENCE_DB_SPL[frequency_hz] + level_db_hl - FULL_SCALE_DB_SPL
    if not (math.isfinite(below_full_scale) and below_full_scale <= 0):
        most = FULL_SCALE_DB_SPL - REFERENCE_DB_SPL[frequency_hz]
        raise ValueError(f"a tone of {frequency_hz:g} Hz has at most {most:g} dB HL, got {level_db_hl!r}")
    return float(10.0 ** (below_full_scale / 20.0))
