"""Radar of a row's abilities between chance and human. Pure."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import plotly.graph_objects as go

from leaderboard.charts.figures.style import BARE, CHANCE_LINE, CLEAR, COLOURS, HUMAN_LINE
from leaderboard.pages.model.strengths import Spoke
from leaderboard.rendering.formatting import write_interval, write_percent
from leaderboard.rendering.templating import Markup, render_table

_ROW_COLOUR = COLOURS[0]
_MIN_AXES = 3
# Drawn part of the scale between chance and human; the table has the rest.
_LOWEST, _HIGHEST = -0.5, 1.5
_HEIGHT = 440
_ROW = "Blue: this model with 95 % CI."
# Longer axis names are wrapped, so that the axes have space on narrow screens.
_NAME_CHARACTERS = 12


class Radar(NamedTuple):
    """Data of a radar.

    Attributes:
        spokes: The axes.
        values: Value of the row on each axis.
        lows: Lower ends of its intervals; None if there is none.
        highs: Upper ends.
        chance: Chance on each axis; None if unknown.
        people: Human baseline on each axis; None if unknown.
        is_normalised: Whether 0 is chance and 1 is human; otherwise values are percentages.
    """

    spokes: tuple[Spoke, ...]
    values: tuple[float, ...]
    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]
    chance: tuple[float | None, ...]
    people: tuple[float | None, ...]
    is_normalised: bool


def make_radar(spokes: Sequence[Spoke]) -> Radar | None:
    """Return the radar of some abilities: between chance and human if both are known for enough of them.

    None if fewer than three abilities have a score: two span no area.
    """
    measured = [one for one in spokes if one.people is not None and one.place(one.score.value) is not None]
    is_normalised = len(measured) >= _MIN_AXES
    drawn = measured if is_normalised else list(spokes)
    if len(drawn) < _MIN_AXES:
        return None

    def scale(one: Spoke, value: float | None) -> float | None:
        if value is None or not is_normalised:
            return None if value is None else 100 * value
        return one.place(value)

    return Radar(
        spokes=tuple(drawn),
        values=tuple(scale(one, one.score.value) or 0.0 for one in drawn),
        lows=tuple(scale(one, one.score.low) for one in drawn),
        highs=tuple(scale(one, one.score.high) for one in drawn),
        chance=tuple(scale(one, one.chance) for one in drawn),
        people=tuple(scale(one, one.people) for one in drawn),
        is_normalised=is_normalised,
    )


def explain_radar(radar: Radar, people_setting: str | None, setting: str) -> str:
    """Return the legend of a radar in a few short sentences."""
    if not radar.is_normalised:
        return f"{_ROW} Axes: 0 % (centre) to 100 %. Dashed ring: chance. No human baseline."
    elsewhere = f" The human baseline is from setting {people_setting}." if people_setting != setting else ""
    clipped = any(not _LOWEST <= value <= _HIGHEST for value in radar.values)
    lowest = f"{_LOWEST:g}".replace("-", "−")
    beyond = f" Scores are clipped to {lowest} to {_HIGHEST:g}; the table has all values." if clipped else ""
    return (
        f"{_ROW} Axes: (score − chance) / (human − chance). Amber ring: human (1). Dashed ring: chance (0)."
        f"{elsewhere}{beyond}"
    )


def draw_radar(radar: Radar) -> go.Figure:
    """Draw the row as an area, its intervals as bars, humans as an amber ring and chance as a dashed grey one."""
    figure = go.Figure()
    names = ["<br>".join(wrap(one.name, _NAME_CHARACTERS, break_long_words=False)) for one in radar.spokes]
    if any(value is not None for value in radar.chance):
        _add_ring(figure, names, radar.chance, "chance", CHANCE_LINE)
    if radar.is_normalised:
        _add_ring(figure, names, radar.people, "human", HUMAN_LINE)
    _add_intervals(figure, radar, names)
    _add_row(figure, radar, names)
    _dress(figure, radar)
    return figure


def tabulate_radar(radar: Radar, title: str) -> Markup:
    """Return the data of a radar as a table."""
    headings = ["Ability", "Score (%)", "95 % CI", "Chance (%)", "Human (%)"]
    scale = ["(score − chance) / (human − chance)"] if radar.is_normalised else []
    rows = [
        [
            one.name,
            write_percent(one.score.value),
            write_interval(one.score.low, one.score.high) or None,
            write_percent(one.chance),
            write_percent(one.people),
            *([f"{value:.2f}".replace("-", "−")] if radar.is_normalised else []),
        ]
        for one, value in zip(radar.spokes, radar.values, strict=True)
    ]
    return render_table([*headings, *scale], rows, caption=title)


def _add_ring(
    figure: go.Figure, names: Sequence[str], values: Sequence[float | None], name: str, line: dict[str, Any]
) -> None:
    closed = [*values, values[0]]
    figure.add_trace(
        go.Scatterpolar(r=closed, theta=[*names, names[0]], name=name, mode="lines", line=line, hoverinfo="skip")
    )


def _add_intervals(figure: go.Figure, radar: Radar, names: Sequence[str]) -> None:
    """Draw each interval along its axis, in one trace with gaps."""
    radii: list[float | None] = []
    angles: list[str | None] = []
    for name, low, high in zip(names, radar.lows, radar.highs, strict=True):
        if low is not None and high is not None:
            radii += [_clip(radar, low), _clip(radar, high), None]
            angles += [name, name, None]
    if radii:
        line = {"color": _ROW_COLOUR, "width": 3}
        trace = go.Scatterpolar(r=radii, theta=angles, mode="lines", line=line, opacity=0.55, hoverinfo="skip")
        figure.add_trace(trace.update(name="95 % CI"))


def _add_row(figure: go.Figure, radar: Radar, names: Sequence[str]) -> None:
    shown = [_clip(radar, value) for value in radar.values]
    labels = [f"{one.name}: {write_percent(one.score.value)} %" for one in radar.spokes]
    figure.add_trace(
        go.Scatterpolar(
            r=[*shown, shown[0]],
            theta=[*names, names[0]],
            customdata=[*labels, labels[0]],
            name="this model",
            mode="lines+markers",
            fill="toself",
            fillcolor="rgba(47, 127, 209, 0.14)",
            line={"color": _ROW_COLOUR, "width": 2},
            marker={"size": 7},
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _clip(radar: Radar, value: float) -> float:
    return min(max(value, _LOWEST), _HIGHEST) if radar.is_normalised else value


def _dress(figure: go.Figure, radar: Radar) -> None:
    shown = [_clip(radar, value) for value in (*radar.values, *radar.lows, *radar.highs) if value is not None]
    if radar.is_normalised:
        scale = {"range": [min(-0.25, *shown), max(1.1, *shown)], "tickvals": [0, 0.5, 1], "showticklabels": False}
    else:
        scale = {"range": [0, 100], "tickvals": [25, 50, 75]}
    figure.update_layout(
        **BARE,
        height=_HEIGHT,
        margin={"l": 88, "r": 88, "t": 48, "b": 48},
        polar={
            "bgcolor": CLEAR,
            "radialaxis": {
                **scale,
                "angle": 90,
                "tickangle": 90,
                "showline": False,
                "ticks": "",
                "tickfont": {"size": 11},
            },
            "angularaxis": {"direction": "clockwise", "rotation": 90, "showline": False, "ticks": ""},
        },
    )
