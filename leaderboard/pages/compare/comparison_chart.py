"""Comparison chart: differences of two rows as dots with intervals. Pure."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

import plotly.graph_objects as go

from evaluation.benchmarks import Benchmark, Column
from leaderboard.charts.figures.style import CHANCE_COLOUR, COLOURS, make_figure
from leaderboard.pages.compare.comparison_texts import find_metric, is_significant
from leaderboard.rendering.formatting import write_points
from submissions.comparisons.differences import ScoreDifference
from submissions.model_registry.model_pages import list_abilities

_MAX_DRAWN = 40
_TOLD, _NOT_TOLD = COLOURS[0], CHANCE_COLOUR
_NAME_CHARACTERS = 24
_ROW_PIXELS, _LINE_PIXELS = 24, 14


class _ChartedDifference(NamedTuple):
    """A score and its difference."""

    column: Column
    one: ScoreDifference
    name: str


def choose_drawn(benchmark: Benchmark, differences: Sequence[ScoreDifference]) -> list[_ChartedDifference]:
    """Return the scores to draw: default columns, abilities, and sub-tasks in the headline's metric.

    Only scores with a better direction: shares, such as habits, appear in the table only.
    """
    found = {one.figure: one for one in differences}
    abilities = {one.key for one in list_abilities(benchmark)}
    wanted = (
        column
        for column in benchmark.columns
        if column.shown
        or column.key in abilities
        or (column.metric == benchmark.headline.metric and column.slice.count("/") == 1)
    )
    drawn = [
        _ChartedDifference(column, found[column.key], column.full_title)
        for column in wanted
        if column.key in found and find_metric(benchmark, column).ranked
    ]
    return drawn[:_MAX_DRAWN]


def draw_differences(drawn: Sequence[_ChartedDifference]) -> go.Figure:
    """Draw a minus b in points, a row for each score, with a line at zero."""
    lines = [wrap(one.name, _NAME_CHARACTERS) for one in drawn]
    names = ["<br>".join(escape(words, quote=False) for words in each) for each in lines]
    pitch = _ROW_PIXELS + _LINE_PIXELS * (max(map(len, lines), default=1) - 1)
    figure = make_figure("", height=96 + pitch * len(drawn), left=152, right=24, bottom=56)
    for is_told, colour, symbol in ((True, _TOLD, "circle"), (False, _NOT_TOLD, "circle-open")):
        at = [index for index, one in enumerate(drawn) if is_significant(one.one) == is_told]
        if at:
            figure.add_trace(_draw_dots([drawn[index] for index in at], [names[index] for index in at], colour, symbol))
    figure.add_vline(x=0, line={"color": _NOT_TOLD, "width": 1.5})
    ends = [0.0, *(100 * end for one in drawn for end in _ends(one.one))]
    pad = max(1.0, 0.08 * (max(ends) - min(ends)))
    figure.update_xaxes(title="A − B (points)", range=[min(ends) - pad, max(ends) + pad], nticks=7)
    # Reversed, so that the first score is at the top.
    places = {"categoryorder": "array", "categoryarray": names, "range": [len(names) - 0.5, -0.5], "type": "category"}
    figure.update_yaxes(**places, showgrid=False)
    return figure


def _draw_dots(drawn: Sequence[_ChartedDifference], names: Sequence[str], colour: str, symbol: str) -> go.Scatter:
    points = [100 * one.one.difference for one in drawn]
    above = [None if one.one.high is None else 100 * one.one.high - at for one, at in zip(drawn, points, strict=True)]
    below = [None if one.one.low is None else at - 100 * one.one.low for one, at in zip(drawn, points, strict=True)]
    return go.Scatter(
        x=points,
        y=list(names),
        mode="markers",
        marker={"color": colour, "symbol": symbol, "size": 9},
        error_x={"type": "data", "array": above, "arrayminus": below, "color": colour, "thickness": 2, "width": 0},
        customdata=[_describe(one.one) for one in drawn],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _describe(one: ScoreDifference) -> str:
    if one.low is None or one.high is None:
        return f"{write_points(one.difference)} points"
    return f"{write_points(one.difference)} points ({write_points(one.low)} to {write_points(one.high)})"


def _ends(one: ScoreDifference) -> list[float]:
    return [end for end in (one.difference, one.low, one.high) if end is not None]
