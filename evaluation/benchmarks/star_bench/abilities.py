"""Abilities that STAR-Bench measures, for the strengths and weaknesses of a model, and signs of position bias."""

from evaluation.benchmarks.ability_specs import Ability, Habit

_RANGE = ("pitch-loudness", "azimuth", "elevation", "distance")
_SENSITIVITY = ("pitch", "loudness", "duration", "azimuth", "elevation", "distance")
_SPATIAL = {"localization": "source position", "relation": "relative positions", "trajectory": "source motion"}

ABILITIES = (
    *(Ability(f"perception/range/{name}|aa", f"absolute {name.replace('-', ' and ')}") for name in _RANGE),
    *(Ability(f"perception/sensitivity/{name}|aa", f"{name} differences") for name in _SENSITIVITY),
    Ability("temporal/continuous|aa", "continuous order"),
    Ability("temporal/discrete|aa", "discrete order"),
    *(Ability(f"spatial/{name}|aa", title) for name, title in _SPATIAL.items()),
)
HABITS = tuple(
    Habit(f"{part}|option_concentration", f"of its readable {part} answers pick the same option position", f"{part}|aa")
    for part in ("perception", "temporal", "spatial")
)
