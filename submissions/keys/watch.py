"""Notices that an answer key was imported, corrected or replaced while an evaluator runs."""

from pathlib import Path

from evaluation.answer_keys import key_path
from evaluation.benchmarks import all_benchmarks

# A replaced file is another inode, even where two replacements are closer than the clock of the disk can tell.
_Mark = tuple[int, int, int] | None


class KeyWatch:
    """Compares the files of all keys with how they were at the last look; it does not open them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, _Mark] = {}

    def has_changed(self) -> bool:
        """Tell whether any key is another one than at the last look; the first look finds every key new."""
        paths = (key_path(self._folder, one.id, one.version, "test") for one in all_benchmarks())
        found = {path: _mark(path) for path in paths}
        has_changed = found != self._seen
        self._seen = found
        return has_changed

    def forget(self) -> None:
        """Let the next look find every key new."""
        self._seen = {}


def _mark(path: Path) -> _Mark:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
