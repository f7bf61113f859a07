"""Normalised scale for comparisons across benchmarks."""

import pytest

from leaderboard.boards.normalising import normalise


def test_normalise_puts_chance_at_zero_and_people_at_one(subtests: pytest.Subtests) -> None:
    rows: list[tuple[float | None, float | None, float | None, float | None]] = [
        (0.25, 0.25, 0.75, 0.0),
        (0.75, 0.25, 0.75, 1.0),
        (0.35, 0.25, 0.75, 0.2),
        (0.15, 0.25, 0.75, -0.2),
        (1.0, 0.25, 0.75, 1.5),
        # A figure that is better when lower: 40 % at chance, people 10 %.
        (0.25, 0.4, 0.1, 0.5),
        (0.5, 0.4, 0.4, None),
        (None, 0.25, 0.75, None),
        (0.5, None, 0.75, None),
        (0.5, 0.25, None, None),
    ]
    for value, chance, human, expected in rows:
        with subtests.test(value=value, chance=chance, human=human, expected=expected):
            found = normalise(value, chance, human)
            assert found == (None if expected is None else pytest.approx(expected))
