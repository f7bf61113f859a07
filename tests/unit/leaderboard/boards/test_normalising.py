"""Normalised scale for comparisons across benchmarks."""

import pytest

from leaderboard.boards.normalising import normalise


def test_normalise_maps_chance_to_zero_and_the_human_baseline_to_one(subtests: pytest.Subtests) -> None:
    rows: list[tuple[float | None, float | None, float | None, float | None]] = [
        (0.25, 0.25, 0.75, 0.0),
        (0.75, 0.25, 0.75, 1.0),
        (0.35, 0.25, 0.75, 0.2),
        (0.15, 0.25, 0.75, -0.2),
        (1.0, 0.25, 0.75, 1.5),
        # Lower is better: chance is 40 %, the human baseline 10 %.
        (0.25, 0.4, 0.1, 0.5),
        (0.5, 0.4, 0.4, None),
        (None, 0.25, 0.75, None),
        (0.5, None, 0.75, None),
        (0.5, 0.25, None, None),
    ]
    for value, chance, human, expected in rows:
        with subtests.test(value=value, chance=chance, human=human, expected=expected):
            normalised = normalise(value, chance, human)
            assert normalised == (None if expected is None else pytest.approx(expected))
