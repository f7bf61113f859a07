"""Honest visitors during attacks: checks and boards during checks of the worst files, and with silent connections."""

import gzip
import json
import resource
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.whole_server import BOUNDARY, CHECK_PATH, FORM, make_form, send_request, serve_installation

N_CLIENTS = 20
N_SILENT, N_SLOW = 20_000, 200
N_CHECKS, N_BOARDS = 10, 100
_HONEST, _VISITOR, _SILENT, _SLOW = "127.0.0.1", "127.0.2.1", "127.0.3.1", "127.0.3.2"
_BOARD = "/api/v1/leaderboards/audio-motion-bench"


def measure() -> list[dict[str, object]]:
    """Return the times of honest checks and boards, alone and during attacks on the same server."""
    honest = _write_lines(6_048, lambda n: {"id": f"amb-{n:05d}", "response": "from left to right"})
    with tempfile.TemporaryDirectory() as folder, serve_installation(Path(folder)) as port:
        _wait_for_check(port, honest)
        alone = _time_checks(port, honest), _time_boards(port)
        with _attack(port):
            attacked = _time_checks(port, honest), _time_boards(port)
        with _connect(port):
            slow = _time_checks(port, honest), _time_boards(port)
    places = {
        "alone": alone,
        f"while {N_CLIENTS} clients send the worst files of 100 kB": attacked,
        f"with {N_SILENT:,} silent and {N_SLOW} slow connections": slow,
    }
    rows: list[dict[str, object]] = []
    for place, (checks, boards) in places.items():
        rows.append(_row(f"check of 6,048 predictions, {place}", checks, "≤ 2 s" if place != "alone" else "–"))
        rows.append(_row(f"board, {place}", boards, "p99 ≤ 0.3 s" if place != "alone" else "–"))
    return rows


def _row(name: str, seconds: Sequence[float], target: str) -> dict[str, object]:
    p99 = statistics.quantiles(seconds, n=100, method="inclusive")[98]
    note = f"p99 {p99:.3f} s, longest {max(seconds):.3f} s"
    return {"what": name, "value": round(statistics.median(seconds), 3), "unit": "s", "target": target, "note": note}


def _write_lines(n_lines: int, make_row: Callable[[int], object]) -> bytes:
    return b"\n".join(json.dumps(make_row(number)).encode() for number in range(n_lines))


def _make_worst_files() -> list[bytes]:
    """Return files of at most 100 kB that take longest to read."""
    texts = (
        b"{}\n" * 1_000_000,
        _write_lines(30_000, lambda number: {"id": number, "response": [1]}),
        _write_lines(21_000, lambda number: {"id": f"amb-v1-{number * 7919 % 99_991:05d}x", "response": "A"}),
        b"[" + b",".join([b'{"id":"x","response":"A"}'] * 700_000) + b"]",
        b"id,response\n" + b"x,A\n" * 4_000_000,
        b"\n" * 9_900_000,
    )
    return [gzip.compress(text) for text in texts]


def _check_file(port: int, data: bytes, source: str) -> int:
    return send_request(port, source, CHECK_PATH, make_form(data, {"benchmark": "audio-motion-bench"}), FORM)[0]


def _wait_for_check(port: int, honest: bytes) -> None:
    """Wait until the benchmark is registered."""
    while _check_file(port, honest, _HONEST) != 200:
        time.sleep(1)


def _time_checks(port: int, honest: bytes) -> list[float]:
    return [_time(lambda: _check_file(port, honest, _HONEST)) for _ in range(N_CHECKS)]


def _time_boards(port: int) -> list[float]:
    return [_time(lambda: send_request(port, _VISITOR, _BOARD)[0]) for _ in range(N_BOARDS)]


def _time(send: Callable[[], int]) -> float:
    began = time.perf_counter()
    status = send()
    assert status == 200, status
    return time.perf_counter() - began


@contextmanager
def _attack(port: int) -> Iterator[None]:
    """Check the worst files from addresses of their own, each again and again."""
    files, ended = _make_worst_files(), threading.Event()

    def check_files(number: int) -> None:
        turn = number
        while not ended.is_set():
            _check_file(port, files[turn % len(files)], f"127.0.1.{number + 1}")
            turn += 1

    threads = [threading.Thread(target=check_files, args=(number,)) for number in range(N_CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(5)  # until all of them are busy
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@contextmanager
def _connect(port: int) -> Iterator[None]:
    """Open silent connections, and uploads that send one byte each second."""
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    ended = threading.Event()
    head = f"POST /api/v1/validations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {FORM['Content-Type']}\r\n"
    beginning = f"{head}Content-Length: 100000000\r\n\r\n--{BOUNDARY}\r\n".encode()
    with ExitStack() as opened:
        for _ in range(min(N_SILENT, most_files - 1_000)):
            opened.enter_context(_open(port, _SILENT))
        slow = [opened.enter_context(_open(port, _SLOW)) for _ in range(N_SLOW)]

        def trickle() -> None:
            sent = beginning
            while not ended.is_set():
                for connection in slow:
                    try:
                        connection.sendall(sent)
                    except OSError:  # refused
                        continue
                sent = b"x"
                ended.wait(1)

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def _open(port: int, source: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
