"""Comparison of two rows: HTML, LaTeX and the chart."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from db.model_records import ModelIdentity
from evaluation.benchmarks import all_benchmarks
from leaderboard.pages.compare.comparison_chart import choose_drawn, draw_differences
from leaderboard.pages.compare.markup import (
    render_comparison,
    render_differences,
    render_invitation,
    render_waiting,
    write_tex,
)
from submissions.comparisons.differences import ScoreDifference
from tests.support.pages.compared_pairs import AMB, KEY, make_compared, make_difference

HOSTILE = '<img src=x onerror="x">\\input{x} & $x$ % ${alert(1)}'


def plain(figure: str = KEY) -> ScoreDifference:
    nothing: dict[str, Any] = dict.fromkeys(
        ("low", "high", "p_value", "p_adjusted", "wins", "losses", "ties", "n_items", "n_clusters")
    )
    return replace(make_difference(figure=figure), **nothing)


def read(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def test_render_comparison_shows_verdict_counts_method_and_ways_on() -> None:
    page = render_comparison(make_compared(make_difference(), make_difference(figure="sct|accuracy")))
    text = read(page)
    assert "Ann is better on Overall by 3.1 points" in text
    assert "Adjusted for all 2 scores of this comparison" in text
    assert "Ann better on 300 items tied on 1,516 items Bob better on 200 items" in text
    assert "Score test of the paired difference" in text
    assert "/?tab=model&amp;model=m-s-1" in page
    assert 'href="/api/v1/comparisons?benchmark=audio-motion-bench&amp;a=s-1&amp;b=s-2"' in page


def test_render_comparison_of_plain_figures_says_why_and_counts_nothing() -> None:
    text = read(render_comparison(make_compared(plain(), reason="Reported figures come without outcomes.")))
    assert "Overall of Ann is 3.1 points above that of Bob." in text
    assert "Reported figures come without outcomes." in text
    assert "bootstrap" not in text
    assert "items" not in text


def test_render_comparison_of_two_rows_of_one_model_tells_them_by_their_ids() -> None:
    text = read(render_comparison(make_compared(make_difference(), names=("Ann", "ANN"))))
    assert "Ann (s-1) is better" in text


def test_render_comparison_names_a_joined_model_as_boards_do_and_says_how_it_was_sent() -> None:
    found = make_compared(make_difference(), names=("ann-v1", "Bob"))
    shown = ModelIdentity(7, "m-7", "Ann", "ann", None, 7)
    page = render_comparison(found._replace(pair=replace(found.pair, a=found.pair.a._replace(shown_as=shown))))
    assert "Ann is better" in read(page)
    assert "ann-v1" not in read(page)
    assert '<a href="/?tab=model&amp;model=m-7" data-visit title="Submitted as ann-v1">Ann</a>' in page


def test_render_comparison_without_the_figure_says_what_to_do() -> None:
    page = render_comparison(make_compared(make_difference(figure="sct|accuracy")))
    assert "Choose another score in the table." in read(page)


def test_render_differences_leads_from_every_figure_to_itself_first() -> None:
    page = render_differences(make_compared(make_difference(), plain("sct|accuracy")))
    assert "b=s-2&amp;slice=sct&amp;metric=accuracy" in page
    rows = [read(row) for row in re.findall(r"<tr.*?</tr>", page)]
    assert rows[1] == "Overall 50.0 46.9 +3.1 +1.2 to +5.0 0.002 0.020 300 200 1,516 2,016"
    assert rows[2] == "SCT 50.0 46.9 +3.1 – – – – – – –"


def test_hostile_names_stay_inert_everywhere() -> None:
    found = make_compared(make_difference(), names=(HOSTILE, "Bob"))
    for page in (render_comparison(found), render_differences(found), render_waiting(found.pair)):
        assert "<img" not in page
    (line,) = (line for line in write_tex(found).splitlines() if "img" in line)
    assert "\\input" not in line
    assert re.findall(r"(?<!\\)&", line) == ["&"] * 6
    assert "\\% \\$\\textbraceleft" in line


def test_write_tex_is_a_table_of_one_row() -> None:
    assert write_tex(make_compared(make_difference(-0.031, low=-0.05, high=-0.012))).splitlines()[-2:] == [
        r"Ann & Bob & 50.0 & 46.9 & $-3.1$ & $-5.0$ to $-1.2$ & 0.002 \\",
        r"\end{tabular}",
    ]
    assert " & -- & -- \\\\" in write_tex(make_compared(plain()))


def test_render_invitation_says_what_can_be_done() -> None:
    choices = [(f"{HOSTILE} · submitted · 50.0", "s-1"), ("Bob · reported · 42.1", "s-2"), ("Cem · reported", "s-3")]
    assert "fewer than two rows" in render_invitation("mdar", choices[:1])
    for found in (render_invitation("mdar", choices[:2]), render_invitation("mdar", choices)):
        assert "Choose two rows" in found
        assert "<img" not in found
        assert read(found).endswith("submitted · 50.0 vs. Bob · reported · 42.1")
        assert 'href="/?tab=compare&amp;benchmark=mdar&amp;a=s-1&amp;b=s-2" data-visit' in found


def test_choose_drawn_takes_figures_with_a_direction() -> None:
    keys = (KEY, "overall/tf|yes_bias", "sct/mcq|accuracy", "sct/clean/mcq|accuracy", "gone|accuracy")
    drawn = choose_drawn(AMB, [make_difference(figure=key) for key in keys])
    assert [one.column.key for one in drawn] == [KEY, "sct/mcq|accuracy"]


def test_choose_drawn_calls_figures_as_the_table_does_and_no_two_alike(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            drawn = choose_drawn(benchmark, [make_difference(figure=column.key) for column in benchmark.columns])
            names = [one.name for one in drawn]
            assert len(names) > 5
            assert len(set(names)) == len(names)
            assert names == [one.column.full_title for one in drawn]


def test_draw_differences_fills_what_is_told_apart_and_spans_0() -> None:
    unclear = make_difference(0.01, low=-0.01, high=0.03, p_value=0.4, figure="sct|accuracy")
    drawn = choose_drawn(AMB, [make_difference(), unclear, plain("tat|accuracy")])
    figure = json.loads(draw_differences(drawn).to_json())
    told, others = figure["data"]
    assert (told["marker"]["symbol"], told["y"], told["x"]) == ("circle", ["Overall"], [pytest.approx(3.1)])
    assert told["error_x"]["array"] == [pytest.approx(1.9)]
    assert (others["marker"]["symbol"], others["y"]) == ("circle-open", ["SCT", "TAT"])
    assert others["error_x"]["array"][1] is None
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < 0 < high
    assert figure["layout"]["yaxis"]["range"] == [2.5, -0.5]
