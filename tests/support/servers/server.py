"""A whole Earshot on a free port, started as a user starts it, for the tests that need one."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

import settings
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Content
from evaluation.types import Item

ROOT = Path(settings.__file__).parent
START_SECONDS = 120.0


def wait_for(condition: Any, what: str, seconds: float = 60.0) -> Any:
    """Look until something is true, and return it; fail with its name when the time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {seconds:.0f} s")


@dataclass
class Server:
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    # Packs and reference systems take minutes of both cores; tests of theirs have servers of their own.
    arguments: tuple[str, ...] = ("--no-packs", "--no-references")
    script: Path = ROOT / "app.py"
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Server":
        self.port = self.port or free_port()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("EARSHOT_", "SPACE_"))}
        environment |= {"EARSHOT_DATA_DIR": str(self.folder / "data"), "EARSHOT_PORT": str(self.port)}
        # Nobody is limited, unless a test is about that.
        environment |= {f"EARSHOT_SUBMISSIONS_{span}": "0" for span in ("PER_DAY", "PER_MONTH", "IN_ALL")}
        environment["PYTHONPATH"] = str(ROOT)  # for a script that is not in this folder
        log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, str(self.script), *self.arguments],
            cwd=ROOT,
            env=environment | self.environment,
            stdout=log,
            stderr=log,
        )
        log.close()
        return self

    def wait_until_ready(self, *, with_chance: bool = True) -> "Server":
        wait_for(lambda: self.get("/readyz")[0] == 200, "readyz", START_SECONDS)
        if with_chance:
            wait_for(self._has_ranked_chance, "the figures of the chance system", START_SECONDS)
        return self

    def _has_ranked_chance(self) -> bool:
        # A row is there at once; its figures stand with it as soon as the board is ranked.
        return any(row["scores"] for row in self.rows(source="random"))

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(30)

    def child(self, word: str) -> psutil.Process | None:
        """Find the child of app.py whose program has a word in its name: `leaderboard`, `worker`."""
        assert self.process is not None
        for child in psutil.Process(self.process.pid).children():
            try:
                program = ".".join(child.cmdline()[1:]).split(".")
                if word in program and child.status() != psutil.STATUS_ZOMBIE:
                    return child
            except psutil.Error:
                continue
        return None

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Fetch a path; (0, b"") while nobody answers."""
        request = urllib.request.Request(self.url + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()
        except OSError:
            return 0, b""

    def json(self, path: str, headers: dict[str, str] | None = None) -> Any:
        status, body = self.get(path, headers)
        assert status == 200, (status, body[:500])
        return json.loads(body)

    def rows(self, **query: str) -> list[dict[str, Any]]:
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        rows: list[dict[str, Any]] = self.json(f"/api/v1/leaderboards/audio-motion-bench?{parameters}")["rows"]
        return rows

    def command(self, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of our command lines against this installation."""
        environment = os.environ | {
            "EARSHOT_DATA_DIR": str(self.folder / "data"),
            "EARSHOT_PORT": str(self.port),
            "COLUMNS": "200",
        }
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def token(self, user: str) -> str:
        """Make a personal token."""
        done = self.command("db", "tokens", "create", user)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def write_example(server: Server, respond: Callable[[Item], str] | None = None, runs: tuple[int, ...] = (0,)) -> Path:
    """Write a prediction file for a server's test split, as a participant makes one from the question pack."""
    items = read_test_content(server).items
    respond = respond or (lambda item: "True" if item.answer_format == "boolean" else "A")
    rows = ({"id": item.id, "run": run, "response": respond(item)} for item in items for run in runs)
    path = server.folder / "example.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read_test_content(server: Server) -> Content:
    """Return the public questions of a server's test split."""
    key = read_test_key(server)
    return get_benchmark(key.benchmark).content(key)


def read_test_key(server: Server) -> AnswerKey:
    """Return the hidden key that a server made on its first start."""
    benchmark = get_benchmark("audio-motion-bench")
    key = find_key(server.folder / "data" / "answer-keys", benchmark.id, benchmark.version, "test")
    assert key is not None
    return key
