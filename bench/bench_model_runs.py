"""Speed and memory of a model run, from a pack to durable responses: `python -m bench.bench_model_runs`.

The server runs in its own process, discards bodies and replies after 100 ms: 64 calls in flight can give 640 a second.
On a busy machine no client gets there, so the ideal is what a client that does nothing else reaches in the same rounds.
"""

import base64
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from bench.bench_asking import (
    LATENCY_SECONDS,
    ROUNDS,
    make_clip,
    query_with_earshot,
    run_answering_server,
    time_client,
)
from bench.raw_calls import time_raw_calls

_IN_FLIGHT = 64
_N_ROUNDS = 20
_N_QUESTIONS = _N_ROUNDS * _IN_FLIGHT
_N_CLIPS = 20
_INFO = {"benchmark": "b", "version": "1", "split": "practice", "content_digest": "", "title": "B", "sounds": True}
_ROOT = Path(__file__).parents[1]


def measure() -> list[dict[str, object]]:
    """Return the share of the ideal number of calls per second, CPU time and memory.

    Runs, raw calls and the engine alone alternate in rounds, and the best round of each counts. Every run has a process
    of its own.
    """
    clip = make_clip()
    runs, raw, engine = [], [], []
    body = base64.b64encode(clip)
    with tempfile.TemporaryDirectory() as folder, run_answering_server() as port:
        pack = _write_pack(Path(folder) / "pack.zip", clip)
        for number in range(ROUNDS):
            runs.append(_run_process(pack, Path(folder) / str(number), port))
            raw.append(time_raw_calls(port, body, _N_QUESTIONS, _IN_FLIGHT))
            engine.append(time_client(query_with_earshot, port, clip, _IN_FLIGHT, _N_ROUNDS).per_second)
    best, ideal = max(runs, key=lambda run: run["per_second"]), max(raw)
    peak = max(run["peak_megabytes"] for run in runs)
    imports = max(run["imports_megabytes"] for run in runs)
    what = f"model run, {_IN_FLIGHT} in flight"
    speed = (
        f"{best['per_second']:,.0f} calls/s, raw calls {ideal:,.0f}, the engine alone {max(engine):,.0f}; "
        f"{_IN_FLIGHT / LATENCY_SECONDS:,.0f} with an idle machine"
    )
    memory = f"{imports:.0f} MB are imports; {_N_QUESTIONS:,} questions with {len(clip) / 1e6:.2f} MB of audio each"
    return [
        _make_row(what, 100 * best["per_second"] / ideal, "% of ideal", "≥ 85", speed),
        _make_row(
            f"{what}, CPU", best["cpu_milliseconds"], "ms a call", "≤ 1", "with reading clips and storing responses"
        ),
        _make_row(f"{what}, memory", peak, "MB", "–", memory),
    ]


def _make_row(what: str, value: float, unit: str, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": round(value, 2), "unit": unit, "target": target, "note": note}


def _run_process(pack: Path, folder: Path, port: int) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.model_run_process", str(pack), str(folder), str(port), str(_IN_FLIGHT)]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _write_pack(path: Path, clip: bytes) -> Path:
    """Write a pack like a rendered one: every clip belongs to many questions."""
    lines = (json.dumps(_describe_question(number)) + "\n" for number in range(_N_QUESTIONS))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pack.json", json.dumps(_INFO))
        archive.writestr("questions.jsonl", "".join(lines))
        for number in range(_N_CLIPS):
            archive.writestr(f"audio/{number}.wav", clip)
    return path


def _describe_question(number: int) -> dict[str, object]:
    text = {"type": "text", "text": "Does the sound move to the left or to the right?"}
    prompt = [{"type": "audio", "path": f"audio/{number % _N_CLIPS}.wav"}, text]
    return {"id": f"q{number}", "run": 0, "setting": "default", "task": "t", "prompt": prompt}


if __name__ == "__main__":
    for row in measure():
        print(row["what"], row["value"], row["unit"], row["note"])
