"""What a critic can be good or bad at in AudioProcessBench."""

from evaluation.benchmarks.ability_specs import Ability
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES

ABILITIES = (
    Ability("step|fei", "first wrong step"),
    *(Ability(f"type/{kind}|prmscore", f"{kind.replace('-', ' ')} errors") for kind in ERROR_TYPES),
    Ability("chain|bon", "best of several chains"),
    Ability("chain|mv", "majority of chains"),
)
