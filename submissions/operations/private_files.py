"""Private files: other users of the machine can open nothing of an installation."""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_OTHERS = 0o077
_NAMED_AT_MOST = 3


def keep_files_private() -> None:
    """Let this process, and those that it starts, create files and folders for its own user only."""
    os.umask(_OTHERS)


def repair_modes(places: Sequence[Path], keys_dir: Path) -> str | None:
    """Close files and folders to other users, and return what was done or cannot be done, as a sentence.

    Args:
        places: Files and folders. What is in a closed folder is closed, so its content, of which some may not be ours,
            keeps its modes. Missing ones are skipped.
        keys_dir: Folder of the answer keys, which is closed with everything in it.
    """
    every = (*places, keys_dir, *sorted(keys_dir.rglob("*")))
    opened = [path for path in dict.fromkeys(every) if not path.is_symlink() and _is_open(path)]
    for path in opened:
        _close(path)
    left = [path for path in opened if _is_open(path)]
    if left:
        return (
            f"Other users of this machine can open {_name_paths(left)}, and Earshot cannot change that. "
            "Change the mode to 0700 for folders and 0600 for files, or use a folder on another volume."
        )
    if opened:
        return f"Other users of this machine could open {_name_paths(opened)}. Now only this user can."
    return None


def _is_open(path: Path) -> bool:
    try:
        return bool(path.lstat().st_mode & _OTHERS)
    except FileNotFoundError:
        return False


def _close(path: Path) -> None:
    # It may be another user's, or on a volume without modes; the caller looks again.
    with suppress(OSError):
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~_OTHERS)


def _name_paths(paths: Sequence[Path]) -> str:
    named = ", ".join(str(path) for path in paths[:_NAMED_AT_MOST])
    return named if len(paths) <= _NAMED_AT_MOST else f"{named} and {len(paths) - _NAMED_AT_MOST} more"
