"""Writing and error habits of the six generators. They are invented; the numbers are in `generators.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """How a generator writes and errs; how often something happens is from 0 to 1.

    Attributes:
        name: Invented; there is no such model.
        misses_key: How much more often than others it is wrong about what decides.
        misses_aside: The same for what decides nothing.
        favours: Error type → how much more often still.
        asides: Fewest and most observations that decide nothing.
        key_comes_first: How often the key stands in front of them.
        restates: How often it repeats what it noted.
        matches: How often it names the option that fits.
        excludes: How often it excludes an option.
        checks_again: How often it tells the key a second time, otherwise.
        binds_wrongly: How much more often than others a right key leads it to a wrong option, together with:
        infers_wrongly: The same, from a right observation.
        names_target: How often it says what is asked about.
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
