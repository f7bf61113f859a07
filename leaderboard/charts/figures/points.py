"""Scatter charts: two scores against each other, as a square."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import Guide, PointChart, ScorePair
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.style import (
    CHANCE_COLOUR,
    CHANCE_LINE,
    DIRECT_LABELS_AT_MOST,
    GUIDE_LINE,
    HUMAN_COLOUR,
    HUMAN_LINE,
    LINE_PIXELS,
    NAME_CHARACTERS,
    Style,
    highest_tick,
    human_words,
    list_styles,
    make_figure,
    safe,
    show_legend,
    spread,
    write,
)

_HEIGHT = 400
_AXIS_PIXELS = 320
_Point = tuple[float, float]


def draw_points(chart: PointChart, pair: ScorePair, scene: ChartData) -> go.Figure | None:
    """Draw two scores against each other with a point for each entry that has both; None if no entry has."""
    found = [
        (point, entry, style)
        for entry, style in zip(scene.entries, list_styles(scene.entries), strict=True)
        if (point := _point_of(entry, pair)) is not None
    ]
    if not found:
        return None
    figure = make_figure(pair.title, height=_HEIGHT, left=64)
    top = 100.0 if chart.is_whole else highest_tick(_all_values(pair, scene))
    if chart.guide is not None:
        _add_guide(figure, chart.guide, top=top)
    for point, entry, style in found:
        figure.add_trace(_dot(safe(entry.model, 2 * NAME_CHARACTERS), point, style))
    labels = [(point, safe(entry.model)) for point, entry, _ in found] if len(found) <= DIRECT_LABELS_AT_MOST else []
    labels += _mark_people(figure, pair, scene.people)
    labels += _mark_chance(figure, pair, scene)
    _label(figure, labels, top)
    figure.update_xaxes(title_text=chart.x_title, range=[-0.02 * top, 1.02 * top], dtick=25 if top > 80 else 10)
    figure.update_yaxes(title_text=chart.y_title, range=[-0.02 * top, 1.02 * top], dtick=25 if top > 80 else 10)
    if len(found) > DIRECT_LABELS_AT_MOST:
        show_legend(figure, [entry.model[: 2 * NAME_CHARACTERS] for _, entry, _ in found])
    return figure


def _point_of(entry: ChartEntry, pair: ScorePair) -> _Point | None:
    across, up = entry.percent(pair.x), entry.percent(pair.y)
    return None if across is None or up is None else (across, up)


def _all_values(pair: ScorePair, scene: ChartData) -> list[float | None]:
    return [row.percent(key) for row in (*scene.entries, *scene.people) for key in (pair.x, pair.y)]


def _dot(name: str, point: _Point, style: Style) -> go.Scatter:
    return go.Scatter(
        x=[point[0]],
        y=[point[1]],
        name=name,
        mode="markers",
        marker={"symbol": style.symbol, "size": 12, "color": style.colour},
        cliponaxis=False,
        hovertemplate="%{x:.1f} across, %{y:.1f} up",
    )


def _mark_people(figure: go.Figure, pair: ScorePair, people: Sequence[ChartEntry]) -> list[tuple[_Point, str]]:
    """Draw human baselines as a point if both scores are known, otherwise as a line at the known score."""
    labels: list[tuple[_Point, str]] = []
    for person in people:
        point, across, up = _point_of(person, pair), person.percent(pair.x), person.percent(pair.y)
        if point is not None:
            trace = _dot("people", point, Style(HUMAN_COLOUR, "star"))
            figure.add_trace(trace.update(showlegend=False))
            labels.append((point, "people"))
        elif across is not None:
            figure.add_vline(across, line=HUMAN_LINE, layer="below")
            where = {"x": across, "y": 1, "yref": "paper", "yanchor": "bottom"}
            write(figure, human_words("people"), xanchor="right" if across > 50 else "left", **where)
        elif up is not None:
            figure.add_hline(up, line=HUMAN_LINE, layer="below")
            write(figure, human_words("people"), x=0.02, xref="paper", y=up, xanchor="left", yanchor="bottom")
    return labels


def _mark_chance(figure: go.Figure, pair: ScorePair, scene: ChartData) -> list[tuple[_Point, str]]:
    across, up = scene.guess(pair.x), scene.guess(pair.y)
    if across is None or up is None:
        return []
    trace = _dot("chance", (across, up), Style(CHANCE_COLOUR, "x-thin-open"))
    figure.add_trace(trace.update(showlegend=False))
    return [((across, up), "chance")]


def _label(figure: go.Figure, labels: Sequence[tuple[_Point, str]], top: float) -> None:
    heights = spread([point[1] for point, _ in labels], top * LINE_PIXELS / _AXIS_PIXELS, top)
    for ((across, _), words), height in zip(labels, heights, strict=True):
        on_left = across > 0.6 * top
        side = {"xanchor": "right", "xshift": -8} if on_left else {"xanchor": "left", "xshift": 8}
        write(figure, words, x=across, y=height, **side)


def _add_guide(figure: go.Figure, guide: Guide, *, top: float) -> None:
    x0, y0, x1, y1 = (top * end for end in guide.ends)
    line = CHANCE_LINE if guide.is_chance else GUIDE_LINE
    figure.add_shape(type="line", x0=x0, y0=y0, x1=x1, y1=y1, line=line, layer="below")
    falls = y1 < y0
    # Beside the left end of the line, where there are no systems.
    write(
        figure,
        guide.words,
        x=0.06 * top if falls else 0.82 * top,
        y=0.97 * top if falls else 0.82 * top,
        xanchor="left" if falls else "right",
        xshift=4 if falls else -8,
    )
