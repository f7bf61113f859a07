"""Files of replication in the data folder: socket and configuration of litestream, lease deadline, generation."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

FOLDER = "replica"


@dataclass(frozen=True, slots=True)
class ReplicaFolder:
    """Folder of replication: written by the launcher, read by the web process. It contains no secret."""

    data_dir: Path

    @property
    def path(self) -> Path:
        """The folder."""
        return self.data_dir.absolute() / FOLDER

    @property
    def socket(self) -> Path:
        """Socket for commands to litestream."""
        return self.path / "litestream.sock"

    @property
    def config(self) -> Path:
        """Configuration file of litestream."""
        return self.path / "litestream.yml"

    @property
    def binary(self) -> Path:
        """Copy of litestream's binary that can be executed but not read."""
        return self.path / "litestream"

    def make(self) -> None:
        """Create the folder; only this user may open it."""
        self.path.mkdir(mode=0o700, exist_ok=True)

    def write_deadline(self, seconds: float) -> None:
        """Record until when this machine holds the lease; 0 or less means that it holds none.

        Both clocks are recorded: the monotonic clock may stop while a machine sleeps, and the wall clock can be set.
        """
        self._write("deadline", json.dumps([time.monotonic() + seconds, time.time() + seconds]))

    def is_lease_valid(self) -> bool:
        """Tell whether this machine holds the lease now."""
        try:
            monotonic, wall = json.loads((self.path / "deadline").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return time.monotonic() < float(monotonic) and time.time() < float(wall)

    def write_generation(self, url: str, generation: int) -> None:
        """Record that the local database is at least as new as a generation of a replica."""
        self._write("generation", json.dumps({"url": url, "generation": generation}))

    def read_generation(self, url: str) -> int | None:
        """Return the replica generation that the local database continues, or None."""
        try:
            known = json.loads((self.path / "generation").read_text(encoding="utf-8"))
            return int(known["generation"]) if known["url"] == url else None
        except (OSError, ValueError, KeyError):
            return None

    def _write(self, name: str, text: str) -> None:
        written = self.path / f"{name}.new"
        with written.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written.replace(self.path / name)
