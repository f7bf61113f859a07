"""Reasoning traces: what a generator with its habits writes about a question, and the labels of its steps.

The labels depend on the facts of the recording (`label_steps`), not on how a trace was written, because the same texts
are about two recordings:

* A step that states a facet is erroneous if it states the rumour; its type is the facet's.
* A step that uses an earlier claim (fits an option to it, excludes an option, adds digits, decides) is erroneous if
  that claim was wrong, and inherits its type. A step that only repeats a noted claim is correct.
* Binding: a step fits a true observation to another option, excludes the option that it supports, or takes another
  sound of the recording for the one that the question is about.
* Reasoning: a step repeats something other than what was noted, adds wrongly, or decides for an option that does not
  follow.
* A decision is erroneous if it is not for the right answer, and inherits the type of the previous step, or of the key.
* A trace that listens again states the key a second time; from there on only the second statement counts.

The wording of a step never reveals an error: every role of a step, and every claim in it, is about as often right as
wrong. Unsound steps (binding, reasoning) have the roles and words of sound ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Literal

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.habits import Habits
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import (
    Facet,
    Saying,
    pick_value,
    word_step,
)
from evaluation.benchmarks.audio_process_bench.synthetic.subject import BINDING, REASONING
from evaluation.benchmarks.audio_process_bench.synthetic.synthetic_questions import SyntheticQuestion

MAX_STEPS = 8

Errs = Literal["key", "conclusion"] | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A step without its label, which depends on the recording.

    Attributes:
        text: Text of the step.
        role: Function of the step: a frame of `wordings.json`.
        saying: The claim in it, if any.
        option: The option in it, if any.
    """

    text: str
    role: str
    saying: Saying | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step with its label.

    Attributes:
        text: Text of the step.
        role: Function of the step: a frame of `wordings.json`.
        kind: Error type; None if it is correct.
        saying: The claim in it, if any.
        option: The option in it, if any.
    """

    text: str
    role: str
    kind: str | None
    saying: Saying | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a trace and its final answer."""

    generator: str
    steps: tuple[Step, ...]
    final_answer: str


class Writer:
    """Writes one trace."""

    def __init__(self, rng: np.random.Generator, question: SyntheticQuestion, habits: Habits) -> None:
        self._rng = rng
        self._question = question
        self._habits = habits

    def write(self, errs: Errs, rumours: Mapping[Facet, float]) -> tuple[Draft, ...]:
        """Return the steps of a trace.

        Args:
            errs: Whether it is wrong about the key, or in its conclusion from a right key.
            rumours: Probability of a wrong claim for each aside.
        """
        asides = self._tell_asides(rumours)
        target = self._name_target()
        key = self._tell_key(misses_key=errs == "key")
        conclusion = self._conclude(errs)
        asides = asides[: MAX_STEPS - len(target) - len(key) - len(conclusion)]
        is_first = self._happens(self._habits.key_comes_first)
        before, after = ([], asides) if is_first else (asides, [])
        steps = [*target, *before, *key, *after, *conclusion]
        if len(steps) < MAX_STEPS and self._happens(self._habits.restates):
            steps.insert(len(steps) - len(conclusion), self._restate(key[-1]))
        return tuple(steps)

    def _happens(self, frequency: float) -> bool:
        return bool(self._rng.random() < frequency)

    def _step(self, role: str, saying: Saying | None = None, option: str | None = None, **slots: str) -> Draft:
        if option is not None:
            slots |= {"option": option, "letter": ascii_uppercase[self._question.options.index(option)]}
        return Draft(word_step(self._rng, role, saying, **slots), role, saying, option)

    def _draft_step(self, role: str, facet: Facet, *, wrongly: bool) -> Draft:
        return self._step(role, facet.rumour if wrongly else facet.true)

    def _tell_asides(self, rumours: Mapping[Facet, float]) -> list[Draft]:
        """State some asides; never both the presence and a property of one sound."""
        least, most = self._habits.asides
        n_asides = int(self._rng.integers(least, most + 1))
        facets: list[Facet] = []
        for place in self._rng.permutation(len(self._question.asides)):
            facet = self._question.asides[int(place)]
            if len(facets) < n_asides and not any(_clash(facet, other) for other in facets):
                facets.append(facet)
        return [self._draft_step("observe", facet, wrongly=self._happens(rumours[facet])) for facet in facets]

    def _name_target(self) -> list[Draft]:
        target = self._question.target
        if target is None or not self._happens(self._habits.names_target):
            return []
        return [self._draft_step("observe", target, wrongly=self._happens(0.5))]

    def _tell_key(self, *, misses_key: bool) -> list[Draft]:
        key = self._question.key
        if not self._happens(self._habits.checks_again):
            return [self._draft_step("observe", key, wrongly=misses_key)]
        return [
            self._draft_step("observe", key, wrongly=not misses_key),
            self._draft_step("again", key, wrongly=misses_key),
        ]

    def _restate(self, last: Draft) -> Draft:
        key = self._question.key
        sayings = (key.true, key.rumour) if self._happens(0.5) else (key.rumour, key.true)
        return self._step("restate", sayings[last.saying == key.true])

    def _conclude(self, errs: Errs) -> list[Draft]:
        """Return the steps from the key to the answer; unsound traces have the same step types as sound ones."""
        question = self._question
        claim = question.key.rumour if errs == "key" else question.key.true
        answer = question.right if errs is None else question.wrong
        steps = []
        if question.terms is not None:
            steps.append(self._step("add", None, answer, terms=question.terms[errs == "key"], sum=answer))
        elif self._happens(self._habits.matches):
            steps.append(self._step("match", claim, answer))
        if not steps or self._happens(self._habits.excludes):
            others = [option for option in question.options if option != answer]
            steps.append(self._step("exclude", claim, pick_value(self._rng, others)))
        if self._happens(0.5):
            return [*steps, self._step("decide", None, answer)]
        return [*steps, self._step("conclude", claim, answer)]


def label_steps(steps: Sequence[Draft], question: SyntheticQuestion) -> tuple[Step, ...]:
    """Return the steps of a trace with their labels for the recording of a question."""
    facets = (question.key, *question.asides, *([question.target] if question.target else []))
    kinds: dict[Saying | None, str] = {facet.rumour: facet.kind for facet in facets}
    key = question.key
    claim, before = key.true, None
    labelled: list[Step] = []
    for step in steps:
        match step.role:
            case "observe" | "again":
                claim = step.saying if step.saying in (key.true, key.rumour) else claim
                kind = kinds.get(step.saying)
            case "restate":
                kind = None if step.saying == claim else REASONING
            case "add":
                # The sum of the stated digits is the option of that key.
                follows = question.right if claim == key.true else question.wrong
                kind = kinds.get(claim) or (None if step.option == follows else REASONING)
            case "decide":
                kind = None if step.option == question.right else before or kinds.get(claim) or REASONING
            case role:
                fits = (step.option == question.right) != (role == "exclude")
                kind = kinds.get(claim) or (None if fits else BINDING)
        labelled.append(Step(step.text, step.role, kind, step.saying, step.option))
        before = kind
    return tuple(labelled)


def _clash(facet: Facet, other: Facet) -> bool:
    is_presence = any(facet_of_pair.true.form in ("present", "absent") for facet_of_pair in (facet, other))
    return is_presence and bool(facet.about & other.about)
