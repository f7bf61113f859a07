"""Throughput of a model run, from a pack to durable responses: `python -m bench.bench_model_runs`.

The server runs in its own process, discards bodies and replies after 100 ms: 64 calls in flight can give 640 a second.
"""

import json
import tempfile
import time
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
from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.query_records import describe_own_endpoint
from submissions.endpoints.transport.pinning import resolve_own_name
from submissions.model_runs.pack_questions import RunPack
from submissions.model_runs.run_folder import RunManifest, open_folder

_IN_FLIGHT = 64
_N_ROUNDS = 20
_N_QUESTIONS = _N_ROUNDS * _IN_FLIGHT
_N_CLIPS = 20
_MANIFEST = RunManifest("b", "1", "default", "practice", "", "", "m", "", "")
_INFO = {"benchmark": "b", "version": "1", "split": "practice", "content_digest": "", "title": "B", "sounds": True}


def measure() -> list[dict[str, object]]:
    """Return the share of the ideal number of calls per second; runs and the engine alone alternate in rounds."""
    clip = make_clip()
    runs, engine = [], []
    with tempfile.TemporaryDirectory() as folder, run_answering_server() as port:
        pack = _write_pack(Path(folder) / "pack.zip", clip)
        for number in range(ROUNDS):
            runs.append(_time_run(pack, Path(folder) / str(number), port))
            engine.append(time_client(query_with_earshot, port, clip, _IN_FLIGHT, _N_ROUNDS).per_second)
    per_second, ideal = max(runs), _IN_FLIGHT / LATENCY_SECONDS
    row = {"what": f"model run, {_IN_FLIGHT} in flight", "value": round(100 * per_second / ideal, 1)}
    note = f"{per_second:,.0f} calls/s of the ideal {ideal:,.0f}; the engine alone {max(engine):,.0f}"
    return [row | {"unit": "% of ideal", "target": "≥ 85", "note": note}]


def _time_run(path: Path, folder: Path, port: int) -> float:
    """Return the calls per second of a run, with everything but its check and its scores."""
    url = f"http://localhost:{port}/v1"
    endpoint = describe_own_endpoint(url, "m", "sk-bench-0123", concurrency=_IN_FLIGHT)
    began = time.perf_counter()
    with open_folder(folder) as opened, RunPack(path) as pack:
        opened.begin(_MANIFEST)
        questions = pack.list_questions("default", are_seeds=False)
        means = Means(resolve=resolve_own_name)
        result = query_all(endpoint, questions, pack.load_clip, opened.append_responses, lambda _progress: None, means)
        assert result.ending is None
        assert opened.n_answered == _N_QUESTIONS
    return _N_QUESTIONS / (time.perf_counter() - began)


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
