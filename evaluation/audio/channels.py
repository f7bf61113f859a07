"""Channel operations: extract one channel, or make an inverted pair from one."""

import io

import numpy as np
import soundfile

from evaluation.audio.files import read_with_format, unreadable, write_sound
from evaluation.audio.wav import AudioError, encode_wav


def extract_channel(data: bytes, channel: int) -> bytes:
    """Return one channel of an audio file as a mono 16-bit WAV file with the same sample rate.

    Samples of 16-bit files stay bit-identical; finer ones are rounded to 16 bits, the format that models receive.

    Args:
        data: The whole file: WAV with any sample format, FLAC, OGG or MP3.
        channel: Index from 0: the left ear is 0, the right ear is 1.

    Raises:
        AudioError: The file cannot be read, or does not have this channel.
    """
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise unreadable(error) from error
    if not 0 <= channel < samples.shape[1]:
        raise AudioError(
            f"the audio has {samples.shape[1]} channels and no channel {channel}; choose an existing channel"
        )
    return encode_wav(samples[:, channel].copy(), rate)


def pseudo_stereo(data: bytes) -> bytes:
    """Return a mono clip as a stereo clip whose second channel is inverted: (x, -x).

    Each channel sounds like the original, and the mean of both is exactly silent: a model that averages channels
    receives silence. Integer formats have one more step below zero than above, so samples at the lowest step are raised
    by one to be invertible.

    Args:
        data: The whole mono file.

    Returns:
        A stereo WAV file with the sample format of the original.

    Raises:
        AudioError: The file cannot be read or has more than one channel.
    """
    samples, rate, sample_format = read_with_format(data)
    if samples.shape[1] != 1:
        raise AudioError(f"mono audio is required, got {samples.shape[1]} channels; choose one of them first")
    if sample_format != "float32":
        samples = np.maximum(samples, 2.0 ** (-15 if sample_format == "int16" else -23) - 1.0)
    return write_sound(np.hstack((samples, -samples)), rate, sample_format=sample_format)
