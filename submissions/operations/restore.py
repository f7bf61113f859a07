"""Restore of a backup: everything is unpacked and verified beside the current data, then swapped in.

Until the journal is written, existing data is unchanged; only a separate upload store may already have received files.
From then on the moves are completed, if necessary by the next command or server (`data_folder`), or undone if the
system refuses one. Nothing is deleted: existing data is moved aside.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from db.errors import DatabaseError
from db.repositories import audit
from db.session import Database, list_revisions
from db.snapshots import make_one_file
from evaluation.answer_keys import sync_folder
from submissions.accounts.credentials import OPERATOR
from submissions.editions.restored_editions import end_unused_editions
from submissions.endpoints.vault import VAULT_FILE
from submissions.errors import BackupError
from submissions.intake.artifacts import Incoming
from submissions.jobs.leased_jobs import Checkpoint
from submissions.operations.archives import (
    ARTIFACTS,
    CHUNK_BYTES,
    DATABASE,
    KEYS,
    Manifest,
    MeasuredReader,
    Member,
    OpenArchive,
    open_archive,
)
from submissions.operations.backup import InstallationPaths, explain, find_damage
from submissions.operations.data_folder import JOURNAL, LOCK, SERVER_LOCK, Move, make_moves, own_folder, write_journal
from submissions.operations.replication.folder import FOLDER

STAGING = ".restoring"
ASIDE = "before-restore-"
_JOURNALS = ("-wal", "-shm", "-journal")
# What an empty data folder may contain: no user data. The secret stays, because the backup's endpoint keys are sealed
# with it. So does the replication folder: the restored database continues it.
_NOT_DATA = frozenset({LOCK, SERVER_LOCK, JOURNAL, f"{JOURNAL}.new", STAGING, VAULT_FILE, FOLDER, "lost+found"})
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore.

    Attributes:
        manifest: Manifest of the backup.
        aside: Name under which the previous data is kept; None if there was none.
    """

    manifest: Manifest
    aside: str | None


@dataclass(frozen=True, slots=True)
class _Layout:
    """Locations of the data, of the unpacked files, and of the data moved aside."""

    places: InstallationPaths
    aside: str

    @property
    def staging(self) -> Path:
        return self.places.data_dir / STAGING

    def staged(self, place: Path) -> Path:
        """Return where something is unpacked: on the same disk as its destination, so that it moves in one step."""
        inside = self._inside(place)
        return place.with_name(f".{place.name}{STAGING}") if inside is None else self.staging / inside

    def put_aside(self, place: Path) -> Path:
        inside = self._inside(place)
        return place.with_name(f"{place.name}.{self.aside}") if inside is None else self._aside_dir / inside

    def list_old(self, *, keeps_keys: bool) -> list[Path]:
        """Return existing data that would be moved aside."""
        kept = self._inside(self.places.keys_dir)
        kept_name = kept.parts[0] if keeps_keys and kept is not None else None
        top = (path for path in self.places.data_dir.iterdir() if _is_data(path.name) and path.name != kept_name)
        database = self.places.database
        outside = [database, *(database.with_name(database.name + suffix) for suffix in _JOURNALS)]
        outside += [] if keeps_keys else [self.places.keys_dir]
        return [*sorted(top), *(path for path in outside if self._inside(path) is None and path.exists())]

    @property
    def artifacts_dir(self) -> Path | None:
        """Folder of the uploads if it is in the data folder; None if they are added to a store of their own."""
        folder = self.places.open_artifacts().folder
        return folder if folder is not None and self._inside(folder) is not None else None

    @property
    def _aside_dir(self) -> Path:
        return self.places.data_dir / self.aside

    def _inside(self, place: Path) -> Path | None:
        return place.relative_to(self.places.data_dir) if place.is_relative_to(self.places.data_dir) else None


def _is_data(name: str) -> bool:
    return name not in _NOT_DATA and not name.startswith(ASIDE)


def restore_backup(
    path: Path, places: InstallationPaths, *, replaces: bool, checkpoint: Checkpoint = lambda _label: None
) -> Restored:
    """Replace the current data with a backup.

    Args:
        path: The backup.
        places: Locations of the data.
        replaces: Whether existing data is moved aside.
        checkpoint: Called with the name of every point at which this process can be killed safely.

    Raises:
        BackupError: The backup is damaged or from a newer release, or there is data already.
        FolderInUseError: A server or another command uses the data folder.
    """
    layout = _lay_out(places)
    try:
        with own_folder(layout.places.data_dir):
            make_moves(layout.places.data_dir)
            return _restore(path, layout, replaces=replaces, checkpoint=checkpoint)
    except (OSError, DatabaseError) as error:
        raise BackupError(f"Cannot restore {path} ({explain(error)}). The existing data is unchanged.") from error


def _restore(path: Path, layout: _Layout, *, replaces: bool, checkpoint: Checkpoint) -> Restored:
    with open_archive(path) as archive:
        checkpoint("verified")
        manifest = archive.manifest
        _require_known_schema(manifest)
        old = layout.list_old(keeps_keys=not manifest.has_keys)
        if old and not replaces:
            raise BackupError(_refuse_data(layout.places.data_dir, old))
        with _staging(layout):
            _unpack(archive, layout, checkpoint)
            _prepare_database(layout, manifest)
            checkpoint("prepared")
            os.sync()
            write_journal(layout.places.data_dir, _list_moves(layout, manifest, old))
            checkpoint("decided")
            make_moves(layout.places.data_dir, checkpoint)
            checkpoint("moved")
    return Restored(manifest, layout.aside if old else None)


def _lay_out(places: InstallationPaths) -> _Layout:
    data_dir = places.data_dir.absolute()
    whole = replace(places, data_dir=data_dir, database=places.database.absolute(), keys_dir=places.keys_dir.absolute())
    for place in (whole.database, whole.keys_dir, whole.open_artifacts().folder):
        if place is not None and data_dir.is_relative_to(place):
            raise BackupError(
                f"{place} contains the data folder {data_dir}. Set it to a location of its own, then restore."
            )
    stem = f"{ASIDE}{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}"
    numbered = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return _Layout(whole, next(name for name in numbered if not (data_dir / name).exists()))


def _require_known_schema(manifest: Manifest) -> None:
    known = list_revisions()
    if manifest.schema in known:
        return
    raise BackupError(
        f"The backup was made by Earshot {manifest.version}, and this release does not know its schema "
        f"{manifest.schema} (the newest it knows is {known[0]}). Install that release or a newer one, then restore."
    )


def _refuse_data(data_dir: Path, old: list[Path]) -> str:
    named = ", ".join(path.name for path in old[:_NAMED_AT_MOST])
    more = f" and {len(old) - _NAMED_AT_MOST} more" if len(old) > _NAMED_AT_MOST else ""
    return (
        f"{data_dir} contains data that would be replaced: {named}{more}. Pass --replace to move that data aside, or "
        "set EARSHOT_DATA_DIR to an empty folder."
    )


@contextmanager
def _staging(layout: _Layout) -> Iterator[None]:
    """Create the folders that a backup is unpacked into, without remains of earlier runs; delete them at the end."""
    places = (layout.staging, *(layout.staged(place) for place in (layout.places.database, layout.places.keys_dir)))
    _remove(places)
    layout.staging.mkdir(mode=0o700)
    try:
        yield
    except BaseException:
        if not (layout.places.data_dir / JOURNAL).exists():
            _remove(places)  # Otherwise the moves are committed, and the unpacked files are needed.
        raise
    _remove(places)


def _remove(places: tuple[Path, ...]) -> None:
    for place in places:
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


def _unpack(archive: OpenArchive, layout: _Layout, checkpoint: Checkpoint) -> None:
    """Write every member to the folder it will be moved from; add uploads to their own store directly."""
    store = layout.places.open_artifacts() if layout.artifacts_dir is None else None
    for member, source in archive.iter_members():
        target = _target(layout, member)
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, source)
        if store is not None and member.name.startswith(f"{ARTIFACTS}/"):
            if source.sha256 != member.sha256:
                raise BackupError(f"{member.name} is damaged. Use another backup.")
            store.store_artifact(Incoming(target, member.sha256, member.n_bytes))
            target.unlink()
        checkpoint("unpacked")


def _target(layout: _Layout, member: Member) -> Path:
    if member.name == DATABASE:
        return layout.staged(layout.places.database)
    folder, _, rest = member.name.partition("/")
    if folder == KEYS:
        return layout.staged(layout.places.keys_dir) / rest
    return (layout.staged(layout.artifacts_dir) if layout.artifacts_dir else layout.staging / ARTIFACTS) / rest


def _write(target: Path, source: MeasuredReader) -> None:
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while chunk := source.read(CHUNK_BYTES):
            file.write(chunk)


def _prepare_database(layout: _Layout, manifest: Manifest) -> None:
    """Migrate the schema of the unpacked database, end its unused editions, and record that it was restored."""
    path = layout.staged(layout.places.database)
    damage = find_damage(path)
    if damage is not None:
        raise BackupError(
            f"The database in the backup is damaged ({damage}), so nothing was restored, and the existing data is "
            "unchanged. Use another backup."
        )
    with closing(Database(f"sqlite:///{path}")) as database:
        database.upgrade()
        with database.write() as transaction:
            now = datetime.now(UTC)
            details = {"made_at": manifest.made_at, "version": manifest.version, "keys": manifest.has_keys}
            # Owners who closed one of them after the backup know its answers.
            details |= {"editions": asdict(end_unused_editions(transaction, now))}
            audit.append(transaction, OPERATOR, "restore", "database", details, now)
    make_one_file(path)


def _list_moves(layout: _Layout, manifest: Manifest, old: list[Path]) -> list[Move]:
    places = [layout.places.database]
    if manifest.has_keys:
        _close_to_others(layout.staged(layout.places.keys_dir))
        places.append(layout.places.keys_dir)
    artifacts = layout.artifacts_dir
    if artifacts is not None and layout.staged(artifacts).exists():
        places.append(artifacts)
    for place in places:
        # A move whose target exists counts as made, so every target must be free by then.
        if os.path.lexists(place) and not any(place.is_relative_to(path) for path in old):
            raise BackupError(f"Cannot move {place} aside, because its parent folder stays. Move it away yourself.")
    return [
        *(Move(path, layout.put_aside(path)) for path in old),
        *(Move(layout.staged(place), place) for place in places),
    ]


def _close_to_others(folder: Path) -> None:
    for path, _, _ in os.walk(folder):
        Path(path).chmod(0o700)
        sync_folder(Path(path))
