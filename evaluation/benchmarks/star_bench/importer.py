"""Reads an organiser's `meta_info` files and verifies them; every fault is listed with file, entry and id.

The right option of a temporal item follows from its id and the order of its sounds, so those files need no answer.
Where they have one it must be the option that names the true order, or the right one of run 0; anything else says that
the sounds do not stand in their true order.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.benchmarks.imported import Count
from evaluation.benchmarks.star_bench import entries
from evaluation.benchmarks.star_bench.design import PARTS, SUB_TASKS, parse_temporal_id
from evaluation.benchmarks.star_bench.entries import Entry, EntryError
from evaluation.benchmarks.star_bench.placing import place_entry
from evaluation.errors import ImportProblemsError

FILES = {
    "perception": "meta_info/foundation_perception.json",
    "temporal": "meta_info/holistic_reasoning_temporal.json",
    "spatial": "meta_info/holistic_reasoning_spatial.json",
}
_ID = re.compile(r"[\x21-\x7e]{1,200}")
SHOWN_FAULTS = 100


@dataclass(slots=True)
class Read:
    """What was read so far.

    Attributes:
        questions: The public side, one for each item.
        answers: id → position of the right option in run 0.
        parts: Parts whose file is there.
        problems: Faults, one sentence each.
        mended: What was put right, one sentence each.
    """

    questions: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)


def read_folder(folder: Path) -> Read:
    """Read those of the three files that are there.

    Raises:
        ImportProblemsError: None is there, or there is a fault in one.
    """
    read = Read()
    for part in PARTS:
        path = folder / FILES[part]
        if path.is_file():
            read.parts.append(part)
            _read_file(path, part, read)
    if not read.parts:
        raise ImportProblemsError(
            [f"{folder} holds none of the files {', '.join(FILES.values())}. Bring at least one."]
        )
    if read.problems:
        unsaid = len(read.problems) - SHOWN_FAULTS
        more = [f"And {unsaid:,} more faults of these files."] if unsaid > 0 else []
        raise ImportProblemsError([*read.problems[:SHOWN_FAULTS], *more])
    return read


def count_items(questions: Sequence[dict[str, Any]], parts: Sequence[str], *, is_demo: bool) -> tuple[Count, ...]:
    """Return the items of each sub-task of the parts that are there, beside the number in the benchmark's table."""
    found = Counter(question["task"] for question in questions)
    return tuple(
        Count(task.slice, found[task.slice], found[task.slice] if is_demo else task.items)
        for task in SUB_TASKS
        if task.part in parts
    )


def _read_file(path: Path, part: str, read: Read) -> None:
    for where, fields in _list_entries(path, part, read):
        entry = Entry(part, where, fields)
        try:
            _read_entry(entry, read)
        except EntryError as fault:
            read.problems.append(str(fault))


def _list_entries(path: Path, part: str, read: Read) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where each entry stands and its fields."""
    name = FILES[part]
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        at = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        read.problems.append(f"{name}{at}: this is not JSON in UTF-8. Expected is a list of objects.")
        return
    if not isinstance(data, list) or not data:
        read.problems.append(f"{name}: this is no list with objects in it. Expected is one object for each question.")
        return
    for number, fields in enumerate(data, start=1):
        where = f"{name}, entry {number}"
        if isinstance(fields, dict):
            yield where, fields
        else:
            read.problems.append(f"{where}: this is not an object. Each question is one.")


def _read_entry(entry: Entry, read: Read) -> None:
    item_id = _read_id(entry, read)
    sub_task = place_entry(entry, item_id)
    question = {
        "id": item_id,
        "task": sub_task.slice,
        "question": entry.text("question"),
        "options": entries.read_options(entry, sub_task, read.mended),
        "audio": entries.read_audio_paths(entry),
        **entries.read_captions(entry),
        **entries.read_stimulus(entry, sub_task),
    }
    answer = entries.read_answer(entry, item_id, question["options"], read.mended)
    read.questions.append(question)
    read.answers[item_id] = answer


def _read_id(entry: Entry, read: Read) -> str:
    item_id = entry.text("id")
    entry.where += f", id `{item_id[:80]}`"
    if not _ID.fullmatch(item_id):
        raise entry.fault("the id has spaces or letters beyond ASCII, or more than 200. A prediction could not name it")
    if entry.part == "temporal" and parse_temporal_id(item_id) is None:
        raise entry.fault("the id does not end in _SUBTASK_NUMBER, with OSM, ISSE, TAO, DSS or ETC for the sub-task")
    if item_id in read.answers:
        raise entry.fault("another question has this id already. Ids are unique over all files")
    return item_id
