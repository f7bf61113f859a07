"""Claims about a recording, and the plain sentences that express them."""

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
        form: Kind of claim, a name in `wordings.json`.
        slots: Slot name → value. `what` and `than` name sounds.
    """

    form: str
    slots: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One fact about a recording that traces claim, truly or not.

    Attributes:
        kind: Error type of a wrong claim.
        true: The true claim.
        rumour: The claim of generators that err; as plausible about another recording.
        about: Names of the sounds involved.
    """

    kind: str
    true: Saying
    rumour: Saying
    about: frozenset[str] = frozenset()


def make_saying(form: str, **slots: str) -> Saying:
    """Return a claim."""
    return Saying(form, tuple(sorted(slots.items())))


def pick_value(rng: np.random.Generator, values: Sequence[Value]) -> Value:
    """Return one of some values, with equal probabilities."""
    return values[int(rng.integers(len(values)))]


def word_clause(rng: np.random.Generator, saying: Saying) -> str:
    """Return a claim as a clause in one of its wordings."""
    slots = dict(saying.slots)
    if "what" in slots:
        slots |= NAMES[slots["what"]]
    if "than" in slots:
        slots["the_other"] = NAMES[slots["than"]]["the"]
    template: str = pick_value(rng, _WORDINGS["clauses"][saying.form])
    return template.format_map(slots)


def word_step(rng: np.random.Generator, frame: str, saying: Saying | None = None, **slots: str) -> str:
    """Return the text of a step: a frame around a claim, or a frame alone."""
    if saying is not None:
        clause = word_clause(rng, saying)
        slots |= {"clause": clause, "Clause": clause[0].upper() + clause[1:]}
    template: str = pick_value(rng, _WORDINGS["frames"][frame])
    return template.format_map(slots)
