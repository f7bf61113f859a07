"""Line charts: a score at increasing difficulty."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import Panel
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.style import (
    CHANCE_LINE,
    DIRECT_LABELS_AT_MOST,
    HUMAN_BAND,
    HUMAN_COLOUR,
    HUMAN_LINE,
    LINE_PIXELS,
    NAME_CHARACTERS,
    Style,
    chance_words,
    human_words,
    list_styles,
    lowest_tick,
    make_figure,
    safe,
    show_legend,
    spread,
    text_width,
    write,
)

_HEIGHT, _TALL = 300, 380
_ABOVE_AND_BELOW = 88  # pixels of margin


def find_height(panels: Sequence[Panel]) -> int:
    """Return the height of a chart's panels: a downward axis of levels needs more."""
    return _TALL if any(panel.downward for panel in panels) else _HEIGHT


class _Label(NamedTuple):
    place: float
    words: str
    is_mark: bool = False


def draw_lines(panel: Panel, scene: ChartData, height: int = _HEIGHT) -> go.Figure | None:
    """Draw one panel with a line for each entry, human baselines and chance; None if no entry has its scores."""
    n_drawn = sum(entry.has_any(panel.keys) for entry in scene.entries)
    if not n_drawn:
        return None
    panel = _without_empty_end(panel, scene)
    figure = make_figure(panel.title, height=height)
    is_direct = n_drawn <= DIRECT_LABELS_AT_MOST
    labels: list[_Label] = []
    for entry, style in zip(scene.entries, list_styles(scene.entries), strict=True):
        if entry.has_any(panel.keys):
            figure.add_trace(_line(panel, entry, style))
            if is_direct:
                labels.append(_Label(_last(entry, panel), style.swatch + safe(entry.model)))
    labels += [*_mark_people(figure, panel, scene.people), *_mark_chance(figure, panel, scene)]
    low = lowest_tick(_all_values(panel, scene))
    if panel.downward:
        _lay_downward(figure, panel, labels, low)
    else:
        _lay_across(figure, panel, labels, low, height)
    if not is_direct:
        show_legend(figure, [trace.name for trace in figure.data])
    return figure


def _without_empty_end(panel: Panel, scene: ChartData) -> Panel:
    """Return a panel up to the last level with data."""
    rows = [*scene.entries, *scene.people]
    n = max(at for at, key in enumerate(panel.keys, start=1) if any(row.has_any([key]) for row in rows))
    return replace(panel, labels=panel.labels[:n], keys=panel.keys[:n])


def _all_values(panel: Panel, scene: ChartData) -> list[float | None]:
    people = [person.percent(key) for person in scene.people for key in (*panel.keys, panel.whole)]
    drawn = [entry.percent(key) for entry in scene.entries for key in panel.keys]
    return [*drawn, *people, _chance_level(panel, scene)]


def _chance_level(panel: Panel, scene: ChartData) -> float | None:
    known = [guess for key in panel.keys if (guess := scene.guess(key)) is not None]
    return fmean(known) if known else None


def _line(panel: Panel, entry: ChartEntry, style: Style) -> go.Scatter:
    values = [entry.percent(key) for key in panel.keys]
    places = list(panel.labels)
    return go.Scatter(
        x=values if panel.downward else places,
        y=places if panel.downward else values,
        name=safe(entry.model, 2 * NAME_CHARACTERS),
        mode="lines+markers",
        line={"color": style.colour, "width": 2},
        marker={"symbol": style.symbol, "size": 8},
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.1f} %" if panel.downward else "%{x}: %{y:.1f} %",
    )


def _last(entry: ChartEntry, panel: Panel) -> float:
    return next(value for key in reversed(panel.keys) if (value := entry.percent(key)) is not None)


def _mark_people(figure: go.Figure, panel: Panel, people: Sequence[ChartEntry]) -> list[_Label]:
    """Draw each human baseline: as a line if it has scores by level, otherwise as a horizontal line at its mean."""
    labels = []
    for person in people:
        mean = person.percent(panel.whole)
        if person.has_any(panel.keys):
            trace = _line(panel, person, Style(HUMAN_COLOUR, "circle"))
            figure.add_trace(trace.update(showlegend=False))
            labels.append(_Label(_last(person, panel), human_words("people"), is_mark=True))
        elif mean is not None:
            _add_level(figure, mean, HUMAN_LINE, is_vertical=panel.downward)
            _add_band(figure, person.percent_range(panel.whole), is_vertical=panel.downward)
            labels.append(_Label(mean, human_words("people, mean"), is_mark=True))
    return labels


def _mark_chance(figure: go.Figure, panel: Panel, scene: ChartData) -> list[_Label]:
    level = _chance_level(panel, scene)
    if level is None:
        return []
    _add_level(figure, level, CHANCE_LINE, is_vertical=panel.downward)
    return [_Label(level, chance_words(), is_mark=True)]


def _add_level(figure: go.Figure, level: float, line: dict[str, object], *, is_vertical: bool) -> None:
    add = figure.add_vline if is_vertical else figure.add_hline
    add(level, line=line, layer="below")


def _add_band(figure: go.Figure, band: tuple[float, float] | None, *, is_vertical: bool) -> None:
    if band is not None:
        add = figure.add_vrect if is_vertical else figure.add_hrect
        add(*band, fillcolor=HUMAN_BAND, line_width=0, layer="below")


def _lay_across(figure: go.Figure, panel: Panel, labels: Sequence[_Label], low: float, height: int) -> None:
    last = len(panel.labels) - 1
    figure.update_xaxes(title_text=panel.x_title, range=[-0.25, last + 0.15], type="category")
    figure.update_yaxes(range=[low - 1, 101], dtick=20 if low < 20 else 10, ticksuffix=" %")
    gap = (102 - low) * LINE_PIXELS / (height - _ABOVE_AND_BELOW)
    places = spread([label.place for label in labels], gap, 101)
    for place, label in zip(places, labels, strict=True):
        write(figure, label.words, x=1, xref="paper", y=place, xanchor="left", xshift=6)
    plain = [label.words.rpartition("> ")[2] for label in labels]
    figure.update_layout(margin={"r": 16 if not labels else text_width(plain, least=40) + 12})


def _lay_downward(figure: go.Figure, panel: Panel, labels: Sequence[_Label], low: float) -> None:
    """Put levels on the vertical axis; the panel beside this one names the lines, so only the marks are named here."""
    figure.update_yaxes(title_text=panel.x_title, type="category", autorange="reversed")
    figure.update_xaxes(range=[low - 1, 101], dtick=20 if low < 20 else 10, ticksuffix=" %", title_text="accuracy")
    for label in (label for label in labels if label.is_mark):
        on_left = label.place > (100 + low) / 2
        where = {"x": label.place, "y": 1, "yref": "paper", "yanchor": "bottom", "xshift": 8 if on_left else -8}
        write(figure, label.words, xanchor="right" if on_left else "left", **where)
    figure.update_layout(margin={"l": 60, "t": 56})
