"""The HTML of an embedded board: a heading that leads to the full board, the best rows, human and chance."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.benchmarks import Benchmark, Column
from leaderboard.assets import ASSETS_DIR
from leaderboard.exports.view import link_to_board
from leaderboard.html_elements import Markup, element, percent, write_interval, write_rank

THEMES = ("light", "dark")
_THEME = (ASSETS_DIR / "theme.css").read_text(encoding="utf-8")
_TOKENS = dict(re.findall(r"^(:root|\.dark) (\{.*?\})", _THEME, re.MULTILINE | re.DOTALL))
_STYLE = Markup(
    f"<style>:root{_TOKENS[':root']}"
    f'html[data-theme="dark"]{_TOKENS[".dark"]}'
    f'@media(prefers-color-scheme:dark){{html:not([data-theme="light"]){_TOKENS[".dark"]}}}'
    f"{Path(__file__).with_name('style.css').read_text(encoding='utf-8')}</style>"
)


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


def render_embedded_board(board: EmbeddedBoard, theme: str | None) -> Markup:
    """Return the page; `theme` is light or dark, None follows the reader's browser."""
    name = f"{board.benchmark.title} {board.benchmark.version}"
    title = element("a", name, href=link_to_board("", board.benchmark, board.link), target="_blank", rel="noopener")
    body = element(
        "main",
        element("h1", title),
        element("p", _describe_scores(board), title=board.benchmark.define(board.column)),
        _render_table(board) if board.rows else element("p", "No scores yet."),
        element("p", _describe_references(board)),
    )
    head = element(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="robots" content="noindex">'),
        element("title", f"{name} · Earshot"),
        _STYLE,
    )
    return Markup("<!doctype html>") + element("html", head, element("body", body), lang="en", data_theme=theme)


def _describe_scores(board: EmbeddedBoard) -> str:
    metric = next(metric for metric in board.benchmark.metrics if metric.id == board.column.metric)
    setting = f", {board.setting}" if len(board.benchmark.settings) > 1 else ""
    return f"{board.column.full_title} in %{setting}{'' if metric.higher_is_better else ' (lower is better)'}"


def _render_table(board: EmbeddedBoard) -> Markup:
    headings = (("Rank", "rank"), ("Model", None), ("Score", "score"))
    head = element("tr", *(element("th", title, scope="col", class_=kind) for title, kind in headings))
    rows = (_render_row(row, board.column.key) for row in board.rows)
    return element("table", element("thead", head), element("tbody", *rows))


def _render_row(row: Mapping[str, Any], key: str) -> Markup:
    score, model = row["scores"][key], row["model"]
    interval = write_interval(score["low"], score["high"])
    width = min(max(score["value"], 0.0), 1.0) * 100
    bar = element("span", element("i", style=f"width:{width:.1f}%"), class_="bar", aria_hidden="true")
    details = " · ".join(filter(None, (model["organisation"], row["source"])))
    return element(
        "tr",
        element("td", write_rank(row["rank"], row["rank_low"], row["rank_high"]), class_="rank"),
        element("th", model["name"], " ", element("small", details), scope="row"),
        element("td", element("b", percent(score["value"])), *_set_small(interval), bar, class_="score"),
    )


def _set_small(text: str) -> tuple[object, ...]:
    return (" ", element("small", text)) if text else ()


def _describe_references(board: EmbeddedBoard) -> str:
    """Return what people and guessing reach, and whose board this is."""
    key = board.column.key
    values: dict[str, float | None] = {"human": None, "random": board.benchmark.chance.get(key)}
    for row in reversed(board.references):
        values[row["source"]] = (row["scores"].get(key) or {}).get("value", values[row["source"]])
    named = (("Human", values["human"]), ("Chance", values["random"]))
    parts = [f"{name} {percent(value)}" for name, value in named if value is not None]
    return " · ".join([*parts, "Earshot leaderboard"])
