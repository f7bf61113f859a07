"""Web server in a process of its own, for attacks whose cost is measured: `python -m …attacked_site FOLDER`.

It prints its port and the token of a user, and serves until its input ends. Temporary files go to `FOLDER/tmp`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.support.servers.live_site import run_site
from tests.support.servers.server import ROOT, clean_environment
from tests.support.servers.warm_processes import WarmPython


@dataclass(frozen=True)
class AttackedSite:
    """A web server in its own process.

    Attributes:
        port: Its port.
        token: Token of a user.
        process: The process.
        folder: Folder of its data and temporary files.
    """

    port: int
    token: str
    process: psutil.Process
    folder: Path

    def measure_memory(self) -> int:
        """Return the resident memory of the process, in bytes."""
        return int(self.process.memory_info().rss)

    def list_temporary_files(self) -> list[str]:
        """Return the files that exist only while a request is answered."""
        folders = (self.folder / "tmp", self.folder / "data" / "incoming")
        return [str(path) for folder in folders if folder.exists() for path in folder.iterdir()]

    def list_stored_files(self) -> list[Path]:
        """Return the stored uploads."""
        return [path for path in (self.folder / "data" / "artifacts").rglob("*") if path.is_file()]

    def list_checks(self) -> list[int]:
        """Return the processes of running checks: all descendants but the server that forks them."""
        forking = self.process.children()
        return [child.pid for child in self.process.children(recursive=True) if child not in forking]


@contextmanager
def run_attacked_site(folder: Path, warm: WarmPython) -> Iterator[AttackedSite]:
    """Run a web server in a process of its own."""
    (folder / "tmp").mkdir()
    from_site, to_us = os.pipe()
    from_us, to_site = os.pipe()
    with (folder / "site.log").open("ab") as log:
        process = warm.start(["-m", __name__, str(folder)], ROOT, clean_environment(), (from_us, to_us, log.fileno()))
    os.close(from_us)
    os.close(to_us)
    try:
        # The end of its input ends the site.
        with os.fdopen(from_site) as output, os.fdopen(to_site, "w"):
            port, token = json.loads(output.readline())
            yield AttackedSite(port, token, psutil.Process(process.pid), folder)
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()
        process.wait(10)


def main() -> None:
    """Serve until the input ends."""
    folder = Path(sys.argv[1])
    tempfile.tempdir = str(folder / "tmp")
    with run_site(folder / "data") as site:
        sys.stdout.write(json.dumps([site.port, site.token("ada")]) + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
