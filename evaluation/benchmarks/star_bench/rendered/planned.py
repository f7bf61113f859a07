"""An item of the perception task before it has a name, and what its designs share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.benchmarks.star_bench.rendered.stimuli import Stimulus

FIRST, SECOND, SAME = 0, 1, 2  # positions of the options of every comparison


@dataclass(frozen=True, slots=True)
class Planned:
    """An item before it has a name.

    Attributes:
        answer: Position of the right option in run 0.
        stimuli: Its clips.
        level: Level of difficulty, from 1; None where there are none.
        frequency_hz: Of a cell of the audiogram.
        level_db_hl: The same.
    """

    answer: int
    stimuli: tuple[Stimulus, ...]
    level: int | None = None
    frequency_hz: int | None = None
    level_db_hl: int | None = None


def pairs_of_levels(steps: Sequence[int], count: int) -> Iterator[tuple[int, int, int]]:
    """Yield (level from 1, step, right answer) for so many pairs a level; the first step is no difference."""
    for level, step in enumerate(steps, start=1):
        for number in range(count):
            yield level, step, SAME if step == 0 else number % 2


def order(answer: int, greater: float, less: float) -> tuple[float, float]:
    """Return both in the order in which the answer says they are heard."""
    return (greater, less) if answer == FIRST else (less, greater)
