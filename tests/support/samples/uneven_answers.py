"""Answers to AudioMotionBench of uneven quality, with scores computed by hand.

A variant has 4 conditions of 56 clips; a clip has one multiple-choice item, one true and one false statement. Each of
the eight start points of a path has seven end points, so each start point has 7 of 56 clips.

|     | choices right        | true statements right | false statements right | of 672 |
|-----|----------------------|-----------------------|------------------------|--------|
| SCT | starts N E S W: 112  | all but 15 dB: 168    | all: 224               | 504    |
| SDT | start N: 28          | clean: 56             | clean and 35 dB: 112   | 196    |
| TAT | none: 0              | all: 224              | none: 0                | 224    |
"""

import json
from pathlib import Path

from evaluation.benchmarks.audio_motion_bench.design import DesignedItem, design_items
from tests.support.samples.key_answers import position_of
from tests.support.servers.server import Server, read_test_key

_STARTS = {"sct": "N E S W", "sdt": "N", "tat": ""}
_TRUE_IN = {"sct": "clean 35db 25db", "sdt": "clean", "tat": "clean 35db 25db 15db"}
_FALSE_IN = {"sct": "clean 35db 25db 15db", "sdt": "clean 35db", "tat": ""}

# slice|metric → (number correct, number of items)
UNEVEN_SCORES = {
    "overall|accuracy": (504 + 196 + 224, 2016),
    "sct|accuracy": (504, 672),
    "sdt|accuracy": (196, 672),
    "tat|accuracy": (224, 672),
    "overall/mcq|accuracy": (112 + 28 + 0, 672),
    "overall/tf|accuracy": (168 + 224 + 56 + 112 + 224 + 0, 1344),
    "overall/clean/mcq|accuracy": (28 + 7 + 0, 168),
    "overall/clean/tf|accuracy": (112 + 112 + 56, 336),
    "overall/clean/tf|tpr": (56 + 56 + 56, 168),
    "overall/clean/tf|tnr": (56 + 56 + 0, 168),
    "overall/tf|tpr": (168 + 56 + 224, 672),
    "overall/tf|tnr": (224 + 112 + 0, 672),
    "overall/tf|yes_bias": (0 + 112 + 224, 672),
    "sct/clean|accuracy": (28 + 56 + 56, 168),
    "sct/15db|accuracy": (28 + 0 + 56, 168),
    "sdt/clean|accuracy": (7 + 56 + 56, 168),
    "sdt/35db|accuracy": (7 + 0 + 56, 168),
    "sdt/25db|accuracy": (7 + 0 + 0, 168),
    "sct/clean/mcq|accuracy": (28, 56),
    "sdt/clean/mcq|accuracy": (7, 56),
    "tat/clean/mcq|accuracy": (0, 56),
    "sct/15db/tf|tpr": (0, 56),
    "sdt/25db/tf|yes_bias": (56, 56),
    # Each direction has 12 clips. Front: SCT 4 + 3 + 4, SDT 4 + 1 + 2, TAT 0 + 4 + 0. Right: choices of SCT only. Front
    # right: no choices.
    "direction/N-E|accuracy": (11 + 7 + 4, 36),
    "direction/E-N|accuracy": (11 + 3 + 4, 36),
    "direction/NE-SW|accuracy": (7 + 3 + 4, 36),
}


def answer_unevenly(designed: DesignedItem) -> str:
    """Return an answer that is correct where the table says so."""
    clip = designed.clip
    if designed.form == "mcq":
        right = clip.trajectory.start in _STARTS[clip.variant].split()
        return "ABCD"[(position_of(designed.answer) + (not right)) % 4]
    right = clip.condition in (_TRUE_IN if designed.answer else _FALSE_IN)[clip.variant].split()
    return str(bool(designed.answer) is right)


def write_uneven_example(server: Server, runs: tuple[int, ...] = (0,)) -> Path:
    """Write a prediction file for a server's test split, using its key to find the correct answers."""
    designed = design_items("test", read_test_key(server).seed)
    rows = ({"id": d.item.id, "run": run, "response": answer_unevenly(d)} for d in designed for run in runs)
    path = server.folder / "uneven.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
