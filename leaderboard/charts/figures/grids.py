"""Maps: a figure for each row and column, of one system or of several."""

from collections.abc import Sequence
from math import cos, radians, sin
from statistics import fmean

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import GridChart, MapChart
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.style import COLOURS, HEAT, make_figure, safe, text_width, write
from leaderboard.rendering.formatting import write_points

_CELL = 34
_ALL = "all"
# Headings lean into the margin of the names of rows: at the other end there is no room, and plotly leaves out whatever
# crosses the edge of a figure.
_LEAN = 35
_TITLE_PIXELS = 48  # above the headings


def draw_map(chart: MapChart, scene: ChartData) -> go.Figure | None:
    """Draw a figure for each row and column of one system, with whole rows and columns; the scale begins at chance."""
    entry = next((entry for entry in scene.entries if entry.has_any(chart.keys)), None)
    if entry is None:
        return None
    left = 64 if chart.has_compass else 56
    figure = make_figure("", height=_CELL * (len(chart.rows) + bool(chart.column_totals)) + 88, left=left, bottom=8)
    start = _scale_start(chart.keys, scene)
    values = [[entry.percent(key) for key in cells] for cells in chart.cells]
    columns, rows = list(range(len(chart.columns))), list(range(len(chart.rows)))
    has_cells = any(value is not None for row in values for value in row)
    if has_cells:
        names = [[f"{chart.row_title} {row} {chart.column_title} {one}" for one in chart.columns] for row in chart.rows]
        figure.add_trace(_heat(values, columns, rows, names, start))
    _add_totals(figure, chart, entry, start)
    _lay_out(figure, chart)
    if chart.has_compass:
        _draw_compass(figure)
    return figure


def draw_grid(chart: GridChart, scene: ChartData) -> go.Figure | None:
    """Draw a row for each system, then human baselines and chance; None if no system has any of the scores."""
    entries = [entry for entry in scene.entries if entry.has_any(chart.keys)]
    if not entries:
        return None
    people = [person for person in scene.people if person.has_any(chart.keys)]
    rows: list[tuple[str, list[float | None]]] = [
        (safe(row.model), [row.percent(key) for key in chart.keys]) for row in [*people, *entries]
    ]
    guesses = [scene.guess(key) for key in chart.keys]
    if any(guess is not None for guess in guesses):
        rows.append(("chance", guesses))
    names = [[f"{name}, {column}" for column, _ in chart.columns] for name, _ in rows]
    places = list(range(len(chart.columns))), list(range(len(rows)))
    headings = [safe(column) for column, _ in chart.columns]
    across, up = _lean(headings)
    left = max(text_width([name for name, _ in rows], least=60), across)
    figure = make_figure("", height=_CELL * len(rows) + up + _TITLE_PIXELS + 30, left=left, bottom=8)
    figure.add_trace(_heat([values for _, values in rows], *places, names, _scale_start(chart.keys, scene)))
    _frame_own(figure, chart, entries, first=len(people))
    _write_gaps(figure, chart, entries, first=len(people))
    figure.update_xaxes(
        title_text=chart.column_title,
        side="top",
        range=[-0.5, len(chart.columns) - 0.5],
        tickmode="array",
        tickvals=places[0],
        ticktext=headings,
        tickangle=_LEAN,
        ticklabeloverflow="allow",
        showgrid=False,
    )
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5], tickvals=places[1], ticktext=[name for name, _ in rows], showgrid=False
    )
    has_gaps = chart.gap is not None and any(entry.percent(chart.gap[1]) is not None for entry in entries)
    figure.update_layout(margin={"t": up + _TITLE_PIXELS, "r": 84 if has_gaps else 16})
    return figure


def _lean(headings: Sequence[str]) -> tuple[int, int]:
    """Return how far the longest heading extends to the left of its column and upwards, in pixels."""
    length = text_width(headings)
    return round(length * cos(radians(_LEAN))), round(length * sin(radians(_LEAN)))


def _heat(
    values: Sequence[Sequence[float | None]],
    columns: Sequence[float],
    rows: Sequence[float],
    names: Sequence[Sequence[str]],
    start: float,
) -> go.Heatmap:
    return go.Heatmap(
        x=list(columns),
        y=list(rows),
        z=[list(row) for row in values],
        text=[list(row) for row in names],
        zmin=start,
        zmax=100,
        colorscale=HEAT,
        showscale=False,
        xgap=1,
        ygap=1,
        texttemplate="%{z:.0f}",
        textfont={"size": 12},
        hoverongaps=False,
        hovertemplate="%{text}: %{z:.1f} %<extra></extra>",
    )


def _scale_start(keys: Sequence[str], scene: ChartData) -> float:
    known = [guess for key in keys if (guess := scene.guess(key)) is not None]
    return fmean(known) if known else 0.0


def _add_totals(figure: go.Figure, chart: MapChart, entry: ChartEntry, start: float) -> None:
    """Draw whole columns as a strip above the map and whole rows as one beside it, half a cell away."""
    if chart.column_totals:
        columns = [[entry.percent(key) for key in chart.column_totals]]
        names = [[f"{chart.column_title} {name}, {_ALL}" for name in chart.columns]]
        figure.add_trace(_heat(columns, list(range(len(chart.columns))), [-1.3], names, start))
    if chart.row_totals:
        rows = [[entry.percent(key)] for key in chart.row_totals]
        named = [[f"{chart.row_title} {name}, {_ALL}"] for name in chart.rows]
        figure.add_trace(_heat(rows, [len(chart.columns) + 0.3], list(range(len(chart.rows))), named, start))


def _lay_out(figure: go.Figure, chart: MapChart) -> None:
    width, height = len(chart.columns), len(chart.rows)
    columns = [*range(width), *([width + 0.3] if chart.row_totals else [])]
    rows = [*([-1.3] if chart.column_totals else []), *range(height)]
    figure.update_xaxes(
        title_text=chart.column_title,
        side="top",
        range=[-0.5, width + (0.8 if chart.row_totals else -0.5)],
        tickvals=columns,
        ticktext=[*chart.columns, *([_ALL] if chart.row_totals else [])],
        tickangle=0 if chart.has_compass else -90 if max(map(len, chart.columns)) > 3 else 0,
        showgrid=False,
    )
    figure.update_yaxes(
        title_text=chart.row_title,
        range=[height - 0.5, -1.8 if chart.column_totals else -0.5],
        tickvals=rows,
        ticktext=[*([_ALL] if chart.column_totals else []), *chart.rows],
        showgrid=False,
    )
    figure.update_layout(margin={"t": 76})


def _frame_own(figure: go.Figure, chart: GridChart, entries: Sequence[ChartEntry], *, first: int) -> None:
    if chart.is_own is None:
        return
    for row, entry in enumerate(entries, start=first):
        for at, (name, _) in enumerate(chart.columns):
            if chart.is_own(entry.model, name):
                edges = {"x0": at - 0.48, "x1": at + 0.48, "y0": row - 0.46, "y1": row + 0.46}
                figure.add_shape(type="rect", line={"color": COLOURS[0], "width": 2.5}, **edges)


def _write_gaps(figure: go.Figure, chart: GridChart, entries: Sequence[ChartEntry], *, first: int) -> None:
    if chart.gap is None:
        return
    title, key = chart.gap
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 10}
    known = [(row, gap) for row, entry in enumerate(entries, start=first) if (gap := entry.percent(key)) is not None]
    for row, gap in known:
        write(figure, write_points(gap / 100), y=row, **where)
    if known:
        words = title.replace(" ", "<br>", 1)
        write(figure, words, y=1, yref="paper", yanchor="bottom", align="left", yshift=4, **where)


def _draw_compass(figure: go.Figure) -> None:
    """Draw the rose in the corner of the margins: north is ahead."""
    corner = {"x": 0, "xref": "paper", "y": 1, "yref": "paper", "xanchor": "center", "yanchor": "middle"}
    for words, across, up in (("N", 0, 27), ("E", 26, 0), ("S", 0, -27), ("W", -26, 0)):
        write(figure, words, xshift=across - 30, yshift=up + 40, **corner, font={"size": 10})
    write(figure, "✛", xshift=-30, yshift=40, **(corner | {"font": {"size": 22}}))
