"""Token store of the command line: one personal token per server, in a file that only its owner may read."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from submissions.client import ClientError

FILE_NAME = "tokens.json"


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A token obtained by `login`."""

    id: int
    token: str = field(repr=False)


class TokenStore:
    """The token file in a folder, which is created with the first token."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    def find_token(self, url: str) -> StoredToken | None:
        """Return the token of a server.

        Raises:
            ClientError: The file cannot be read, or other users may read it.
        """
        entry = self._read().get(_name_server(url))
        if not isinstance(entry, dict) or not isinstance(entry.get("token"), str):
            return None
        return StoredToken(int(entry.get("id", 0)), entry["token"])

    def store_token(self, url: str, token: StoredToken) -> None:
        """Store the token of a server, replacing an earlier one.

        Raises:
            ClientError: The file cannot be written.
        """
        self._write(self._read() | {_name_server(url): asdict(token)})

    def remove(self, url: str) -> None:
        """Delete the token of a server.

        Raises:
            ClientError: The file cannot be written.
        """
        self._write({name: entry for name, entry in self._read().items() if name != _name_server(url)})

    def _read(self) -> dict[str, object]:
        try:
            if self._path.stat().st_mode & 0o077:
                raise ClientError(f"Other users can read {self._path}. Run `chmod 600 {self._path}`.")
            entries = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not JSON"
            raise ClientError(f"Cannot read {self._path} ({reason}). Delete it and log in again.") from None
        return entries if isinstance(entries, dict) else {}

    def _write(self, entries: dict[str, object]) -> None:
        """Replace the file atomically, so that an interrupted command keeps the old one."""
        folder = self._path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:  # opened with mode 0600
                file.write(json.dumps(entries, indent=2).encode())
            os.replace(file.name, self._path)  # noqa: PTH105 - atomic, and overwrites on every system
        except OSError as error:
            raise ClientError(f"Cannot write {self._path} ({error.strerror}).") from None


def _name_server(url: str) -> str:
    """Return the key of a server in the file; the client refuses invalid addresses."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}".lower()
