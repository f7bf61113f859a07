"""Backup and restore: identical bytes, atomic, and no existing data is lost."""

import errno
import os
import resource
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config

import db.session
import submissions.operations.archives
import submissions.operations.backup
import submissions.operations.data_folder
from db.repositories import audit
from db.session import Database, list_revisions
from settings import Settings
from submissions.endpoints.vault import VAULT_FILE
from submissions.errors import BackupError, FolderInUseError
from submissions.operations.archives import Manifest, write_archive
from submissions.operations.backup import InstallationPaths, count_uploads, make_backup
from submissions.operations.data_folder import JOURNAL, LOCK, finish_restore, share_folder
from submissions.operations.restore import ASIDE, STAGING, restore_backup
from tests.support.servers.vaults import KEYS, Vault, digest_rows, list_files, places_in

HIDDEN = {LOCK, JOURNAL, STAGING}


class Stopped(BaseException):
    """Simulated end of a process."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installation with three scored submissions, one of them private, and one queued."""
    vault = Vault(tmp_path_factory.mktemp("filled") / "data").make()
    for note in ("one", "two", "three"):
        vault.submit(note, publish=note != "two")
    vault.score_all()
    vault.submit("waiting")
    vault.accounts.create_token("ann", "laptop")
    vault.close()
    return vault.folder


@pytest.fixture
def vault(filled: Path, tmp_path: Path) -> Iterator[Vault]:
    shutil.copytree(filled, tmp_path / "data")
    with closing(Vault(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def backup(vault: Vault, tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar.zst"
    make_backup(vault.database, vault.places, path)
    vault.close()
    return path


def list_top(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - HIDDEN


def find_aside(folder: Path) -> Path:
    (found,) = (path for path in folder.iterdir() if path.name.startswith(ASIDE))
    return found


def find_faults(folder: Path) -> list[str]:
    with closing(Vault(folder)) as opened:
        return opened.faults()


# --- backup ---------------------------------------------------------------------------------------------------------


def test_backup_restored_elsewhere_has_the_same_rows_uploads_and_keys(vault: Vault, tmp_path: Path) -> None:
    manifest = make_backup(vault.database, vault.places, tmp_path / "b")
    (tmp_path / "new").mkdir()
    restored = restore_backup(tmp_path / "b", places_in(tmp_path / "new"), replaces=False)
    assert restored.manifest == manifest
    assert restored.aside is None
    assert (count_uploads(manifest), manifest.has_keys, len(manifest.members)) == (4, True, 4 + 3 + 1)
    assert digest_rows(tmp_path / "new") == digest_rows(vault.folder)
    files = list_files(tmp_path / "new")
    assert files == list_files(vault.folder)
    assert {name: files[f"answer-keys/{name}"] for name in KEYS} == KEYS
    assert list_top(tmp_path / "new") == {"earshot.db", "artifacts", "answer-keys"}
    assert find_faults(tmp_path / "new") == []


def test_backup_of_a_restored_backup_has_the_same_digests(vault: Vault, tmp_path: Path) -> None:
    first = make_backup(vault.database, vault.places, tmp_path / "one")
    (tmp_path / "new").mkdir()
    restore_backup(tmp_path / "one", places_in(tmp_path / "new"), replaces=False)
    with closing(Vault(tmp_path / "new")) as restored:
        second = make_backup(restored.database, restored.places, tmp_path / "two")
    # The database differs in the audit entry of the restore.
    assert set(first.members[1:]) == set(second.members[1:])


def test_restore_is_recorded_in_the_audit_log(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    manifest = restore_backup(backup, places_in(tmp_path / "new"), replaces=False).manifest
    with closing(Vault(tmp_path / "new")) as restored, restored.database.read() as transaction:
        newest = audit.list_entries(transaction, limit=1)[0]
        assert audit.verify(transaction).broken_at is None
    assert (newest.actor, newest.action, newest.subject) == ("system", "restore", "database")
    ended = {"n_closed": 0, "n_expired": 0, "n_redrawn": 0}
    assert newest.details == {"made_at": manifest.made_at, "version": "0.1.0", "keys": True, "editions": ended}


def test_backup_and_restored_files_are_unreadable_for_others(backup: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    folder = tmp_path / "new"
    folder.mkdir()
    restore_backup(backup, places_in(folder), replaces=False)
    keys = [folder / "answer-keys", *(folder / "answer-keys").rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in keys if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in keys if path.is_file()} == {0o600}
    assert stat.S_IMODE((folder / "earshot.db").stat().st_mode) == 0o600


def test_backup_without_keys_contains_no_keys(vault: Vault, tmp_path: Path) -> None:
    manifest = make_backup(vault.database, vault.places, tmp_path / "b", with_keys=False)
    assert not manifest.has_keys
    assert not any(member.name.startswith("answer-keys") for member in manifest.members)


def test_backup_skips_files_that_an_import_is_writing(vault: Vault, tmp_path: Path) -> None:
    for name in ("b/1.0/tmp123", "b/1.0/audio/tmp456", "notes.json", "b/notes.json"):
        (vault.places.keys_dir / name).write_bytes(b"half")
    manifest = make_backup(vault.database, vault.places, tmp_path / "b")
    keys = {member.name for member in manifest.members if member.name.startswith("answer-keys")}
    assert keys == {f"answer-keys/{name}" for name in KEYS}


def test_backup_replaces_an_earlier_one_and_leaves_no_other_files(vault: Vault, tmp_path: Path) -> None:
    for _ in range(2):
        make_backup(vault.database, vault.places, tmp_path / "b")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "b"}


def test_backup_with_a_missing_or_damaged_upload_fails(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("an earlier one")
    path = next(path for path in (vault.folder / "artifacts").rglob("*") if path.is_file())
    data = path.read_bytes()
    for altered in (data[:-1], data + b"x", data[::-1]):
        path.write_bytes(altered)
        with pytest.raises(BackupError, match=f"{path.name} does not match its record"):
            make_backup(vault.database, vault.places, tmp_path / "b")
    path.unlink()
    with pytest.raises(BackupError) as caught:
        make_backup(vault.database, vault.places, tmp_path / "b")
    assert str(caught.value) == (
        f"The upload {path.name} is missing. Restore it from an earlier backup, or ask for the file again."
    )
    assert (tmp_path / "b").read_text() == "an earlier one"
    assert {entry.name for entry in tmp_path.iterdir()} == {"data", "b"}


def test_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/data/earshot.db")) as database:
        places = places_in(tmp_path / "data")
        with pytest.raises(BackupError, match="No database at"):
            make_backup(database, places, tmp_path / "b")
        assert database.revision() is None
        with pytest.raises(BackupError, match="The database is empty"):
            make_backup(database, places, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def damage_database(path: Path) -> None:
    """Overwrite one page: that of an index, which copying the file does not read."""
    with closing(sqlite3.connect(path)) as connection:
        ((page,),) = connection.execute("select rootpage from sqlite_master where type = 'index' and rootpage limit 1")
        ((size,),) = connection.execute("PRAGMA page_size")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 8)
        file.write(b"\xff" * (size - 100))


def test_backup_of_a_damaged_database_is_refused_and_keeps_the_earlier_one(vault: Vault, tmp_path: Path) -> None:
    target = tmp_path / "b"
    make_backup(vault.database, vault.places, target)
    good = target.read_bytes()
    vault.close()
    damage_database(vault.places.database)
    with closing(Database(f"sqlite:///{vault.places.database}")) as database, pytest.raises(BackupError) as caught:
        make_backup(database, vault.places, target)
    assert "The database is damaged (" in str(caught.value)
    assert "restore a backup" in str(caught.value)
    assert target.read_bytes() == good
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_restore_of_a_damaged_database_is_refused_and_changes_nothing(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.close()
    before = list_files(vault.folder)
    with monkeypatch.context() as patched:
        # A backup by an earlier release, which did not look.
        patched.setattr(submissions.operations.backup, "find_damage", damage_database)
        patched.setattr(submissions.operations.backup, "_read_snapshot", lambda _path: (list_revisions()[0], ()))
        with closing(Database(f"sqlite:///{vault.places.database}")) as database:
            make_backup(database, vault.places, tmp_path / "b")
    with pytest.raises(BackupError, match=r"The database in the backup is damaged \(.*Use another backup"):
        restore_backup(tmp_path / "b", vault.places, replaces=True)
    assert list_files(vault.folder) == before


def test_backup_into_a_folder_or_during_another_backup_is_refused(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match=r"is a folder\. Pass the name of a file in it, such as .*/earshot\.tar\.zst"):
        make_backup(vault.database, vault.places, tmp_path)

    def checkpoint(label: str) -> None:
        if label == "written":
            with pytest.raises(BackupError, match="Another backup to"):
                make_backup(vault.database, vault.places, tmp_path / "b")

    make_backup(vault.database, vault.places, tmp_path / "b", checkpoint=checkpoint)
    assert (tmp_path / "b").is_file()


def test_backup_into_a_missing_folder_is_always_refused(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="No such file or directory"):
        make_backup(vault.database, vault.places, tmp_path / "nowhere" / "b")


@contextmanager
def max_bytes_of_a_file(size: int) -> Iterator[None]:
    """Limit the file size, as a full disk would: the system refuses to write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_full_disk_leaves_the_earlier_backup(vault: Vault, tmp_path: Path) -> None:
    make_backup(vault.database, vault.places, tmp_path / "whole")
    n_archive, n_database = (tmp_path / "whole").stat().st_size, (vault.folder / "earshot.db").stat().st_size
    (tmp_path / "b").write_text("an earlier one")
    for size in (0, 4096, n_archive // 2, n_archive - 1, n_database // 2):
        with max_bytes_of_a_file(size), pytest.raises(BackupError) as caught:
            make_backup(vault.database, vault.places, tmp_path / "b")
        assert str(caught.value).startswith(f"Cannot write the backup {tmp_path / 'b'} (")
        assert str(caught.value).endswith("). No file was left behind.")
        assert (tmp_path / "b").read_text() == "an earlier one"
        assert {path.name for path in tmp_path.iterdir()} == {"data", "whole", "b"}


@pytest.mark.parametrize("n_written", [0, 1, 300, 3_000])
def test_full_disk_while_the_archive_is_written_is_reported(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_written: int
) -> None:
    class Full:
        def __init__(self, file: Any) -> None:
            self.file, self.left = file, n_written

        def write(self, data: bytes) -> int:
            self.left -= len(data)
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return int(self.file.write(data))

    def write_on_a_full_disk(file: Any, *arguments: Any) -> None:
        write_archive(Full(file), *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(submissions.operations.backup, "write_archive", write_on_a_full_disk)
    with pytest.raises(BackupError) as caught:
        make_backup(vault.database, vault.places, tmp_path / "b")
    assert str(caught.value) == (
        f"Cannot write the backup {tmp_path / 'b'} (No space left on device). No file was left behind."
    )
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_backup_of_an_earlier_schema_is_restored_and_upgraded(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    config = Config()
    config.set_main_option("script_location", str(Path(db.session.__file__).parent / "migrations"))
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as old:
        with old.engine.connect().execution_options(earshot_begin="IMMEDIATE") as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
            connection.commit()
        assert make_backup(old, places_in(folder), tmp_path / "b").schema == "0001"
    restore_backup(tmp_path / "b", places_in(folder), replaces=True)
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as restored:
        assert restored.revision() == restored.newest_revision
    assert find_faults(folder) == []


# --- restore --------------------------------------------------------------------------------------------------------


def test_restore_over_data_is_refused_and_changes_nothing(vault: Vault, backup: Path) -> None:
    before = digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)
    with pytest.raises(BackupError) as caught:
        restore_backup(backup, vault.places, replaces=False)
    assert str(caught.value).startswith(
        f"{vault.folder} contains data that would be replaced: answer-keys, artifacts, earshot.db"
    )
    assert str(caught.value).endswith(
        ". Pass --replace to move that data aside, or set EARSHOT_DATA_DIR to an empty folder."
    )
    assert (digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)) == before


def test_restore_with_replace_keeps_the_old_data_under_a_dated_name(vault: Vault, backup: Path) -> None:
    wanted = digest_rows(vault.folder)
    late = vault.submit("after the backup")
    (vault.folder / "packs").mkdir()
    (vault.folder / "packs" / "p.zip").write_text("a pack")
    vault.close()
    later = digest_rows(vault.folder), list_files(vault.folder)
    restored = restore_backup(backup, vault.places, replaces=True)
    aside = find_aside(vault.folder)
    assert aside.name == restored.aside
    assert digest_rows(vault.folder) == wanted
    assert find_faults(vault.folder) == []
    assert (digest_rows(aside), list_files(aside)) == later
    assert (aside / "packs" / "p.zip").read_text() == "a pack"
    assert vault.query("select count(*) from submissions where id = ?", late) == [(0,)]
    assert list_top(vault.folder) == {"earshot.db", "artifacts", "answer-keys", aside.name}
    assert not (vault.folder / STAGING).exists()
    assert not (vault.folder / JOURNAL).exists()


def test_restore_keeps_the_secret_that_encrypts_endpoint_keys(vault: Vault, backup: Path, tmp_path: Path) -> None:
    assert Settings(data_dir=vault.folder).secret_path == vault.folder / VAULT_FILE
    (vault.folder / VAULT_FILE).write_text("s" * 64)
    vault.close()
    restore_backup(backup, vault.places, replaces=True)
    assert (vault.folder / VAULT_FILE).read_text() == "s" * 64
    (tmp_path / "new").mkdir()
    shutil.copy(vault.folder / VAULT_FILE, tmp_path / "new")
    assert restore_backup(backup, places_in(tmp_path / "new"), replaces=False).aside is None, "a secret is no data"


def test_restore_twice_in_a_second_keeps_both(vault: Vault, backup: Path) -> None:
    names = {restore_backup(backup, vault.places, replaces=True).aside for _ in range(2)}
    assert len(names) == 2
    assert all((vault.folder / str(name) / "earshot.db").is_file() for name in names)


def test_restore_without_keys_keeps_the_existing_keys(vault: Vault, tmp_path: Path) -> None:
    make_backup(vault.database, vault.places, tmp_path / "b", with_keys=False)
    vault.close()
    restore_backup(tmp_path / "b", vault.places, replaces=True)
    assert {name: (vault.places.keys_dir / name).read_bytes() for name in KEYS} == KEYS
    assert not (find_aside(vault.folder) / "answer-keys").exists()
    (tmp_path / "new").mkdir()
    shutil.copytree(vault.places.keys_dir, tmp_path / "new" / "answer-keys")
    restored = restore_backup(tmp_path / "b", places_in(tmp_path / "new"), replaces=False)
    assert restored.aside is None


def test_restore_of_a_folder_in_use_is_refused(vault: Vault, backup: Path) -> None:
    with share_folder(vault.folder), share_folder(vault.folder), pytest.raises(FolderInUseError) as caught:
        restore_backup(backup, vault.places, replaces=True)
    assert str(caught.value) == (
        f"A server, an evaluator or another command is using {vault.folder}. Stop it, then restore."
    )
    restore_backup(backup, vault.places, replaces=True)


def test_folder_cannot_be_used_during_a_restore(vault: Vault, backup: Path) -> None:
    seen = []

    def checkpoint(label: str) -> None:
        with pytest.raises(FolderInUseError, match=r"A restore into .* is running"), share_folder(vault.folder):
            pass
        seen.append(label)

    restore_backup(backup, vault.places, replaces=True, checkpoint=checkpoint)
    assert {"verified", "unpacked", "prepared", "decided", "moving", "moved"} == set(seen)
    with share_folder(vault.folder):
        pass


def test_restore_of_a_newer_schema_is_refused_with_instructions(vault: Vault, tmp_path: Path) -> None:
    newer = Manifest("9.9", "9999", "2030-01-01", False, ())

    def pretend(file: Any, manifest: Manifest, *arguments: Any) -> None:
        write_archive(file, replace(manifest, version=newer.version, schema=newer.schema), *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(submissions.operations.backup, "write_archive", pretend)
        make_backup(vault.database, vault.places, tmp_path / "b")
    (tmp_path / "new").mkdir()
    with pytest.raises(BackupError) as caught:
        restore_backup(tmp_path / "b", places_in(tmp_path / "new"), replaces=False)
    newest = vault.database.newest_revision
    assert str(caught.value) == (
        "The backup was made by Earshot 9.9, and this release does not know its schema 9999 "
        f"(the newest it knows is {newest}). Install that release or a newer one, then restore."
    )
    assert list_top(tmp_path / "new") == set()


def test_restore_of_a_damaged_backup_changes_nothing(vault: Vault, backup: Path) -> None:
    data = bytearray(backup.read_bytes())
    data[len(data) // 2] ^= 1
    backup.write_bytes(data)
    before = digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)
    with pytest.raises(BackupError, match="was modified after it was made"):
        restore_backup(backup, vault.places, replaces=True)
    assert (digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)) == before


def test_full_disk_during_a_restore_keeps_the_old_data(vault: Vault, backup: Path) -> None:
    before = digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)
    for size in (0, 1_000, 100_000):
        with max_bytes_of_a_file(size), pytest.raises(BackupError) as caught:
            restore_backup(backup, vault.places, replaces=True)
        assert "File too large" in str(caught.value)
        assert str(caught.value).endswith("The existing data is unchanged.")
        assert (digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)) == before
        assert not (vault.folder / STAGING).exists()


def test_restore_to_paths_outside_the_data_folder(backup: Path, vault: Vault, tmp_path: Path) -> None:
    wanted = digest_rows(vault.folder), list_files(vault.folder)
    places = InstallationPaths(
        tmp_path / "a" / "data", tmp_path / "b" / "rows.db", str(tmp_path / "c" / "uploads"), tmp_path / "d" / "secret"
    )
    places.data_dir.mkdir(parents=True)
    places.keys_dir.mkdir(parents=True)
    (places.keys_dir / "old.json").write_text("an earlier key")
    with pytest.raises(BackupError, match="contains data that would be replaced: secret"):
        restore_backup(backup, places, replaces=False)
    restored = restore_backup(backup, places, replaces=True)
    assert (places.keys_dir.with_name(f"secret.{restored.aside}") / "old.json").read_text() == "an earlier key"
    (tmp_path / "joined").mkdir()
    shutil.copy(places.database, tmp_path / "joined" / "earshot.db")
    shutil.copytree(tmp_path / "c" / "uploads", tmp_path / "joined" / "artifacts")
    shutil.copytree(places.keys_dir, tmp_path / "joined" / "answer-keys")
    assert (digest_rows(tmp_path / "joined"), list_files(tmp_path / "joined")) == wanted
    for folder in ("a/data", "b", "d"):
        assert not any(path.name.endswith(STAGING) for path in (tmp_path / folder).iterdir())
    again = restore_backup(backup, places, replaces=True)
    assert places.database.with_name(f"rows.db.{again.aside}").is_file()


def test_restore_to_a_path_that_contains_the_data_folder_is_refused(backup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "keys" / "data"
    folder.mkdir(parents=True)
    with pytest.raises(BackupError, match="contains the data folder"):
        restore_backup(backup, replace(places_in(folder), keys_dir=tmp_path / "keys"), replaces=True)


def test_restore_into_a_folder_that_contains_the_keys_is_refused(vault: Vault, tmp_path: Path) -> None:
    make_backup(vault.database, vault.places, tmp_path / "b", with_keys=False)
    folder = tmp_path / "new"
    places = replace(places_in(folder), keys_dir=folder / "x" / "keys", database=folder / "x" / "earshot.db")
    places.keys_dir.mkdir(parents=True)
    places.database.write_text("an earlier one")
    with pytest.raises(BackupError, match="its parent folder stays"):
        restore_backup(tmp_path / "b", places, replaces=True)
    assert places.database.read_text() == "an earlier one"


# --- interruptions --------------------------------------------------------------------------------------------------

N_MOVES = 6


@pytest.mark.parametrize("label", ["verified", "unpacked", "prepared"])
def test_restore_stopped_before_the_commit_keeps_the_old_data(vault: Vault, backup: Path, label: str) -> None:
    before = digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)

    def checkpoint(reached: str) -> None:
        if reached == label:
            raise Stopped

    with pytest.raises(Stopped):
        restore_backup(backup, vault.places, replaces=True, checkpoint=checkpoint)
    assert not finish_restore(vault.folder)
    assert (digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)) == before


@pytest.mark.parametrize("n_made", range(N_MOVES + 1))
def test_restore_stopped_after_the_commit_is_finished_by_the_next_process(
    vault: Vault, backup: Path, n_made: int
) -> None:
    wanted = digest_rows(vault.folder), list_files(vault.folder)
    vault.submit("after the backup")
    vault.close()
    later = digest_rows(vault.folder), list_files(vault.folder)
    left = n_made

    def checkpoint(reached: str) -> None:
        nonlocal left
        left -= reached == "moving"
        if reached in ("decided", "moving") and left == 0:
            raise Stopped

    with pytest.raises(Stopped):
        restore_backup(backup, vault.places, replaces=True, checkpoint=checkpoint)
    with pytest.raises(FolderInUseError, match="was interrupted"), share_folder(vault.folder):
        pass
    assert finish_restore(vault.folder)
    assert not finish_restore(vault.folder)
    assert (digest_rows(vault.folder), list_files(vault.folder)) == wanted
    aside = find_aside(vault.folder)
    assert (digest_rows(aside), list_files(aside)) == later
    with share_folder(vault.folder):
        pass
    assert find_faults(vault.folder) == []


@pytest.mark.parametrize("n_made", range(N_MOVES))
def test_move_refused_by_the_system_is_rolled_back_with_earlier_moves(
    vault: Vault, backup: Path, monkeypatch: pytest.MonkeyPatch, n_made: int
) -> None:
    before = digest_rows(vault.folder), list_files(vault.folder), list_top(vault.folder)
    rename = submissions.operations.data_folder._rename
    left = n_made

    def refuse(source: Path, target: Path) -> None:
        nonlocal left
        left -= 1
        if left == -1:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(source))
        rename(source, target)

    monkeypatch.setattr(submissions.operations.data_folder, "_rename", refuse)
    with pytest.raises(BackupError, match=r"Device or resource busy: .*\)\. The existing data is unchanged\."):
        restore_backup(backup, vault.places, replaces=True)
    after = digest_rows(vault.folder), list_files(vault.folder)
    assert after == before[:2]
    assert {name for name in list_top(vault.folder) if not name.startswith(ASIDE)} == before[2]
    assert not finish_restore(vault.folder)


# --- the lock -------------------------------------------------------------------------------------------------------


def test_folder_that_cannot_be_locked_can_be_used_but_not_restored(
    vault: Vault, backup: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("submissions.operations.data_folder.fcntl.flock", refuse)
    with share_folder(vault.folder):
        assert "cannot lock" in caplog.text
    with pytest.raises(BackupError, match="so a running server would go unnoticed"):
        restore_backup(backup, vault.places, replaces=True)
