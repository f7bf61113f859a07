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
    Compared,
    render_comparison,
    render_differences,
    render_invitation,
    render_waiting,
    write_tex,
)
from submissions.comparisons.differences import ComparisonResult, ScoreDifference
from tests.support.pages.compared_pairs import AMB, KEY, make_compared, make_difference

HOSTILE = '<img src=x onerror="x">\\input{x} & $x$ % ${alert(1)}'


def plain(figure: str = KEY) -> ScoreDifference:
    missing: dict[str, Any] = dict.fromkeys(
        ("low", "high", "p_value", "p_adjusted", "wins", "losses", "ties", "n_items", "n_clusters")
    )
    return replace(make_difference(figure=figure), **missing)


def read(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def test_render_comparison_shows_verdict_counts_method_and_links() -> None:
    page = render_comparison(make_compared(make_difference(), make_difference(figure="sct|accuracy")))
    text = read(page)
    assert "Ann is better on Overall by 3.1 points" in text
    assert "Adjusted for all 2 scores of this comparison" in text
    assert "Ann better on 300 items tied on 1,516 items Bob better on 200 items" in text
    assert "Score test of the paired difference" in text
    assert "/?tab=model&amp;model=m-s-1" in page
    assert 'href="/api/v1/comparisons?benchmark=audio-motion-bench&amp;a=s-1&amp;b=s-2"' in page


def test_render_comparison_of_plain_scores_gives_the_reason_and_no_counts() -> None:
    text = read(render_comparison(make_compared(plain(), reason="Reported scores come without outcomes.")))
    assert "Overall of Ann is 3.1 points above that of Bob." in text
    assert "Reported scores come without outcomes." in text
    assert "bootstrap" not in text
    assert "items" not in text


def test_render_comparison_of_two_rows_of_one_model_shows_their_ids() -> None:
    text = read(render_comparison(make_compared(make_difference(), names=("Ann", "ANN"))))
    assert "Ann (s-1) is better" in text


def test_render_comparison_shows_the_merged_name_with_the_submitted_name_as_title() -> None:
    comparison = make_compared(make_difference(), names=("ann-v1", "Bob"))
    identity = ModelIdentity(7, "m-7", "Ann", "ann", None, 7)
    page = render_comparison(
        comparison._replace(pair=replace(comparison.pair, a=comparison.pair.a._replace(shown_as=identity)))
    )
    assert "Ann is better" in read(page)
    assert "ann-v1" not in read(page)
    assert '<a href="/?tab=model&amp;model=m-7" data-visit title="Submitted as ann-v1">Ann</a>' in page


def test_render_comparison_without_the_score_suggests_another_one() -> None:
    page = render_comparison(make_compared(make_difference(figure="sct|accuracy")))
    assert "Choose another score in the table." in read(page)


def test_render_differences_links_every_score_to_its_comparison() -> None:
    page = render_differences(make_compared(make_difference(), plain("sct|accuracy")))
    assert "b=s-2&amp;slice=sct&amp;metric=accuracy" in page
    rows = [read(row) for row in re.findall(r"<tr.*?</tr>", page)]
    assert rows[1] == "Overall 50.0 46.9 +3.1 +1.2 to +5.0 0.002 0.020 300 200 1,516 2,016"
    assert rows[2] == "SCT 50.0 46.9 +3.1 – – – – – – –"


def test_hostile_names_are_escaped_everywhere() -> None:
    comparison = make_compared(make_difference(), names=(HOSTILE, "Bob"))
    for page in (render_comparison(comparison), render_differences(comparison), render_waiting(comparison.pair)):
        assert "<img" not in page
    (line,) = (line for line in write_tex(comparison).splitlines() if "img" in line)
    assert "\\input" not in line
    assert re.findall(r"(?<!\\)&", line) == ["&"] * 6
    assert "\\% \\$\\textbraceleft" in line


def test_write_tex_returns_a_table_of_one_row() -> None:
    assert write_tex(make_compared(make_difference(-0.031, low=-0.05, high=-0.012))).splitlines()[-2:] == [
        r"Ann & Bob & 50.0 & 46.9 & $-3.1$ & $-5.0$ to $-1.2$ & 0.002 \\",
        r"\end{tabular}",
    ]
    assert " & -- & -- \\\\" in write_tex(make_compared(plain()))


def test_write_tex_states_the_method_behind_its_numbers(subtests: pytest.Subtests) -> None:
    paired, independent = (
        make_compared(make_difference())._replace(answer=ComparisonResult([make_difference()], None, is_independent))
        for is_independent in (False, True)
    )
    share = replace(plain(), low=0.012, high=0.05)
    rows: list[tuple[Compared, str]] = [
        (paired, "score test of the paired difference (McNemar), clustered by recording; interval: its inversion"),
        (
            independent,
            "score test of two independent samples (chi-square), clustered by recording; interval: its inversion",
        ),
        (make_compared(share), "two samples, Newcombe's interval"),
        (make_compared(plain()), "plain difference"),
    ]
    for comparison, method in rows:
        with subtests.test(method=method):
            first = write_tex(comparison).splitlines()[0]
            assert first.endswith(f", in per cent; {method}")
            assert "bootstrap" not in first


def test_render_invitation_states_what_to_choose() -> None:
    choices = [(f"{HOSTILE} · submitted · 50.0", "s-1"), ("Bob · reported · 42.1", "s-2"), ("Cem · reported", "s-3")]
    assert "fewer than two rows" in render_invitation("mdar", choices[:1])
    for invitation in (render_invitation("mdar", choices[:2]), render_invitation("mdar", choices)):
        assert "Choose two rows" in invitation
        assert "<img" not in invitation
        assert read(invitation).endswith("submitted · 50.0 vs. Bob · reported · 42.1")
        assert 'href="/?tab=compare&amp;benchmark=mdar&amp;a=s-1&amp;b=s-2" data-visit' in invitation


def test_choose_drawn_keeps_scores_with_a_direction() -> None:
    keys = (KEY, "overall/tf|yes_bias", "sct/mcq|accuracy", "sct/clean/mcq|accuracy", "gone|accuracy")
    drawn = choose_drawn(AMB, [make_difference(figure=key) for key in keys])
    assert [difference.column.key for difference in drawn] == [KEY, "sct/mcq|accuracy"]


def test_choose_drawn_uses_the_unique_column_titles_of_the_table(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            drawn = choose_drawn(benchmark, [make_difference(figure=column.key) for column in benchmark.columns])
            names = [difference.name for difference in drawn]
            assert len(names) > 5
            assert len(set(names)) == len(names)
            assert names == [difference.column.full_title for difference in drawn]


def test_draw_differences_fills_significant_differences_and_spans_zero() -> None:
    unclear = make_difference(0.01, low=-0.01, high=0.03, p_value=0.4, figure="sct|accuracy")
    drawn = choose_drawn(AMB, [make_difference(), unclear, plain("tat|accuracy")])
    figure = json.loads(draw_differences(drawn).to_json())
    significant, others = figure["data"]
    assert (significant["marker"]["symbol"], significant["y"], significant["x"]) == (
        "circle",
        ["Overall"],
        [pytest.approx(3.1)],
    )
    assert significant["error_x"]["array"] == [pytest.approx(1.9)]
    assert (others["marker"]["symbol"], others["y"]) == ("circle-open", ["SCT", "TAT"])
    assert others["error_x"]["array"][1] is None
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < 0 < high
    assert figure["layout"]["yaxis"]["range"] == [2.5, -0.5]
