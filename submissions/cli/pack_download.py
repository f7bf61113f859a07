"""Download of packs: resumed where it was interrupted, moved into place when it is complete."""

import os
from collections.abc import Callable
from pathlib import Path

import httpx2

from submissions.client import Client, ClientError, quote_name

_PARTIAL, _COMPLETE = 206, 416
_ATTEMPTS = 5

Show = Callable[[int, int], None]
"""Called with the number of downloaded bytes and the total."""


def download_pack(client: Client, edition_id: str, out: Path, show: Show) -> None:
    """Download the pack of an edition to a file.

    Raises:
        ClientError: The server refuses, the connection keeps breaking, or the file cannot be written.
    """
    download_file(client, f"/api/v1/editions/{quote_name(edition_id)}/pack", edition_id, out, show)


def download_shared_pack(
    client: Client, benchmark: str, version: str | None, split: str, out: Path, show: Show
) -> None:
    """Download a pack that is the same for everybody.

    Raises:
        ClientError: The server refuses, the connection keeps breaking, or the file cannot be written.
    """
    chosen = "" if version is None else f"&version={quote_name(version)}"
    path = f"/api/v1/benchmarks/{quote_name(benchmark)}/pack?split={split}{chosen}"
    download_file(client, path, f"the {split} pack", out, show)


def download_file(client: Client, path: str, name: str, out: Path, show: Show) -> None:
    """Download a pack by its path on the server.

    The bytes of a pack never change, so an interrupted download, even of an earlier command, is continued.

    Raises:
        ClientError: The server refuses, the connection keeps breaking, or the file cannot be written.
    """
    partial = out.with_name(f".{out.name}.{name.replace(' ', '-')}.part")
    try:
        _download_all(client, path, name, partial, show)
        partial.replace(out)
    except OSError as error:
        raise ClientError(f"{out} cannot be written ({error.strerror}). Choose another --out.") from None


def _download_all(client: Client, path: str, name: str, partial: Path, show: Show) -> None:
    n_without_progress = 0
    while True:
        before = _size_of(partial)
        try:
            if _download_rest(client, path, partial, show):
                return
        except httpx2.HTTPError as error:
            reason = type(error).__name__
        else:
            reason = "the connection was closed early"
        n_without_progress = 0 if _size_of(partial) > before else n_without_progress + 1
        if n_without_progress == _ATTEMPTS:
            raise ClientError(
                f"The download of {name} broke off ({reason}). Repeat the command: it continues where it ended."
            )
        client.pause_after(n_without_progress)


def _download_rest(client: Client, path: str, partial: Path, show: Show) -> bool:
    """Append what is missing; return whether the file is complete."""
    size = _size_of(partial)
    with client.stream_pack(path, size) as response:
        if response.status_code == _COMPLETE:
            return True
        is_rest = response.status_code == _PARTIAL
        n_done = size if is_rest else 0
        total = n_done + int(response.headers["content-length"])
        with partial.open("ab" if is_rest else "wb") as file:
            for piece in response.iter_raw():  # as they arrive: what waits for a full piece would be lost
                file.write(piece)
                n_done += len(piece)
                show(n_done, total)
            file.flush()
            os.fsync(file.fileno())
    return n_done == total


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
