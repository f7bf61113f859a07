"""Which sub-task a question of an official file belongs to, from its labels and its id."""

from evaluation.benchmarks.star_bench.design import BY_SLICE, SUB_TASKS, SubTask, parse_temporal_id
from evaluation.benchmarks.star_bench.entries import QuestionEntry
from evaluation.benchmarks.star_bench.labels import find_slice, known_labels

_LABELS = ("task", "category", "sub-category")


def place_entry(entry: QuestionEntry, item_id: str) -> SubTask:
    """Return the sub-task of a question.

    Every label that is there must be known and agree with the others; the id of a temporal item names its sub-task.

    Raises:
        EntryError: A label is unknown, two contradict each other, or nothing names the sub-task.
    """
    named = _read_labels(entry)
    parsed = parse_temporal_id(item_id) if entry.part == "temporal" else None
    if parsed is not None:
        named["id"] = parsed[0]
    deepest = [name for name in named.values() if name in BY_SLICE]
    if not deepest:
        raise entry.fault(f"neither category nor sub-category is one of {_list(entry.part)}")
    sub_task = BY_SLICE[deepest[0]]
    for field, name in named.items():
        if name not in sub_task.lineage:
            raise entry.fault(f"its {field} belongs to {name}, but its other labels belong to {sub_task.slice}")
    return sub_task


def _read_labels(entry: QuestionEntry) -> dict[str, str]:
    """Return field → slice for the labels that are there."""
    named: dict[str, str] = {}
    for field in _LABELS:
        label = entry.text(field) if field == "task" else entry.optional_text(field)
        if label is None:
            continue
        group = named.get("category") if field == "sub-category" else None
        found = find_slice(entry.part, label, group)
        if found is None:
            allowed = ", ".join(known_labels(entry.part, field))
            raise entry.fault(f"the {field} `{label[:80]}` is unknown; allowed in this file: {allowed}")
        named[field] = found
    return named


def _list(part: str) -> str:
    return ", ".join(task.slice for task in SUB_TASKS if task.part == part)
