"""Listening-test answers of the API: rounds, marks and listener groups. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from db.records import BoardRow
from evaluation.benchmarks import Benchmark
from submissions.listening_test.listener_groups import Group, Pooled
from submissions.listening_test.listening_tests import WHOLE
from submissions.listening_test.marking import Mark, MarkedAccuracy
from submissions.listening_test.practice_packs import PracticePack, Truth
from submissions.listening_test.reference_scores import Beside, find_column
from submissions.listening_test.rounds import name_groups

_ALL = "All"


def describe_tasks(pack: PracticePack) -> dict[str, str]:
    """Return task → the title of its group."""
    return {task: find_title(pack.benchmark, group) for task, group in name_groups(pack.items.values()).items()}


def find_title(benchmark: Benchmark, group: str) -> str:
    """Return the title of a group of tasks on the board; its own name if the board has no such score."""
    if group == WHOLE:
        return _ALL
    part = next((part.title for part in benchmark.parts if part.id == group), None)
    column = find_column(benchmark, group)
    return part or (column.title.removesuffix(f" {column.metric.upper()}") if column is not None else group)


def describe_shares(
    benchmark: Benchmark, shares: Mapping[str, MarkedAccuracy], beside: Mapping[str, Beside]
) -> list[dict[str, Any]]:
    """Return each share with its reference scores, in the given order."""
    return [
        {
            "id": name,
            "title": find_title(benchmark, name),
            "value": share.value,
            "low": share.low,
            "high": share.high,
            "right": share.n_right,
            "n": share.n,
            "chance": share.chance,
            **_describe_beside(benchmark, beside.get(name)),
        }
        for name, share in shares.items()
    ]


def _describe_beside(benchmark: Benchmark, found: Beside | None) -> dict[str, Any]:
    if found is None:
        return {"figure": None, "figure_chance": None, "human": None, "models": []}
    key = found.column.key
    return {
        "figure": key,
        # If the board weights kinds of questions differently from a round, uniform guessing has another expected score.
        "figure_chance": benchmark.chance.get(key),
        "human": _describe_reference(found.human, key) if found.human is not None else None,
        "models": [_describe_reference(row, key) for row in found.models],
    }


def _describe_reference(row: BoardRow, key: str) -> dict[str, Any]:
    score = row.standings[key]
    return {
        "name": row.model.name,
        "model": row.model.public_id,
        "source": row.submission.source,
        "version": row.submission.version,
        "value": score.value,
        "low": score.low,
        "high": score.high,
    }


def describe_marks(marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """Return the correct answers, question by question."""
    return [
        {
            "id": mark.item.id,
            "right": mark.is_right,
            "given": _describe_answer(mark.given),
            "truth": _describe_answer(mark.truth),
        }
        for mark in marks
    ]


def _describe_answer(answer: Truth | None) -> int | bool | list[int] | None:
    return sorted(answer) if isinstance(answer, frozenset) else answer


def describe_group(benchmark: Benchmark, group: Group | None) -> dict[str, Any] | None:
    """Return the pooled results of a version if they are shown and there are any."""
    if group is None or not group.whole.n:
        return None
    return {
        **_describe_pooled(group.whole),
        "tasks": [
            {"id": name, "title": find_title(benchmark, name), **_describe_pooled(pooled)}
            for name, pooled in group.tasks.items()
        ],
    }


def _describe_pooled(pooled: Pooled) -> dict[str, Any]:
    return {
        "listeners": pooled.n_listeners,
        "answers": pooled.n,
        "value": pooled.value,
        "low": pooled.low,
        "high": pooled.high,
    }
