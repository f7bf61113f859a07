"""Backups: everything that an installation would miss, in one file, made while it runs."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from db.errors import DatabaseError
from db.repositories import consistency
from db.session import Database
from db.snapshots import copy_database, make_one_file
from evaluation.answer_keys import AUDIO_FOLDER
from evaluation.signature import CODE_VERSION
from submissions.errors import BackupError
from submissions.intake.artifacts import ArtifactStore
from submissions.operations.archives import (
    ARTIFACTS,
    DATABASE,
    KEYS,
    Checkpoint,
    Manifest,
    MeasuredReader,
    Member,
    artifact_name,
    check_name,
    write_archive,
)
from submissions.operations.data_folder import sync_folder


@dataclass(frozen=True, slots=True)
class InstallationPaths:
    """Where an installation keeps what it would miss.

    Attributes:
        data_dir: The data folder.
        database: The database file.
        artifacts_url: Where uploads are.
        keys_dir: Folder of the answer keys.
    """

    data_dir: Path
    database: Path
    artifacts_url: str
    keys_dir: Path

    def open_artifacts(self) -> ArtifactStore:
        """Return the store of the uploads."""
        return ArtifactStore(self.artifacts_url, self.data_dir / "incoming")


def make_backup(
    database: Database,
    places: InstallationPaths,
    target: Path,
    *,
    with_keys: bool = True,
    checkpoint: Checkpoint = lambda _label: None,
) -> Manifest:
    """Write a backup; the target is there whole afterwards, or is what it was before.

    The database is copied first, as it is at one moment. The uploads that its rows name are there by then and are
    never altered.

    Args:
        database: The database; a server may go on writing to it.
        places: Where everything is.
        target: File to write; what is there is replaced at the end.
        with_keys: Whether the answer keys go into it.
        checkpoint: Called with the name of every point at which this process may be killed without harm.

    Raises:
        BackupError: It cannot be made.
    """
    if not places.database.is_file():
        raise BackupError(f"No database at {places.database}. There is nothing to back up.")
    try:
        with _partial_folder(target) as folder:
            manifest = _write(database, places, folder, with_keys=with_keys, checkpoint=checkpoint)
            (folder / "archive").replace(target)
            checkpoint("renamed")
            sync_folder(target.parent)
    except (OSError, DatabaseError) as error:
        raise BackupError(f"Cannot write the backup {target} ({explain(error)}). No file was left behind.") from error
    return manifest


@contextmanager
def _partial_folder(target: Path) -> Iterator[Path]:
    """Make a folder beside the target that only this user can open; what a killed backup left there goes first."""
    if target.is_dir():
        raise BackupError(f"{target} is a folder. Pass the name of a file in it, such as {target / 'earshot.tar.zst'}.")
    folder = target.with_name(f".{target.name}.partial")
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        raise BackupError(f"Another backup to {target} is running. Wait until it has finished.") from None
    finally:
        os.close(descriptor)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def _write(
    database: Database, places: InstallationPaths, folder: Path, *, with_keys: bool, checkpoint: Checkpoint
) -> Manifest:
    snapshot = folder / DATABASE
    copy_database(database, snapshot)
    checkpoint("snapshot")
    schema, members = _read_snapshot(snapshot)
    keys = {_name_of_key(places, path): path for path in _iter_key_files(places.keys_dir)} if with_keys else {}
    files = {DATABASE: snapshot} | keys
    members = (*(_measure(name, path) for name, path in files.items()), *members)
    artifacts = places.open_artifacts()

    def open_member(member: Member) -> AbstractContextManager[BinaryIO]:
        path = files.get(member.name)
        return _open_upload(artifacts, member.sha256) if path is None else path.open("rb")

    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    manifest = Manifest(CODE_VERSION, schema, made_at, bool(keys), members)
    # Mode 0600 from the first byte: answer keys and everybody's files are in it.
    with os.fdopen(os.open(folder / "archive", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        write_archive(file, manifest, open_member, checkpoint)
        file.flush()
        os.fsync(file.fileno())
    checkpoint("written")
    return manifest


def _read_snapshot(snapshot: Path) -> tuple[str, tuple[Member, ...]]:
    """Return the schema of a copied database, and the uploads that its rows name."""
    with closing(Database(f"sqlite:///{snapshot}")) as copied:
        schema = copied.revision()
        if schema is None:
            raise BackupError("The database is empty. Start the server once before you make a backup.")
        with copied.read() as transaction:
            named = consistency.list_artifacts(transaction)
    make_one_file(snapshot)  # reading it has made journals again
    return schema, tuple(Member(artifact_name(entry.sha256), entry.n_bytes, entry.sha256) for entry in named)


@contextmanager
def _open_upload(artifacts: ArtifactStore, sha256: str) -> Iterator[BinaryIO]:
    try:
        with artifacts.open_unchecked(sha256) as file:
            yield file
    except FileNotFoundError:
        raise BackupError(
            f"The upload {sha256} is missing. Restore it from an earlier backup, or ask for the file again."
        ) from None


def _name_of_key(places: InstallationPaths, path: Path) -> str:
    return f"{KEYS}/{path.relative_to(places.keys_dir).as_posix()}"


def _iter_key_files(keys_dir: Path) -> Iterator[Path]:
    """Yield the answer keys and their sounds; what an import is just writing has neither ending.

    Raises:
        OSError: A folder cannot be read; a backup without its keys would not be noticed before they are needed.
    """
    if not keys_dir.is_dir():
        return
    for folder, _, names in os.walk(keys_dir, onerror=_raise):
        parts = Path(folder).relative_to(keys_dir).parts
        ending = {2: ".json", 3: ".wav"}.get(len(parts), "")
        if ending and parts[2:] in ((), (AUDIO_FOLDER,)):
            yield from (Path(folder, name) for name in sorted(names) if name.endswith(ending))


def _raise(error: OSError) -> None:
    raise error


def _measure(name: str, path: Path) -> Member:
    check_name(name)
    with path.open("rb") as file:
        source = MeasuredReader(file)
        source.read_out()
    return Member(name, source.n_bytes, source.sha256)


def count_uploads(manifest: Manifest) -> int:
    """Return how many uploads a backup holds."""
    return sum(member.name.startswith(f"{ARTIFACTS}/") for member in manifest.members)


def explain(error: Exception) -> str:
    """Return what the system or the database says is wrong, and with which file."""
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.strerror}: {error.filename}" if error.filename is not None else error.strerror
    return str(getattr(error, "orig", None) or error)
