"""Watch of answer-key files: detects keys that are imported, corrected or replaced while an evaluator runs."""

from pathlib import Path

from evaluation.answer_keys import key_path
from evaluation.benchmarks import all_benchmarks

# A replaced file has another inode, even if two replacements are closer than the resolution of file times.
_Mark = tuple[int, int, int] | None


class KeyWatch:
    """Compares the metadata of all key files with the previous check, without opening them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, _Mark] = {}

    def has_changed(self) -> bool:
        """Tell whether any key has changed since the previous check; the first check reports every key as new."""
        paths = (key_path(self._folder, one.id, one.version, "test") for one in all_benchmarks())
        found = {path: _mark(path) for path in paths}
        has_changed = found != self._seen
        self._seen = found
        return has_changed

    def forget(self) -> None:
        """Make the next check report every key as new."""
        self._seen = {}


def _mark(path: Path) -> _Mark:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
