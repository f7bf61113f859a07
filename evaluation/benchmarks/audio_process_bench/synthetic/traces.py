"""Traces of reasoning: what a generator with its habits writes about a question, and which of it is wrong.

The labels follow from how a trace is made:

* A step that tells a facet is erroneous where it tells the rumour; its type is the facet's.
* A step that uses what was told (fits an option to it, excludes an option, adds digits, decides) is erroneous where
  that was wrong, and inherits its type. A step that only repeats what was noted is right.
* Binding: a step fits a true observation to another option, or names something else as what is asked about.
* Reasoning: a step excludes or chooses an option for a reason that has nothing to do with it, or adds wrongly.
* A decision on a wrong step is erroneous too, of that step's type.
* A trace that listens again tells the key anew; from there on only the second telling counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Literal

import numpy as np

from evaluation.benchmarks.audio_process_bench.synthetic.habits import Habits
from evaluation.benchmarks.audio_process_bench.synthetic.questions import Question
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import (
    NAMES,
    Facet,
    Saying,
    pick,
    word_step,
)
from evaluation.benchmarks.audio_process_bench.synthetic.subject import BINDING, REASONING

MOST_STEPS = 8

Errs = Literal["key", "conclusion"] | None


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

    def __init__(self, rng: np.random.Generator, question: Question, habits: Habits) -> None:
        """Take what is asked and who writes."""
        self._rng = rng
        self._question = question
        self._habits = habits
        self._told: list[Facet] = []

    def write(self, errs: Errs, rumours: Mapping[Facet, float]) -> Trace:
        """Return the trace.

        Args:
            errs: Whether it ends up wrong about the key, or in what it concludes from a right one.
            rumours: For each aside, how likely it is told wrongly.
        """
        asides = self._tell_asides(rumours)
        target = self._name_target()
        key = self._tell_key(misses_key=errs == "key")
        conclusion, final_answer = self._conclude(errs)
        asides = asides[: MOST_STEPS - len(target) - len(key) - len(conclusion)]
        is_first = self._happens(self._habits.key_comes_first)
        before, after = ([], asides) if is_first else (asides, [])
        steps = [*target, *before, *key, *after, *conclusion]
        if len(steps) < MOST_STEPS and self._happens(self._habits.restates):
            steps.insert(len(steps) - len(conclusion), self._restate(key[-1]))
        return Trace(self._habits.name, tuple(steps), final_answer)

    def _happens(self, frequency: float) -> bool:
        return bool(self._rng.random() < frequency)

    def _step(
        self, role: str, kind: str | None, saying: Saying | None = None, option: str | None = None, **slots: str
    ) -> Step:
        if option is not None:
            slots |= {"option": option, "letter": ascii_uppercase[self._question.options.index(option)]}
        return Step(word_step(self._rng, role, saying, **slots), role, kind, saying, option)

    def _tell(self, role: str, facet: Facet, *, wrongly: bool) -> Step:
        return self._step(role, facet.kind if wrongly else None, facet.rumour if wrongly else facet.true)

    def _tell_asides(self, rumours: Mapping[Facet, float]) -> list[Step]:
        """Tell some asides, and never of one sound both that it is or is not there and how it is."""
        least, most = self._habits.asides
        wanted = int(self._rng.integers(least, most + 1))
        chosen: list[Facet] = []
        for place in self._rng.permutation(len(self._question.asides)):
            facet = self._question.asides[int(place)]
            if len(chosen) < wanted and not any(_clash(facet, other) for other in chosen):
                chosen.append(facet)
        steps = []
        for facet in chosen:
            wrongly = self._happens(rumours[facet])
            steps.append(self._tell("observe", facet, wrongly=wrongly))
            if not wrongly:
                self._told.append(facet)
        return steps

    def _name_target(self) -> list[Step]:
        target = self._question.target
        if target is None or not self._happens(self._habits.names_target):
            return []
        return [self._tell("observe", target, wrongly=self._happens(0.5))]

    def _tell_key(self, *, misses_key: bool) -> list[Step]:
        key = self._question.key
        if not self._happens(self._habits.checks_again):
            return [self._tell("observe", key, wrongly=misses_key)]
        return [
            self._tell("observe", key, wrongly=not misses_key),
            self._tell("again", key, wrongly=misses_key),
        ]

    def _restate(self, last: Step) -> Step:
        return self._step("restate", None, last.saying)

    def _conclude(self, errs: Errs) -> tuple[list[Step], str]:
        """Return the steps from the key to the answer, and the answer."""
        steps, question = self._stray(), self._question
        if errs == "key":
            return steps + self._decide(question.key.rumour, question.wrong, question.key.kind), question.wrong
        if errs is None:
            return steps + self._decide(question.key.true, question.right, None), question.right
        binds, infers = self._habits.binds_wrongly, self._habits.infers_wrongly
        can_infer = bool(self._told) or question.terms is not None
        if can_infer and self._happens(infers / (binds + infers)):
            return steps + self._infer_wrongly(), question.wrong
        return steps + self._bind_wrongly(), question.wrong

    def _decide(self, key: Saying, answer: str, kind: str | None) -> list[Step]:
        """Return the steps that follow from a key, right or wrong."""
        steps = []
        if self._question.terms is not None:
            steps.append(self._add(answer, kind))
        elif self._happens(self._habits.matches):
            steps.append(self._step("match", kind, key, answer))
        if not steps or self._happens(self._habits.excludes):
            others = [option for option in self._question.options if option != answer]
            steps.append(self._step("exclude", kind, key, pick(self._rng, others)))
        if self._happens(0.5):
            return [*steps, self._step("decide", kind, option=answer)]
        return [*steps, self._step("conclude", kind, key, answer)]

    def _add(self, total: str, kind: str | None) -> Step:
        terms = self._question.terms
        said = terms[kind is not None and kind != REASONING] if terms else ""
        return self._step("add", kind, None, total, terms=said, sum=total)

    def _bind_wrongly(self) -> list[Step]:
        key, wrong = self._question.key.true, self._question.wrong
        steps = [self._step("match", BINDING, key, wrong)]
        if self._happens(self._habits.excludes):
            steps.append(self._step("exclude", BINDING, key, self._question.right))
        return [*steps, self._step("decide", BINDING, option=wrong)]

    def _infer_wrongly(self) -> list[Step]:
        wrong = self._question.wrong
        if self._question.terms is not None:
            return [self._add(wrong, REASONING), self._step("decide", REASONING, option=wrong)]
        reason = pick(self._rng, self._told).true
        if self._happens(0.5):
            return [
                self._step("exclude", REASONING, reason, self._question.right),
                self._step("decide", REASONING, option=wrong),
            ]
        (other, *_) = (option for option in self._question.options if option not in (wrong, self._question.right))
        return [
            self._step("exclude", None, self._question.key.true, other),
            self._step("conclude", REASONING, reason, wrong),
        ]

    def _stray(self) -> list[Step]:
        """Exclude an option that is not the answer for a reason that has nothing to do with it."""
        if not self._told or not self._happens(self._habits.strays):
            return []
        reason = pick(self._rng, self._told)
        # What is heard of a sound does tell that it is not the one that is absent.
        named = {NAMES[kind]["a"].capitalize() for kind in reason.about}
        taken = {self._question.right, self._question.wrong, *named}
        others = [option for option in self._question.options if option not in taken]
        return [self._step("exclude", REASONING, reason.true, pick(self._rng, others))] if others else []


def _clash(facet: Facet, other: Facet) -> bool:
    is_presence = any(one.true.form in ("present", "absent") for one in (facet, other))
    return is_presence and bool(facet.about & other.about)
