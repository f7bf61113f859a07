"""The HTML of an embedded board: a heading that leads to the full board, the best rows, human and chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.benchmarks import Benchmark, Column
from leaderboard.exports.view import link_to_board
from leaderboard.http.content_policies import write_document_policy
from leaderboard.rendering.formatting import write_interval, write_percent, write_rank
from leaderboard.rendering.own_pages import make_style
from leaderboard.rendering.templating import Markup, render_template

THEMES = ("light", "dark")
_STYLE = make_style(Path(__file__).with_name("style.css"))
EMBED_POLICY = write_document_policy(_STYLE)


@dataclass(frozen=True, slots=True)
class EmbeddedBoard:
    """What an embedded board shows.

    Attributes:
        benchmark: Whose board.
        setting: Under which condition.
        column: The score that rows are ranked by.
        rows: The best rows, as the API names them.
        references: Human and chance rows.
        link: Query parameters of the full board.
    """

    benchmark: Benchmark
    setting: str
    column: Column
    rows: Sequence[Mapping[str, Any]]
    references: Sequence[Mapping[str, Any]]
    link: Mapping[str, str | None]


class EmbeddedRow(NamedTuple):
    """A row, as its template takes it.

    Attributes:
        rank: With its range.
        model: Name of the model.
        details: Organisation and source.
        value: The score, a fraction.
        interval: Its confidence interval; empty without one.
        width: Of the bar below it, in percent.
    """

    rank: str | None
    model: str
    details: str
    value: float
    interval: str
    width: float


def render_embedded_board(board: EmbeddedBoard, theme: str | None) -> Markup:
    """Return the page; `theme` is light or dark, None follows the reader's browser."""
    return render_template(
        "embed/embedded_board.html",
        name=f"{board.benchmark.title} {board.benchmark.version}",
        theme=theme,
        style=_STYLE,
        address=link_to_board("", board.benchmark, board.link),
        definition=board.benchmark.define(board.column),
        scores=_describe_scores(board),
        rows=[_show_row(row, board.column.key) for row in board.rows],
        references=_describe_references(board),
    )


def _describe_scores(board: EmbeddedBoard) -> str:
    metric = next(metric for metric in board.benchmark.metrics if metric.id == board.column.metric)
    setting = f", {board.setting}" if len(board.benchmark.settings) > 1 else ""
    return f"{board.column.full_title} in %{setting}{'' if metric.higher_is_better else ' (lower is better)'}"


def _show_row(row: Mapping[str, Any], key: str) -> EmbeddedRow:
    score, model = row["scores"][key], row["model"]
    return EmbeddedRow(
        rank=write_rank(row["rank"], row["rank_low"], row["rank_high"]),
        model=model["name"],
        details=" · ".join(filter(None, (model["organisation"], row["source"]))),
        value=score["value"],
        interval=write_interval(score["low"], score["high"]),
        width=min(max(score["value"], 0.0), 1.0) * 100,
    )


def _describe_references(board: EmbeddedBoard) -> str:
    """Return what people and guessing reach, and whose board this is."""
    key = board.column.key
    values: dict[str, float | None] = {"human": None, "random": board.benchmark.chance.get(key)}
    for row in reversed(board.references):
        values[row["source"]] = (row["scores"].get(key) or {}).get("value", values[row["source"]])
    named = (("Human", values["human"]), ("Chance", values["random"]))
    parts = [f"{name} {write_percent(value)}" for name, value in named if value is not None]
    return " · ".join([*parts, "Earshot leaderboard"])
