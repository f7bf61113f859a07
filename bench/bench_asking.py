"""Throughput of querying an endpoint, compared with the openai client: `python -m bench.bench_asking`.

The server runs in its own process, discards bodies and replies after 100 ms. Each call sends 341 kB of base64.
"""

import asyncio
import base64
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2
import numpy as np
import openai
import psutil

from evaluation.audio import encode_wav
from evaluation.types import AudioPart, TextPart
from submissions.endpoints.querying.engine import query_all
from submissions.endpoints.querying.query_records import ItemQuery, describe_endpoint

LATENCY_SECONDS = 0.1
IN_FLIGHT = (1, 16, 64, 256)
ROUNDS = 3
_BASE64_BYTES = 341_000
_N_CLIPS = 20
_ROOT = Path(__file__).parents[1]
_PROMPT = "Does the sound move to the left or to the right?"
# The documents state a share of the ideal at these values.
_TARGETS = {64: "≥ 85 %", 256: "≥ 45 %"}


Client = Callable[[int, bytes, int, int], None]


class ClientSpeed(NamedTuple):
    """Measurements of one client."""

    per_second: float
    cpu_milliseconds: float


def measure() -> list[dict[str, object]]:
    """Return requests per second and CPU per call for each number in flight; the two clients alternate in rounds."""
    clip = make_clip()
    rows: list[dict[str, object]] = []
    with run_answering_server() as port:
        for n_in_flight in IN_FLIGHT:
            earshot_speeds, openai_speeds = [], []
            for _ in range(ROUNDS):
                earshot_speeds.append(time_client(query_with_earshot, port, clip, n_in_flight, n_rounds=20))
                openai_speeds.append(time_client(_ask_openai, port, clip, n_in_flight, n_rounds=4))
            rows += _describe(n_in_flight, max(earshot_speeds), max(openai_speeds))
    return rows


def _describe(n_in_flight: int, earshot: ClientSpeed, openai_client: ClientSpeed) -> Iterator[dict[str, object]]:
    ideal = n_in_flight / LATENCY_SECONDS
    ratio = earshot.per_second / openai_client.per_second
    note = f"{earshot.per_second / ideal:.0%} of the ideal {ideal:,.0f}, {ratio:.1f} × openai"
    what = f"asking, {n_in_flight} in flight"
    target = f"{_TARGETS[n_in_flight]} of ideal" if n_in_flight in _TARGETS else "–"
    yield _row(what, earshot.per_second, "requests/s", target, note)
    yield _row(
        f"{what}, openai client",
        openai_client.per_second,
        "requests/s",
        "–",
        f"{openai_client.per_second / ideal:.0%} of it",
    )
    note = f"openai client {openai_client.cpu_milliseconds:.2f} ms"
    yield _row(f"{what}, CPU", earshot.cpu_milliseconds, "ms a call", "≤ 1", note)


def _row(what: str, value: float, unit: str, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": round(value, 2), "unit": unit, "target": target, "note": note}


def time_client(ask: Client, port: int, clip: bytes, n_in_flight: int, n_rounds: int) -> ClientSpeed:
    """Time some rounds of calls by a client, fewer for slow ones."""
    n_calls = n_rounds * n_in_flight
    process = psutil.Process()
    before, began = process.cpu_times(), time.perf_counter()
    ask(port, clip, n_calls, n_in_flight)
    seconds, after = time.perf_counter() - began, process.cpu_times()
    cpu = after.user + after.system - before.user - before.system
    return ClientSpeed(n_calls / seconds, 1_000 * cpu / n_calls)


def query_with_earshot(port: int, clip: bytes, n_calls: int, n_in_flight: int) -> None:
    """Use our engine, without storing responses."""
    base_url = f"http://127.0.0.1:{port}/v1"
    endpoint = describe_endpoint(base_url, "m", "sk-bench-0123", concurrency=n_in_flight, allows_loopback=True)
    questions = [
        ItemQuery(f"q{number}", 0, (TextPart(_PROMPT), AudioPart(f"clip {number % _N_CLIPS}")))
        for number in range(n_calls)
    ]
    responses: list[object] = []
    task = query_all(endpoint, questions, lambda _name: clip, responses.extend, lambda _progress: None)
    assert task.ending is None
    assert len(responses) == n_calls


def _ask_openai(port: int, clip: bytes, n_calls: int, n_in_flight: int) -> None:
    """Use the client as its documentation shows: base64 prepared, everything else at its defaults."""
    data = base64.b64encode(clip).decode()

    async def ask() -> None:
        limits = httpx2.Limits(max_connections=n_in_flight, max_keepalive_connections=n_in_flight)
        http = httpx2.AsyncClient(limits=limits, trust_env=False, timeout=600)
        url = f"http://127.0.0.1:{port}/v1"
        async with openai.AsyncOpenAI(base_url=url, api_key="k", http_client=http, max_retries=0) as client:
            left = iter(range(n_calls))

            async def work() -> None:
                for _ in left:
                    answer = await client.chat.completions.create(
                        model="m",
                        temperature=0,
                        messages=[
                            {
                                "role": "user",
                                "content": [
                                    {"type": "text", "text": _PROMPT},
                                    {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}},
                                ],
                            }
                        ],
                    )
                    assert answer.choices[0].message.content == "B"

            await asyncio.gather(*(work() for _ in range(n_in_flight)))

    asyncio.run(ask())


def make_clip() -> bytes:
    """Return a clip of two channels that is 341 kB in base64."""
    n_frames = _BASE64_BYTES * 3 // 4 // 4
    noise = np.random.default_rng(1).integers(-9_000, 9_000, (n_frames, 2)).astype(np.int16)
    return encode_wav(noise, 44_100)


@contextmanager
def run_answering_server() -> Iterator[int]:
    """Run the server in its own process, and yield its port."""
    command = (sys.executable, "-m", "bench.answering", str(LATENCY_SECONDS))
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    for row in measure():
        print(row["what"], row["value"], row["unit"], row["note"])
