import math

import numpy as np
import pytest

from evaluation.audio import read_sound, write_sound
from evaluation.synthesis import Tone, amplitude_of_level, render_tones
from evaluation.synthesis.tones import REFERENCE_DB_SPL

RATE = 44_100
RAMP = 441


def test_tone_sounds_only_from_its_first_to_its_last_sample(subtests: pytest.Subtests) -> None:
    for begin_seconds, seconds in ((0.0, 0.5), (0.25, 0.1), (0.123456, 0.654321), (0.5, 0.5)):
        for frequency_hz in (125.0, 1000.0, 8000.0):
            with subtests.test(frequency_hz=frequency_hz, begin_seconds=begin_seconds, seconds=seconds):
                samples = render_tones([Tone(frequency_hz, begin_seconds, seconds, 0.5)], 1.0)
                assert samples.dtype == np.float64
                assert len(samples) == RATE
                sounding = np.flatnonzero(samples)
                assert sounding[0] == round(begin_seconds * RATE)
                assert sounding[-1] == round(begin_seconds * RATE) + round(seconds * RATE) - 1


def test_tone_has_its_frequency_and_level_between_the_ramps() -> None:
    samples = render_tones([Tone(1000.0, 0.1, 0.52, 0.25)], 1.0)
    steady = samples[round(0.1 * RATE) + RAMP :][: RATE // 2]
    spectrum = np.abs(np.fft.rfft(steady)) * 2 / len(steady)
    assert np.argmax(spectrum) == 500, "half a second of it: 2 Hz a bin"
    assert spectrum[500] == pytest.approx(0.25, rel=1e-9)
    assert np.delete(spectrum, 500).max() < 1e-12


def test_ramps_of_a_tone_are_raised_cosines_within_its_length() -> None:
    samples = render_tones([Tone(500.0, 0.0, 0.2, 1.0)], 0.2)
    time = np.arange(RAMP) + 0.5
    rising = np.sin(np.pi * time / (2 * RAMP)) ** 2 * np.sin(2 * np.pi * 500.0 * time / RATE)
    assert samples[:RAMP] == pytest.approx(rising, abs=1e-12)
    assert np.abs(samples) == pytest.approx(np.abs(samples[::-1]), abs=1e-9)


def test_overlapping_tones_are_added_and_no_tones_are_silence() -> None:
    first, second = Tone(300.0, 0.0, 0.5, 0.2), Tone(700.0, 0.25, 0.5, 0.3)
    both = render_tones([first, second], 1.0)
    assert np.array_equal(both, render_tones([first], 1.0) + render_tones([second], 1.0))
    assert not render_tones([], 0.1).any()


def test_other_sample_rate_changes_positions_and_keeps_the_frequency() -> None:
    samples = render_tones([Tone(1000.0, 0.5, 0.5, 1.0)], 1.0, sample_rate=16_000)
    assert np.flatnonzero(samples)[[0, -1]].tolist() == [8000, 15_999]
    assert np.argmax(np.abs(np.fft.rfft(samples[8000:]))) == 500


def test_tone_out_of_bounds_is_refused(subtests: pytest.Subtests) -> None:
    rows = [
        ((0.0, 0.0, 0.5, 0.5), "frequency"),
        ((math.nan, 0.0, 0.5, 0.5), "frequency"),
        ((440.0, -0.1, 0.5, 0.5), "begins"),
        ((440.0, 0.0, 0.019, 0.5), "lasts"),
        ((440.0, 0.0, math.inf, 0.5), "lasts"),
        ((440.0, 0.0, 0.5, 1.01), "amplitude"),
        ((440.0, 0.0, 0.5, 0.0), "amplitude"),
        ((440.0, 0.0, 0.5, math.nan), "amplitude"),
    ]
    for values, message in rows:
        with subtests.test(values=values, message=message), pytest.raises(ValueError, match=message):
            Tone(*values)


def test_tone_that_does_not_fit_the_clip_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Tone, float, str]] = [
        (Tone(440.0, 0.6, 0.5, 0.5), 1.0, "after the clip's end"),
        (Tone(22_050.0, 0.0, 0.5, 0.5), 1.0, "does not fit"),
        (Tone(440.0, 0.0, 0.5, 0.5), 0.0, "one sample"),
        (Tone(440.0, 0.0, 0.5, 0.5), math.nan, "one sample"),
    ]
    for tone, total_seconds, message in rows:
        with subtests.test(message), pytest.raises(ValueError, match=message):
            render_tones([tone], total_seconds)


def test_reference_levels_equal_the_standard() -> None:
    assert REFERENCE_DB_SPL == {
        125: 30.5, 250: 18, 500: 11, 750: 6, 1000: 5.5, 1500: 5.5, 2000: 4.5, 3000: 2.5, 4000: 9.5, 6000: 17, 8000: 17.5
    }  # fmt: skip


def test_amplitude_of_level_is_exact_over_the_whole_audiogram(subtests: pytest.Subtests) -> None:
    for frequency_hz in REFERENCE_DB_SPL:
        with subtests.test(frequency_hz=frequency_hz):
            for level in range(-10, 111, 10):
                amplitude = amplitude_of_level(frequency_hz, level)
                assert 0 < amplitude <= 1
                assert 141 + 20 * math.log10(amplitude) == pytest.approx(
                    REFERENCE_DB_SPL[frequency_hz] + level, abs=1e-9
                )


def test_faintest_tone_of_the_audiogram_is_preserved_in_its_file() -> None:
    faint = render_tones([Tone(3000.0, 0.0, 0.5, amplitude_of_level(3000.0, -10.0))], 1.0)
    read, _ = read_sound(write_sound(faint, RATE, sample_format="float32"))
    assert np.abs(read).max() == pytest.approx(10 ** (-148.5 / 20), rel=1e-3)
    assert not read_sound(write_sound(faint, RATE))[0].any(), "16 bits cannot store it"


def test_amplitude_of_an_unknown_frequency_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no reference level for 900 Hz.*750, 1000"):
        amplitude_of_level(900.0, 40.0)


@pytest.mark.parametrize("level", [110.6, math.inf, math.nan])
def test_level_beyond_full_scale_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"at most 110.5 dB HL"):
        amplitude_of_level(125.0, level)
