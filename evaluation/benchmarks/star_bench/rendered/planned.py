"""Planned items of the perception task before they get names, and helpers for their designs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.benchmarks.star_bench.rendered.stimuli import Stimulus

FIRST, SECOND, SAME = 0, 1, 2  # Positions of the options in every comparison.


@dataclass(frozen=True, slots=True)
class Planned:
    """An item without a name.

    Attributes:
        answer: Position of the right option in run 0.
        stimuli: Its clips.
        level: Difficulty level, from 1; None without levels.
        frequency_hz: Frequency of its audiogram cell.
        level_db_hl: Level of its audiogram cell.
    """

    answer: int
    stimuli: tuple[Stimulus, ...]
    level: int | None = None
    frequency_hz: int | None = None
    level_db_hl: int | None = None


def pairs_of_levels(steps: Sequence[int], count: int) -> Iterator[tuple[int, int, int]]:
    """Yield (level from 1, step, right answer) for `count` pairs per level; the first step is no difference."""
    for level, step in enumerate(steps, start=1):
        for number in range(count):
            yield level, step, SAME if step == 0 else number % 2


def order_pair(answer: int, greater: float, less: float) -> tuple[float, float]:
    """Return both in the order that the answer states."""
    return (greater, less) if answer == FIRST else (less, greater)
