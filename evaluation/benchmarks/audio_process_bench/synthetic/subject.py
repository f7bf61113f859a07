"""Subject of a question, for every kind of question."""

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
        name: Of the sounds, a name in `wordings.json`.
        events: The sounds, their times counted from the first.
        key: What decides the answer.
        options: In the order in which they are shown.
        right: The right option.
        wrong: The option of those who are wrong about the key.
        asides: What else can be told about these sounds.
        words: What the question's own wording is filled with.
        terms: Digits to be added, as they are and as those hear them who are wrong; empty where nothing is added.
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


def turn(truth: Value, rumour: Value, *, mirrored: bool) -> tuple[Value, Value]:
    """Return what is so and what is not, which a mirrored recording has the other way round."""
    return (rumour, truth) if mirrored else (truth, rumour)


def deal(rng: np.random.Generator, values: Sequence[str]) -> tuple[str, ...]:
    """Return values in a random order."""
    return tuple(values[int(place)] for place in rng.permutation(len(values)))
