"""Audio files in a request: base64, checked before any sample is decoded."""

import base64
import binascii
import io
import re
from typing import Protocol

import soundfile

from evaluation.audio import AudioError, read_sound
from evaluation.listeners.listener_types import Sound
from evaluation.listeners.server.errors import RequestRefusedError, quote

MAX_SECONDS = 600
MAX_CHANNELS = 2
RATES = (4_000, 192_000)
# Limit for all clips as float64 (512 MB); with compression, a small request could otherwise become very large.
MAX_SAMPLES = 64_000_000

FORMATS = ("wav", "flac", "ogg")
# Formats passed to libsndfile: it supports two dozen more, and its MP3 decoder writes to stderr.
_CONTAINERS = frozenset({b"RIFF", b"RIFX", b"RF64", b"fLaC", b"OggS"})
_DATA_URL = re.compile(r"data:audio/[\w.+-]+(?:;[\w.+-]+=[\w.+-]*)*;base64,", re.IGNORECASE)


class _Header(Protocol):
    """Metadata in a file's header."""

    samplerate: int
    channels: int
    frames: int


class SoundReader:
    """Reads the clips of one request within a common limit."""

    def __init__(self) -> None:
        self._n_samples = 0

    def read_base64(self, data: str, param: str) -> Sound:
        """Read an audio file in base64.

        Raises:
            RequestRefusedError: The data are not base64, not readable audio, or exceed a limit.
        """
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise RequestRefusedError(
                "The audio is not valid base64. Send the whole file in standard base64 with padding and without line "
                "breaks.",
                param=param,
                code="invalid_base64",
            ) from None
        return self._read_file(content, param)

    def read_url(self, url: str, param: str) -> Sound:
        """Read a clip from a data URL; nothing is ever fetched.

        Raises:
            RequestRefusedError: The URL has another scheme, or its clip cannot be read.
        """
        prefix = _DATA_URL.match(url)
        if prefix is None:
            raise RequestRefusedError(
                f"{quote(url)} is not an audio data URL, and remote files are not fetched. "
                "Send `data:audio/wav;base64,` and the file in base64.",
                param=param,
                code="invalid_audio_url",
            )
        return self.read_base64(url[prefix.end() :], param)

    def _read_file(self, content: bytes, param: str) -> Sound:
        if content[:4] not in _CONTAINERS:
            raise _refuse_sound("it is not a WAV, FLAC or OGG file. Convert it to one of these", param)
        try:
            self._check_header(soundfile.info(io.BytesIO(content)), param)
            return Sound(*read_sound(content))
        except (soundfile.SoundFileError, AudioError) as error:
            # libsndfile's error messages contain a memory address.
            is_known = isinstance(error, AudioError) and error.__cause__ is None
            reason = str(error) if is_known else "it is damaged or cut short. Save it again as WAV or FLAC"
            raise _refuse_sound(reason, param) from None

    def _check_header(self, header: _Header, param: str) -> None:
        """Check a file's header: files that declare too much are never decoded."""
        low, high = RATES
        if not low <= header.samplerate <= high:
            raise _refuse_sound(f"its sample rate is {header.samplerate:,} Hz. Use {low:,} to {high:,} Hz", param)
        if header.channels > MAX_CHANNELS:
            raise _refuse_sound(f"it has {header.channels} channels. Send one or two, left ear first", param)
        if header.frames > MAX_SECONDS * header.samplerate:
            raise _refuse_sound(f"it is longer than {MAX_SECONDS} s. Send a shorter clip", param)
        self._n_samples += header.frames * header.channels
        if self._n_samples > MAX_SAMPLES:
            raise _refuse_sound(
                f"the clips so far have {self._n_samples:,} samples. Send at most {MAX_SAMPLES:,}", param
            )


def _refuse_sound(reason: str, param: str) -> RequestRefusedError:
    return RequestRefusedError(f"The audio file cannot be used: {reason}.", param=param, code="invalid_audio")
