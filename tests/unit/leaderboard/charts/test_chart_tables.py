"""Tables behind the charts contain the drawn scores."""

import re
from typing import Any

import pytest

from evaluation.benchmarks.chart_specs import Chart, LineChart
from leaderboard.charts.chart_data import ChartEntry
from leaderboard.charts.chart_tables import chart_table
from leaderboard.charts.figures import draw_chart
from tests.support.pages.chart_samples import (
    GRID,
    KINDS,
    LINES,
    MAP,
    PANEL,
    POINTS,
    SETTINGS,
    SHARES,
    make,
    make_scores,
    side,
    stage,
)

HUMAN_ENTRIES = (make(99, name="Listeners", source="human"),)


def cells_of(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [[re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def numbers_of(chart: Chart, figure: Any) -> set[str]:
    """Return every percentage that a figure draws: cells, x values, and y values unless they are rows or lanes."""
    values = []
    for trace in figure.data:
        if trace.type == "heatmap":
            values += [value for row in trace.z for value in row]
        else:
            values += [*trace.x, *(trace.y if chart in (LINES, POINTS) else ())]
    return {f"{value:.1f}" for value in values if isinstance(value, float)}


def test_chart_table_contains_every_drawn_score(subtests: pytest.Subtests) -> None:
    for chart in KINDS:
        with subtests.test(chart=chart):
            scene = stage(make(0), make(1), people=HUMAN_ENTRIES)
            cells = {cell for row in cells_of(chart_table(chart, scene)) for cell in row}
            drawn_scores = set().union(
                *(numbers_of(chart, figure) for figure in draw_chart(chart, scene) if figure is not None)
            )
            assert len(drawn_scores) > 1
            assert drawn_scores <= cells


def test_chart_table_rows_have_equal_width(subtests: pytest.Subtests) -> None:
    for chart in KINDS:
        with subtests.test(chart=chart):
            (headings, *rows) = cells_of(chart_table(chart, stage(make(0), make(1), people=HUMAN_ENTRIES)))
            assert {len(row) for row in rows} == {len(headings)}


def test_chart_tables_escape_names(subtests: pytest.Subtests) -> None:
    rows: list[Chart] = [kind for kind in KINDS if kind is not MAP]
    for chart in rows:
        with subtests.test(chart=chart):
            html = chart_table(chart, stage(make(0, name="<img src=x onerror=alert(1)>")))
            assert "<img" not in html
            assert "&lt;img" in html


def test_table_of_lines_shows_the_mean_of_a_human_baseline_without_details() -> None:
    people = ChartEntry("s-h", "Human", "human", make_scores({PANEL.whole: 0.8}))
    chart = LineChart(id="l", title="L", reading="", panels=(PANEL,))
    headings, model, human, chance = cells_of(chart_table(chart, stage(make(0), people=(people,))))
    assert headings == ["model", "Steady clean", "Steady 35", "Steady 25", "Steady 15", "Steady mean"]
    assert human == ["Human · human", "–", "–", "–", "–", "80.0"]
    assert model[1:] == ["41.0", "42.0", "43.0", "44.0", "45.0"]
    assert chance == ["chance", *["40.0"] * 5]


def test_table_of_settings_shows_signed_differences() -> None:
    (headings, row, chance) = cells_of(chart_table(SETTINGS, stage(sides=[side("Model 0", default=0.4, noise=0.5)])))
    assert headings[-1] == "Main gain"
    assert row == ["Model 0", "40.0", "50.0", "–", "−10.0"]
    assert chance == ["chance", "40.0", "–", "–", "–"]


def test_table_of_shares_shows_the_number_of_answers() -> None:
    entry = ChartEntry("s", "M", "verified", make_scores({"errors/reasoning|share": 1.0}, n=7))
    assert cells_of(chart_table(SHARES, stage(entry)))[1] == ["M · verified", "–", "100.0", "7"]


def test_table_of_a_grid_shows_chance_and_the_gap() -> None:
    rows = cells_of(chart_table(GRID, stage(make(0, {"step|gap": 0.05}))))
    assert [rows[0][-1], rows[1][-1], rows[2][-1]] == ["own gap", "+5.0", "–"]


def test_table_of_lines_without_entries_is_empty() -> None:
    assert len(cells_of(chart_table(LINES, stage(chance={})))) == 1
