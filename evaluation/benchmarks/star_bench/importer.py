"""Importer of STAR-Bench: verifies an organiser's `meta_info` files, and reports the first error of each entry.

The right option of a temporal item follows from its ID and the order of its clips, so those files need no answer. If
they have one, it must be the option that names the true order, or the right one of run 0; otherwise the clips are not
in their true order.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import soundfile

from evaluation.benchmarks.imported import Count
from evaluation.benchmarks.importing import JsonError, format_value, parse_json
from evaluation.benchmarks.official import clip_name
from evaluation.benchmarks.star_bench import entries
from evaluation.benchmarks.star_bench.design import PARTS, SUB_TASKS, parse_temporal_id
from evaluation.benchmarks.star_bench.entries import EntryError, QuestionEntry
from evaluation.benchmarks.star_bench.placing import place_entry
from evaluation.benchmarks.star_bench.prompts import EARS
from evaluation.benchmarks.star_bench.rendered import is_rendered
from evaluation.errors import ImportProblemsError
from evaluation.types import ITEM_ID

FILES = {
    "perception": "meta_info/foundation_perception.json",
    "temporal": "meta_info/holistic_reasoning_temporal.json",
    "spatial": "meta_info/holistic_reasoning_spatial.json",
}
SHOWN_FAULTS = 100


@dataclass(slots=True)
class Read:
    """Data read so far.

    Attributes:
        questions: Questions without answers, one per item.
        answers: ID → position of the right option in run 0.
        places: ID → location of the entry, for messages.
        parts: Parts whose file exists.
        problems: Errors, one sentence each.
        repaired: Repairs, one sentence each.
    """

    questions: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)


def read_folder(folder: Path) -> Read:
    """Read those of the three files that exist.

    Raises:
        ImportProblemsError: No file exists, or one has an error.
    """
    read = Read()
    for part in PARTS:
        path = folder / FILES[part]
        if path.is_file():
            read.parts.append(part)
            _read_file(path, part, read)
    if not read.parts:
        raise ImportProblemsError([f"{folder} contains none of {', '.join(FILES.values())}. Add at least one."])
    raise_faults(read.problems)
    return read


def raise_faults(faults: Sequence[str]) -> None:
    """Raise an exception that lists at most a hundred errors, if there are any."""
    if faults:
        unsaid = len(faults) - SHOWN_FAULTS
        more = [f"{unsaid:,} more problems in these files are not shown."] if unsaid > 0 else []
        raise ImportProblemsError([*faults[:SHOWN_FAULTS], *more])


def count_items(questions: Sequence[dict[str, Any]], parts: Sequence[str], *, is_demo: bool) -> tuple[Count, ...]:
    """Return the items of each sub-task of the existing parts, with the number in the benchmark's table."""
    counts = Counter(question["task"] for question in questions)
    return tuple(
        Count(task.slice, counts[task.slice], counts[task.slice] if is_demo else task.items)
        for task in SUB_TASKS
        if task.part in parts
    )


def list_ear_faults(read: Read, sounds: Mapping[str, Path], seed: str) -> list[str]:
    """Return the errors of spatial clips without two channels, one per ear.

    Files that are not audio are reported later, when they are stored, as in every part.
    """
    faults = []
    for question in read.questions:
        for path in question["audio"] if question["task"].startswith("spatial/") else ():
            sound = sounds.get(clip_name(seed, path))
            channels = _count_channels(sound) if sound is not None else None
            if channels is not None and channels < len(EARS):
                faults.append(
                    f"{read.places[question['id']]}: {format_value(path)} has {channels} channel, "
                    "but spatial audio needs two. "
                    "Use the released file."
                )
    return faults


def list_made_faults(read: Read, made_ids: Container[str]) -> list[str]:
    """Return the errors of questions that use an ID or a clip of the generated task."""
    faults = []
    for question in read.questions:
        where = read.places[question["id"]]
        if question["id"] in made_ids:
            faults.append(
                f"{where}: the id {format_value(question['id'])} belongs to the rendered perception task. Change it."
            )
        faults += [
            f"{where}: {format_value(path)} is the name of a rendered clip. Name a file in the folder."
            for path in question["audio"]
            if is_rendered(path)
        ]
    return faults


def _count_channels(sound: Path) -> int | None:
    try:
        return int(soundfile.info(sound).channels)
    except (soundfile.LibsndfileError, OSError):
        return None


def _read_file(path: Path, part: str, read: Read) -> None:
    for where, fields in _list_entries(path, part, read):
        entry = QuestionEntry(part, where, fields)
        try:
            _read_entry(entry, read)
        except EntryError as fault:
            read.problems.append(str(fault))


def _list_entries(path: Path, part: str, read: Read) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the location and fields of each entry."""
    name = FILES[part]
    try:
        data = parse_json(path.read_bytes())
    except JsonError as error:
        read.problems.append(f"{name}: not JSON in UTF-8 ({error}). Write a list of objects.")
        return
    if not isinstance(data, list) or not data:
        read.problems.append(f"{name}: not a list of objects. Write one object per question.")
        return
    for number, fields in enumerate(data, start=1):
        where = f"{name}, entry {number}"
        if isinstance(fields, dict):
            yield where, fields
        else:
            read.problems.append(f"{where}: not an object. Write one object per question.")


def _read_entry(entry: QuestionEntry, read: Read) -> None:
    item_id = _read_id(entry, read)
    entry.check_names()
    sub_task = place_entry(entry, item_id)
    question = {
        "id": item_id,
        "task": sub_task.slice,
        "question": entry.text("question"),
        "options": entries.read_options(entry, sub_task, read.repaired),
        "audio": entries.read_audio_paths(entry),
        **entries.read_captions(entry),
        **entries.read_stimulus(entry, sub_task),
    }
    answer = entries.read_answer(entry, item_id, question["options"], read.repaired)
    read.questions.append(question)
    read.answers[item_id] = answer
    read.places[item_id] = entry.where


def _read_id(entry: QuestionEntry, read: Read) -> str:
    item_id = entry.text("id")
    entry.where += f", id `{item_id[:80]}`"
    if not ITEM_ID.fullmatch(item_id):
        raise entry.fault("the id is invalid. Use at most 200 ASCII characters without spaces")
    if entry.part == "temporal" and parse_temporal_id(item_id) is None:
        raise entry.fault("the id must end in _SUBTASK_NUMBER, with OSM, ISSE, TAO, DSS or ETC as the sub-task")
    if item_id in read.answers:
        raise entry.fault("duplicate id. Ids must be unique across all files")
    return item_id
