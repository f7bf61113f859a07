"""Complete Earshot on a free port, started as a user starts it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import psutil

import settings
from db.session import Database
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Content
from evaluation.types import Item
from submissions.accounts.credentials import Accounts
from tests.support.servers.shared_splits import STILL_SHARED
from tests.support.servers.warm_processes import WarmProcess, WarmPython

ROOT = Path(settings.__file__).parent.parent
# Timeout on a machine that is busy with other tests; waiting ends as soon as the condition holds.
PATIENCE_SECONDS = 300.0


def wait_for(condition: Any, what: str, seconds: float = PATIENCE_SECONDS) -> Any:
    """Poll until a condition holds; fail with its name on timeout."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {seconds:.0f} s")


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process has ended, even if its parent has not collected it yet."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it disappeared between the two
        return True


def clean_environment() -> dict[str, str]:
    """Return the environment of this process without Earshot's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("EARSHOT_", "SPACE_"))}


@dataclass
class Server:
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    # Packs and reference systems take minutes on two cores; their tests have servers of their own.
    arguments: tuple[str, ...] = ("--no-packs", "--no-references")
    script: Path = ROOT / "app.py"
    # 0 picks a free port; `get` finds it, and a restart uses the same one.
    port: int = 0
    process: subprocess.Popen[bytes] | WarmProcess | None = None
    # Starts its processes in forks, for tests that are not about starting.
    warm: WarmPython | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    @property
    def keys_dir(self) -> Path:
        named = self.environment.get("EARSHOT_ANSWER_KEYS", "")
        # Keys from remote storage are copied into the data folder.
        return Path(named) if named and "://" not in named else self.data_dir / "answer-keys"

    def start(self) -> "Server":
        return self.start_command([sys.executable, str(self.script), *self.arguments], ROOT)

    def start_command(self, command: Sequence[str], folder: Path) -> "Server":
        """Start the server with a custom command, in a folder."""
        environment = clean_environment() | {
            "EARSHOT_DATA_DIR": str(self.data_dir),
            "EARSHOT_PORT": str(self.port),
        }
        # Limits are off, except in tests about limits.
        environment |= {f"EARSHOT_SUBMISSIONS_{span}": "0" for span in ("PER_DAY", "PER_MONTH", "IN_ALL")}
        environment |= STILL_SHARED
        environment["PYTHONPATH"] = str(folder)  # for a script outside this folder
        environment |= self.environment
        with (self.folder / "server.log").open("ab") as log:
            if self.warm is not None:
                streams = (0, log.fileno(), log.fileno())
                self.process = self.warm.start(command[1:], folder, environment, streams, leads_group=True)
            else:
                self.process = subprocess.Popen(
                    command, cwd=folder, env=environment, stdout=log, stderr=log, process_group=0
                )
        return self

    def wait_until_ready(self, *, with_chance: bool = True) -> "Server":
        wait_for(self._is_ready, "readyz")
        if with_chance:
            wait_for(self._has_ranked_chance, "the figures of the chance system")
        return self

    def _is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "server.log").read_text()[-2000:]
        return self.get("/readyz")[0] == 200

    def _has_ranked_chance(self) -> bool:
        # A row exists immediately; its scores appear when the board is ranked.
        return any(row["scores"] for row in self.rows(source="random"))

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(30)

    def kill_group(self) -> None:
        """Kill the launcher and all its descendants, as stopping a container does."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def child(self, word: str) -> psutil.Process | None:
        """Return the child of app.py whose command line contains a word: `leaderboard`, `worker`."""
        assert self.process is not None
        for child in psutil.Process(self.process.pid).children(recursive=self.warm is not None):
            try:
                words = [child.name()] if self.warm is not None else child.cmdline()[1:]
                program = ".".join(words).split(".")
                if word in program and child.status() != psutil.STATUS_ZOMBIE:
                    return child
            except psutil.Error:
                continue
        return None

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Fetch a path; (0, b"") while nothing answers."""
        self.port = self.port or self._find_port()
        if not self.port:
            return 0, b""
        request = urllib.request.Request(self.url + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()
        except OSError:
            return 0, b""

    def _find_port(self) -> int:
        """Return the port of the launcher; 0 while there is none."""
        assert self.process is not None
        with contextlib.suppress(psutil.Error):
            for connection in psutil.Process(self.process.pid).net_connections("tcp"):
                if connection.status == psutil.CONN_LISTEN:
                    return int(connection.laddr.port)
        return 0

    def json(self, path: str, headers: dict[str, str] | None = None) -> Any:
        status, body = self.get(path, headers)
        assert status == 200, (status, body[:500])
        return json.loads(body)

    def rows(self, **query: str) -> list[dict[str, Any]]:
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        rows: list[dict[str, Any]] = self.json(f"/api/v1/leaderboards/audio-motion-bench?{parameters}")["rows"]
        return rows

    def command(self, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of Earshot's commands on this installation."""
        environment = os.environ | {
            "EARSHOT_DATA_DIR": str(self.data_dir),
            "EARSHOT_PORT": str(self.port),
            "COLUMNS": "200",
        }
        return subprocess.run(
            [sys.executable if self.warm is None else self.warm.script, "-m", module, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def token(self, user: str) -> str:
        """Create a personal token."""
        url = self.environment.get("EARSHOT_DATABASE_URL", f"sqlite:///{self.data_dir}/earshot.db")
        with closing(Database(url)) as database:
            return Accounts(database, ()).create_token(user)

    def send(self, data: bytes, model: str | Mapping[str, Any], owner: str = "ann", **fields: str) -> str:
        """Submit a file over HTTP, and return the id of the submission. A model name alone is accepted."""
        described = {"name": model} if isinstance(model, str) else dict(model)
        response = httpx2.post(
            f"{self.url}/api/v1/submissions",
            headers={"Authorization": f"Bearer {self.token(owner)}"},
            files={"file": ("p.jsonl", data)},
            data={"benchmark": "audio-motion-bench", "model": json.dumps(described), **fields},
            timeout=60,
            trust_env=False,
        )
        assert response.status_code == 201, response.text
        return str(response.json()["id"])


def write_example(server: Server, respond: Callable[[Item], str] | None = None, runs: tuple[int, ...] = (0,)) -> Path:
    """Write a prediction file for a server's test split from the question pack, as a participant would."""
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
    """Return the hidden key that a server created on its first start."""
    benchmark = get_benchmark("audio-motion-bench")
    key = find_key(server.keys_dir, benchmark.id, benchmark.version, "test")
    assert key is not None
    return key
