"""Event bindings of a benchmark's charts."""

import json
from collections.abc import Sequence

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.chart_specs import MapChart
from leaderboard.assets import import_script
from leaderboard.pages.board.handlers import Charts
from leaderboard.pages.board.layout import BenchmarkTab
from leaderboard.pages.shared.bindings import LATEST
from leaderboard.services import Services

# The board's shell represents the address: version, setting, and the rows chosen before.
_READ = f"""async (shell, ...chosen) => {{
  const {{ readChoices }} = await {import_script("charts.js")};
  return readChoices(%s, chosen);
}}"""
# A choice changes the address first, from which Python reads it.
_KEEP = f"""async (shell, chosen) => {{
  const {{ keepChoice }} = await {import_script("charts.js")};
  return [keepChoice("%s", chosen), chosen];
}}"""


def wire_charts(services: Services, versions: Sequence[Benchmark], tab: BenchmarkTab) -> None:
    """Bind the charts: drawn after the table, at each revision, and when the visitor chooses."""
    handlers = Charts(services, versions, tab)
    charts = versions[0].charts
    named = {"models": tab.several, "map": tab.one}
    choices = {name: choice for name, choice in named.items() if choice is not None}
    drawn = {chart.id: tab.charts[chart.id].all for chart in charts}
    maps = [part for chart in charts if isinstance(chart, MapChart) for part in drawn[chart.id]]
    lines = [part for parts in drawn.values() for part in parts if part not in maps]
    if choices:
        shown = [*choices.values(), *lines, *maps]
        read = _READ % json.dumps(list(choices))
        tab.board.submit(handlers.redraw, [tab.board, *choices.values()], shown, js=read, **LATEST)
    if tab.several is not None:
        keep = _KEEP % "models"
        tab.several.input(handlers.redraw_several, [tab.board, tab.several], lines, js=keep, **LATEST)
    if tab.one is not None:
        tab.one.input(handlers.redraw_one, [tab.board, tab.one], maps, js=_KEEP % "map", **LATEST)
