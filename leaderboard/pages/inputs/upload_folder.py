"""Upload folder: files between their upload and the event that uses them, limited in number, size and age.

Every uploader has a share, and a full folder loses files of the uploader who holds most: nobody can keep others out.
"""

import os
import re
import secrets
import stat
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard

from submissions.errors import BadRequestError

KEEP_SECONDS = 1800
# Who is not signed in can only check a file, which the page does at once.
KEEP_ANONYMOUS_SECONDS = 300
# The whole folder holds this many files of the largest size, and each uploader's share is a fifth of it.
_LARGEST_FILES, _LARGEST_FILES_OF_UPLOADER = 10, 2
# Empty files take space too, so many small ones cannot exhaust the file system's inodes.
_MIN_BYTES = 100_000
_MAX_FILES_OF_UPLOADER = 100
_CHUNK_BYTES = 1 << 20
_REFERENCE = re.compile(r"[A-Za-z0-9_-]{22}")
_ENDING_OF_PARTS = ".part"


class UploadFolderFullError(Exception):
    """The folder has no space for another file now."""


class Uploader(NamedTuple):
    """Who uploads a file: an account, or the address of a visitor who is not signed in."""

    name: str
    is_signed_in: bool


@dataclass
class _Upload:
    """A file of the folder."""

    uploader: str
    n_bytes: int
    expires: float
    is_complete: bool = False


class UploadFolder:
    """A folder whose files have random references instead of names: only the uploader knows a file's reference.

    A reference is not a path. Anything that looks like a path or an address opens nothing.
    """

    def __init__(self, path: Path, max_file_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        largest = max(max_file_bytes, _MIN_BYTES)
        self._path = path
        self._max_bytes, self._max_bytes_of_uploader = _LARGEST_FILES * largest, _LARGEST_FILES_OF_UPLOADER * largest
        self._lock = threading.Lock()
        self._clock = clock
        # By reference, the oldest first; files of an earlier process belong to nobody.
        self._uploads = {file.name: _take_over(file, clock()) for file in _find_files(path)}

    def store_upload(self, source: BinaryIO, n_bytes: int, uploader: Uploader) -> str:
        """Store a file temporarily, and return its reference. If this raises, nothing remains of it.

        Older files of the same uploader are deleted if they exceed the share together, and files of others if the
        folder is full.

        Raises:
            UploadFolderFullError: The file does not fit, because of others that are being written.
        """
        reference = secrets.token_urlsafe(16)
        keep_seconds = KEEP_SECONDS if uploader.is_signed_in else KEEP_ANONYMOUS_SECONDS
        upload = _Upload(uploader.name, max(n_bytes, _MIN_BYTES), self._clock() + keep_seconds)
        with self._lock:
            self._make_room(upload)
            self._uploads[reference] = upload
        try:
            self._write(source, reference)
        except BaseException:
            with self._lock:
                self._delete(reference)
            raise
        upload.is_complete = True
        return reference

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
            with self._lock:
                self._delete(reference)

    def delete_abandoned_uploads(self) -> None:
        """Delete old files."""
        with self._lock:
            self._delete_expired()

    def _make_room(self, upload: _Upload) -> None:
        self._delete_expired()
        own = [one for one in self._uploads.items() if one[1].uploader == upload.uploader]
        n_bytes = sum(found.n_bytes for _, found in own) + upload.n_bytes
        while own and (n_bytes > self._max_bytes_of_uploader or len(own) >= _MAX_FILES_OF_UPLOADER):
            n_bytes -= self._drop_oldest(own)
        total = sum(found.n_bytes for found in self._uploads.values()) + upload.n_bytes
        while total > self._max_bytes:
            total -= self._drop_oldest(self._find_largest_holding())

    def _find_largest_holding(self) -> list[tuple[str, _Upload]]:
        holdings = defaultdict(list)
        for reference, upload in self._uploads.items():
            holdings[upload.uploader].append((reference, upload))
        complete = [held for held in holdings.values() if any(upload.is_complete for _, upload in held)]
        return max(complete, key=lambda held: sum(upload.n_bytes for _, upload in held), default=[])

    def _drop_oldest(self, held: list[tuple[str, _Upload]]) -> int:
        """Delete the oldest complete file of a list, and return how much space it took."""
        oldest = next((one for one in held if one[1].is_complete), None)
        if oldest is None:
            raise UploadFolderFullError(
                "The page receives as many files as it can. "
                "Try again in a minute, or send the file to /api/v1/submissions."
            )
        held.remove(oldest)
        self._delete(oldest[0])
        return oldest[1].n_bytes

    def _delete_expired(self) -> None:
        now = self._clock()
        for reference in [name for name, found in self._uploads.items() if found.is_complete and found.expires < now]:
            self._delete(reference)

    def _delete(self, reference: str) -> None:
        self._uploads.pop(reference, None)
        (self._path / reference).unlink(missing_ok=True)

    def _write(self, source: BinaryIO, reference: str) -> None:
        part = self._path / f"{reference}{_ENDING_OF_PARTS}"
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                while chunk := source.read(_CHUNK_BYTES):
                    file.write(chunk)
            part.rename(self._path / reference)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def is_reference(value: object) -> TypeGuard[str]:
    """Tell whether a value could be a reference, of an existing file or not."""
    return isinstance(value, str) and _REFERENCE.fullmatch(value) is not None


def _find_files(path: Path) -> list[Path]:
    """Return the complete files of an earlier process, the oldest first, and delete the others."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for part in path.glob(f"*{_ENDING_OF_PARTS}"):
        part.unlink(missing_ok=True)
    return sorted(filter(Path.is_file, path.iterdir()), key=lambda file: file.stat().st_mtime)


def _take_over(file: Path, now: float) -> _Upload:
    found = file.stat()
    age = max(time.time() - found.st_mtime, 0)
    return _Upload("", max(found.st_size, _MIN_BYTES), now + KEEP_SECONDS - age, is_complete=True)


def _gone() -> BadRequestError:
    return BadRequestError(
        "file",
        "The chosen file is not here (any more). "
        f"It is kept for {KEEP_SECONDS // 60} minutes, or {KEEP_ANONYMOUS_SECONDS // 60} if you are not signed in, "
        "and less if you upload many. Choose it again.",
    )
