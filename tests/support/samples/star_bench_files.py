"""Synthetic STAR-Bench files of any size in the official format, generated from the table of sub-tasks."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.star_bench.design import BY_SLICE, CLIP_ORDERS, SUB_TASKS, SubTask
from evaluation.benchmarks.star_bench.importer import FILES
from evaluation.benchmarks.star_bench.rendered import is_rendered

ORDERS = [f"clip {a} -> clip {b} -> clip {c}" for a, b, c in CLIP_ORDERS]
UNKNOWN_OPTION = "None of these orders"
TASKS = {
    "perception": "Foundational Acoustic Perception",
    "temporal": "Temporal Reasoning",
    "spatial": "Spatial Reasoning",
}
CATEGORIES = {
    "perception/range": "Absolute Perception Range",
    "perception/sensitivity": "Relative Discrimination Sensitivity",
    "temporal/continuous": "Continuous Processes",
    "temporal/discrete": "Discrete Event Sequences",
    "spatial/localization": "Single-Source Static Localization",
    "spatial/relation": "Multi-Source Spatial Relation",
    "spatial/trajectory": "Dynamic Trajectory Tracking",
}
LABELS = {
    "temporal/osm": "Object Spatial Motion",
    "temporal/isse": "In-Situ State Evolution",
    "temporal/tao": "Tool & Appliance Operation",
    "temporal/dss": "Daily Scene Scripts",
    "temporal/etc": "Event-Triggered Consequences",
}

Entry = dict[str, Any]


def make_entry(slice_name: str, number: int) -> Entry:
    """Return a question in the official format; the position of the right option rotates."""
    sub_task = BY_SLICE[slice_name]
    if sub_task.part == "temporal":
        return _temporal(sub_task, number)
    options = [f"{letter} of {slice_name}" for letter in ("Red", "Green", "Blue", "Brown", "Grey")[: sub_task.options]]
    name = slice_name.replace("/", "_").removeprefix("perception_").replace("-", "_")
    entry = {
        "id": f"{name}_{number:03}",
        "task": TASKS[sub_task.part],
        "category": CATEGORIES[sub_task.group if sub_task.part == "perception" else slice_name],
        "question": f"Question {number} of {slice_name}?",
        "options": options,
        "answer": options[number % len(options)],
        "audio_paths": [f"sounds/{name}_{number:03}.wav"],
    }
    return entry | ({"sub-category": name} if sub_task.part == "perception" else {})


def _temporal(sub_task: SubTask, number: int) -> Entry:
    code = sub_task.slice.removeprefix("temporal/").upper()
    return {
        "id": f"temporal_{code}_{number}",
        "task": TASKS["temporal"],
        "category": CATEGORIES[sub_task.group],
        "sub-category": LABELS[sub_task.slice],
        "question": "In which order do the clips belong?",
        "options": [*ORDERS, UNKNOWN_OPTION],
        "audio_paths": [f"sounds/{code}_{number}/seg_{place}.wav" for place in (1, 2, 3)],
        "global_caption": f"Scene {number}.",
        "uncut_audio_path": f"sounds/{code}_{number}/whole.wav",
    }


def make_files(sizes: Mapping[str, int]) -> dict[str, list[Entry]]:
    """Return part → entries, with a given number of entries for each sub-task."""
    files: dict[str, list[Entry]] = {}
    for slice_name, size in sizes.items():
        part = BY_SLICE[slice_name].part
        files.setdefault(part, []).extend(make_entry(slice_name, number) for number in range(size))
    return files


def official_sizes(times: int = 1) -> dict[str, int]:
    """Return the sizes of version 1.0, multiplied by a factor."""
    return {sub_task.slice: times * sub_task.items for sub_task in SUB_TASKS}


def write_files(folder: Path, files: Mapping[str, object]) -> Path:
    """Write part → entries to the importer's folder."""
    for part, entries in files.items():
        path = folder / FILES[part]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entries), encoding="utf-8")
    return folder


def only_brought(key: AnswerKey) -> AnswerKey:
    """Return the imported part of a key, without the synthetic perception task."""
    questions = tuple(question for question in key.questions if not any(map(is_rendered, question["audio"])))
    return replace(key, questions=questions, answers={item["id"]: key.answers[item["id"]] for item in questions})
