"""Audio files in common formats, decoded to arrays and encoded from them."""

import io
import struct
from typing import Literal

import numpy as np
import soundfile
from numpy.typing import NDArray

from evaluation.audio.wav import AudioError, encode_wav

Form = Literal["wav", "flac"]
SampleFormat = Literal["int16", "int24", "float32"]

MAX_CHANNELS = 16
MAX_FLAC_CHANNELS = 8
LOWEST_RATE, HIGHEST_RATE = 1_000, 384_000

# 268 MB as float64: 35 minutes of mono audio at 16 kHz. A few bytes of FLAC can declare hours of silence.
MAX_SAMPLES = 2**25

_STEPS = {"int16": 2**15, "int24": 2**23}

# Formats that store the samples losslessly, except 32-bit integers and doubles, whose last bits are inaudible.
# Lossy formats can decode to values beyond full scale, which only floats can store.
_SAMPLE_FORMATS: dict[str, SampleFormat] = {
    "PCM_U8": "int16",
    "PCM_S8": "int16",
    "PCM_16": "int16",
    "ULAW": "int16",
    "ALAW": "int16",
    "PCM_24": "int24",
    "PCM_32": "int24",
}

# A program that writes to a pipe cannot know the length and writes the maximum, or almost the maximum.
_UNKNOWN_LENGTH = 2**31 - 2**16

_FLOAT_FORMAT = 3


def read_sound(data: bytes) -> tuple[NDArray[np.float64], int]:
    """Read an audio file.

    Args:
        data: The whole file: WAV with any sample format, FLAC, OGG or MP3.

    Returns:
        The samples, float64 (n, channels) with full scale ±1, and the sample rate in hertz.

    Raises:
        AudioError: The file is damaged, truncated, empty, too large or not audio.
    """
    samples, rate, _ = read_with_format(data)
    return samples, rate


def read_with_format(data: bytes) -> tuple[NDArray[np.float64], int, SampleFormat]:
    """Read an audio file like `read_sound`, and also return a sample format that stores its samples."""
    _refuse_cut_wav(data)
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            _check_measures(file.frames, file.channels, file.samplerate)
            samples: NDArray[np.float64] = file.read(dtype="float64", always_2d=True)
            rate, kind = int(file.samplerate), str(file.subtype)
    except soundfile.SoundFileError as error:
        raise unreadable(error) from error
    _check_measures(len(samples), samples.shape[1], rate)
    if not np.isfinite(samples).all():
        raise AudioError("the audio contains samples that are not numbers (NaN); save it without them")
    return samples, rate, _SAMPLE_FORMATS.get(kind, "float32")


def unreadable(error: soundfile.SoundFileError) -> AudioError:
    """Return the error for a file that the library cannot read, without the library's name for its source."""
    reason = str(getattr(error, "error_string", error)).rstrip(".")
    return AudioError(f"unreadable audio ({reason}); use WAV, FLAC, OGG or MP3")


def write_sound(
    samples: NDArray[np.float64], rate: int, *, form: Form = "wav", sample_format: SampleFormat = "int16"
) -> bytes:
    """Write an audio file. Equal samples give equal bytes.

    Args:
        samples: float64 (n,) or (n, channels) with full scale ±1. Integer formats round to the nearest step; full scale
            itself becomes the highest step, one below it.
        rate: Sample rate in hertz.
        form: File format. FLAC supports integers only.
        sample_format: Sample format. float32 preserves values beyond full scale.

    Returns:
        The file's bytes.

    Raises:
        AudioError: A value is not a number, or exceeds full scale in an integer format (samples are never clipped); or
            the file format does not support this sample format, shape or rate.
    """
    samples = np.asarray(samples, dtype=np.float64)
    if samples.ndim not in (1, 2):
        raise AudioError(f"samples must have shape (n,) or (n, channels), got {samples.shape}")
    samples = samples.reshape(len(samples), -1) if samples.size else np.zeros((0, 1))
    _check_measures(len(samples), samples.shape[1], rate)
    if not np.isfinite(samples).all():
        raise AudioError("the audio contains samples that are not numbers (NaN); replace them")
    if form == "flac":
        return _write_flac(samples, rate, sample_format)
    if sample_format == "float32":
        return _write_float_wav(samples, rate)
    if sample_format == "int16":
        return encode_wav(_to_steps(samples, sample_format).astype(np.int16), rate)
    return _write_integers(samples, rate, "WAV", "PCM_24", sample_format)


def _write_flac(samples: NDArray[np.float64], rate: int, sample_format: SampleFormat) -> bytes:
    if sample_format == "float32":
        raise AudioError("FLAC supports integer samples only; choose int16 or int24, or use WAV")
    if samples.shape[1] > MAX_FLAC_CHANNELS:
        raise AudioError(f"FLAC supports at most {MAX_FLAC_CHANNELS} channels, got {samples.shape[1]}; use WAV")
    return _write_integers(samples, rate, "FLAC", "PCM_16" if sample_format == "int16" else "PCM_24", sample_format)


def _write_integers(
    samples: NDArray[np.float64], rate: int, form: str, subtype: str, sample_format: SampleFormat
) -> bytes:
    # 32-bit integers store the steps in their highest bits.
    steps = _to_steps(samples, sample_format) * (2**31 // _STEPS[sample_format])
    buffer = io.BytesIO()
    soundfile.write(buffer, steps.astype(np.int32), rate, format=form, subtype=subtype)
    return buffer.getvalue()


def _to_steps(samples: NDArray[np.float64], sample_format: SampleFormat) -> NDArray[np.float64]:
    """Convert samples to integer steps."""
    peak = float(np.abs(samples).max())
    if peak > 1.0:
        raise AudioError(
            f"the audio peaks at {peak:.4g} of full scale, which clips in {sample_format}; lower its level or choose "
            "float32"
        )
    steps = _STEPS[sample_format]
    whole: NDArray[np.float64] = np.minimum(np.rint(samples * steps), steps - 1)
    return whole


def _write_float_wav(samples: NDArray[np.float64], rate: int) -> bytes:
    """Write 32-bit floats without libsndfile, whose PEAK chunk contains the time of writing."""
    n_frames, n_channels = samples.shape
    if np.abs(samples).max() > np.finfo(np.float32).max:
        raise AudioError("the audio contains values beyond float32; lower its level")
    sound = samples.astype("<f4").tobytes()
    layout = struct.pack("<HHIIHHH", _FLOAT_FORMAT, n_channels, rate, 4 * n_channels * rate, 4 * n_channels, 32, 0)
    chunks = [(b"fmt ", layout), (b"fact", struct.pack("<I", n_frames)), (b"data", sound)]
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(content)) + content for name, content in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _check_measures(n_frames: int, n_channels: int, rate: int) -> None:
    if not n_frames:
        raise AudioError("the audio is empty; it needs at least one sample")
    if not 1 <= n_channels <= MAX_CHANNELS:
        raise AudioError(f"the number of channels must be 1 to {MAX_CHANNELS}, got {n_channels}")
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise AudioError(f"the sample rate must be {LOWEST_RATE} to {HIGHEST_RATE} Hz, got {rate}")
    if not 0 < n_frames * n_channels <= MAX_SAMPLES:
        raise AudioError(
            f"audio may have at most {MAX_SAMPLES} samples over all channels, got {n_frames * n_channels}; shorten it"
        )


def _refuse_cut_wav(data: bytes) -> None:
    """Reject a WAV file that ends before its data; libsndfile would silently read the rest."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return
    position = 12
    while position + 8 <= len(data):
        name, (length,) = data[position : position + 4], struct.unpack_from("<I", data, position + 4)
        following = len(data) - position - 8
        if name == b"data":
            if following < length < _UNKNOWN_LENGTH:
                raise AudioError(
                    f"the WAV file is cut short: its header declares {length} bytes of audio, but {following} follow"
                )
            return
        position += 8 + length + length % 2
