"""Question packs of editions on this machine: personal, kept for a day, and rendered again on request."""

import os
import time
from pathlib import Path

from evaluation.packs import UNFINISHED_PREFIX

KEPT_SECONDS = 24 * 3600.0
MAX_BYTES = 10_000_000_000
"""Maximum total size; the packs used longest ago are deleted first. An edition of AudioMotionBench has 215 MB."""
_LEFTOVER_AFTER_SECONDS = 3600.0


class EditionPacks:
    """Folder of packs. Each is deleted a day after its last use; the same bytes can be rendered again."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        """Take the folder, which may not exist yet, and the maximum total size."""
        self._folder = folder
        self._max_bytes = max_bytes

    def path(self, name: str) -> Path:
        """Return the path of a pack. A manipulated database must not name another folder."""
        return self._folder / Path(name).name

    def find_pack(self, name: str | None) -> Path | None:
        """Return the path of an existing pack, and note that it was used."""
        if not name:
            return None
        path = self.path(name)
        try:
            os.utime(path)
        except OSError:  # deleted, or never rendered on this machine
            return None
        return path

    def holds(self, name: str | None) -> bool:
        """Return whether a pack exists."""
        return bool(name) and self.path(name or "").is_file()

    def discard_pack(self, path: Path) -> None:
        """Delete a damaged pack, so that it is rendered again."""
        path.unlink(missing_ok=True)

    def make_room(self) -> None:
        """Create the folder; delete packs that were not used for a day, and those that exceed the maximum size."""
        self._folder.mkdir(parents=True, exist_ok=True)
        now, size = time.time(), 0
        for path, used_at, n_bytes in sorted(self._list_files(), key=lambda one: -one[1]):
            is_leftover = path.name.startswith(UNFINISHED_PREFIX)
            size += n_bytes
            age = now - used_at
            if age > (_LEFTOVER_AFTER_SECONDS if is_leftover else KEPT_SECONDS) or size > self._max_bytes:
                path.unlink(missing_ok=True)

    def _list_files(self) -> list[tuple[Path, float, int]]:
        found = []
        for path in self._folder.iterdir():
            try:
                stat = path.stat()
            except FileNotFoundError:  # another evaluator was faster
                continue
            found.append((path, stat.st_mtime, stat.st_size))
        return found
