"""Clips read from the question pack of an edition, which may be damaged on its disk."""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from evaluation.audio import AudioError, measure_wav
from submissions.errors import NotFoundError

# What `zipfile` raises on damaged archives: a wrong checksum, end, length, compression, flag, name or position.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, AudioError, RuntimeError, ValueError)


class DamagedPackError(Exception):
    """A pack cannot be read: it is cut off, changed, or was deleted meanwhile."""


def read_clip(pack: Path, name: str) -> bytes:
    """Return a clip of a pack.

    Raises:
        NotFoundError: The pack has no such clip.
        DamagedPackError: The pack cannot be read.
    """
    with _open_pack(pack) as archive:
        if f"audio/{name}" not in archive.NameToInfo:
            raise NotFoundError("This edition has no such clip.")
        return archive.read(f"audio/{name}")


def measure_clips(pack: Path, clips: Iterable[str]) -> Mapping[str, float]:
    """Return clip → duration in seconds, for the clips that a pack has.

    Raises:
        DamagedPackError: The pack cannot be read.
    """
    found = {}
    with _open_pack(pack) as archive:
        for clip in clips:
            name = f"audio/{clip}.wav"
            if name in archive.NameToInfo:
                found[clip] = measure_wav(archive.read(name))
    return found


@contextmanager
def _open_pack(pack: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(pack) as archive:
            yield archive
    # Other errors of the disk may pass, and must not cost a good pack.
    except (*_DAMAGE, FileNotFoundError) as error:
        raise DamagedPackError(f"{pack.name}: {type(error).__name__}") from error
