"""Plotly figures built from chart entries."""

from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

import pytest

from evaluation.benchmarks.chart_specs import Chart, Guide, Panel, count_panels
from leaderboard.charts.chart_data import ChartData, ChartEntry, SettingsComparison
from leaderboard.charts.figures import draw_chart
from leaderboard.charts.figures.lines import draw_lines
from leaderboard.charts.figures.style import HUMAN_COLOUR, spread, text_width
from tests.support.pages.chart_samples import (
    DEEP,
    DOTS,
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
    sparse,
    stage,
    texts_of,
)

HUMAN_ENTRIES = (make(99, name="Listeners", source="human"),)
each_kind = pytest.mark.parametrize("chart", KINDS, ids=[chart.id for chart in KINDS])


def draw(chart: Chart, scene: ChartData) -> list[Any]:
    """Return the Plotly figures of a chart, which are untyped."""
    return list(draw_chart(chart, scene))


def draw_panel(panel: Panel, scene: ChartData) -> Any:
    figure = draw_lines(panel, scene)
    assert figure is not None
    return figure


def level_shapes(figure: Any, dash: bool) -> list[Any]:
    return [shape for shape in figure.layout.shapes if (shape.line.dash == "dash") is dash and shape.type == "line"]


def notes_of(figure: Any) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@each_kind
def test_draw_chart_with_all_scores_draws_every_panel(chart: Chart) -> None:
    figures = draw(chart, stage(make(0), make(1)))
    assert len(figures) == count_panels(chart)
    assert all(figure is not None and len(figure.data) for figure in figures)


@each_kind
def test_draw_chart_without_scores_draws_nothing(chart: Chart) -> None:
    empty = ChartData([ChartEntry("s", "Model", "reported", {})], HUMAN_ENTRIES, {}, [SettingsComparison("Model", {})])
    assert draw(chart, empty) == [None] * count_panels(chart)
    assert draw(chart, ChartData([], HUMAN_ENTRIES)) == [None] * count_panels(chart)


@each_kind
def test_draw_chart_with_some_scores_draws_only_these(chart: Chart) -> None:
    some = sparse(chart.keys[-1], chart.keys[0])
    (figure, *_) = draw(chart, stage(some, make(1)))
    assert figure is not None
    # null occurs only in lists, as a gap.
    assert "null" not in texts_of(figure).replace("[null", "[").replace(", null", "")


@each_kind
@pytest.mark.parametrize("n", [1, 4, 8])
def test_draw_chart_names_every_model(chart: Chart, n: int) -> None:
    entries = [make(at) for at in range(n)]
    for figure in draw(chart, stage(*entries)):
        texts = texts_of(figure)
        assert all(f"Model {at}" in texts for at in range(n if chart is not MAP else 0))


@each_kind
@pytest.mark.parametrize("name", ["<a href='https://x.example'>y</a>", "<b>bold</b>", "$\\frac{1}{2}$ <img src=x>"])
def test_draw_chart_escapes_names(chart: Chart, name: str) -> None:
    for figure in draw(chart, stage(make(0, name=name), people=(make(1, name=name, source="human"),))):
        text = texts_of(figure)
        assert not any(tag in text for tag in ("<a ", "<b>bold", "<img", "$"))


@pytest.mark.parametrize("chart", [LINES, POINTS, DOTS, SETTINGS], ids=lambda chart: chart.id)
def test_chance_is_dashed_and_the_human_baseline_amber_in_every_chart_of_scores(chart: Chart) -> None:
    with_marks, without = (
        draw(chart, stage(make(0), people=HUMAN_ENTRIES))[0],
        draw(chart, stage(make(0), chance={}))[0],
    )
    assert HUMAN_COLOUR in texts_of(with_marks)
    assert any("people" in note for note in notes_of(with_marks))
    assert any("chance" in note for note in notes_of(with_marks))
    assert HUMAN_COLOUR not in texts_of(without)
    # The even share among options exists without a chance level.
    assert chart is DOTS or not any("chance" in note for note in notes_of(without))


def test_grid_has_rows_for_human_baseline_and_chance() -> None:
    (figure,) = draw(GRID, stage(make(0), people=HUMAN_ENTRIES))
    assert list(figure.layout.yaxis.ticktext) == ["Listeners", "Model 0", "chance"]
    assert figure.data[0].z[2] == pytest.approx((40, 40))


def test_draw_lines_draws_percentages_over_the_labels() -> None:
    figure = draw_panel(PANEL, stage(make(0), make(1)))
    assert list(figure.data[0].x) == list(PANEL.labels)
    assert list(figure.data[0].y) == pytest.approx([41, 42, 43, 44])
    assert figure.layout.title.text == PANEL.title
    assert figure.layout.xaxis.title.text == "dB SNR"


def test_draw_lines_downward_puts_the_labels_on_the_y_axis() -> None:
    figure = draw_panel(DEEP, stage(make(0)))
    assert list(figure.data[0].y) == list(DEEP.labels)
    assert figure.layout.yaxis.autorange == "reversed"


def test_draw_lines_with_a_mean_human_score_draws_a_level_and_its_interval() -> None:
    people = ChartEntry("s-h", "Human", "human", make_scores({PANEL.whole: 0.8}, low=0.7, high=0.9))
    figure = draw_panel(PANEL, stage(make(0), people=(people,), chance={}))
    (level,) = level_shapes(figure, dash=False)
    assert level.y0 == level.y1 == pytest.approx(80)
    (band,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert (band.y0, band.y1) == (pytest.approx(70), pytest.approx(90))


def test_draw_lines_of_human_scores_draws_a_curve() -> None:
    figure = draw_panel(PANEL, stage(make(0), people=HUMAN_ENTRIES, chance={}))
    assert figure.data[1].line.color == HUMAN_COLOUR
    assert not figure.layout.shapes


@pytest.mark.parametrize(("n", "is_direct"), [(1, True), (4, True), (5, False), (8, False)])
def test_draw_lines_labels_up_to_four_lines_directly(n: int, is_direct: bool) -> None:
    figure = draw_panel(PANEL, stage(*(make(at) for at in range(n))))
    names = [note for note in notes_of(figure) if "Model" in note]
    assert len(names) == (n if is_direct else 0)
    assert figure.layout.showlegend is not is_direct


def test_draw_lines_separates_labels_and_keeps_them_in_the_axes() -> None:
    figure = draw_panel(PANEL, stage(*(make(0, dict.fromkeys(PANEL.keys, 1.0)) for _ in range(4))))
    heights = sorted(note.y for note in figure.layout.annotations)
    assert min(above - below for below, above in pairwise(heights)) >= 4
    assert heights[-1] <= 101


@pytest.mark.parametrize("low", [0.0, 0.02, 0.2])
def test_draw_lines_keeps_scores_below_chance_visible(low: float) -> None:
    figure = draw_panel(PANEL, stage(make(0, dict.fromkeys(PANEL.keys, low))))
    assert figure.layout.yaxis.range[0] <= 100 * low


@pytest.mark.parametrize(
    ("positions", "expected"),
    [([1, 50], [1, 50]), ([10, 10, 10], [10, 15, 20]), ([100, 100], [95, 100]), ([], [])],
)
def test_spread_keeps_a_gap_below_the_top(positions: list[float], expected: list[float]) -> None:
    assert sorted(spread(positions, 5, 100)) == expected


def test_entries_differ_in_colour_and_symbol() -> None:
    (figure,) = draw(POINTS, stage(*(make(at) for at in range(8)), chance={}))
    assert len({trace.marker.color for trace in figure.data}) == 8
    assert len({trace.marker.symbol for trace in figure.data}) == 8


def test_draw_points_puts_one_score_on_each_axis() -> None:
    entry = sparse("all|tnr", **{"name": "Model"})
    (figure,) = draw(POINTS, stage(make(0, {"all|tnr": 0.6, "all|tpr": 0.5}), entry, chance={}))
    (trace,) = figure.data  # the other entry has no point
    assert (trace.x[0], trace.y[0]) == (pytest.approx(60), pytest.approx(50))
    (guide,) = figure.layout.shapes
    assert (guide.x0, guide.y0, guide.x1, guide.y1) == (0, 100, 100, 0)
    assert guide.line.dash == "dash", "guessing lies on this line"


def test_draw_points_guide_other_than_chance_is_not_dashed() -> None:
    chart = replace(POINTS, guide=Guide((0, 0, 1, 1), "x = y", is_chance=False))
    (figure,) = draw(chart, stage(make(0), chance={}))
    (guide,) = figure.layout.shapes
    assert guide.line.dash is None


def test_draw_points_with_one_human_score_draws_a_line() -> None:
    people = (ChartEntry("s-h", "Human", "human", make_scores({"all|tnr": 0.8})),)
    (figure,) = draw(POINTS, stage(make(0), people=people, chance={}))
    (line,) = level_shapes(figure, dash=False)
    assert line.x0 == line.x1 == pytest.approx(80)


def test_draw_dots_starts_stems_at_chance_or_at_the_even_share() -> None:
    (figure,) = draw(DOTS, stage(make(0, {"su|accuracy": 0.7, "su|share": 0.5})))
    stems, dots = figure.data
    assert list(stems.x) == [pytest.approx(40), pytest.approx(70), None, pytest.approx(20), pytest.approx(50), None]
    assert list(dots.x) == pytest.approx([70, 50])
    assert {"<b>Scenes</b>", "<b>Letters</b>"} <= set(notes_of(figure))


def test_draw_settings_shows_the_difference_and_uses_a_reported_drop() -> None:
    caption = ChartEntry("c", "Model 0", "reported", make_scores({"main|drop": 0.25}))
    compared = side("Model 0", default=0.6, noise=0.45)
    scene = stage(
        sides=[SettingsComparison("Model 0", {**compared.rows, "caption": caption}), side("Alone", default=0.5)]
    )
    (figure,) = draw(SETTINGS, scene)
    assert [list(trace.x) for trace in figure.data[1:4]] == [[pytest.approx(value)] for value in (60, 45, 35)]
    assert {"+15.0", "Model 0"} <= set(notes_of(figure))
    assert "Alone" not in texts_of(figure)


def test_draw_shares_shows_counts_and_uses_reported_shares() -> None:
    shares = make_scores({"errors/perception|share": 0.75, "errors/reasoning|share": 0.25}, n=200)
    evaluated = ChartEntry("s-1", "Here", "submitted", shares)
    reported = sparse("main|perception_share")
    (figure,) = draw(SHARES, stage(evaluated, reported))
    assert [list(trace.x) for trace in figure.data] == [
        [pytest.approx(75), pytest.approx(50)],
        [pytest.approx(25), None],
    ]
    assert {"n = 200", "n not given"} <= set(notes_of(figure))
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 2


def test_draw_grid_frames_a_critic_on_its_own_traces_and_shows_its_gap() -> None:
    (figure,) = draw(GRID, stage(make(0), make(1, {"step|gap": -0.125}), chance={}))
    (frame,) = figure.layout.shapes
    assert (frame.x0 + frame.x1, frame.y0 + frame.y1) == (2, 2)
    assert "−12.5" in notes_of(figure)


@pytest.mark.parametrize("n", [2, 6, 12])
def test_draw_grid_fits_every_heading_into_the_figure(n: int) -> None:
    names = [f"A-generator-with-a-name-too-long-for-any-chart-{at}" for at in range(n)]
    chart = replace(GRID, columns=tuple((name, f"generator/{at}|aei") for at, name in enumerate(names)))
    (figure,) = draw(chart, stage(make(0, {key: 0.5 for _, key in chart.columns}), chance={}))
    axis, margin = figure.layout.xaxis, figure.layout.margin
    assert axis.tickmode == "array"
    assert list(axis.tickvals) == list(range(n))
    assert len(axis.ticktext) == n
    assert axis.ticklabeloverflow == "allow"  # otherwise Plotly omits the heading that crosses the edge
    # A heading ends above its column and extends to the upper left.
    length = text_width(axis.ticktext)
    assert 0 < axis.tickangle < 90
    assert margin.l >= length * cos(radians(axis.tickangle)) - 1
    assert margin.t >= length * sin(radians(axis.tickangle)) + 12 + axis.title.standoff


def test_draw_map_starts_at_chance_and_reads_downward() -> None:
    (figure,) = draw(MAP, stage(make(0, {"way/N-E|accuracy": 0.5, "way/E-N|accuracy": 0.75})))
    heatmap, column_totals, row_totals = figure.data
    assert heatmap.zmin == pytest.approx(40)
    assert [list(row) for row in heatmap.z] == [[None, 50.0], [75.0, None]]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert (len(column_totals.z), len(column_totals.z[0]), len(row_totals.z), len(row_totals.z[0])) == (1, 2, 2, 1)


def test_draw_map_with_totals_only_draws_two_traces() -> None:
    (figure,) = draw(MAP, stage(sparse(*MAP.row_totals, *MAP.column_totals)))
    assert len(figure.data) == 2
