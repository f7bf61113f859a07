"""WAV files with 16-bit PCM, and the duration of those with any sample format."""

import io
import struct
import wave

import numpy as np
from numpy.typing import NDArray

SAMPLE_BYTES = 2
MAX_CHANNELS = 65_535

# Lengths and byte rates are 32-bit header fields.
MAX_BYTES = 2**32 - 64
_CHUNK_HEADER_BYTES, _LAYOUT_BYTES = 8, 16


class AudioError(ValueError):
    """Audio that cannot be read, written in the requested format, or used for the requested operation."""


def encode_wav(samples: NDArray[np.int16], sample_rate: int) -> bytes:
    """Encode samples as a WAV file.

    Args:
        samples: int16 (n,) for one channel, or (n, channels).
        sample_rate: Sample rate in hertz.

    Returns:
        The file: a 44-byte header, then little-endian frames. Equal samples give equal bytes.

    Raises:
        AudioError: The samples have another type or shape, or their length or rate does not fit the header.
    """
    if samples.dtype != np.int16:
        raise AudioError(f"samples must be int16, got {samples.dtype}")
    if samples.ndim not in (1, 2):
        raise AudioError(f"samples must have shape (n,) or (n, channels), got {samples.shape}")
    n_channels = 1 if samples.ndim == 1 else samples.shape[1]
    if not 1 <= n_channels <= MAX_CHANNELS:
        raise AudioError(f"the number of channels must be 1 to {MAX_CHANNELS}, got {n_channels}")
    if not (sample_rate >= 1 and sample_rate * n_channels * SAMPLE_BYTES < MAX_BYTES and samples.nbytes < MAX_BYTES):
        raise AudioError(f"a WAV file cannot hold {samples.nbytes} bytes at {sample_rate} Hz")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(n_channels)
        file.setsampwidth(SAMPLE_BYTES)
        file.setframerate(sample_rate)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def decode_wav(data: bytes) -> tuple[NDArray[np.int16], int]:
    """Decode a WAV file.

    Args:
        data: The whole file.

    Returns:
        The samples, int16 (n,) for mono and (n, channels) otherwise, and the sample rate in hertz.

    Raises:
        AudioError: The file is not WAV with 16-bit PCM, is damaged or truncated.
    """
    try:
        with wave.open(io.BytesIO(data), "rb") as file:
            header = file.getparams()
            frames = file.readframes(header.nframes)
    except (wave.Error, EOFError, RuntimeError) as error:  # RuntimeError: a chunk extends beyond its container.
        reason = str(error) or "it ends too early"
        raise AudioError(f"not a readable PCM WAV file ({reason}); save it as 16-bit PCM") from error
    if header.sampwidth != SAMPLE_BYTES:
        raise AudioError(f"the WAV file has {8 * header.sampwidth}-bit samples; save it as 16-bit PCM")
    if header.framerate < 1:
        raise AudioError(f"the WAV file has an invalid sample rate of {header.framerate} Hz")
    expected = header.nframes * header.nchannels * SAMPLE_BYTES
    if len(frames) != expected:
        raise AudioError(
            f"the WAV file is cut short: its header declares {expected} bytes of audio, but {len(frames)} follow"
        )
    samples = np.frombuffer(frames, dtype=np.int16).copy()
    return (samples if header.nchannels == 1 else samples.reshape(-1, header.nchannels)), header.framerate


def measure_wav(data: bytes) -> float:
    """Return the duration of a WAV file in seconds, from its header; the samples may have any format.

    Raises:
        AudioError: The file is not WAV, is damaged or truncated.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise AudioError("not a WAV file")
    position, rate, frame_bytes = 12, 0, 0
    while position + _CHUNK_HEADER_BYTES <= len(data):
        name, n_bytes = struct.unpack_from("<4sI", data, position)
        position += _CHUNK_HEADER_BYTES
        if position + n_bytes > len(data):
            break
        if name == b"data" and rate and frame_bytes:
            return float(n_bytes // frame_bytes / rate)
        if name == b"fmt " and n_bytes >= _LAYOUT_BYTES:
            rate, frame_bytes = struct.unpack_from("<I4xH", data, position + 4)
        position += n_bytes + n_bytes % 2
    raise AudioError("the WAV file has no complete audio")
