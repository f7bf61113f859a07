"""Writing and error habits of the six fictional generators; the numbers are in `generators.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """How a generator writes and errs; probabilities are from 0 to 1.

    Attributes:
        name: Fictional name; no such model exists.
        misses_key: How much more often than others it is wrong about the key.
        misses_aside: The same for asides.
        favours: Error type → additional factor.
        asides: Minimum and maximum number of asides.
        key_comes_first: Probability that the key precedes them.
        restates: Probability of repeating a noted claim.
        matches: Probability of naming the option that fits.
        excludes: Probability of excluding an option.
        checks_again: Probability of stating the key a second time otherwise.
        binds_wrongly: How much more often than others a right key leads it to a wrong option, together with:
        infers_wrongly: The same, from a right observation.
        names_target: Probability of stating what the question is about.
    """

    name: str
    misses_key: float
    misses_aside: float
    favours: Mapping[str, float]
    asides: tuple[int, int]
    key_comes_first: float
    restates: float
    matches: float
    excludes: float
    checks_again: float
    binds_wrongly: float
    infers_wrongly: float
    names_target: float


def _read_habits() -> tuple[Habits, ...]:
    rows: list[dict[str, Any]] = json.loads(Path(__file__).with_name("generators.json").read_text(encoding="utf-8"))
    return tuple(Habits(**row | {"asides": tuple(row["asides"])}) for row in rows)


HABITS = _read_habits()
