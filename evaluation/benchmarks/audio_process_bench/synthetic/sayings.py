"""Statements about a recording: a claim in a fixed form, and the plain sentences that express it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

_WORDINGS: Mapping[str, Any] = json.loads(Path(__file__).with_name("wordings.json").read_text(encoding="utf-8"))
NAMES: Mapping[str, Mapping[str, str]] = _WORDINGS["names"]

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
Value = TypeVar("Value")

ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Saying:
    """A claim about a recording.

    Attributes:
        form: What kind of claim it is, a name in `wordings.json`.
        slots: What it is filled with: name → value. `what` and `than` name sounds.
    """

    form: str
    slots: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing about a recording that traces tell, truly or not.

    Attributes:
        kind: Error type of telling it wrongly.
        true: What is so.
        rumour: What those say who are wrong; it would be as good a sentence of another recording.
        about: Names of the sounds that it is about.
    """

    kind: str
    true: Saying
    rumour: Saying
    about: frozenset[str] = frozenset()


def say(form: str, **slots: str) -> Saying:
    """Return a claim."""
    return Saying(form, tuple(sorted(slots.items())))


def pick(rng: np.random.Generator, values: Sequence[Value]) -> Value:
    """Return one of some values, each as likely as another."""
    return values[int(rng.integers(len(values)))]


def word_clause(rng: np.random.Generator, saying: Saying) -> str:
    """Return a claim as a clause, in one of its wordings."""
    slots = dict(saying.slots)
    if "what" in slots:
        slots |= NAMES[slots["what"]]
    if "than" in slots:
        slots["the_other"] = NAMES[slots["than"]]["the"]
    template: str = pick(rng, _WORDINGS["clauses"][saying.form])
    return template.format_map(slots)


def word_step(rng: np.random.Generator, frame: str, saying: Saying | None = None, **slots: str) -> str:
    """Return the text of a step: a frame around a claim, or a frame alone."""
    if saying is not None:
        clause = word_clause(rng, saying)
        slots |= {"clause": clause, "Clause": clause[0].upper() + clause[1:]}
    template: str = pick(rng, _WORDINGS["frames"][frame])
    return template.format_map(slots)
