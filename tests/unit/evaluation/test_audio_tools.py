import math
from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.audio import (
    AudioError,
    decode_wav,
    encode_wav,
    extract_channel,
    join_with_silence,
    noise_like,
    pseudo_stereo,
    read_sound,
    write_sound,
)
from evaluation.audio.files import SampleFormat

RATE = 16_000


def a_sound(channels: int = 1, n: int = 4000, level: float = 0.1, seed: int = 0) -> NDArray[np.float64]:
    return np.clip(level * np.random.default_rng(seed).standard_normal((n, channels)), -1, 1)


def levels_db(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    levels: NDArray[np.float64] = 20 * np.log10(np.sqrt(np.mean(samples**2, axis=0)))
    return levels


def correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(np.mean((first - first.mean()) * (second - second.mean())) / (first.std() * second.std()))


def subtype_of(data: bytes) -> int:
    """Return the bits of a sample."""
    return int.from_bytes(data[34:36], "little")


def test_join_puts_two_seconds_of_silence_only_between_sounds() -> None:
    first, second = a_sound(1, 100), a_sound(1, 50, seed=1)
    joined, rate = read_sound(join_with_silence([write_sound(sound, RATE) for sound in (first, second)]))
    assert (rate, joined.shape) == (RATE, (100 + 2 * RATE + 50, 1))
    assert not joined[100:-50].any()
    assert joined[:100] == pytest.approx(first, abs=2**-16)
    assert joined[-50:] == pytest.approx(second, abs=2**-16)


def test_join_of_16_bit_sounds_preserves_every_sample() -> None:
    samples = [np.array(values, dtype=np.int16) for values in ([1, -32768, 32767], [-5], [7, 8])]
    joined, _ = decode_wav(join_with_silence([encode_wav(signal, RATE) for signal in samples], 2 / RATE))
    assert joined.tolist() == [1, -32768, 32767, 0, 0, -5, 0, 0, 7, 8]


def test_join_of_one_sound_returns_it() -> None:
    data = write_sound(a_sound(2), RATE)
    assert join_with_silence([data]) == data


def test_join_of_mono_and_stereo_repeats_mono_in_both_channels() -> None:
    mono, stereo = a_sound(1, 100), a_sound(2, 100)
    joined, _ = read_sound(join_with_silence([write_sound(mono, RATE), write_sound(stereo, RATE)], 0.0))
    assert joined.shape == (200, 2)
    assert np.array_equal(joined[:100, 0], joined[:100, 1])
    assert joined[100:] == pytest.approx(stereo, abs=2**-16)


def test_join_uses_the_finest_sample_format() -> None:
    coarse, fine, finest = (
        write_sound(a_sound(), RATE, sample_format=sample_format) for sample_format in ("int16", "int24", "float32")
    )
    assert [subtype_of(join_with_silence(pair)) for pair in ([coarse, coarse], [coarse, fine], [fine, finest])] == [
        16,
        24,
        32,
    ]


def test_join_of_incompatible_or_invalid_input_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[bytes], float, str]] = [
        ([], 2.0, "no audio"),
        (
            [write_sound(a_sound(), 16_000), write_sound(a_sound(), 44_100)],
            2.0,
            r"different sample rates \(16000, 44100 Hz\)",
        ),
        ([write_sound(a_sound(2), RATE), write_sound(a_sound(3), RATE)], 2.0, "2, 3 channels"),
        ([write_sound(a_sound(), RATE), b"noise"], 2.0, "unreadable audio"),
        ([write_sound(a_sound(), RATE)], -1.0, "silence"),
        ([write_sound(a_sound(), RATE)], math.nan, "silence"),
        ([write_sound(a_sound(), RATE)] * 2, 1e9, "silence"),
    ]
    for sounds, seconds, message in rows:
        with subtests.test(message), pytest.raises(AudioError, match=message):
            join_with_silence(sounds, seconds)


def test_noise_matches_format_and_level_of_each_channel(subtests: pytest.Subtests) -> None:
    for sample_format in get_args(SampleFormat):
        for level in (0.0005, 0.01, 0.25):
            with subtests.test(level=level, sample_format=sample_format):
                sound = np.hstack((a_sound(1, level=level), a_sound(1, level=level / 3, seed=1)))
                data = write_sound(sound, RATE, sample_format=sample_format)
                noisy = noise_like(data, np.random.default_rng(4))
                noise, rate = read_sound(noisy)
                assert (rate, noise.shape, subtype_of(noisy)) == (RATE, sound.shape, subtype_of(data))
                assert levels_db(noise) == pytest.approx(levels_db(read_sound(data)[0]), abs=0.1)
                assert abs(correlation(noise[:, 0], noise[:, 1])) < 0.1, "channels are independent"
                assert abs(correlation(noise[:, 0], sound[:, 0])) < 0.1


def test_noise_is_white_and_not_clipped_at_any_level(subtests: pytest.Subtests) -> None:
    for level in (0.1, 0.5, 0.99, 1.0):
        with subtests.test(level=level):
            square = level * np.sign(np.sin(np.arange(32_768) / 20 + 0.1))
            noise, _ = read_sound(noise_like(write_sound(square, RATE), np.random.default_rng(4)))
            assert levels_db(noise) == pytest.approx(levels_db(square[:, None]), abs=0.1)
            bands = (np.abs(np.fft.rfft(noise[:, 0])) ** 2)[1:].reshape(8, -1).sum(axis=1)
            assert np.ptp(10 * np.log10(bands)) < 1
            assert (np.abs(noise) >= 1 - 2**-15).mean() in (0, 1) or level < 1.0


def test_noise_for_silence_is_silence() -> None:
    data = write_sound(np.zeros((100, 2)), RATE)
    assert noise_like(data, np.random.default_rng(0)) == data


def test_noise_is_gaussian_if_it_fits_and_flatter_otherwise() -> None:
    kurtosis = []
    for level in (0.1, 0.5, 0.9):
        square = level * np.sign(np.sin(np.arange(32_768) / 20 + 0.1))
        noise, _ = read_sound(noise_like(write_sound(square, RATE), np.random.default_rng(4)))
        kurtosis.append(float(np.mean(noise**4) / np.mean(noise**2) ** 2))
    assert kurtosis == pytest.approx([3.0, 1.8, 1.0], abs=0.15)


@pytest.mark.parametrize("every", [3, 100])
def test_noise_too_faint_for_the_sample_format_is_stored_as_float_at_the_same_level(every: int) -> None:
    faint = np.zeros(4000)
    faint[::every] = 2**-15
    noisy = noise_like(write_sound(faint, RATE), np.random.default_rng(0))
    assert subtype_of(noisy) == 32
    assert levels_db(read_sound(noisy)[0]) == pytest.approx(levels_db(faint[:, None]), abs=0.1)


def test_noise_depends_on_its_seed_only() -> None:
    data = write_sound(a_sound(), RATE)
    first, again, other = (noise_like(data, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("sample_format", ["int16", "int24", "float32"])
def test_average_of_pseudo_stereo_is_exact_silence(sample_format: SampleFormat) -> None:
    sound = np.vstack((a_sound(), [[-1.0], [1.0]]))
    data = write_sound(sound, RATE, sample_format=sample_format)
    stereo, rate = read_sound(pseudo_stereo(data))
    assert (rate, stereo.shape) == (RATE, (len(sound), 2))
    assert not stereo.mean(axis=1).any()
    assert stereo[:-2, 0].any()
    assert np.array_equal(stereo[:-2, :1], read_sound(data)[0][:-2])
    assert np.abs(stereo[-2:]).min() >= 1 - 2**-15


def test_channels_of_pseudo_stereo_are_exact_negatives() -> None:
    both = pseudo_stereo(write_sound(a_sound(), RATE))
    left, right = (decode_wav(extract_channel(both, channel))[0] for channel in (0, 1))
    assert np.array_equal(left, -right)


def test_pseudo_stereo_of_several_channels_is_refused() -> None:
    with pytest.raises(AudioError, match="mono audio is required, got 2 channels"):
        pseudo_stereo(write_sound(a_sound(2), RATE))


@pytest.mark.parametrize("tool", [pseudo_stereo, lambda data: noise_like(data, np.random.default_rng(0))])
def test_every_tool_refuses_invalid_audio(tool: Callable[[bytes], bytes]) -> None:
    with pytest.raises(AudioError, match="unreadable audio"):
        tool(b"no sound")
