"""Prediction files for MDAR's demonstration set with a chosen number of right answers."""

import json

from db.records import NewModel
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
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


def make_request(
    name: str = "m", *, setting: str = "default", publish: bool = True, source: str = "submitted"
) -> Request:
    """Return a request for a public submission to MDAR's demonstration set."""
    return Request(MDAR, setting, NewModel(name), publish=publish, source=source)
