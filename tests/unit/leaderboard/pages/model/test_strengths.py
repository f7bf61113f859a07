"""Strengths and weaknesses of a row: sentences from scores, in edge cases."""

from typing import Any

import pytest

from db.records import StandingRecord
from evaluation import get_benchmark
from leaderboard.pages.model.strengths import NO_INTERVALS, describe_losses, describe_strengths, list_spokes
from tests.support.pages.model_views import make_score, make_view

PITCH, LOUDNESS, ELEVATION = (
    f"perception/sensitivity/{name}|aa" for name in ("pitch", "loudness", "elevation")
)  # chance is 25 % for each
STRONG, WEAK = make_score(0.9, 0.8, 0.95), make_score(0.3, 0.26, 0.35)


def describe(scores: dict[str, StandingRecord], **fields: Any) -> str:
    return " ".join(describe_strengths(make_view(scores, **fields))).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("low", "high", "lead"),
    [
        (0.2501, 0.4, "Above chance on pitch differences 30.0 % (25.0–40.0)."),
        (0.25, 0.4, "At chance on pitch differences 30.0 % (25.0–40.0)."),
        (0.1, 0.25, "At chance on pitch differences 30.0 % (10.0–25.0)."),
        (0.1, 0.2499, "Below chance on pitch differences 30.0 % (10.0–25.0)."),
    ],
)
def test_describe_strengths_compares_the_whole_interval_with_chance(low: float, high: float, lead: str) -> None:
    assert describe({PITCH: make_score(0.3, low, high)}) == lead


def test_describe_strengths_without_intervals_gives_only_the_reason() -> None:
    assert describe({PITCH: make_score(0.9)}, scoring={"signature": None}) == NO_INTERVALS
    assert "cannot be assessed" in describe({PITCH: make_score(0.9)})
    assert "pitch" not in describe({PITCH: make_score(0.9)})


def test_describe_strengths_lists_up_to_three_abilities_and_counts_the_rest() -> None:
    keys = [f"perception/sensitivity/{name}|aa" for name in ("pitch", "loudness", "duration", "elevation", "distance")]
    text = describe({key: make_score(0.9 - 0.1 * at, 0.3, 0.95) for at, key in enumerate(keys)})
    assert text.startswith("Above chance on pitch differences 90.0 % (30.0–95.0), loudness differences")
    assert text.endswith("duration differences 70.0 % (30.0–95.0) and 2 more.")


def test_describe_strengths_names_extremes_only_if_their_intervals_are_disjoint() -> None:
    text = describe({PITCH: STRONG, ELEVATION: WEAK}, people={PITCH: 0.85, ELEVATION: 0.45})
    assert text.endswith(
        "Strongest in pitch differences, 1.08 (0.92 to 1.17); "
        "weakest in elevation differences, 0.25 (0.05 to 0.50) (0 = chance, 1 = human)."
    )
    assert "1 = perfect" in describe({PITCH: STRONG, ELEVATION: WEAK})
    assert "0 = chance" not in describe({PITCH: STRONG, LOUDNESS: make_score(0.7, 0.5, 0.81)})
    # Only one of the two has a human baseline, so there is no common scale.
    assert "0 = chance" not in describe({PITCH: STRONG, ELEVATION: WEAK}, people={PITCH: 0.85})


def test_describe_strengths_mentions_a_habit_only_if_the_scores_show_it() -> None:
    amb = get_benchmark("audio-motion-bench")
    key = "overall/tf|yes_bias"
    expected = "30.0 % (20.0–40.0) of false statements are called true (guessing: 50.0 %)."
    assert describe({key: make_score(0.3, 0.2, 0.4)}, benchmark=amb).endswith(expected)
    for unclear in (make_score(0.45, 0.4, 0.5), make_score(0.3)):
        assert "false statements" not in describe({key: unclear}, benchmark=amb)
    position = "perception|option_concentration"
    assert "60.0 % of its readable perception answers pick the same option position" in describe(
        {position: make_score(0.6)}
    )
    assert "position" not in describe({position: make_score(0.35)})


@pytest.mark.parametrize(
    ("missing", "unreadable", "expected"),
    [
        (10, 10, []),
        (11, 0, ["1.1\u00a0% of the answers are missing and count as wrong"]),
        (0, 250, ["25.0\u00a0% of the answers are unreadable and count as wrong"]),
        (None, None, []),
    ],
)
def test_describe_losses_reports_shares_above_one_percent(missing: int, unreadable: int, expected: list[str]) -> None:
    assert describe_losses(make_view(scoring={"missing": missing, "unreadable": unreadable})) == expected


def test_list_spokes_without_named_abilities_uses_the_parts() -> None:
    amb = get_benchmark("audio-motion-bench")
    view = make_view({"sct|accuracy": make_score(0.5), "sct/clean|accuracy": make_score(0.5)}, benchmark=amb)
    assert [spoke.name for spoke in list_spokes(view)] == ["SCT"]
