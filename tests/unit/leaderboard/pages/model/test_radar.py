"""Radar chart: values of abilities between chance and human."""

import json
from collections.abc import Sequence

import pytest

from leaderboard.pages.model.radar import Radar, draw_radar, explain_radar, make_radar, tabulate_radar
from leaderboard.pages.model.strengths import Spoke
from tests.support.pages.model_views import make_score


def spoke(
    name: str,
    value: float,
    low: float | None = None,
    high: float | None = None,
    chance: float | None = 0.25,
    human: float | None = 0.75,
) -> Spoke:
    return Spoke(name, make_score(value, low, high), chance, human)


def get_radar(spokes: Sequence[Spoke]) -> Radar:
    radar = make_radar(spokes)
    assert radar is not None
    return radar


def test_make_radar_with_human_baseline_maps_chance_to_0_and_human_to_1() -> None:
    radar = get_radar([spoke("a", 0.5, 0.4, 0.6), spoke("b", 0.75), spoke("c", 0.15)])
    assert radar.is_normalised
    assert [round(value, 9) for value in radar.values] == [0.5, 1.0, -0.2]
    assert (radar.lows[0], radar.highs[0]) == pytest.approx((0.3, 0.7), abs=1e-9)
    assert (radar.chance, radar.people) == ((0.0,) * 3, (1.0,) * 3)


def test_make_radar_without_enough_human_scores_shows_percentages_of_all_abilities() -> None:
    radar = get_radar([spoke("a", 0.5), spoke("b", 0.6), spoke("c", 0.7, human=None), spoke("d", 0.8, chance=None)])
    assert not radar.is_normalised
    assert radar.values == (50.0, 60.0, 70.0, 80.0)
    assert radar.chance == (25.0, 25.0, 25.0, None)
    assert "No human baseline" in explain_radar(radar, None, "default")


def test_make_radar_omits_abilities_without_human_score_if_three_remain() -> None:
    radar = get_radar([spoke("a", 0.5), spoke("b", 0.6), spoke("c", 0.7), spoke("d", 0.8, human=None)])
    assert [ability.name for ability in radar.spokes] == ["a", "b", "c"]
    # A human baseline at chance cannot be the end of a scale.
    assert not get_radar([spoke("a", 0.5), spoke("b", 0.6), spoke("c", 0.7, human=0.25)]).is_normalised


def test_make_radar_of_two_abilities_is_none() -> None:
    assert make_radar([spoke("a", 0.5), spoke("b", 0.6)]) is None


def test_draw_radar_closes_its_rings_and_clips_extreme_values() -> None:
    radar = get_radar([spoke("a", 2.0, 1.9, 2.1), spoke("a longer name of it", 0.6), spoke("c", 0.7)])
    traces = {trace["name"]: trace for trace in json.loads(draw_radar(radar).to_json())["data"]}
    assert set(traces) == {"chance", "human", "95 % CI", "this model"}
    assert traces["human"]["r"] == [1.0, 1.0, 1.0, 1.0]
    assert traces["chance"]["line"]["dash"] == "dash"
    assert traces["this model"]["r"][0] == traces["this model"]["r"][-1] == 1.5
    assert traces["95 % CI"]["r"] == [1.5, 1.5, None]
    assert "the table has all values" in explain_radar(radar, "default", "default")
    assert "3.50" in tabulate_radar(radar, "Abilities")


def test_explain_radar_names_the_setting_of_the_human_baseline() -> None:
    radar = get_radar([spoke("a", 0.5), spoke("b", 0.6), spoke("c", 0.7)])
    assert "The human baseline is from setting default." in explain_radar(radar, "default", "noise")
    assert "under the setting" not in explain_radar(radar, "default", "default")
