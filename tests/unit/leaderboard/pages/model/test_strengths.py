"""Strengths and weaknesses of a row: sentences from scores, in edge cases."""

from typing import Any

import pytest

from db.records import StandingRecord
from evaluation import get_benchmark
from leaderboard.pages.model.strengths import NO_INTERVALS, describe_losses, describe_strengths, list_spokes
from tests.support.pages.model_views import make_score, make_view

PITCH, LOUDNESS, ELEVATION = (
    f"perception/sensitivity/{name}|aa" for name in ("pitch", "loudness", "elevation")
)  # chance is 25 % of each
STRONG, WEAK = make_score(0.9, 0.8, 0.95), make_score(0.3, 0.26, 0.35)


def say(figures: dict[str, StandingRecord], **fields: Any) -> str:
    return " ".join(describe_strengths(make_view(figures, **fields))).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("low", "high", "lead"),
    [
        (0.2501, 0.4, "Above chance on pitch differences 30.0 % (25.0–40.0)."),
        (0.25, 0.4, "At chance on pitch differences 30.0 % (25.0–40.0)."),
        (0.1, 0.25, "At chance on pitch differences 30.0 % (10.0–25.0)."),
        (0.1, 0.2499, "Below chance on pitch differences 30.0 % (10.0–25.0)."),
    ],
)
def test_describe_strengths_at_the_edges_of_chance_takes_the_whole_interval(low: float, high: float, lead: str) -> None:
    assert say({PITCH: make_score(0.3, low, high)}) == lead


def test_describe_strengths_without_intervals_says_nothing_but_why() -> None:
    assert say({PITCH: make_score(0.9)}, scoring={"signature": None}) == NO_INTERVALS
    assert "cannot be assessed" in say({PITCH: make_score(0.9)})
    assert "pitch" not in say({PITCH: make_score(0.9)})


def test_describe_strengths_names_three_at_most_and_counts_the_rest() -> None:
    keys = [f"perception/sensitivity/{name}|aa" for name in ("pitch", "loudness", "duration", "elevation", "distance")]
    said = say({key: make_score(0.9 - 0.1 * at, 0.3, 0.95) for at, key in enumerate(keys)})
    assert said.startswith("Above chance on pitch differences 90.0 % (30.0–95.0), loudness differences")
    assert said.endswith("duration differences 70.0 % (30.0–95.0) and 2 more.")


def test_describe_strengths_tells_extremes_only_where_their_intervals_are_apart() -> None:
    said = say({PITCH: STRONG, ELEVATION: WEAK}, people={PITCH: 0.85, ELEVATION: 0.45})
    assert said.endswith(
        "Strongest in pitch differences, 1.08 (0.92 to 1.17); "
        "weakest in elevation differences, 0.25 (0.05 to 0.50) (0 = chance, 1 = human)."
    )
    assert "1 = perfect" in say({PITCH: STRONG, ELEVATION: WEAK})
    assert "0 = chance" not in say({PITCH: STRONG, LOUDNESS: make_score(0.7, 0.5, 0.81)})
    # Of one people are known and of the other they are not: there is no common scale.
    assert "0 = chance" not in say({PITCH: STRONG, ELEVATION: WEAK}, people={PITCH: 0.85})


def test_describe_strengths_tells_of_a_habit_where_the_figures_show_it() -> None:
    amb = get_benchmark("audio-motion-bench")
    key = "overall/tf|yes_bias"
    told = "30.0 % (20.0–40.0) of false statements are called true (guessing: 50.0 %)."
    assert say({key: make_score(0.3, 0.2, 0.4)}, benchmark=amb).endswith(told)
    for unclear in (make_score(0.45, 0.4, 0.5), make_score(0.3)):
        assert "false statements" not in say({key: unclear}, benchmark=amb)
    position = "perception|option_concentration"
    assert "60.0 % of its readable perception answers pick the same option position" in say({position: make_score(0.6)})
    assert "position" not in say({position: make_score(0.35)})


@pytest.mark.parametrize(
    ("missing", "unreadable", "said"),
    [
        (10, 10, []),
        (11, 0, ["1.1\u00a0% of the answers are missing and count as wrong"]),
        (0, 250, ["25.0\u00a0% of the answers are unreadable and count as wrong"]),
        (None, None, []),
    ],
)
def test_describe_losses_tells_shares_above_one_per_cent(missing: int, unreadable: int, said: list[str]) -> None:
    assert describe_losses(make_view(scoring={"missing": missing, "unreadable": unreadable})) == said


def test_list_spokes_without_named_abilities_takes_the_parts() -> None:
    amb = get_benchmark("audio-motion-bench")
    view = make_view({"sct|accuracy": make_score(0.5), "sct/clean|accuracy": make_score(0.5)}, benchmark=amb)
    assert [one.name for one in list_spokes(view)] == ["SCT"]
