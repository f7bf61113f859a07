"""Upload folder: files between their upload and the event that uses them, limited in number, size and age."""

import os
import re
import secrets
import stat
import threading
import time
from pathlib import Path
from typing import BinaryIO, TypeGuard

from submissions.errors import BadRequestError

KEEP_SECONDS = 1800
# The whole folder holds this many files of the largest size.
_LARGEST_FILES = 10
# Empty files take space too, so many small ones cannot exhaust the file system's inodes.
_MIN_BYTES = 100_000
_CHUNK_BYTES = 1 << 20
_REFERENCE = re.compile(r"[A-Za-z0-9_-]{22}")
_ENDING_OF_PARTS = ".part"


class UploadFolderFullError(Exception):
    """The folder has no space for another file now."""


class UploadFolder:
    """A folder whose files have random references instead of names: only the uploader knows a file's reference.

    A reference is not a path. Anything that looks like a path or an address opens nothing.
    """

    def __init__(self, path: Path, max_file_bytes: int) -> None:
        self._path = path
        self._max_bytes = _LARGEST_FILES * max(max_file_bytes, _MIN_BYTES)
        self._lock = threading.Lock()
        self._promised_bytes = 0

    def require_room(self, n_bytes: int) -> None:
        """Refuse a file before it is read.

        Raises:
            UploadFolderFullError: The file would not fit.
        """
        with self._lock:
            self._require_room(max(n_bytes, _MIN_BYTES))

    def store_upload(self, source: BinaryIO, n_bytes: int) -> str:
        """Store a file temporarily, and return its reference. If this raises, nothing remains of it.

        Raises:
            UploadFolderFullError: The file does not fit.
        """
        promised = max(n_bytes, _MIN_BYTES)
        with self._lock:
            self._require_room(promised)
            self._promised_bytes += promised
        try:
            return self._write(source)
        finally:
            with self._lock:
                self._promised_bytes -= promised

    def open(self, reference: object) -> BinaryIO:
        """Open a stored file.

        Raises:
            BadRequestError: There is no file with this reference.
        """
        if is_reference(reference):
            try:
                descriptor = os.open(self._path / reference, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except OSError:
                raise _gone() from None
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return os.fdopen(descriptor, "rb")
            os.close(descriptor)
        raise _gone()

    def remove(self, reference: str) -> None:
        """Delete a file that has been used."""
        if is_reference(reference):
            (self._path / reference).unlink(missing_ok=True)

    def delete_abandoned_uploads(self) -> None:
        """Delete old files, including those of a killed process."""
        with self._lock:
            self._measure()

    def _require_room(self, n_bytes: int) -> None:
        if self._measure() + self._promised_bytes + n_bytes > self._max_bytes:
            raise UploadFolderFullError(
                "The page holds as many uploaded files as it can. "
                "Try again in a few minutes, or send the file to /api/v1/submissions."
            )

    def _measure(self) -> int:
        """Return the space that complete files take, after deleting old ones."""
        oldest = time.time() - KEEP_SECONDS
        n_bytes = 0
        self._path.mkdir(parents=True, exist_ok=True)
        with os.scandir(self._path) as entries:
            for entry in entries:
                try:
                    found = entry.stat(follow_symlinks=False)
                    if found.st_mtime < oldest:
                        Path(entry.path).unlink()
                    elif not entry.name.endswith(_ENDING_OF_PARTS):
                        n_bytes += max(found.st_size, _MIN_BYTES)
                except FileNotFoundError:
                    continue  # deleted by the event that used it
        return n_bytes

    def _write(self, source: BinaryIO) -> str:
        reference = secrets.token_urlsafe(16)
        part = self._path / f"{reference}{_ENDING_OF_PARTS}"
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                while chunk := source.read(_CHUNK_BYTES):
                    file.write(chunk)
            part.rename(self._path / reference)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return reference


def is_reference(value: object) -> TypeGuard[str]:
    """Tell whether a value could be a reference, of an existing file or not."""
    return isinstance(value, str) and _REFERENCE.fullmatch(value) is not None


def _gone() -> BadRequestError:
    minutes = KEEP_SECONDS // 60
    return BadRequestError(
        "file", f"The chosen file is not here (any more); it is kept {minutes} minutes. Choose it again."
    )
