"""Download of packs from a server that breaks off, on loopback."""

import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from submissions.cli.pack_download import download_pack
from submissions.client import Client, ClientError, ServerRefusedError

EDITION = "e-7f3kq9x2"
PACK = bytes(range(256)) * 4_000


class PackServer(ThreadingHTTPServer):
    """Serves a pack, a piece per request: `piece` bytes, then the connection closes."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.piece = len(PACK)
        self.status: int | None = None
        self.ranges: list[str | None] = []


class _Handler(BaseHTTPRequestHandler):
    server: PackServer

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        first = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if self.server.status is not None or first >= len(PACK):
            self.send_response(self.server.status or 416)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(PACK) - first))
        self.end_headers()
        self.wfile.write(PACK[first : first + self.server.piece])
        self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def server() -> Iterator[PackServer]:
    with PackServer() as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


@pytest.fixture
def client(server: PackServer) -> Iterator[Client]:
    with closing(Client(f"http://127.0.0.1:{server.server_port}", pause=lambda _seconds: None)) as made:
        yield made


def test_interrupted_download_is_continued(server: PackServer, client: Client, tmp_path: Path) -> None:
    server.piece = 300_000
    seen: list[tuple[int, int]] = []
    download_pack(client, EDITION, tmp_path / "pack.zip", lambda n_done, total: seen.append((n_done, total)))
    assert (tmp_path / "pack.zip").read_bytes() == PACK
    assert server.ranges == [None, *(f"bytes={first}-" for first in (300_000, 600_000, 900_000))]
    assert {total for _, total in seen} == {len(PACK)}
    assert seen[-1] == (len(PACK), len(PACK))
    assert [path.name for path in tmp_path.iterdir()] == ["pack.zip"]


def test_next_command_continues(server: PackServer, client: Client, tmp_path: Path) -> None:
    out = tmp_path / "pack.zip"
    (tmp_path / f".pack.zip.{EDITION}.part").write_bytes(PACK[:1_000])
    download_pack(client, EDITION, out, lambda _n_done, _total: None)
    assert out.read_bytes() == PACK
    assert server.ranges == ["bytes=1000-"]


def test_complete_download_is_only_moved(client: Client, tmp_path: Path) -> None:
    (tmp_path / f".pack.zip.{EDITION}.part").write_bytes(PACK)
    download_pack(client, EDITION, tmp_path / "pack.zip", lambda _n_done, _total: None)
    assert (tmp_path / "pack.zip").read_bytes() == PACK


def test_connection_without_progress_ends_with_an_error(server: PackServer, client: Client, tmp_path: Path) -> None:
    server.piece = 0
    with pytest.raises(ClientError, match=r"broke off .*\. Repeat the command: it continues"):
        download_pack(client, EDITION, tmp_path / "pack.zip", lambda _n_done, _total: None)
    assert not (tmp_path / "pack.zip").exists()


def test_refusal_is_not_repeated(server: PackServer, client: Client, tmp_path: Path) -> None:
    server.status = 404
    with pytest.raises(ServerRefusedError):
        download_pack(client, EDITION, tmp_path / "pack.zip", lambda _n_done, _total: None)
    assert len(server.ranges) == 1


def test_folder_that_cannot_be_written_is_one_sentence(client: Client, tmp_path: Path) -> None:
    with pytest.raises(ClientError, match=r"cannot be written .*Choose another --out"):
        download_pack(client, EDITION, tmp_path / "absent" / "pack.zip", lambda _n_done, _total: None)
