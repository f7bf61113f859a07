"""Channels of a sound: one as a sound of its own, and two made from one."""

import io

import numpy as np
import soundfile

from evaluation.audio.files import read_with_format, unreadable, write_sound
from evaluation.audio.wav import AudioError, encode_wav


def extract_channel(data: bytes, channel: int) -> bytes:
    """Return one channel of a sound file as a 16-bit WAV file of one channel, at the same rate.

    A 16-bit file keeps its samples bit for bit; finer ones are rounded to 16 bits, which is what systems are sent.

    Args:
        data: The whole file: WAV of any sample format, FLAC, OGG or MP3.
        channel: Counted from 0: the left ear is 0, the right ear is 1.

    Raises:
        AudioError: The file cannot be read, or has no such channel.
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
    """Return a sound of one channel as two, the second with its phase inverted: (x, -x).

    It has the sound of the original in each channel, and silence, exactly, in the average of both: who averages
    channels hears nothing. Integer formats have one step more below zero than above; a sample on that lowest step is
    raised by one, so that its opposite exists.

    Args:
        data: The whole file, of one channel.

    Returns:
        A WAV file of two channels in the sample format of the original.

    Raises:
        AudioError: The file cannot be read or has more than one channel.
    """
    samples, rate, sample_format = read_with_format(data)
    if samples.shape[1] != 1:
        raise AudioError(f"mono audio is required, got {samples.shape[1]} channels; choose one of them first")
    if sample_format != "float32":
        samples = np.maximum(samples, 2.0 ** (-15 if sample_format == "int16" else -23) - 1.0)
    return write_sound(np.hstack((samples, -samples)), rate, sample_format=sample_format)
