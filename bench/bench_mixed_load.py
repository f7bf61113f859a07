"""Mixed load: 200 people at once for two minutes, who read boards, check files, and submit them."""

import json
import random
import re
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.whole_server import CHECK_PATH, FORM, make_form, send_request, serve_installation
from db.session import Database
from submissions.accounts.credentials import Accounts

SECONDS = 120.0
_BENCHMARK, _VERSION = "mdar", "demo"
_BOARD = "boards"
_PAGES = {
    _BOARD: tuple(
        f"/api/v1/leaderboards/{name}" for name in ("audio-motion-bench", "star-bench", "mdar", "audio-process-bench")
    ),
    "the page": ("/",),
    "other reading": (
        "/api/v1/overview",
        "/api/v1/models",
        "/api/v1/leaderboards/star-bench/export?format=csv",
        "/api/v1/benchmarks",
        "/api/v1/openapi.json",
    ),
}
_START_SECONDS = 900


class Role(NamedTuple):
    """What some of the people do.

    Attributes:
        name: What is measured.
        n_people: How many do it at once.
        pause_seconds: Mean pause between two requests of one person.
    """

    name: str
    n_people: int
    pause_seconds: float


ROLES = (
    Role(_BOARD, 100, 1.0),
    Role("the page", 40, 3.0),
    Role("other reading", 20, 2.0),
    Role("checks", 20, 15.0),
    Role("submissions", 20, SECONDS),
)


class Answer(NamedTuple):
    """An answer of the server, or 0 for none."""

    role: str
    status: int
    seconds: float


def measure() -> list[dict[str, object]]:
    """Return the latency of each kind of request, and how many failed."""
    with tempfile.TemporaryDirectory() as folder, serve_installation(Path(folder)) as port:
        file = _make_file(port)
        tokens = _make_tokens(Path(folder))
        answers = _run(port, file, tokens)
    rows: list[dict[str, object]] = []
    for role in ROLES:
        own = [answer for answer in answers if answer.role == role.name]
        p50, p99 = np.percentile([1e3 * answer.seconds for answer in own], [50, 99])
        n_failed = sum(not 200 <= answer.status < 300 for answer in own)
        rows.append(
            {
                "what": f"mixed load of {sum(one.n_people for one in ROLES)} people: {role.name}",
                "value": round(float(p99), 1),
                "unit": "ms (p99)",
                "target": "≤ 200" if role.name == _BOARD else "–",
                "note": f"p50 {p50:.0f} ms, {len(own)} requests in {SECONDS:.0f} s, {n_failed} errors (target 0)",
            }
        )
    return rows


def _make_file(port: int) -> bytes:
    """Wait until the server can check files, and return predictions for all questions of a small split."""
    path = f"/api/v1/benchmarks/{_BENCHMARK}/pack?split=test&version={_VERSION}"
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        status, pack = send_request(port, "127.0.0.1", path)
        if status == 200 and _is_idle(port):
            with zipfile.ZipFile(BytesIO(pack)) as opened:
                name = next(name for name in opened.namelist() if name.endswith("questions.jsonl"))
                ids = [json.loads(line)["id"] for line in opened.read(name).splitlines()]
            return b"\n".join(json.dumps({"id": one, "response": "A"}).encode() for one in ids)
        time.sleep(1)
    raise TimeoutError("the server does not offer a question pack")


def _is_idle(port: int) -> bool:
    """Return whether the evaluator runs and has scored the reference systems of a first start."""
    status, _ = send_request(port, "127.0.0.1", "/readyz")
    _, metrics = send_request(port, "127.0.0.1", "/metrics")
    counts = dict(re.findall(r'earshot_submissions\{state="([\w-]+)"\} (\d+)', metrics.decode()))
    return status == 200 and "scored" in counts and not any(int(counts.get(one, 0)) for one in ("queued", "running"))


def _make_tokens(folder: Path) -> list[str]:
    n_people = next(role.n_people for role in ROLES if role.name == "submissions")
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
        accounts = Accounts(database, ())
        return [accounts.create_token(f"person-{number:02}", "load") for number in range(n_people)]


def _run(port: int, file: bytes, tokens: Sequence[str]) -> list[Answer]:
    answers: list[Answer] = []
    end = time.monotonic() + SECONDS
    people = [(role, number) for role in ROLES for number in range(role.n_people)]
    threads = []
    for at, (role, number) in enumerate(people):
        source = f"127.0.{at // 200 + 4}.{at % 200 + 1}"
        visit = _choose_visit(role, port, source, file, tokens[number] if role.name == "submissions" else "")
        threads.append(threading.Thread(target=_repeat, args=(role, visit, at, end, answers)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _choose_visit(role: Role, port: int, source: str, file: bytes, token: str) -> Callable[[random.Random], int]:
    if role.name in _PAGES:
        return lambda chance: send_request(port, source, chance.choice(_PAGES[role.name]))[0]
    fields = {"benchmark": _BENCHMARK, "version": _VERSION}
    if role.name == "checks":
        return lambda _chance: send_request(port, source, CHECK_PATH, make_form(file, fields), FORM)[0]
    fields |= {"model": json.dumps({"name": f"Model of {token[-6:]}"})}
    headers = {**FORM, "Authorization": f"Bearer {token}"}
    return lambda _chance: send_request(port, source, "/api/v1/submissions", make_form(file, fields), headers)[0]


def _repeat(role: Role, visit: Callable[[random.Random], int], seed: int, end: float, answers: list[Answer]) -> None:
    """Do the same until the end, with pauses of random length; submit once."""
    chance = random.Random(seed)  # noqa: S311 - not a secret
    time.sleep(chance.uniform(0, min(role.pause_seconds, SECONDS / 2)))
    while time.monotonic() < end:
        began = time.perf_counter()
        try:
            status = visit(chance)
        except OSError:
            status = 0
        answers.append(Answer(role.name, status, time.perf_counter() - began))
        if role.name == "submissions":
            return
        time.sleep(chance.uniform(0.5, 1.5) * role.pause_seconds)


if __name__ == "__main__":
    sys.stdout.write("\n".join(str(row) for row in measure()) + "\n")
