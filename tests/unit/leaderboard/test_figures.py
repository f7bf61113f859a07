"""Charts: entries in, plotly figures out."""

import json
from itertools import pairwise

import pytest

from leaderboard.figures import CHANCE_PERCENT, draw_directions, draw_snr, draw_true_false
from leaderboard.views import COMPASS, Entry


def make(at, name="Model", source="submitted", low=0.4):
    figures = {f"sct/{condition}|accuracy": low + 0.1 * at for condition in ("clean", "35db", "25db", "15db")}
    figures |= {"overall/clean/tf|tpr": 0.5, "overall/clean/tf|tnr": 0.6}
    figures |= {f"direction/{a}-{b}|accuracy": 0.5 for a in COMPASS for b in COMPASS if a != b}
    return Entry(f"s-{at}", name, source, figures)


def test_draw_snr_draws_one_line_an_entry_in_per_cent():
    figure = draw_snr([make(0), make(1)], "sct")
    assert [list(trace.y) for trace in figure.data] == [pytest.approx([40.0] * 4), pytest.approx([50.0] * 4)]
    assert list(figure.data[0].x) == ["clean", "35", "25", "15"]
    assert figure.layout.xaxis.type == "category"


def test_draw_snr_shows_chance_as_a_dashed_line():
    (line,) = draw_snr([make(0)], "sct").layout.shapes
    assert line.y0 == line.y1 == CHANCE_PERCENT
    assert line.line.dash == "dash"


@pytest.mark.parametrize(("n", "is_direct"), [(1, True), (4, True), (5, False), (8, False)])
def test_draw_snr_labels_directly_up_to_four(n, is_direct):
    figure = draw_snr([make(0.1 * at) for at in range(n)], "sct")
    names = [note.text for note in figure.layout.annotations if "Model" in note.text]
    assert len(names) == (n if is_direct else 0)
    assert figure.layout.showlegend is not is_direct


def test_draw_snr_pushes_equal_labels_apart():
    figure = draw_snr([make(0) for _ in range(4)], "sct")
    heights = sorted(note.y for note in figure.layout.annotations if "Model" in note.text)
    assert min(b - a for a, b in pairwise(heights)) >= 5


def test_draw_snr_keeps_figures_below_chance_in_sight():
    figure = draw_snr([make(0, low=0.2)], "sct")
    assert figure.layout.yaxis.range[0] <= 20


def test_draw_snr_without_figures_draws_no_line():
    assert not draw_snr([Entry("s", "Model", "reported", {})], "sct").data


def test_entries_differ_in_colour_and_symbol():
    traces = draw_true_false([make(at) for at in range(8)]).data
    assert len({trace.marker.color for trace in traces}) == 8
    assert len({trace.marker.symbol for trace in traces}) == 8


def test_people_are_amber():
    (trace,) = draw_true_false([make(0, source="human")]).data
    assert trace.marker.color == "#d97706"


def test_draw_true_false_puts_tnr_across_and_tpr_up():
    (trace,) = draw_true_false([make(0)]).data
    assert (trace.x[0], trace.y[0]) == (pytest.approx(60), pytest.approx(50))


def test_draw_directions_starts_at_chance_and_reads_downward():
    figure = draw_directions(make(0))
    (heatmap,) = figure.data
    assert heatmap.zmin == CHANCE_PERCENT
    assert heatmap.z[0][0] is None
    assert figure.layout.yaxis.autorange == "reversed"
    assert heatmap.x[0] == "↑ N"


@pytest.mark.parametrize("name", ["<a href='https://x.example'>y</a>", "<b>bold</b>", "$\\frac{1}{2}$ <img src=x>"])
def test_names_are_inert(name):
    entry = make(0, name=name)
    for figure in (draw_snr([entry], "sct"), draw_true_false([entry]), draw_directions(entry)):
        text = json.dumps(figure.to_plotly_json(), default=str)
        assert not any(tag in text for tag in ("<a ", "<b>", "<img"))
