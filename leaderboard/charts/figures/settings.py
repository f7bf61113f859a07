"""Settings side by side: a row for each model, a mark for each setting, and the difference beside it."""

from collections.abc import Mapping

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import SettingsChart, SettingsPanel
from leaderboard.charts.chart_data import ChartData, SettingsComparison
from leaderboard.charts.figures.style import (
    CHANCE_COLOUR,
    CHANCE_LINE,
    HUMAN_BAND,
    HUMAN_LINE,
    Style,
    chance_words,
    human_words,
    lowest_tick,
    make_figure,
    safe,
    write,
)
from leaderboard.rendering.formatting import write_points

_HEADING, _ROW = 20, 44  # pixels: the name over a row, and all of it
_LANE = 29  # where the marks are, from the top of a row
_TICK = 9  # half the height of a mark of chance or human baseline
# Dashes short enough for several of them in a mark; of longer dashes it would show one and part of the next.
_CHANCE_TICK = CHANCE_LINE | {"dash": "3px,2px", "width": 2}
_MARGINS = 120
_STYLES = (
    Style("#2f7fd1", "circle"),
    Style("#0f9d7a", "square"),
    Style("#b65fc4", "diamond"),
    Style("#8a8f1f", "triangle-up"),
)
_NAME_CHARACTERS = 44
_WORDS_A_LINE = 3


def draw_settings(chart: SettingsChart, panel: SettingsPanel, scene: ChartData) -> go.Figure | None:
    """Draw one panel; None if no model has its score under two settings."""
    sides = [side for side in scene.sides if side.is_beside(panel)]
    if not sides:
        return None
    figure = make_figure(panel.title, height=_ROW * len(sides) + _MARGINS, left=16, right=20, bottom=48)
    _join(figure, panel, sides)
    for at, side in enumerate(sides):
        name = {"x": 0, "xref": "paper", "xanchor": "left", "y": at * _ROW + _HEADING / 2}
        write(figure, safe(side.model, _NAME_CHARACTERS), **name)
    keys = []
    for (setting, title), style in zip(panel.settings, _STYLES, strict=False):
        if any(side.percent(panel, setting) is not None for side in sides):
            _add_setting(figure, panel, sides, setting, title, style)
            keys.append(style.swatch + title)
    keys += _mark_levels(figure, panel, scene, _places(sides))
    lines = ["   ".join(keys[at : at + _WORDS_A_LINE]) for at in range(0, len(keys), _WORDS_A_LINE)]
    corner = {"x": 0, "xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom"}
    write(figure, "<br>".join(lines), align="left", **corner)
    _write_changes(figure, chart, panel, sides)
    drawn = [side.percent(panel, setting) for side in sides for setting, _ in panel.settings]
    low = lowest_tick([*drawn, scene.guess(panel.key)])
    figure.update_xaxes(title_text="%", range=[low - 1, 101], dtick=20 if low < 20 else 10)
    figure.update_yaxes(range=[_ROW * len(sides), 0], showticklabels=False, showgrid=False)
    figure.update_layout(margin={"t": 56 + 16 * (len(lines) - 1)}, height=figure.layout.height + 16 * (len(lines) - 1))
    return figure


def _places(sides: list[SettingsComparison]) -> list[float]:
    return [at * _ROW + _LANE for at in range(len(sides))]


def _join(figure: go.Figure, panel: SettingsPanel, sides: list[SettingsComparison]) -> None:
    across: list[float | None] = []
    up: list[float | None] = []
    for place, side in zip(_places(sides), sides, strict=True):
        values = [value for setting, _ in panel.settings if (value := side.percent(panel, setting)) is not None]
        across += [min(values), max(values), None]
        up += [place, place, None]
    line = {"color": CHANCE_COLOUR, "width": 2}
    figure.add_trace(
        go.Scatter(x=across, y=up, mode="lines", line=line, opacity=0.5, hoverinfo="skip", showlegend=False)
    )


def _add_setting(
    figure: go.Figure, panel: SettingsPanel, sides: list[SettingsComparison], setting: str, title: str, style: Style
) -> None:
    marker = {"symbol": style.symbol, "size": 10, "color": style.colour}
    figure.add_trace(
        go.Scatter(
            x=[side.percent(panel, setting) for side in sides],
            y=_places(sides),
            name=title,
            mode="markers",
            marker=marker,
            cliponaxis=False,
            hovertemplate=f"{title}: %{{x:.1f}} %<extra></extra>",
        )
    )


def _mark_levels(figure: go.Figure, panel: SettingsPanel, scene: ChartData, places: list[float]) -> list[str]:
    """Draw chance and human baselines in every row, and return their labels."""
    guess = scene.guess(panel.key)
    if guess is not None:
        figure.add_trace(_ticks(guess, places, _CHANCE_TICK))
    marks = [chance_words()] if guess is not None else []
    for person in scene.people:
        value, band = person.percent(panel.key), person.percent_range(panel.key)
        if value is not None:
            figure.add_trace(_ticks(value, places, HUMAN_LINE))
            marks.append(human_words("people"))
        if band is not None:
            figure.add_vrect(*band, fillcolor=HUMAN_BAND, line_width=0, layer="below")
    return list(dict.fromkeys(marks))


def _ticks(value: float, places: list[float], line: Mapping[str, object]) -> go.Scatter:
    """Return a mark at a score in every row; a line over all rows would cross out names."""
    up = [end for place in places for end in (place - _TICK, place + _TICK, None)]
    return go.Scatter(x=[value] * len(up), y=up, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _write_changes(
    figure: go.Figure, chart: SettingsChart, panel: SettingsPanel, sides: list[SettingsComparison]
) -> None:
    """Write the differences beside the rows, and their meaning below."""
    changes = [(place, side.change(panel)) for place, side in zip(_places(sides), sides, strict=True)]
    known = [(place, change) for place, change in changes if change is not None]
    for place, change in known:
        where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 8, "y": place}
        write(figure, write_points(change / 100), **where)
    if known:
        corner = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": 48, "y": 0, "yref": "paper", "yanchor": "top"}
        write(figure, chart.change_title, yshift=-22, **corner)
        figure.update_layout(margin={"r": 56})
