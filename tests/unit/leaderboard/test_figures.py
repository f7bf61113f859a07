"""Charts: entries in, plotly figures out."""

import json
from itertools import pairwise

import pytest

from evaluation.benchmarks.charts import LineChart, MapChart, Panel, PointChart
from leaderboard.figures import draw_lines, draw_map, draw_points
from leaderboard.views import Entry

LABELS = ("clean", "35", "25", "15")
PANEL = Panel("Steady", tuple(f"steady/{label}|accuracy" for label in LABELS))
LINES = LineChart("noise", "Noise", "Read it.", "dB SNR", LABELS, (PANEL,))
POINTS = PointChart("points", "Points", "Read it.", "all|tnr", "TNR", "all|tpr", "TPR", ((0, 1, 1, 0), "guessing"))
MAP = MapChart(
    "map",
    "Map",
    "Read it.",
    "from",
    ("↑ N", "→ E"),
    "to",
    ("↑ N", "→ E"),
    ((None, "way/N-E|accuracy"), ("way/E-N|accuracy", None)),
)
CHANCE = dict.fromkeys((*LINES.figures, *MAP.figures), 0.4)


def make(at, name="Model", source="submitted", low=0.4):
    figures = dict.fromkeys(PANEL.figures, low + 0.1 * at)
    figures |= {"all|tpr": 0.5, "all|tnr": 0.6, "way/N-E|accuracy": 0.5, "way/E-N|accuracy": 0.75}
    return Entry(f"s-{at}", name, source, figures)


def draw(*entries, chance=CHANCE):
    return draw_lines(LINES, PANEL, entries, chance)


def test_draw_lines_draws_one_line_an_entry_in_per_cent():
    figure = draw(make(0), make(1))
    assert [list(trace.y) for trace in figure.data] == [pytest.approx([40.0] * 4), pytest.approx([50.0] * 4)]
    assert list(figure.data[0].x) == list(LABELS)
    assert figure.layout.xaxis.type == "category"
    assert figure.layout.title.text == "Steady"


def test_draw_lines_shows_chance_as_a_dashed_line_where_it_is_known():
    (line,) = draw(make(0)).layout.shapes
    assert line.y0 == line.y1 == pytest.approx(40)
    assert line.line.dash == "dash"
    assert not draw(make(0), chance={}).layout.shapes


@pytest.mark.parametrize(("n", "is_direct"), [(1, True), (4, True), (5, False), (8, False)])
def test_draw_lines_labels_directly_up_to_four(n, is_direct):
    figure = draw(*(make(0.1 * at) for at in range(n)))
    names = [note.text for note in figure.layout.annotations if "Model" in note.text]
    assert len(names) == (n if is_direct else 0)
    assert figure.layout.showlegend is not is_direct


def test_draw_lines_pushes_equal_labels_apart():
    figure = draw(*(make(0) for _ in range(4)))
    heights = sorted(note.y for note in figure.layout.annotations if "Model" in note.text)
    assert min(b - a for a, b in pairwise(heights)) >= 5


@pytest.mark.parametrize("low", [0.0, 0.02, 0.2])
def test_draw_lines_keeps_figures_below_chance_in_sight(low):
    assert draw(make(0, low=low)).layout.yaxis.range[0] <= 100 * low


def test_draw_lines_without_figures_draws_no_line():
    assert not draw(Entry("s", "Model", "reported", {})).data


def test_entries_differ_in_colour_and_symbol():
    traces = draw_points(POINTS, [make(at) for at in range(8)]).data
    assert len({trace.marker.color for trace in traces}) == 8
    assert len({trace.marker.symbol for trace in traces}) == 8


def test_people_are_amber():
    (trace,) = draw_points(POINTS, [make(0, source="human")]).data
    assert trace.marker.color == "#d97706"


def test_draw_points_puts_one_figure_across_and_the_other_up():
    figure = draw_points(POINTS, [make(0)])
    (trace,) = figure.data
    assert (trace.x[0], trace.y[0]) == (pytest.approx(60), pytest.approx(50))
    (guide,) = figure.layout.shapes
    assert (guide.x0, guide.y0, guide.x1, guide.y1) == (0, 100, 100, 0)


def test_draw_points_passes_over_an_entry_with_one_figure_of_two():
    assert not draw_points(POINTS, [Entry("s", "Model", "reported", {"all|tpr": 0.5})]).data


def test_draw_map_starts_at_chance_and_reads_downward():
    figure = draw_map(MAP, make(0), CHANCE)
    (heatmap,) = figure.data
    assert heatmap.zmin == pytest.approx(40)
    assert [list(row) for row in heatmap.z] == [[None, 50.0], [75.0, None]]
    assert figure.layout.yaxis.autorange == "reversed"
    assert heatmap.x[0] == "↑ N"


@pytest.mark.parametrize("name", ["<a href='https://x.example'>y</a>", "<b>bold</b>", "$\\frac{1}{2}$ <img src=x>"])
def test_names_are_inert(name):
    entry = make(0, name=name)
    for figure in (draw(entry), draw_points(POINTS, [entry]), draw_map(MAP, entry, CHANCE)):
        text = json.dumps(figure.to_plotly_json(), default=str)
        assert not any(tag in text for tag in ("<a ", "<b>", "<img"))
