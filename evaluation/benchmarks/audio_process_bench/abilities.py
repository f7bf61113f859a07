"""Abilities that AudioProcessBench measures, for the strengths and weaknesses of a critic."""

from evaluation.benchmarks.ability_specs import Ability
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES

ABILITIES = (
    Ability("step|fei", "first errors"),
    *(Ability(f"type/{kind}|prmscore", f"{kind.replace('-', ' ')} errors") for kind in ERROR_TYPES),
    Ability("chain|bon", "best of N"),
    Ability("chain|mv", "majority vote"),
)
