"""Prediction files for MDAR's demonstration set with a chosen number of right answers."""

import json

from db.records import NewModel
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from submissions.service import Request

MDAR = get_benchmark("mdar", "demo")
N_MAIN = 14


def answer_main(key: AnswerKey, n_right: int, part: str = "main") -> bytes:
    """Return a file for one part, whose first questions are answered correctly and the others wrongly."""
    items = [item for item in MDAR.content(key).items if item.part == part]
    lines = []
    for number, item in enumerate(items):
        answer = key.answers[item.id]
        assert isinstance(answer, int)
        index = answer if number < n_right else (answer + 1) % len(item.options)
        lines.append(json.dumps({"id": item.id, "response": "ABCDEFGH"[index]}))
    return "\n".join(lines).encode()


def list_presented_answers(benchmark: Benchmark, key: AnswerKey, n_right: int, part: str) -> list[str]:
    """Return the lines for one part with options, each run in its own order; the first questions are answered right."""
    items = [item for item in benchmark.content(key).items if item.part == part]
    lines = []
    for number, item in enumerate(items):
        answer = key.answers[item.id]
        assert isinstance(answer, int)
        chosen = item.options[answer if number < n_right else (answer + 1) % len(item.options)]
        for run_number in item.runs:
            shown = benchmark.run(item, run_number, "default").options
            line = {"id": item.id, "run": run_number, "response": "ABCDEFGH"[shown.index(chosen)]}
            lines.append(json.dumps(line))
    return lines


def make_request(
    name: str = "m", *, setting: str = "default", publish: bool = True, source: str = "submitted"
) -> Request:
    """Return a request for a public submission to MDAR's demonstration set."""
    return Request(MDAR, setting, NewModel(name), publish=publish, source=source)
