"""Targets of a release: their files, the changes of a release, and a local folder as a target."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from evaluation.publishing.card import MANIFEST_FILE
from evaluation.publishing.errors import PublishError
from evaluation.publishing.release import DATA_FOLDER

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a target: its size, and the digest that the target knows, SHA-256 or Git's."""

    n_bytes: int
    sha256: str | None = None
    git_blob: str | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of a release at a target, by path: written files with their sizes, and removed files."""

    added: Mapping[str, int]
    replaced: Mapping[str, int]
    unchanged: Mapping[str, int]
    removed: tuple[str, ...]

    @property
    def written(self) -> Mapping[str, int]:
        """Files to write, with their sizes."""
        return {**self.added, **self.replaced}

    @property
    def is_empty(self) -> bool:
        """Whether the target has the release already."""
        return not (self.added or self.replaced or self.removed)


class ReleaseTarget(Protocol):
    """A target that stores one release."""

    def list_files(self) -> Mapping[str, StoredFile]:
        """Return path → file of all existing files; empty if the target does not exist yet.

        Raises:
            PublishError: The target cannot be read.
        """

    def apply(self, release: Path, changes: Changes) -> str:
        """Write and remove files; return a summary in one sentence.

        Raises:
            PublishError: The target cannot be written.
        """


def compare_release(release: Path, stored: Mapping[str, StoredFile]) -> Changes:
    """Return the changes of a release at a target.

    Only data files are removed; other files outside the release belong to someone else and stay.

    Raises:
        PublishError: The target has files, but no release.
    """
    if stored and MANIFEST_FILE not in stored:
        raise PublishError(
            f"The target contains files that `publish` did not write (it has no {MANIFEST_FILE}), so nothing was "
            "changed. Pass an empty or new target."
        )
    files = {path.relative_to(release).as_posix(): path for path in sorted(release.rglob("*")) if path.is_file()}
    sizes = {name: path.stat().st_size for name, path in files.items()}
    unchanged = {name for name, path in files.items() if name in stored and _is_same(path, stored[name])}
    return Changes(
        {name: size for name, size in sizes.items() if name not in stored},
        {name: size for name, size in sizes.items() if name in stored and name not in unchanged},
        {name: size for name, size in sizes.items() if name in unchanged},
        tuple(name for name in sorted(stored) if name not in files and PurePosixPath(name).parts[0] == DATA_FOLDER),
    )


def _is_same(path: Path, stored: StoredFile) -> bool:
    if path.stat().st_size != stored.n_bytes:
        return False
    if stored.sha256 is not None:
        return hash_file(path) == stored.sha256
    return hash_git_blob(path) == stored.git_blob


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_git_blob(path: Path) -> str:
    """Return Git's digest of a file's content."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


class FolderTarget:
    """A local folder with the layout of a dataset repository."""

    def __init__(self, folder: Path) -> None:
        """Create the target; the folder is created on the first write."""
        self._folder = folder

    def list_files(self) -> Mapping[str, StoredFile]:
        """Return the files of the folder, except hidden ones.

        Raises:
            PublishError: The folder cannot be read, or is a file.
        """
        try:
            if not self._folder.exists():
                return {}
            return {path.relative_to(self._folder).as_posix(): _read_stored(path) for path in self._walk()}
        except OSError as error:
            raise PublishError(f"{self._folder} cannot be read ({error.strerror}). Choose another --to.") from None

    def _walk(self) -> Iterator[Path]:
        for path in sorted(self._folder.iterdir()):
            if not path.name.startswith("."):
                yield from (file for file in sorted(path.rglob("*")) if file.is_file()) if path.is_dir() else [path]

    def apply(self, release: Path, changes: Changes) -> str:
        """Write each file atomically, the manifest first, so that an interrupted publication can be repeated.

        Raises:
            PublishError: A file cannot be written.
        """
        try:
            for name in sorted(changes.written, key=lambda name: name != MANIFEST_FILE):
                self._replace(release / name, self._folder / name)
            for name in changes.removed:
                (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise PublishError(f"{self._folder} cannot be written ({error.strerror}). Choose another --to.") from None
        return f"Published to {self._folder}."

    def _replace(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".{target.name}.new")
        try:
            shutil.copyfile(source, unfinished)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def _read_stored(path: Path) -> StoredFile:
    return StoredFile(path.stat().st_size, sha256=hash_file(path))
