"""Sound as bytes: the WAV files that clips travel in."""

from evaluation.audio.channels import extract_channel
from evaluation.audio.wav import AudioError, decode_wav, encode_wav

__all__ = ["AudioError", "decode_wav", "encode_wav", "extract_channel"]
