"""Audio files as bytes: reading, writing and combining clips."""

from evaluation.audio.channels import extract_channel, pseudo_stereo
from evaluation.audio.files import read_sound, write_sound
from evaluation.audio.joining import join_with_silence
from evaluation.audio.masking import noise_like
from evaluation.audio.wav import AudioError, decode_wav, encode_wav, measure_wav

__all__ = [
    "AudioError",
    "decode_wav",
    "encode_wav",
    "extract_channel",
    "join_with_silence",
    "measure_wav",
    "noise_like",
    "pseudo_stereo",
    "read_sound",
    "write_sound",
]
