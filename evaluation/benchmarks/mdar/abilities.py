"""What a row can be good or bad at in MDAR."""

from evaluation.benchmarks.ability_specs import Ability, Habit

_MAIN = {"sr": "social relations", "er": "events", "su": "scenes", "ad": "anomaly and safety", "tr": "time"}
_MULTI = {"pdr": "plot development", "csr": "continuous scenes", "mcir": "interaction of characters"}

ABILITIES = (
    *(Ability(f"main/{name}|accuracy", title) for name, title in _MAIN.items()),
    *(Ability(f"multi/{name}|em", title) for name, title in _MULTI.items()),
    Ability("open|judge_score", "open answers"),
)
HABITS = (
    Habit("main|option_concentration", "of its readable MDAR-main answers take the same position", "main|accuracy"),
)
