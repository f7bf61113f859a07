"""Scores for model repositories on the Hugging Face Hub.

Two formats: `.eval_results/*.yaml`, from which the Hub builds benchmark leaderboards, and the older `model-index` in
the metadata of a model card. Each model gets a YAML document of its own, to be saved in its repository.
"""

from collections.abc import Callable, Sequence
from typing import Any

from evaluation.benchmarks import Column
from leaderboard.exports.view import (
    ExportView,
    Row,
    describe_origin,
    describe_paper_of,
    in_utc,
    link_to_row,
    list_results,
    name_system,
)
from leaderboard.exports.yaml_text import quote_text, write_yaml

_TASK = "audio-text-to-text"
_LOADED_FROM = "# dataset.id is the benchmark's name here. Replace it with its dataset repository.\n"
_EMPTY = "# This view has no rows of models.\n"


def write_eval_results(view: ExportView) -> bytes:
    """Return the YAML for `.eval_results/` in each model's repository."""
    path = f".eval_results/earshot-{view.benchmark.id}.yaml"
    return _write(view, list_eval_results, path, _LOADED_FROM)


def write_model_index(view: ExportView) -> bytes:
    """Return the YAML for the metadata of each model card."""
    return _write(view, make_model_index, "the metadata at the head of README.md", "")


def list_eval_results(view: ExportView, row: Row) -> list[dict[str, Any]]:
    """Return a row's scores as `.eval_results` entries; values are percentages."""
    # Often only the year of a paper is known, which the Hub does not accept as a date.
    dated = {} if row["date"] is None else {"date": f"{in_utc(row['date']):%Y-%m-%dT%H:%M:%SZ}"}
    return [
        {
            "dataset": {"id": dataset_id(view), "task_id": _task_id(column)},
            "value": _percent(score["value"]),
            **dated,
            "source": {"url": link_to_row(view.origin, row), "name": f"Earshot: {view.title}"},
            "notes": _notes(view, row, column),
        }
        for column, score in list_results(view, row)
    ]


def make_model_index(view: ExportView, row: Row) -> dict[str, Any]:
    """Return a row's scores as a `model-index`; values are percentages."""
    metrics = [
        {
            "type": column.metric,
            "name": f"{column.title} ({column.slice}), {describe_origin(row, column)}",
            "value": _percent(score["value"]),
            "args": {"slice": column.slice, "signature": row["signature"] or "none: reported"},
        }
        for column, score in list_results(view, row)
    ]
    result = {
        "task": {"type": _TASK, "name": "Audio reasoning"},
        "dataset": {
            "type": dataset_id(view),
            "name": f"{view.title} ({view.setting})",
            "config": view.setting,
            "split": "test",
        },
        "metrics": metrics,
        "source": {"name": _name_source(view, row), "url": link_to_row(view.origin, row)},
    }
    return {"model-index": [{"name": name_system(row), "results": [result]}]} if metrics else {}


def _name_source(view: ExportView, row: Row) -> str:
    paper = describe_paper_of(row)
    return f"Earshot: {view.title}" + (f"; reported in {paper}" if paper else "")


def dataset_id(view: ExportView) -> str:
    """Return a dataset id for the benchmark; its repository on the Hub, if any, is unknown."""
    return f"earshot/{view.benchmark.id}"


def _write(view: ExportView, describe: Callable[[ExportView, Row], Any], place: str, remark: str) -> bytes:
    documents = [
        f"# {quote_text(name_system(row))}: for {place}\n{remark}{write_yaml(found)}"
        for row in view.systems
        if (found := describe(view, row))
    ]
    return ("---\n".join(documents) or _EMPTY).encode()


def _task_id(column: Column) -> str:
    return f"{column.slice}/{column.metric}".replace("/", ".")


def _percent(fraction: float) -> float:
    return round(100 * fraction, 2)


def _notes(view: ExportView, row: Row, column: Column) -> str:
    parts: Sequence[str | None] = (
        f"{view.title}, setting {view.setting}",
        describe_origin(row, column),
        describe_paper_of(row),
        f"signature {row['signature']}" if row["signature"] else None,
    )
    return "; ".join(part for part in parts if part)
