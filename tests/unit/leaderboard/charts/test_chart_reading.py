"""Chart requests: parameters of an address, and a cache of drawn charts."""

from functools import partial

import pytest

from evaluation.benchmarks import list_versions
from leaderboard.charts.chart_cache import DrawnCharts, RenderedChart
from leaderboard.charts.chart_reading import MAX_LINES, read_choice
from leaderboard.rendering.templating import Markup

VERSIONS = list_versions("star-bench")


def test_read_choice_returns_version_setting_and_rows() -> None:
    choice = read_choice("?tab=star-bench&version=demo&setting=channel-wise&models=s-1,s-2,&map=s-3", VERSIONS)
    assert choice == (VERSIONS[1], "channel-wise", ("s-1", "s-2"), "s-3")


def test_read_choice_of_unknown_values_is_the_default_board(subtests: pytest.Subtests) -> None:
    rows: list[str] = ["", "?", "?version=9&setting=loud", "?models=", "?version=demo2&setting=%00", "&&=&="]
    for address in rows:
        with subtests.test(address=address):
            assert read_choice(address, VERSIONS) == (VERSIONS[0], "default", (), None)


def test_read_choice_limits_the_number_of_rows() -> None:
    assert len(read_choice(f"?models={','.join(f's-{at}' for at in range(99))}", VERSIONS).models) == MAX_LINES


def test_drawn_charts_draws_a_choice_once_and_evicts_the_oldest() -> None:
    draw_calls: list[str] = []

    def draw(name: str) -> tuple[RenderedChart, ...]:
        draw_calls.append(name)
        return (RenderedChart(name, (None,), Markup(""), Markup("")),)

    charts = DrawnCharts(most=2)
    for name in ("a", "b", "a", "c", "a", "b"):
        assert charts.find_or_draw(name, partial(draw, name))[0].id == name
    assert draw_calls == ["a", "b", "c", "b"]
