"""Backups: all irreplaceable data of an installation in one file, created while the server runs."""

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
from submissions.jobs.leased_jobs import Checkpoint
from submissions.operations.archives import (
    ARTIFACTS,
    DATABASE,
    KEYS,
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
    """Locations of an installation's irreplaceable data.

    Attributes:
        data_dir: The data folder.
        database: The database file.
        artifacts_url: Location of the uploads.
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
    """Write a backup; afterwards the target is either complete or unchanged.

    The database is copied first, as a consistent snapshot. The uploads that its rows name exist by then and are never
    modified.

    Args:
        database: The database; a server may keep writing to it.
        places: Locations of the data.
        target: File to write; an existing file is replaced at the end.
        with_keys: Whether to include the answer keys.
        checkpoint: Called with the name of every point at which this process can be killed safely.

    Raises:
        BackupError: The backup cannot be created.
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
    """Create a folder beside the target that only this user can open; remains of a killed backup are deleted first."""
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
    damage = find_damage(snapshot)
    if damage is not None:
        raise BackupError(
            f"The database is damaged ({damage}), so no backup was made, and an earlier one was kept. Stop the server, "
            "copy the data folder if you want to keep what is left of it, and restore a backup."
        )
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
    # Mode 0600 from the start: the file contains answer keys and all uploads.
    with os.fdopen(os.open(folder / "archive", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        write_archive(file, manifest, open_member, checkpoint)
        file.flush()
        os.fsync(file.fileno())
    checkpoint("written")
    return manifest


def _read_snapshot(snapshot: Path) -> tuple[str, tuple[Member, ...]]:
    """Return the schema revision of a copied database, and the uploads that its rows name."""
    with closing(Database(f"sqlite:///{snapshot}")) as copied:
        schema = copied.revision()
        if schema is None:
            raise BackupError("The database is empty. Start the server once before you make a backup.")
        with copied.read() as transaction:
            named = consistency.list_artifacts(transaction)
    make_one_file(snapshot)  # reading it has created journals again
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


def find_damage(path: Path) -> str | None:
    """Return the damage that a check of a whole database file finds, or None if it is intact."""
    try:
        with closing(Database(f"sqlite:///{path}")) as database, database.read() as transaction:
            return consistency.find_damage(transaction)
    except DatabaseError as error:
        return explain(error)


def _name_of_key(places: InstallationPaths, path: Path) -> str:
    return f"{KEYS}/{path.relative_to(places.keys_dir).as_posix()}"


def _iter_key_files(keys_dir: Path) -> Iterator[Path]:
    """Yield the answer keys and their recordings; files that an import is writing have neither suffix.

    Raises:
        OSError: A folder cannot be read; otherwise missing keys would go unnoticed until they are needed.
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
    """Return the number of uploads in a backup."""
    return sum(member.name.startswith(f"{ARTIFACTS}/") for member in manifest.members)


def explain(error: Exception) -> str:
    """Return the error of the system or database, with the file it concerns."""
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.strerror}: {error.filename}" if error.filename is not None else error.strerror
    return str(getattr(error, "orig", None) or error)
