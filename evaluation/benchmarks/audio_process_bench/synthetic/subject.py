"""Subject of a question, for every question family."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.sayings import Facet
from evaluation.benchmarks.audio_process_bench.synthetic.staging import PAN, Event

QUESTIONS: Mapping[str, Any] = json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))

PLACES = {"on the left": -PAN, "on the right": PAN, "in the middle": 0.0}
SIDES = tuple(PLACES)[:2]
Value = TypeVar("Value")
EXISTENCE, SEMANTIC, TEMPORAL = "existence", "semantic", "temporal"
ATTRIBUTE, BINDING, REASONING = "acoustic-attribute", "cross-modal-binding", "reasoning"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about.

    Attributes:
        name: Name of the sounds in `wordings.json`.
        events: The sounds, with times relative to the first.
        key: The fact that determines the answer.
        options: Options in shown order.
        right: The right option.
        wrong: The option of generators that are wrong about the key.
        asides: Further facts about these sounds.
        words: Values for the placeholders of the question text.
        terms: Digits to add, as they are and as erring generators hear them; empty without a sum.
    """

    name: str
    events: Sequence[Event]
    key: Facet
    options: tuple[str, ...]
    right: str
    wrong: str
    asides: tuple[Facet, ...] = ()
    words: Mapping[str, str] | None = None
    terms: tuple[str, str] | None = None


def orient(truth: Value, rumour: Value, *, mirrored: bool) -> tuple[Value, Value]:
    """Return the true and the false claim, swapped for a mirrored recording."""
    return (rumour, truth) if mirrored else (truth, rumour)


def shuffle(rng: np.random.Generator, values: Sequence[str]) -> tuple[str, ...]:
    """Return values in random order."""
    return tuple(values[int(place)] for place in rng.permutation(len(values)))
