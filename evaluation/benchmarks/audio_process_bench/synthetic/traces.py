"""Traces of reasoning: what a generator with its habits writes about a question, and which of it is wrong.

The labels follow from what is so in the recording (`label_steps`), not from how a trace was written, because the same
texts are about two recordings:

* A step that tells a facet is erroneous where it tells the rumour; its type is the facet's.
* A step that uses what was told (fits an option to it, excludes an option, adds digits, decides) is erroneous where
  that was wrong, and inherits its type. A step that only repeats what was noted is right.
* Binding: a step fits a true observation to another option, excludes the option that it stands for, or names something
  else as what is asked about.
* Reasoning: a step repeats something else than was noted, adds wrongly, or decides for another option than follows.
* A decision is erroneous where it is not for the right answer, and inherits the type of the step before, or of the key.
* A trace that listens again tells the key anew; from there on only the second telling counts.

What makes a step erroneous never shows in its wording: every role of a step, and every claim in it, is about as often
right as wrong. What is unsound (binding, reasoning) has the roles and words of what is sound.
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
    pick,
    word_step,
)
from evaluation.benchmarks.audio_process_bench.synthetic.subject import BINDING, REASONING
from evaluation.benchmarks.audio_process_bench.synthetic.synthetic_questions import SyntheticQuestion

MAX_STEPS = 8

Errs = Literal["key", "conclusion"] | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A step without its truth, which depends on the recording.

    Attributes:
        text: What stands there.
        role: What the step does: a frame of `wordings.json`.
        saying: The claim in it, if any.
        option: The option that it names, if any.
    """

    text: str
    role: str
    saying: Saying | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step and its truth.

    Attributes:
        text: What stands there.
        role: What the step does: a frame of `wordings.json`.
        kind: Type of its error; None where it is right.
        saying: The claim in it, if any.
        option: The option that it names, if any.
    """

    text: str
    role: str
    kind: str | None
    saying: Saying | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a trace and the answer they end in."""

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
            errs: Whether it ends up wrong about the key, or in what it concludes from a right one.
            rumours: For each aside, how likely it is told wrongly.
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

    def _tell(self, role: str, facet: Facet, *, wrongly: bool) -> Draft:
        return self._step(role, facet.rumour if wrongly else facet.true)

    def _tell_asides(self, rumours: Mapping[Facet, float]) -> list[Draft]:
        """Tell some asides, and never of one sound both that it is or is not there and how it is."""
        least, most = self._habits.asides
        wanted = int(self._rng.integers(least, most + 1))
        chosen: list[Facet] = []
        for place in self._rng.permutation(len(self._question.asides)):
            facet = self._question.asides[int(place)]
            if len(chosen) < wanted and not any(_clash(facet, other) for other in chosen):
                chosen.append(facet)
        return [self._tell("observe", facet, wrongly=self._happens(rumours[facet])) for facet in chosen]

    def _name_target(self) -> list[Draft]:
        target = self._question.target
        if target is None or not self._happens(self._habits.names_target):
            return []
        return [self._tell("observe", target, wrongly=self._happens(0.5))]

    def _tell_key(self, *, misses_key: bool) -> list[Draft]:
        key = self._question.key
        if not self._happens(self._habits.checks_again):
            return [self._tell("observe", key, wrongly=misses_key)]
        return [
            self._tell("observe", key, wrongly=not misses_key),
            self._tell("again", key, wrongly=misses_key),
        ]

    def _restate(self, last: Draft) -> Draft:
        key = self._question.key
        sayings = (key.true, key.rumour) if self._happens(0.5) else (key.rumour, key.true)
        return self._step("restate", sayings[last.saying == key.true])

    def _conclude(self, errs: Errs) -> list[Draft]:
        """Return the steps from the key to the answer; an unsound trace has those that a sound one would have."""
        question = self._question
        told = question.key.rumour if errs == "key" else question.key.true
        answer = question.right if errs is None else question.wrong
        steps = []
        if question.terms is not None:
            steps.append(self._step("add", None, answer, terms=question.terms[errs == "key"], sum=answer))
        elif self._happens(self._habits.matches):
            steps.append(self._step("match", told, answer))
        if not steps or self._happens(self._habits.excludes):
            others = [option for option in question.options if option != answer]
            steps.append(self._step("exclude", told, pick(self._rng, others)))
        if self._happens(0.5):
            return [*steps, self._step("decide", None, answer)]
        return [*steps, self._step("conclude", told, answer)]


def label_steps(steps: Sequence[Draft], question: SyntheticQuestion) -> tuple[Step, ...]:
    """Return the steps of a trace with what is wrong of each about the recording of a question."""
    facets = (question.key, *question.asides, *([question.target] if question.target else []))
    kinds: dict[Saying | None, str] = {facet.rumour: facet.kind for facet in facets}
    key = question.key
    told, before = key.true, None
    labelled: list[Step] = []
    for step in steps:
        match step.role:
            case "observe" | "again":
                told = step.saying if step.saying in (key.true, key.rumour) else told
                kind = kinds.get(step.saying)
            case "restate":
                kind = None if step.saying == told else REASONING
            case "add":
                # The sum of the digits that were told is the option of that key.
                follows = question.right if told == key.true else question.wrong
                kind = kinds.get(told) or (None if step.option == follows else REASONING)
            case "decide":
                kind = None if step.option == question.right else before or kinds.get(told) or REASONING
            case role:
                fits = (step.option == question.right) != (role == "exclude")
                kind = kinds.get(told) or (None if fits else BINDING)
        labelled.append(Step(step.text, step.role, kind, step.saying, step.option))
        before = kind
    return tuple(labelled)


def _clash(facet: Facet, other: Facet) -> bool:
    is_presence = any(one.true.form in ("present", "absent") for one in (facet, other))
    return is_presence and bool(facet.about & other.about)
