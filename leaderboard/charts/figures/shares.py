"""Share charts: a stacked bar for each system."""

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import ShareChart, ShareSegment
from leaderboard.charts.chart_data import ChartData, ChartEntry
from leaderboard.charts.figures.style import CLEAR, make_figure, safe, show_legend, text_width, write

_ROW = 40
_COLOURS = ("#2f7fd1", "#0f9d7a", "#b65fc4", "#8a8f1f", "#3aa0b8", "#c05a8a", "#5b7fa6", "#8d8d8d")
_PATTERNS = ("", "/", ".", "\\", "x", "-", "+", "|")
_MIN_WRITTEN = 7


def draw_shares(chart: ShareChart, scene: ChartData) -> go.Figure | None:
    """Draw a bar for each entry that has any of the shares; None if no entry has."""
    entries = [entry for entry in scene.entries if entry.has_any(chart.keys)]
    if not entries:
        return None
    names = [safe(entry.model) for entry in entries]
    figure = make_figure("", height=_ROW * len(entries) + 80, left=text_width(names, least=60), right=64)
    drawn = []
    for segment, colour, pattern in zip(chart.segments, _COLOURS, _PATTERNS, strict=False):
        shares = [find_share(segment, entry) for entry in entries]
        if any(shares):
            drawn.append(segment.label)
            figure.add_trace(_bars(segment, shares, colour, pattern))
    for at, entry in enumerate(entries):
        n = count_sorted(chart, entry)
        words = "n not given" if n is None else f"n = {n:,}"
        write(figure, words, x=1, xref="paper", xanchor="left", xshift=6, y=at)
    figure.update_layout(barmode="stack", bargap=0.3, margin={"r": 84})
    figure.update_xaxes(title_text=f"% of {chart.whole}", range=[0, 100], dtick=20)
    figure.update_yaxes(
        range=[len(entries) - 0.5, -0.5], tickvals=list(range(len(entries))), ticktext=names, showgrid=False
    )
    show_legend(figure, drawn)
    return figure


def find_share(segment: ShareSegment, entry: ChartEntry) -> float | None:
    """Return an entry's share of a kind in percent: the first known of its scores."""
    return next((value for key in segment.keys if (value := entry.percent(key)) is not None), None)


def count_sorted(chart: ShareChart, entry: ChartEntry) -> int | None:
    """Return the number of answers behind an entry's shares, if known."""
    counts = (entry.scores[key].n for key in chart.keys if key in entry.scores)
    return next((n for n in counts if n is not None), None)


def _bars(segment: ShareSegment, shares: list[float | None], colour: str, pattern: str) -> go.Bar:
    # The pattern is cut out of the colour, so that the page, light or dark, shows through.
    marker = {
        "color": colour,
        "line": {"width": 0},
        "pattern": {"shape": pattern, "fgcolor": colour, "bgcolor": CLEAR, "fillmode": "replace", "solidity": 0.6},
    }
    return go.Bar(
        x=shares,
        y=list(range(len(shares))),
        orientation="h",
        name=segment.label,
        marker=marker,
        hovertemplate=f"{segment.label}: %{{x:.1f}} %<extra></extra>",
        text=["" if not share or share < _MIN_WRITTEN else f"{share:.0f}" for share in shares],
        textposition="inside",
        insidetextanchor="middle",
    )
