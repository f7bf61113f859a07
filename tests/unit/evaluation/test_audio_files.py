import io
import math
import struct
from typing import Any, get_args

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.audio import AudioError, decode_wav, read_sound, write_sound
from evaluation.audio.files import MAX_SAMPLES, Form, SampleFormat

RATE = 16_000
STEPS: dict[SampleFormat, int] = {"int16": 2**15, "int24": 2**23}


def a_sound(channels: int = 2, n: int = 400, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(-1, 1, (n, channels))


def encode(samples: NDArray[np.float64], form: str = "WAV", subtype: str = "PCM_16", rate: int = RATE) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=form, subtype=subtype)
    return buffer.getvalue()


def chunks_of(data: bytes) -> list[bytes]:
    position, names = 12, []
    while position < len(data):
        names.append(data[position : position + 4])
        position += 8 + struct.unpack_from("<I", data, position + 4)[0]
    assert position == len(data)
    return names


def test_integer_file_keeps_samples_within_half_a_step(subtests: pytest.Subtests) -> None:
    for channels in (1, 2, 6):
        for sample_format in STEPS:
            for form in get_args(Form):
                with subtests.test(form=form, sample_format=sample_format, channels=channels):
                    samples = a_sound(channels)
                    read, rate = read_sound(write_sound(samples, RATE, form=form, sample_format=sample_format))
                    assert (rate, read.shape, read.dtype) == (RATE, samples.shape, np.dtype(np.float64))
                    assert np.abs(read - samples).max() <= 0.5 / STEPS[sample_format]
                    assert np.array_equal(read * STEPS[sample_format], np.rint(read * STEPS[sample_format]))


@pytest.mark.parametrize("sample_format", ["int16", "int24", "float32"])
def test_reading_and_rewriting_a_file_gives_identical_bytes(sample_format: SampleFormat) -> None:
    data = write_sound(a_sound(), RATE, sample_format=sample_format)
    assert write_sound(*read_sound(data), sample_format=sample_format) == data


@given(st.lists(st.integers(-(2**15), 2**15 - 1), min_size=1, max_size=50))
def test_every_16_bit_sample_is_preserved(values: list[int]) -> None:
    samples = np.array(values, dtype=np.int16)
    written = write_sound(samples / 2**15, RATE)
    assert np.array_equal(decode_wav(written)[0], samples)


def test_float_file_preserves_values_beyond_full_scale_and_below_one_step() -> None:
    samples = np.array([[3.5, -1e-8], [-100.0, 1e-30]])
    read, _ = read_sound(write_sound(samples, RATE, sample_format="float32"))
    assert read == pytest.approx(samples, rel=1e-7)


def test_float_file_has_no_timestamp_chunk_and_is_readable_by_other_libraries() -> None:
    samples = a_sound(2)
    data = write_sound(samples, RATE, sample_format="float32")
    assert chunks_of(data) == [b"fmt ", b"fact", b"data"]
    assert b"PEAK" in encode(samples, subtype="FLOAT"), "the library writes this chunk by default"
    read, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    assert rate == RATE
    assert np.array_equal(read, samples.astype(np.float32))
    assert soundfile.info(io.BytesIO(data)).subtype == "FLOAT"


@pytest.mark.parametrize(("form", "sample_format"), [("wav", "float32"), ("wav", "int24"), ("flac", "int16")])
def test_equal_samples_give_equal_bytes_at_any_time(form: Form, sample_format: SampleFormat) -> None:
    written = [write_sound(a_sound(), RATE, form=form, sample_format=sample_format) for _ in range(2)]
    assert written[0] == written[1]
    assert b"PEAK" not in written[0]


def test_one_dimensional_samples_are_one_channel() -> None:
    assert read_sound(write_sound(np.zeros(5), RATE))[0].shape == (5, 1)


@pytest.mark.parametrize("sample_format", ["int16", "int24"])
def test_full_scale_is_written_as_the_highest_step(sample_format: SampleFormat) -> None:
    read, _ = read_sound(write_sound(np.array([1.0, -1.0]), RATE, sample_format=sample_format))
    assert (read[:, 0] * STEPS[sample_format]).tolist() == [STEPS[sample_format] - 1, -STEPS[sample_format]]


def test_value_beyond_full_scale_is_refused_and_not_clipped(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Form, SampleFormat]] = [("wav", "int16"), ("wav", "int24"), ("flac", "int16"), ("flac", "int24")]
    for form, sample_format in rows:
        refused = pytest.raises(AudioError, match=r"peaks at 1.001 of full scale.*float32")
        with subtests.test(form=form, sample_format=sample_format), refused:
            write_sound(np.array([0.0, -1.001]), RATE, form=form, sample_format=sample_format)


def test_unsupported_samples_rates_and_formats_are_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[NDArray[np.float64], int, dict[str, Any], str]] = [
        (np.zeros((2, 2, 2)), RATE, {}, "shape"),
        (np.zeros(0), RATE, {}, "empty"),
        (np.zeros((0, 2)), RATE, {}, "empty"),
        (np.zeros((2, 17)), RATE, {}, "channels must be 1 to 16, got 17"),
        (np.zeros(2), 999, {}, "999"),
        (np.zeros(2), 400_000, {}, "400000"),
        (np.array([math.nan]), RATE, {"sample_format": "float32"}, "not numbers"),
        (np.array([math.inf]), RATE, {}, "not numbers"),
        (np.array([1e39]), RATE, {"sample_format": "float32"}, "beyond float32"),
        (np.zeros(2), RATE, {"form": "flac", "sample_format": "float32"}, "FLAC supports integer"),
        (np.zeros((2, 9)), RATE, {"form": "flac"}, "at most 8 channels, got 9"),
    ]
    for samples, rate, options, message in rows:
        with (
            subtests.test(samples=samples, rate=rate, options=options, message=message),
            pytest.raises(AudioError, match=message),
        ):
            write_sound(samples, rate, **options)


def test_common_formats_are_read(subtests: pytest.Subtests) -> None:
    rows = [
        ("WAV", "PCM_U8"),
        ("WAV", "PCM_32"),
        ("WAV", "DOUBLE"),
        ("FLAC", "PCM_16"),
        ("OGG", "VORBIS"),
        ("MP3", "MPEG_LAYER_III"),
    ]
    for form, subtype in rows:
        with subtests.test(form=form, subtype=subtype):
            time = np.arange(RATE) / RATE
            samples = 0.5 * np.sin(2 * np.pi * 440 * time)
            read, rate = read_sound(encode(samples, form, subtype))
            assert rate == RATE
            assert read.shape[1] == 1
            assert np.argmax(np.abs(np.fft.rfft(read[:RATE, 0], RATE))) == 440
            assert np.sqrt(np.mean(read**2)) == pytest.approx(0.5 / math.sqrt(2), rel=0.05)


WAV = encode(a_sound(2, 4000))
FLAC = encode(a_sound(2, 4000), "FLAC")


def test_invalid_audio_file_is_refused(subtests: pytest.Subtests) -> None:
    rows = [
        (b"", "unreadable audio"),
        (b"RIFF", "unreadable audio"),
        (b"hello" * 100, "unreadable audio"),
        (WAV[:30], "unreadable audio"),
        (WAV[:-1], "cut short: its header declares 16000 bytes of audio, but 15999 follow"),
        (WAV[:44], "cut short"),
        (FLAC[: len(FLAC) // 2], "unreadable audio"),
        (encode(np.zeros((0, 2))), "empty"),
        (encode(np.zeros((0, 1)), "FLAC"), "empty|unreadable audio"),
        (encode(np.zeros((10, 17))), "channels must be 1 to 16, got 17"),
        (encode(np.zeros(10), rate=500), "500"),
        (encode(np.array([0.0, math.nan]), subtype="FLOAT"), "not numbers"),
        (encode(np.array([0.0, math.inf]), subtype="DOUBLE"), "not numbers"),
    ]
    for data, message in rows:
        with subtests.test(data=data, message=message), pytest.raises(AudioError, match=message):
            read_sound(data)


def test_flac_that_declares_hours_of_audio_is_refused_before_decoding() -> None:
    oversized = bytearray(FLAC)
    # STREAMINFO stores the number of frames in the 36 bits after rate, channels and sample size.
    assert oversized[:4] == b"fLaC"
    oversized[8 + 13] |= 0x0F
    with pytest.raises(AudioError, match=f"at most {MAX_SAMPLES} samples"):
        read_sound(bytes(oversized))


def test_truncated_wav_is_detected_after_a_chunk_of_odd_length() -> None:
    remark = b"LIST" + struct.pack("<I", 5) + b"INFOx\0"
    data = WAV[:4] + struct.pack("<I", len(WAV) - 8 + len(remark)) + WAV[8:36] + remark + WAV[36:]
    assert np.array_equal(read_sound(data)[0], read_sound(WAV)[0])
    with pytest.raises(AudioError, match="cut short"):
        read_sound(data[:-4])


def test_streamed_wav_of_unknown_length_is_read_to_its_end() -> None:
    streamed = bytearray(WAV)
    streamed[4:8] = streamed[40:44] = b"\xff\xff\xff\xff"
    assert read_sound(bytes(streamed))[0].shape == (4000, 2)


@given(st.integers(0, len(WAV) - 1), st.integers(0, 255))
def test_damaged_byte_gives_finite_samples_or_an_audio_error(position: int, value: int) -> None:
    damaged = bytearray(WAV)
    damaged[position % 60] = value
    try:
        read, _ = read_sound(bytes(damaged))
    except AudioError:
        return
    assert np.isfinite(read).all()
