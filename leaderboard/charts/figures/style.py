"""Shared style of all figures: colours, names, marks of chance and human baselines, and removed controls.

Backgrounds are transparent and text colours come from `assets/charts.css`, so that one figure serves light and dark.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

import plotly.graph_objects as go

from leaderboard.charts.chart_data import ChartEntry

# Mid tones that colour-blind readers can tell apart on white and on dark; amber, orange, red and grey have a meaning.
COLOURS = ("#2f7fd1", "#0f9d7a", "#b65fc4", "#7a6ff0", "#3aa0b8", "#8a8f1f", "#c05a8a", "#5b7fa6")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon")
HUMAN_COLOUR = "#d97706"
HUMAN_BAND = "rgba(217, 119, 6, 0.18)"
CHANCE_COLOUR = "#7b8794"
CHANCE_LINE = {"color": CHANCE_COLOUR, "width": 1.5, "dash": "dash"}
GUIDE_LINE = {"color": CHANCE_COLOUR, "width": 1}
HUMAN_LINE = {"color": HUMAN_COLOUR, "width": 2}
HEAT = [[0.0, "rgba(18, 165, 148, 0.03)"], [1.0, "rgba(18, 165, 148, 0.62)"]]
CLEAR = "rgba(0,0,0,0)"
DIRECT_LABELS_AT_MOST = 4
NAME_CHARACTERS = 18
LINE_PIXELS = 15
_MARKS = {"circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲"}
_CHARACTER_PIXELS = 7.3
# Below the axes: tick labels and a title, then the names of a legend.
_AXIS_PIXELS = 52
_LEGEND_LINE, _LEGEND_PADDING = 19, 12
# The page's font: Plotly measures text before the page's styles apply.
_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif'
# Decoration without meaning, removed.
BARE: dict[str, Any] = {
    "template": "none",
    "paper_bgcolor": CLEAR,
    "font": {"size": 12, "family": _FONT},
    "hoverlabel": {"bgcolor": "#1f2a3d"},
    "dragmode": False,
    "showlegend": False,
}


class Style(NamedTuple):
    """Style of an entry in every chart."""

    colour: str
    symbol: str

    @property
    def swatch(self) -> str:
        """The entry's mark, for use before its name."""
        return f'<span style="color:{self.colour}">{_MARKS.get(self.symbol, "●")}</span> '


def list_styles(entries: Sequence[ChartEntry]) -> list[Style]:
    """Return a distinct colour and symbol for each entry."""
    return [Style(COLOURS[at % len(COLOURS)], SYMBOLS[at % len(SYMBOLS)]) for at in range(len(entries))]


def safe(name: str, limit: int = NAME_CHARACTERS) -> str:
    """Return untrusted text for a chart without the tags, links and TeX between dollars that Plotly would interpret."""
    cut = name if len(name) <= limit else f"{name[: limit - 1]}…"
    return escape(cut, quote=False).replace("$", "&#36;")


def text_width(texts: Iterable[str], least: int = 0) -> int:
    """Return the approximate width of the longest text in pixels."""
    return max([least, *(round(_CHARACTER_PIXELS * len(text)) + 12 for text in texts)])


def spread(places: Sequence[float], gap: float, high: float) -> list[float]:
    """Return positions moved apart until all gaps are wide enough and none is above `high`."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for below, at in pairwise(order):
        moved[at] = max(moved[at], moved[below] + gap)
    above = high + gap
    for at in reversed(order):
        moved[at] = min(moved[at], above - gap)
        above = moved[at]
    return moved


def lowest_tick(values: Iterable[float | None], most: float = 30) -> float:
    """Return the lower end of a percentage axis that shows every value."""
    known = [value for value in values if value is not None]
    return float(max(0, min(most, 10 * floor((min(known, default=0.0) - 2) / 10))))


def highest_tick(values: Iterable[float | None]) -> float:
    """Return the upper end of an axis that need not extend to 100."""
    known = [value for value in values if value is not None]
    return float(min(100, 10 * ceil((max(known, default=100.0) + 4) / 10)))


def make_figure(title: str, *, height: int, left: int = 48, right: int = 16, bottom: int = 48) -> go.Figure:
    """Return an empty figure without decoration, made at once: updating a figure takes ten times as long."""
    axis: dict[str, Any] = {
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "gridwidth": 1,
        "fixedrange": True,
        "title": {"font": {"size": 12}, "standoff": 8},
        "tickfont": {"size": 12},
    }
    layout = BARE | {
        "title": {
            "text": title,
            "font": {"size": 13},
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"l": 4, "t": 8},
        },
        "height": height,
        "margin": {"l": left, "r": right, "t": 40 if title else 16, "b": bottom},
        "plot_bgcolor": CLEAR,
        "xaxis": axis,
        "yaxis": axis,
    }
    return go.Figure(layout=layout)


def show_legend(figure: go.Figure, names: Sequence[str]) -> None:
    """Write the names below the axes, one per line, and make room for all of them.

    How many names fit on a line depends on the width of the page, which is unknown here.
    """
    room = _AXIS_PIXELS + _LEGEND_PADDING + _LEGEND_LINE * len(names)
    corner = {"x": 0, "xref": "container", "xanchor": "left", "y": 0, "yref": "container", "yanchor": "bottom"}
    figure.update_layout(
        showlegend=True,
        # A vertical legend would narrow the axes; Plotly scrolls a horizontal one that exceeds half of the figure.
        legend={"orientation": "h", "entrywidthmode": "fraction", "entrywidth": 1, "maxheight": 1, **corner},
        margin={"b": room},
        height=figure.layout.height + room - figure.layout.margin.b,
    )


def write(figure: go.Figure, words: str, **where: Any) -> None:
    """Add text to a figure; `where` holds fields of a Plotly annotation."""
    figure.add_annotation(**({"text": words, "showarrow": False, "font": {"size": 12}} | where))


def human_words(words: str) -> str:
    """Return the label of human baselines, in their colour."""
    return f'<span style="color:{HUMAN_COLOUR}">━</span> {words}'


def chance_words(words: str = "chance") -> str:
    """Return the label of chance."""
    return f'<span style="color:{CHANCE_COLOUR}">┅</span> {words}'
