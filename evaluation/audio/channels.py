"""One channel of a sound, as a sound of its own."""

import io

import soundfile

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
        raise AudioError(f"not a sound that can be read ({error}); WAV, FLAC, OGG and MP3 can be") from error
    if not 0 <= channel < samples.shape[1]:
        raise AudioError(f"the sound has {samples.shape[1]} channels; there is no channel {channel} among them")
    return encode_wav(samples[:, channel].copy(), rate)
