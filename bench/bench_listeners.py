"""Latency of the reference systems, directly and over HTTP: `.venv/bin/python -m bench.bench_listeners`."""

import asyncio
import base64
import itertools
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import orjson

from evaluation import get_benchmark
from evaluation.audio import read_sound
from evaluation.listeners import LISTENERS, Heard, Sound
from evaluation.types import TextPart

N_CLIPS = 40
N_AT_ONCE = 8
_ROOT = Path(__file__).parents[1]
_COMMAND = (sys.executable, "-m", "evaluation", "listen", "--port", "0")
_JSON = {"content-type": "application/json"}

Prompt = Sequence[tuple[str, bytes | None]]
"""Pieces of a prompt: the text, or an empty text and an audio file."""


def measure() -> list[dict[str, object]]:
    """Return answers per second of each listener on clips that it has not heard before, and the cost of HTTP alone.

    The same questions go directly to a listener in one thread, and to a server in a separate process; the answers must
    be equal.
    """
    rows = []
    first, second = _make_prompts(0), _make_prompts(N_CLIPS)
    with _run_server() as url:
        for name, listener in LISTENERS.items():
            heard = [_hear(prompt) for prompt in first]
            began = time.perf_counter()
            for pieces in heard:
                listener.answer(pieces)
            direct = len(heard) / (time.perf_counter() - began)
            bodies = [_make_body(name, prompt) for prompt in second]
            served, contents = _time_requests(url, bodies)
            assert contents == [listener.answer(_hear(prompt)) for prompt in second]
            megabytes = sum(map(len, bodies)) / len(bodies) / 1e6
            rows.append(_row(f"{name}, directly", direct, f"{N_CLIPS} clips of AudioMotionBench, one thread"))
            note = f"{N_AT_ONCE} at once, {megabytes:.2f} MB each, {served / direct:.2f} × directly"
            rows.append(_row(f"{name}, over HTTP", served, note))
        limit, _ = _time_requests(url, [_make_body("earshot-chance", [("Left or right?", None)])] * (10 * N_CLIPS))
        rows.append(_row("HTTP alone", limit, "a text of three words, answered by chance"))
    return rows


def _row(what: str, value: float, note: str) -> dict[str, object]:
    return {"what": f"listening: {what}", "value": round(value, 1), "unit": "answers/s", "target": "–", "note": note}


def _make_prompts(first: int) -> list[Prompt]:
    """Return a question about each of some clips, starting with a given one."""
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    by_clip = {item.clips[0]: item for item in benchmark.content(key).items}
    prompts: list[Prompt] = []
    for clip, item in itertools.islice(by_clip.items(), first, first + N_CLIPS):
        pieces = benchmark.run(item, 0, benchmark.settings[0]).prompt
        data = benchmark.render_clip(key, clip)
        prompts.append([(piece.text, None) if isinstance(piece, TextPart) else ("", data) for piece in pieces])
    return prompts


def _hear(prompt: Prompt) -> tuple[Heard, ...]:
    return tuple(text if data is None else Sound(*read_sound(data)) for text, data in prompt)


def _make_body(model: str, prompt: Prompt) -> bytes:
    parts = [
        {"type": "text", "text": text}
        if data is None
        else {"type": "input_audio", "input_audio": {"data": base64.b64encode(data).decode(), "format": "wav"}}
        for text, data in prompt
    ]
    return orjson.dumps({"model": model, "messages": [{"role": "user", "content": parts}]})


@contextmanager
def _run_server() -> Iterator[str]:
    with subprocess.Popen(_COMMAND, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2]
        finally:
            process.terminate()


def _time_requests(url: str, bodies: Sequence[bytes]) -> tuple[float, list[str]]:
    """Return answers per second, and the answers in the order of the requests."""

    async def run() -> tuple[float, list[str]]:
        async with httpx2.AsyncClient(trust_env=False, timeout=60) as client:
            gate = asyncio.Semaphore(N_AT_ONCE)

            async def ask(body: bytes) -> str:
                async with gate:
                    response = await client.post(f"{url}/chat/completions", content=body, headers=_JSON)
                answer: Mapping[str, list[Mapping[str, Mapping[str, str]]]] = response.json()
                return answer["choices"][0]["message"]["content"]

            began = time.perf_counter()
            contents = await asyncio.gather(*map(ask, bodies))
            return len(bodies) / (time.perf_counter() - began), contents

    return asyncio.run(run())


if __name__ == "__main__":
    for row in measure():
        print(row["what"], row["value"], row["unit"], row["note"])
