"""Reasoning traces for tests: small custom ones, and a set with the size and error rates of the paper."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.types import Prediction

LETTERS = {kind[0]: kind for kind in ERROR_TYPES}
OPTIONS = ["a bell", "a siren", "rain", "footsteps"]

# Table 2 of the paper.
N_TRACES, N_STEPS, N_RIGHT = 3_872, 23_497, 1_806
N_OF_TYPE = dict(zip(ERROR_TYPES, (3_132, 1_147, 526, 2_600, 1_455, 833), strict=True))


def trace(
    labels: str, *, question: str = "q", final: str | None = "a bell", generator: str = "Step-Audio-R1", name: str = ""
) -> dict[str, Any]:
    """Return a trace with its labels in one row: `.` is a right step, a letter an error whose type begins with it."""
    kinds = [None if letter == "." else LETTERS[letter] for letter in labels]
    return {
        "id": name or f"{question}-{generator}-{labels}-{final}".replace(" ", "_"),
        "question_id": question,
        "source": "ours",
        "generator": generator,
        "question": "What is heard?",
        "options": OPTIONS,
        "answer": "a bell",
        "final_answer": final,
        "audio": f"audio/{question}.wav",
        "steps": [f"Step {number} of it." for number in range(1, len(labels) + 1)],
        "erroneous": [kind is not None for kind in kinds],
        "error_types": kinds,
    }


def key_of(rows: Iterable[Mapping[str, Any]]) -> AnswerKey:
    """Return the key of some traces, as an importer creates it."""
    questions, answers = [], {}
    for row in rows:
        questions.append({name: row[name] for name in row if name not in ("answer", "erroneous", "error_types")})
        answers[row["id"]] = TraceLabels(tuple(row["erroneous"]), tuple(row["error_types"]), row["answer"])
    return AnswerKey(AudioProcessBench.id, "1.0", "test", "seed", answers, tuple(questions))


def verdict(trace_id: str, flags: str, scores: Sequence[float] | None = None) -> Prediction:
    """Return a prediction: `x` is a flagged step, `.` an unflagged one."""
    erroneous = tuple(letter == "x" for letter in flags)
    return Prediction(trace_id, 0, None, erroneous=erroneous, scores=None if scores is None else tuple(scores))


def write_folder(folder: Path, rows: Iterable[Mapping[str, Any]], *, one_file: bool = False) -> Path:
    """Write traces in the official layout."""
    folder.mkdir(parents=True, exist_ok=True)
    key_fields = ("erroneous", "error_types")
    public = [row if one_file else {name: row[name] for name in row if name not in key_fields} for row in rows]
    (folder / "traces.jsonl").write_text("".join(json.dumps(row) + "\n" for row in public), encoding="utf-8")
    if not one_file:
        labels = [{name: row[name] for name in ("id", *key_fields) if name in row} for row in rows]
        (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels), encoding="utf-8")
    return folder


def paper_shaped_traces(seed: int = 1) -> list[dict[str, Any]]:
    """Return traces that agree with every number in the paper's Table 2 and section 3.4.

    Lengths are geometric from 3 on: mean 6.07, median 5. First errors stand mostly at steps 2 and 3; a third of the
    traces has none.
    """
    rng = random.Random(seed)
    labels = _draw_labels(rng, _draw_lengths(rng))
    clean = [number for number, text in enumerate(labels) if not text.strip(".")]
    others = sorted(set(range(N_TRACES)) - set(clean))
    right = {*clean, *rng.sample(others, N_RIGHT - len(clean))}
    return [
        trace(
            text,
            question=f"q{number // len(GENERATORS)}",
            final="a bell" if number in right else rng.choice(OPTIONS[1:]),
            generator=GENERATORS[number % len(GENERATORS)],
            name=f"t{number}",
        )
        for number, text in enumerate(labels)
    ]


def _draw_lengths(rng: random.Random) -> list[int]:
    lengths = [3] * N_TRACES
    for number in range(N_TRACES):
        while rng.random() < 1 - 1 / (N_STEPS / N_TRACES - 2):
            lengths[number] += 1
    while (excess := sum(lengths) - N_STEPS) != 0:
        number = rng.randrange(N_TRACES)
        lengths[number] += -1 if excess > 0 and lengths[number] > 3 else int(excess < 0)
    return lengths


def _draw_labels(rng: random.Random, lengths: list[int]) -> list[str]:
    kinds = [kind[0] for kind, n in N_OF_TYPE.items() for _ in range(n)]
    rng.shuffle(kinds)
    labels = [["."] * length for length in lengths]
    later = []
    for number in rng.sample(range(N_TRACES), 2 * N_TRACES // 3):
        first = min(rng.choices(range(6), (20, 35, 25, 10, 6, 4))[0], lengths[number] - 1)
        labels[number][first] = kinds.pop()
        later += [(number, step) for step in range(first + 1, lengths[number])]
    for number, step in rng.sample(later, len(kinds)):
        labels[number][step] = kinds.pop()
    return ["".join(letters) for letters in labels]
