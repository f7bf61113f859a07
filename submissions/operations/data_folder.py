"""Lock of a data folder: many processes share it; a restore locks it exclusively and completes an interrupted restore.

The kernel holds the lock on an open file, so it ends with its process in any case.
"""

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from submissions.errors import BackupError, FolderInUseError, UnfitVolumeError

LOCK, SERVER_LOCK = ".lock", ".server-lock"
JOURNAL = ".restore-journal.json"
_MAX_DIGITS = 20
_LOG = logging.getLogger(__name__)


class Move(NamedTuple):
    """A file or folder, and its destination."""

    source: Path
    target: Path


@contextmanager
def share_folder(data_dir: Path) -> Iterator[None]:
    """Share a data folder; no restore can begin meanwhile.

    Raises:
        FolderInUseError: A restore is running, or was interrupted.
    """
    with _open_lock(data_dir / LOCK) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUseError(f"A restore into {data_dir} is running. Try again when it has finished.") from None
        except OSError as error:
            # Some network file systems have no locks. They can be used; only a restore needs the lock.
            _LOG.warning("cannot lock %s (%s): stop all Earshot processes yourself before a restore.", data_dir, error)
        if (data_dir / JOURNAL).exists():
            raise FolderInUseError(f"A restore into {data_dir} was interrupted. `python -m db check` finishes it.")
        yield


@contextmanager
def lock_server(data_dir: Path) -> Iterator[None]:
    """Be the only server of a data folder.

    Raises:
        FolderInUseError: Another server uses it.
    """
    with _open_lock(data_dir / SERVER_LOCK) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUseError(
                f"Another server uses {data_dir} (process {_read_process(descriptor)}). Stop it, or set "
                "EARSHOT_DATA_DIR to another folder and EARSHOT_PORT to another port."
            ) from None
        except OSError as error:
            _LOG.warning("cannot lock %s (%s): start no second server on it.", data_dir, error)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield


def _read_process(descriptor: int) -> str:
    found = os.pread(descriptor, _MAX_DIGITS, 0)
    return found.decode() if found.isdigit() else "unknown"


def require_disk(data_dir: Path) -> None:
    """Raise an error for a volume that lacks what a database needs, such as a bucket mounted as a folder.

    Raises:
        UnfitVolumeError: The volume does not support links or renames.
    """
    probe, linked, other = (data_dir / f".probe-{name}" for name in ("file", "link", "other"))
    try:
        linked.unlink(missing_ok=True)
        probe.write_bytes(b"probe")
        linked.hardlink_to(probe)
        other.write_bytes(b"other")
        other.replace(linked)
        for path in (probe, linked):
            path.unlink()
    except OSError as error:
        raise UnfitVolumeError(
            f"EARSHOT_DATA_DIR: {data_dir} is on a volume that cannot hold a database ({error.strerror}), such as a "
            "mounted bucket. Set EARSHOT_DATA_DIR to a folder in the container, such as /app/data. Keep data in "
            "remote storage with EARSHOT_REPLICA_URL, EARSHOT_STORAGE_URL and EARSHOT_ANSWER_KEYS."
        ) from error


@contextmanager
def own_folder(data_dir: Path) -> Iterator[None]:
    """Lock a data folder exclusively.

    Raises:
        FolderInUseError: Another process uses it.
        BackupError: The volume does not support locks.
    """
    with _open_lock(data_dir / LOCK) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUseError(
                f"A server, an evaluator or another command is using {data_dir}. Stop it, then restore."
            ) from None
        except OSError as error:
            raise BackupError(
                f"Cannot lock {data_dir} ({error.strerror}), so a running server would go unnoticed. Restore into a "
                "folder on a local disk."
            ) from None
        yield


@contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    # Python's descriptors are not inherited by other programs, so no child holds the lock for its parent.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def write_journal(data_dir: Path, moves: Sequence[Move]) -> None:
    """Commit to these moves, in this order: an interrupted process resumes them."""
    text = json.dumps([[os.path.relpath(path, data_dir) for path in move] for move in moves])
    written = data_dir / f"{JOURNAL}.new"
    with written.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    written.replace(data_dir / JOURNAL)
    sync_folder(data_dir)


def finish_restore(data_dir: Path) -> bool:
    """Make the moves that an interrupted restore committed to; False if there are none.

    Raises:
        FolderInUseError: Another process is about to make them.
    """
    if not (data_dir / JOURNAL).exists():
        return False
    with own_folder(data_dir):
        make_moves(data_dir)
    return True


def make_moves(data_dir: Path, checkpoint: Callable[[str], None] = lambda _label: None) -> None:
    """Make the remaining moves of the journal, and delete it. The caller must hold the lock."""
    journal = data_dir / JOURNAL
    if not journal.exists():
        return
    moves = [
        Move(*(Path(os.path.normpath(data_dir / path)) for path in move))
        for move in json.loads(journal.read_text(encoding="utf-8"))
    ]
    try:
        for move in moves:
            _make(move)
            checkpoint("moving")
    except OSError:
        _take_back(moves)
        journal.unlink()
        raise
    journal.unlink()
    sync_folder(data_dir)


def _make(move: Move) -> None:
    if os.path.lexists(move.target):
        return  # made before the interruption: existing data moves aside first, and every target is new
    move.target.parent.mkdir(parents=True, exist_ok=True)
    _rename(move.source, move.target)


def _take_back(moves: Sequence[Move]) -> None:
    """Undo the moves made so far; if the system refuses one, it would refuse it again."""
    for move in reversed(moves):
        if os.path.lexists(move.target) and not os.path.lexists(move.source):
            _rename(move.target, move.source)


def _rename(source: Path, target: Path) -> None:
    source.rename(target)
    sync_folder(target.parent)
    sync_folder(source.parent)


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to disk; the fsync of a file does not.

    `evaluation.answer_keys` has the same four lines. Importing it would load numpy and every benchmark into the
    launcher, which starts with this module.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
