"""Abilities that MDAR measures, for the strengths and weaknesses of a model."""

from evaluation.benchmarks.ability_specs import Ability, Habit

_MAIN = {"sr": "social relations", "er": "events", "su": "scenes", "ad": "anomaly and safety", "tr": "time"}
_MULTI = {"pdr": "plot development", "csr": "continuous scenes", "mcir": "interaction of characters"}

ABILITIES = (
    *(Ability(f"main/{name}|accuracy", title) for name, title in _MAIN.items()),
    *(Ability(f"multi/{name}|em", title) for name, title in _MULTI.items()),
    Ability("open|judge_score", "open answers"),
)
HABITS = (
    Habit(
        "main|option_concentration", "of its readable MDAR-main answers pick the same option position", "main|accuracy"
    ),
)
