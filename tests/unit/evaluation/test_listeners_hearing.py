"""Acoustic analysis of the listeners, checked against the synthesis parameters."""

import numpy as np
import pytest

from evaluation.listeners import Sound
from evaluation.listeners.ears import MAX_FRAMES, EarsMemory, take_in
from evaluation.listeners.hearing.brightness import brightness
from evaluation.listeners.hearing.frames import cut_frames, make_sound
from evaluation.listeners.hearing.interaural import interaural_levels, interaural_times
from evaluation.listeners.hearing.levels import envelope, level_db
from evaluation.listeners.hearing.pitch import noise_between_partials, track_pitch
from evaluation.listeners.hearing.track import follow
from tests.support.samples.listening import harmonic, silence, stereo, tone

RATE = 16_000


def delayed_noise(delay_samples: float, n: int = 16_000) -> tuple[np.ndarray, np.ndarray]:
    """Return noise below 6 kHz, and the same noise delayed by any fraction of a sample."""
    rng = np.random.default_rng(1)
    spectrum = np.fft.rfft(0.1 * rng.standard_normal(n))
    bins = np.arange(len(spectrum))
    spectrum[bins > 0.75 * len(bins)] = 0
    late = spectrum * np.exp(-2j * np.pi * bins * delay_samples / n)
    return np.fft.irfft(spectrum, n), np.fft.irfft(late, n)


def test_interaural_times_of_delayed_noise_are_within_a_fifth_of_a_sample(subtests: pytest.Subtests) -> None:
    for delay in (-10.3, -4.0, -0.4, 0.0, 0.25, 3.5, 8.4, 12.0):
        with subtests.test(delay=delay):
            early, late = delayed_noise(delay)
            frames = cut_frames(stereo(late, early, RATE))
            times = interaural_times(frames.spectra[0], frames.spectra[1], RATE)
            assert np.abs(times * RATE - delay).max() < 0.2


def test_interaural_times_of_a_buzz_do_not_depend_on_the_sample_rate(subtests: pytest.Subtests) -> None:
    for microseconds in (-520, -130, 260, 600):
        for rate in (8_000, 16_000, 44_100, 48_000):
            with subtests.test(rate=rate, microseconds=microseconds):
                ahead = microseconds * 1e-6 * rate
                frames = cut_frames(stereo(harmonic(300, 1, rate), harmonic(300, 1, rate, ahead), rate))
                times = interaural_times(frames.spectra[0], frames.spectra[1], rate)
                assert np.abs(times * rate - ahead).max() < 0.2


def test_interaural_levels_are_the_ratio_of_the_ears_in_decibels() -> None:
    assert interaural_levels(np.array([1.0, 4.0]), np.array([2.0, 1.0])) == pytest.approx([3.0103, -6.0206], abs=1e-3)


def test_tracked_pitch_of_a_buzz_is_within_two_cents_of_its_fundamental(subtests: pytest.Subtests) -> None:
    for hertz in (82.4, 220.0, 440.7, 1000.0, 1760.0):
        with subtests.test(hertz=hertz):
            frames = cut_frames(stereo(harmonic(hertz, 1, RATE, n=4), harmonic(hertz, 1, RATE, n=4), RATE))
            pitch, periodicity = track_pitch(frames)
            assert np.abs(1200 * np.log2(pitch / hertz)).max() < 2
            assert periodicity.min() > 0.9


def test_tracked_pitch_of_noise_has_low_periodicity() -> None:
    noise = np.random.default_rng(0).standard_normal(RATE)
    _, periodicity = track_pitch(cut_frames(Sound(noise[:, None], RATE)))
    assert np.median(periodicity) < 0.4


def test_noise_between_partials_equals_the_added_noise() -> None:
    noise = 0.01 * np.random.default_rng(0).standard_normal(4 * RATE)
    alone = cut_frames(Sound(noise[:, None], RATE))
    mixed = cut_frames(Sound((noise + harmonic(440, 4, RATE, n=12))[:, None], RATE))
    estimate = np.median(noise_between_partials(mixed, np.full(len(mixed.times), 440.0)))
    assert estimate == pytest.approx(alone.power.mean(), rel=0.3)


def test_brightness_rises_by_the_gain_of_the_high_band() -> None:
    low, high = tone(500, 1, RATE), tone(4000, 1, RATE)
    dull = brightness(cut_frames(Sound((low + 0.1 * high)[:, None], RATE)))
    bright = brightness(cut_frames(Sound((low + 0.2 * high)[:, None], RATE)))
    assert bright - dull == pytest.approx(np.full(len(dull), 20 * np.log10(2)), abs=0.1)


def test_level_of_a_full_scale_sine_is_minus_three_decibels() -> None:
    assert level_db(np.sin(2 * np.pi * np.arange(1600) / 16)) == pytest.approx(-3.0103, abs=1e-3)
    assert level_db(np.zeros(5)) == level_db(np.zeros(0)) == pytest.approx(-300)


def test_envelope_follows_power() -> None:
    power, step = envelope(Sound(np.concatenate([np.zeros(RATE), np.full(RATE, 0.5)])[:, None], RATE))
    assert step == pytest.approx(0.005)
    assert power[:190].max() == 0
    assert power[210:390] == pytest.approx(0.25)


def test_follow_drops_the_frames_of_a_gap() -> None:
    samples = np.concatenate([tone(500, 1, RATE), silence(1, RATE), tone(500, 1, RATE)])
    track = follow(stereo(samples, samples, RATE))
    assert track is not None
    assert not ((track.progress > 0.37) & (track.progress < 0.63)).any()
    assert follow(stereo(silence(1, RATE), silence(1, RATE), RATE)) is None


def test_make_sound_of_broken_samples_is_finite() -> None:
    sound = make_sound(np.array([0.0, np.nan, np.inf, -np.inf]), 0)
    assert sound.samples.shape == (4, 1)
    assert not sound.samples.any()
    assert sound.rate == 1


def test_ears_memory_stores_at_most_its_maximum_number_of_samples() -> None:
    memory = EarsMemory(250)
    sounds = [Sound(np.full((50, 2), value), RATE) for value in (0.1, 0.2, 0.3)]
    first, second = (memory.recall(sound, both_ears=True) for sound in sounds[:2])
    assert memory.recall(sounds[0], both_ears=True) is first
    memory.recall(sounds[2], both_ears=True)
    assert memory.recall(sounds[0], both_ears=True) is first
    assert memory.recall(sounds[1], both_ears=True) is not second
    huge = Sound(np.zeros((MAX_FRAMES + 5, 1)), RATE)
    assert len(memory.recall(huge, both_ears=False).sound.samples) == MAX_FRAMES


def test_take_in_averages_more_than_two_channels() -> None:
    sound = Sound(np.arange(12.0).reshape(2, 6), RATE)
    assert take_in(sound, both_ears=True).samples.tolist() == [[2.5], [8.5]]
    assert take_in(Sound(sound.samples[:, :2], RATE), both_ears=True).samples.shape == (2, 2)
    assert take_in(Sound(sound.samples[:, :2], RATE), both_ears=False).samples.tolist() == [[0.5], [6.5]]
