import math
from typing import Any

import pytest

from evaluation.synthesis import POSITIONS, MotionParameters, Trajectory


def test_positions_lie_clockwise_on_the_circle() -> None:
    angles = [math.degrees(math.atan2(x, y)) % 360 for x, y in POSITIONS.values()]
    assert list(POSITIONS) == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert angles == pytest.approx([0, 45, 90, 135, 180, 225, 270, 315])
    assert [math.hypot(x, y) for x, y in POSITIONS.values()] == pytest.approx([2.5] * 8)


@pytest.mark.parametrize(
    ("start", "end", "message"), [("N", "N", "twice"), ("N", "UP", "unknown"), ("n", "E", "unknown")]
)
def test_invalid_trajectory_raises(start: str, end: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Trajectory(start, end)


def test_trajectory_length_is_the_chord() -> None:
    assert Trajectory("N", "S").length_metres == pytest.approx(5.0)
    assert Trajectory("N", "E").length_metres == pytest.approx(2.5 * math.sqrt(2))


def test_parameters_out_of_bounds_raise(subtests: pytest.Subtests) -> None:
    rows: list[dict[str, Any]] = [
        {"sample_rate": 0},
        {"sample_rate": 16_000.5},
        {"speed_of_sound": -1.0},
        {"rear_cutoff_hz": math.nan},
    ]
    for options in rows:
        with subtests.test(options=options), pytest.raises(ValueError, match=next(iter(options))):
            MotionParameters(**options)
