"""Artifact store: uploads, stored unchanged under the SHA-256 digest of their bytes."""

import errno
import hashlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, cast

import fsspec
from fsspec.implementations.local import LocalFileSystem
from obstore.exceptions import BaseError
from obstore.fsspec import register

from submissions.errors import NotReadyError

_LOG = logging.getLogger(__name__)
_CHUNK_BYTES = 1 << 20
# Errors of volumes without hard links, such as mounted buckets, and of folders on two disks.
_LINKLESS = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV, errno.ENOSYS, errno.EMLINK})
# obstore, which also writes the replica's lease, replaces s3fs.
register("s3")
_S3 = re.compile(r"s3a?://", re.IGNORECASE)
# A user's request waits for it; an evaluator retries later.
_S3_OPTIONS = {"retry_config": {"max_retries": 3, "retry_timeout": timedelta(seconds=15)}}


@dataclass(frozen=True, slots=True)
class Incoming:
    """A completely received upload that is not stored yet."""

    path: Path
    sha256: str
    n_bytes: int


class TooLargeError(Exception):
    """The upload has more bytes than allowed."""


class StorageAwayError(NotReadyError):
    """The remote storage of uploads cannot be reached."""


class DamagedArtifactError(Exception):
    """The bytes of a stored upload have changed."""


class ArtifactStore:
    """Uploads in a folder, or any place that fsspec can reach. They are never modified."""

    def __init__(self, url: str, incoming_dir: Path) -> None:
        options = _S3_OPTIONS if _S3.match(url) else {}
        self._files, self._root = fsspec.core.url_to_fs(url, **options)
        self._incoming_dir = incoming_dir

    @property
    def folder(self) -> Path | None:
        """The folder; None if uploads are stored elsewhere."""
        return Path(self._root) if isinstance(self._files, LocalFileSystem) else None

    @contextmanager
    def receive(self, source: BinaryIO, max_bytes: int) -> Iterator[Incoming]:
        """Copy an upload to disk in chunks and compute its digest; the copy is deleted at the end unless it is stored.

        Raises:
            TooLargeError: The upload has more than `max_bytes`.
        """
        self._incoming_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._incoming_dir) as file:
            digest = hashlib.sha256()
            n_bytes = 0
            while chunk := source.read(_CHUNK_BYTES):
                n_bytes += len(chunk)
                if n_bytes > max_bytes:
                    raise TooLargeError(
                        f"The file is larger than {max_bytes:,} bytes, the limit on this server. Compress it, or "
                        "shorten the responses."
                    )
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            yield Incoming(Path(file.name), digest.hexdigest(), n_bytes)

    def store_artifact(self, incoming: Incoming) -> None:
        """Store an upload durably under its digest. Storing the same bytes twice keeps one copy.

        Raises:
            StorageAwayError: The remote storage cannot be reached.
        """
        if self.folder is not None:
            return self._store_file(incoming)
        try:
            return self._store_file(incoming)
        except (BaseError, OSError) as error:
            _LOG.error("cannot store an upload: %s", type(error).__name__)
            raise StorageAwayError(
                "The server cannot reach its storage, so the upload was not saved. Try again in a few seconds."
            ) from error

    def _store_file(self, incoming: Incoming) -> None:
        target = self._path(incoming.sha256)
        if self._files.exists(target):
            if self._digest(target) == incoming.sha256:
                return
            self._files.rm_file(target)  # The file on disk is damaged: uploading the same bytes repairs it.
        if self.folder is not None:
            _link_durably(incoming.path, Path(target))
        else:
            self._files.put_file(str(incoming.path), target)

    @contextmanager
    def open(self, sha256: str, note: Callable[[], None] = lambda: None) -> Iterator[BinaryIO]:
        """Open a stored upload after verifying its bytes.

        Args:
            sha256: Digest of the upload.
            note: Called repeatedly during verification, which takes long for remote storage.

        Raises:
            DamagedArtifactError: The bytes have changed, or the upload is missing.
        """
        try:
            found = self._digest(self._path(sha256), note)
        except FileNotFoundError:
            found = "missing"
        if found != sha256:
            raise DamagedArtifactError(
                f"The upload {sha256} is damaged or missing ({found}). Restore it from a backup."
            )
        with self.open_unchecked(sha256) as file:
            yield file

    @contextmanager
    def open_unchecked(self, sha256: str) -> Iterator[BinaryIO]:
        """Open a stored upload for callers that verify the bytes while reading.

        Raises:
            FileNotFoundError: The upload is missing.
        """
        with self._open(self._path(sha256)) as file:
            yield file

    @contextmanager
    def _open(self, path: str) -> Iterator[BinaryIO]:
        # An obstore file that failed to open raises when it is garbage-collected.
        if self.folder is None and not self._files.exists(path):
            raise FileNotFoundError(path)
        with self._files.open(path, "rb") as file:
            yield cast("BinaryIO", file)

    def _digest(self, path: str, note: Callable[[], None] = lambda: None) -> str:
        with self._open(path) as file:
            digest = hashlib.sha256()
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
                note()
        return digest.hexdigest()

    def _path(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}/{sha256}"


def _copy_durably(source: Path, target: Path) -> None:
    """Write a file on a volume without hard links. The digest exposes a partial file, which is then replaced."""
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _link_durably(source: Path, target: Path) -> None:
    """Give a file its final name; both content and name are on disk when this returns."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with source.open("rb") as file:
        os.fsync(file.fileno())
    try:
        target.hardlink_to(source)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _LINKLESS:
            raise
        _copy_durably(source, target)
        return
    for folder in (target.parent, target.parent.parent):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
