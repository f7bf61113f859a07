"""Dot charts: a score for each of several kinds of questions, with a stem from chance."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import DotChart, DotPanel, DotRow
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.style import (
    CHANCE_LINE,
    DIRECT_LABELS_AT_MOST,
    HUMAN_BAND,
    HUMAN_COLOUR,
    NAME_CHARACTERS,
    Style,
    chance_words,
    highest_tick,
    human_words,
    list_styles,
    lowest_tick,
    make_figure,
    safe,
    show_legend,
    text_width,
    write,
)

_WIDE_LANE, _NARROW_LANE = 15, 10  # labels stand in the lanes of few
_HEADING, _GAP = 20, 10  # over the lanes of a place, and below them
_MARGINS = 112
_NARROW_AXIS = 0.6  # of the axis: names of dots beyond it need room beside the axis


class _Frame(NamedTuple):
    """Vertical layout in pixels from the top.

    Attributes:
        n_lanes: Lanes of a row, one for each entry.
        lane: Height of a lane.
        low: Lower end of the score axis.
        top: Upper end of the score axis.
    """

    n_lanes: int
    lane: int
    low: float
    top: float

    @property
    def row(self) -> int:
        """Height of a row."""
        return _HEADING + self.n_lanes * self.lane + _GAP

    def lane_at(self, place: int, lane: int) -> float:
        """Return the middle of a lane."""
        return place * self.row + _HEADING + (lane + 0.5) * self.lane

    def ends(self, place: int) -> dict[str, float]:
        """Return where the lanes of a row begin and end."""
        begin = place * self.row + _HEADING - 2
        return {"y0": begin, "y1": begin + self.n_lanes * self.lane + 4}


def draw_dots(chart: DotChart, panel: DotPanel, scene: ChartData) -> go.Figure | None:
    """Draw one panel with a dot for each row and entry; None if no entry has its scores."""
    keys = [place.key for place in panel.places]
    drawn = [
        (entry, style)
        for entry, style in zip(scene.entries, list_styles(scene.entries), strict=True)
        if entry.has_any(keys)
    ]
    if not drawn:
        return None
    is_direct = len(drawn) <= DIRECT_LABELS_AT_MOST
    low = 0.0 if _begins_at_none(panel, scene) else lowest_tick(_all_values(panel, scene))
    top = 100.0 if chart.is_whole else highest_tick(_all_values(panel, scene))
    frame = _Frame(len(drawn), _WIDE_LANE if is_direct else _NARROW_LANE, low, top)
    figure = make_figure(panel.title, height=frame.row * len(keys) + _MARGINS, left=16, right=20, bottom=52)
    for at, place in enumerate(panel.places):
        _mark_place(figure, at, place, scene, frame)
    for lane, (entry, style) in enumerate(drawn):
        _add_entry(figure, panel, entry, style, scene, lane=lane, frame=frame)
    if is_direct:
        _name_entries(figure, panel, [entry for entry, _ in drawn], frame)
    else:
        show_legend(figure, [entry.model[: 2 * NAME_CHARACTERS] for entry, _ in drawn])
    _name_marks(figure, chart, panel, scene)
    figure.update_xaxes(title_text=panel.x_title, range=[low - 1, top + 1], dtick=20 if top - low > 80 else 10)
    figure.update_yaxes(range=[frame.row * len(keys), 0], showticklabels=False, showgrid=False)
    figure.update_layout(margin={"t": 60})
    return figure


def find_reference(place: DotRow, scene: ChartData) -> float | None:
    """Return where the stems of a row begin, in percent."""
    return 100 * place.even if place.even is not None else scene.guess(place.key)


def _begins_at_none(panel: DotPanel, scene: ChartData) -> bool:
    """Tell whether no row has a reference, so that stems begin at zero."""
    return all(find_reference(place, scene) is None for place in panel.places)


def _all_values(panel: DotPanel, scene: ChartData) -> list[float | None]:
    rows = [*scene.entries, *scene.people]
    drawn = [row.percent(place.key) for row in rows for place in panel.places]
    return [*drawn, *(find_reference(place, scene) for place in panel.places)]


def _add_entry(
    figure: go.Figure, panel: DotPanel, entry: ChartEntry, style: Style, scene: ChartData, *, lane: int, frame: _Frame
) -> None:
    across: list[float | None] = []
    up: list[float | None] = []
    for at, place in enumerate(panel.places):
        value, reference = entry.percent(place.key), find_reference(place, scene)
        if value is not None:
            across += [frame.low if reference is None else reference, value, None]
            up += [frame.lane_at(at, lane), frame.lane_at(at, lane), None]
    stem = {"color": style.colour, "width": 1.5}
    figure.add_trace(
        go.Scatter(x=across, y=up, mode="lines", line=stem, opacity=0.5, hoverinfo="skip", showlegend=False)
    )
    figure.add_trace(
        go.Scatter(
            x=[entry.percent(place.key) for place in panel.places],
            y=[frame.lane_at(at, lane) for at in range(len(panel.places))],
            text=[place.label for place in panel.places],
            name=safe(entry.model, 2 * NAME_CHARACTERS),
            mode="markers",
            marker={"symbol": style.symbol, "size": 9, "color": style.colour},
            cliponaxis=False,
            hovertemplate="%{text}: %{x:.1f} %",
        )
    )


def _name_entries(figure: go.Figure, panel: DotPanel, entries: Sequence[ChartEntry], frame: _Frame) -> None:
    """Write each entry's name to the right of its first dot, in its own lane; the stem is on the left."""
    beyond = []
    for lane, entry in enumerate(entries):
        at, value = next(
            (at, value) for at, place in enumerate(panel.places) if (value := entry.percent(place.key)) is not None
        )
        write(figure, safe(entry.model), x=value, y=frame.lane_at(at, lane), xanchor="left", xshift=8)
        if value - frame.low > _NARROW_AXIS * (frame.top - frame.low):
            beyond.append(safe(entry.model))
    figure.update_layout(margin={"r": text_width(beyond, least=20)})


def _mark_place(figure: go.Figure, at: int, place: DotRow, scene: ChartData, frame: _Frame) -> None:
    """Write the name of a row above its lanes, and draw its marks of chance and human baselines."""
    name = {"x": 0, "xref": "paper", "xanchor": "left", "y": at * frame.row + _HEADING / 2}
    write(figure, f"<b>{place.label}</b>", **name)
    reference = find_reference(place, scene)
    if reference is not None:
        figure.add_shape(type="line", x0=reference, x1=reference, line=CHANCE_LINE, layer="below", **frame.ends(at))
    for person in scene.people:
        value, band = person.percent(place.key), person.percent_range(place.key)
        if band is not None:
            span = {"x0": band[0], "x1": band[1], "fillcolor": HUMAN_BAND, "line_width": 0}
            figure.add_shape(type="rect", layer="below", **span, **frame.ends(at))
        if value is not None:
            line = {"color": HUMAN_COLOUR, "width": 3}
            figure.add_shape(type="line", x0=value, x1=value, line=line, layer="below", **frame.ends(at))


def _name_marks(figure: go.Figure, chart: DotChart, panel: DotPanel, scene: ChartData) -> None:
    """Label the marks above the first row that has them."""
    names = []
    if any(find_reference(place, scene) is not None for place in panel.places):
        names.append(chance_words(chart.reference))
    if any(person.has_any([place.key for place in panel.places]) for person in scene.people):
        names.append(human_words("people"))
    if names:
        write(figure, "   ".join(names), x=0, xref="paper", xanchor="left", y=1, yref="paper", yanchor="bottom")
