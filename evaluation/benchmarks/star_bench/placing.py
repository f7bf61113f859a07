"""Sub-task of a question in an official file, from its labels and ID."""

from evaluation.benchmarks.star_bench.design import BY_SLICE, SUB_TASKS, SubTask, parse_temporal_id
from evaluation.benchmarks.star_bench.entries import QuestionEntry
from evaluation.benchmarks.star_bench.labels import find_slice, known_labels

_LABELS = ("task", "category", "sub-category")


def place_entry(entry: QuestionEntry, item_id: str) -> SubTask:
    """Return the sub-task of a question.

    Every given label must be known and agree with the others; the ID of a temporal item contains its sub-task.

    Raises:
        EntryError: A label is unknown, two labels contradict each other, or none identifies the sub-task.
    """
    labels = _read_labels(entry)
    parsed = parse_temporal_id(item_id) if entry.part == "temporal" else None
    if parsed is not None:
        labels["id"] = parsed[0]
    deepest = [name for name in labels.values() if name in BY_SLICE]
    if not deepest:
        raise entry.fault(f"neither category nor sub-category is one of {_list(entry.part)}")
    sub_task = BY_SLICE[deepest[0]]
    for field, name in labels.items():
        if name not in sub_task.lineage:
            raise entry.fault(f"its {field} belongs to {name}, but its other labels belong to {sub_task.slice}")
    return sub_task


def _read_labels(entry: QuestionEntry) -> dict[str, str]:
    """Return field → slice for the given labels."""
    slices: dict[str, str] = {}
    for field in _LABELS:
        label = entry.text(field) if field == "task" else entry.optional_text(field)
        if label is None:
            continue
        group = slices.get("category") if field == "sub-category" else None
        slice_name = find_slice(entry.part, label, group)
        if slice_name is None:
            allowed = ", ".join(known_labels(entry.part, field))
            raise entry.fault(f"the {field} `{label[:80]}` is unknown; allowed in this file: {allowed}")
        slices[field] = slice_name
    return slices


def _list(part: str) -> str:
    return ", ".join(task.slice for task in SUB_TASKS if task.part == part)
