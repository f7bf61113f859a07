"""Canaries: recognisable values in place of secrets, with searches in bytes and in processes."""

import base64
import gzip
import os
import re
import secrets
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

# As root, run as a user without root's privileges to read everything.
AS_USER = ("setpriv", "--bounding-set=-all", "--") if os.geteuid() == 0 else ()


class Canaries:
    """Unique values that identify their secret and never occur by chance."""

    def __init__(self) -> None:
        self._mark = f"canary{secrets.token_hex(6)}"
        self._named = re.compile(rf"{self._mark}-([a-z-]+)0".encode())
        self._values: dict[str, str] = {}

    def make(self, name: str) -> str:
        """Return the value of a secret, named in lower-case letters and hyphens."""
        value = f"{self._mark}-{name}0{secrets.token_hex(16)}"
        self._values[name] = value
        return value

    def add(self, name: str, value: str) -> None:
        """Also search for a value that was created elsewhere."""
        self._values[name] = value

    def find(self, data: bytes) -> set[str]:
        """Return the names of the secrets that bytes contain in any encoding."""
        # All canaries share a prefix: bytes without it need no search for each canary.
        has_mark = _has_any_form(self._mark, data)
        return {
            name
            for name, value in self._values.items()
            if (has_mark or not value.startswith(self._mark)) and _has_any_form(value, data)
        }

    def find_in_files(self, folder: Path, ignored: Iterable[Path] = ()) -> dict[str, set[str]]:
        """Return file → secrets, for the files of a folder that contain any."""
        found = {str(path): self.find(data) for path, data in read_files(folder) if path not in ignored}
        return {path: names for path, names in found.items() if names}

    def find_in_process(self, pid: int) -> set[str]:
        """Return the names of the secrets in the environment or memory of a process, without encodings.

        Raises:
            PermissionError: This process may not read it.
        """
        parts = (Path(f"/proc/{pid}/environ").read_bytes(), *read_memory(pid))
        return {match[1].decode() for part in parts for match in self._named.finditer(part)}


def _has_any_form(value: str, data: bytes) -> bool:
    return any(form in data for form in spell(value))


def spell(value: str) -> list[bytes]:
    """Return all encodings in which a secret could leak."""
    plain = value.encode()
    coded = [base64.b64encode(b" " * pad + plain)[4:-4] for pad in range(3)]
    return [plain, plain[::-1], plain.hex().encode(), plain.hex().upper().encode(), *coded]


def read_files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the regular files of a folder, decompressing gzip files."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield path, gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def read_memory(pid: int) -> Iterator[bytes]:
    """Yield the writable memory regions of a process.

    Raises:
        PermissionError: This process may not read it.
    """
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory, Path(f"/proc/{pid}/maps").open() as maps:
        for line in maps:
            span, permissions = line.split()[:2]
            start, end = (int(part, 16) for part in span.split("-"))
            if permissions.startswith("rw"):
                try:
                    memory.seek(start)
                    yield memory.read(end - start)
                except (OSError, OverflowError, ValueError):
                    continue  # a device, or a region that has been unmapped since


def can_inspect(pid: int) -> bool:
    """Return whether another process of the same user can read the environment or memory of a process."""
    return any(
        subprocess.run(
            [*AS_USER, "head", f"--bytes={n_bytes}", f"/proc/{pid}/{name}"], capture_output=True, check=False
        ).returncode
        == 0
        for name, n_bytes in (("environ", 1), ("mem", 0))
    )
