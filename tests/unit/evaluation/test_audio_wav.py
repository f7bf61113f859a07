import io
import wave
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.audio import AudioError, decode_wav, encode_wav

STEREO = np.array([[0, 1], [-32768, 32767], [256, -2]], dtype=np.int16)


def write_wav(sample_bytes: int, channels: int = 1, n_frames: int = 4) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(sample_bytes)
        file.setframerate(16_000)
        file.writeframes(bytes(sample_bytes * channels * n_frames))
    return buffer.getvalue()


def test_decode_wav_returns_the_encoded_samples(subtests: pytest.Subtests) -> None:
    for samples in (STEREO, STEREO[:, 0], STEREO[:0], STEREO[:0, 0], np.tile(STEREO, 3)):
        with subtests.test(samples=samples):
            decoded, rate = decode_wav(encode_wav(samples, 16_000))
            assert rate == 16_000
            assert decoded.dtype == np.int16
            assert np.array_equal(decoded, samples)


def test_encode_wav_writes_the_canonical_header_and_little_endian_frames() -> None:
    data = encode_wav(STEREO, 16_000)
    assert len(data) == 44 + STEREO.nbytes
    assert data[:4] + data[8:16] == b"RIFFWAVEfmt "
    assert data[44:48] == b"\x00\x00\x01\x00"
    assert data[24:28] == (16_000).to_bytes(4, "little")


def test_encode_wav_of_a_strided_view_writes_its_samples() -> None:
    assert encode_wav(STEREO[::2, ::-1], 8000) == encode_wav(np.ascontiguousarray(STEREO[::2, ::-1]), 8000)


def test_decode_wav_of_mono_samples_is_one_dimensional() -> None:
    assert decode_wav(encode_wav(STEREO[:, :1], 8000))[0].shape == (3,)


def test_decode_wav_returns_writable_samples() -> None:
    decoded, _ = decode_wav(encode_wav(STEREO, 16_000))
    decoded[0, 0] = 7


def test_encode_wav_of_unsupported_samples_or_rates_raises(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Any, int, str]] = [
        (STEREO.astype(np.float64), 16_000, "int16"),
        (STEREO.reshape(1, 3, 2), 16_000, "shape"),
        (np.zeros((4, 0), dtype=np.int16), 16_000, "channels"),
        (STEREO, 0, "at 0 Hz"),
        (STEREO, 2**31, "at 2147483648 Hz"),
    ]
    for samples, rate, message in rows:
        with subtests.test(message), pytest.raises(AudioError, match=message):
            encode_wav(samples, rate)


@pytest.mark.parametrize("sample_bytes", [1, 3, 4])
def test_decode_wav_of_an_unsupported_sample_width_names_it(sample_bytes: int) -> None:
    with pytest.raises(AudioError, match=f"{8 * sample_bytes}-bit"):
        decode_wav(write_wav(sample_bytes))


def test_decode_wav_of_other_data_raises(subtests: pytest.Subtests) -> None:
    rows = [b"", b"RIFF", b"fLaC" + bytes(60), b"RIFF\x04\x00\x00\x00WAVE", b"ID3" + bytes(99)]
    for data in rows:
        with subtests.test(data=data), pytest.raises(AudioError, match="WAV"):
            decode_wav(data)


def test_decode_wav_of_floating_point_samples_raises() -> None:
    data = bytearray(write_wav(4))
    data[20] = 3  # the format tag of IEEE floating point
    with pytest.raises(AudioError, match="unknown format"):
        decode_wav(bytes(data))


def test_decode_wav_of_a_zero_rate_raises() -> None:
    data = bytearray(write_wav(2))
    data[24:28] = bytes(4)
    with pytest.raises(AudioError, match="rate"):
        decode_wav(bytes(data))


def test_decode_wav_of_a_chunk_that_ends_beyond_its_container_raises() -> None:
    data = bytearray(write_wav(2))
    data[16] = 200
    data[4:8] = (40).to_bytes(4, "little")
    with pytest.raises(AudioError):
        decode_wav(bytes(data))


def test_decode_wav_of_a_truncated_file_raises(subtests: pytest.Subtests) -> None:
    for n_kept in (12, 30, 40, 44, 45, 51):
        with subtests.test(n_kept=n_kept), pytest.raises(AudioError):
            decode_wav(write_wav(2)[:n_kept])


@given(st.integers(0, 51), st.binary(min_size=1, max_size=12))
def test_decode_wav_of_a_damaged_file_decodes_or_raises_audio_error(position: int, damage: bytes) -> None:
    data = write_wav(2)
    damaged = data[:position] + damage + data[position + len(damage) :]
    try:
        samples, rate = decode_wav(damaged)
    except AudioError:
        return
    assert samples.dtype == np.int16
    assert rate > 0
