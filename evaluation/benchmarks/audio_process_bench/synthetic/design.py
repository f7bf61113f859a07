"""The whole set of a split: 60 questions about two recordings each, and what six generators write about them.

**Every text is there twice.** The two recordings of a question are contrary in everything that traces tell, and the six
traces about one are, word for word, those about the other. Where a text says what is so of one, it is wrong of the
other; so no text, and no majority of texts, tells which recording it is about. What is unsound about either recording
(binding, reasoning) has the roles and words of sound steps (see `traces.py`).

Who is wrong about what is not left to independent draws either, so that the six disagree:

* How many of the six are wrong about the key of a question, and how many more draw a wrong conclusion from a right
  key, is dealt out over the questions (`ERRING`).
* Every aside has a rumour of its own strength, so that also there whole questions go wrong together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from evaluation.answer_keys import TraceLabels
from evaluation.benchmarks.audio_process_bench.synthetic.habits import HABITS, Habits
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import Facet
from evaluation.benchmarks.audio_process_bench.synthetic.synthetic_questions import (
    FAMILIES,
    KEY_KINDS,
    SyntheticQuestion,
    build_question,
)
from evaluation.benchmarks.audio_process_bench.synthetic.traces import Draft, Errs, Trace, Writer, label_steps
from evaluation.streams import opaque_id, stream
from evaluation.types import Split

# Goes up with any change that moves a text or a label. It makes other ids, so that a key which was made for another
# design does not fit and is refused.
DESIGN_VERSION = "3"

# How many of the six generators are wrong about the key of the first recording, and how many more conclude wrongly → of
# how many pairs of recordings.
ERRING: Mapping[tuple[int, int], int] = {
    (0, 0): 7, (0, 1): 5, (0, 2): 1, (1, 0): 7, (1, 1): 4, (2, 0): 5, (2, 1): 3,
    (3, 0): 7, (3, 1): 3, (4, 0): 5, (4, 1): 3, (5, 0): 5, (5, 1): 2, (6, 0): 3,
}  # fmt: skip
RUMOUR_STRENGTHS = (0.02, 0.08, 0.2, 0.4, 0.65, 0.85)
_SUREST = 0.95
_STRIDE = 23  # has no divisor in common with the number of pairs, and its first few multiples lie far apart


@dataclass(frozen=True, slots=True)
class DesignedTrace:
    """A trace with everything that must not leave an evaluator.

    Attributes:
        id: Opaque.
        question_id: Opaque.
        path: Name of the recording, as a folder in the official layout would have it.
        question: What it is about.
        trace: What was written.
    """

    id: str
    question_id: str
    path: str
    question: SyntheticQuestion
    trace: Trace

    @property
    def labels(self) -> TraceLabels:
        """What is true of it."""
        kinds = tuple(step.kind for step in self.trace.steps)
        return TraceLabels(tuple(kind is not None for kind in kinds), kinds, self.question.right)

    @property
    def public_row(self) -> Mapping[str, Any]:
        """The trace in the official layout, without answer and labels."""
        return {
            "id": self.id,
            "question_id": self.question_id,
            "source": self.question.source,
            "generator": self.trace.generator,
            "question": self.question.text,
            "options": list(self.question.options),
            "final_answer": self.trace.final_answer,
            "audio": self.path,
            "steps": [step.text for step in self.trace.steps],
        }


@lru_cache(maxsize=4)
def design_traces(split: Split, seed: str) -> tuple[DesignedTrace, ...]:
    """Return all 720 traces of a split, in the order of the pack: by opaque id, which is as good as shuffled."""
    head = f"{split}|{DESIGN_VERSION}"
    families = [family for family, n in FAMILIES.items() for _ in range(n // 2)]
    erring = _deal_errors(stream(seed, f"{head}|erring"))
    traces: list[DesignedTrace] = []
    for number, family in enumerate(families):
        purpose = f"{head}|question {number}"
        first, second = (build_question(stream(seed, purpose), family, mirrored=side) for side in (False, True))
        drafts = list(_write_all(seed, purpose, first, erring[number]))
        for question, name in ((first, purpose), (second, f"{purpose}|mirrored")):
            question_id = opaque_id(seed, name, "apq-")
            path = f"audio/{opaque_id(seed, f'{name}|recording', 'recording-')}.wav"
            for generator, steps in drafts:
                trace_id = opaque_id(seed, f"{name}|{generator}", "apb-")
                trace = Trace(generator, label_steps(steps, question), steps[-1].option or "")
                traces.append(DesignedTrace(trace_id, question_id, path, question, trace))
    return tuple(sorted(traces, key=lambda designed: designed.id))


def _deal_errors(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return for each pair how many err; the kinds of questions whose keys are alike get their even share."""
    numbers = [numbers for numbers, times in ERRING.items() for _ in range(times)]
    offset = int(rng.integers(len(numbers)))
    spread = [numbers[(offset + _STRIDE * place) % len(numbers)] for place in range(len(numbers))]
    dealt: list[tuple[int, int]] = []
    for size in KEY_KINDS:
        share = spread[len(dealt) : len(dealt) + size // 2]
        dealt += [share[int(place)] for place in rng.permutation(size // 2)]
    return dealt


def _write_all(
    seed: str, purpose: str, question: SyntheticQuestion, erring: tuple[int, int]
) -> Iterator[tuple[str, tuple[Draft, ...]]]:
    """Yield (generator, steps) of all generators about a question, of which so many err in the two ways."""
    rng = stream(seed, f"{purpose}|errors")
    missing = _choose(rng, erring[0], {habits: habits.misses_key for habits in HABITS})
    others = {habits: habits.binds_wrongly + habits.infers_wrongly for habits in HABITS if habits not in missing}
    concluding = _choose(rng, erring[1], others)
    strengths = dict(zip(question.asides, rng.choice(RUMOUR_STRENGTHS, len(question.asides)), strict=True))
    for habits in HABITS:
        writer = Writer(stream(seed, f"{purpose}|{habits.name}"), question, habits)
        errs: Errs = "key" if habits in missing else "conclusion" if habits in concluding else None
        yield habits.name, writer.write(errs, _weigh(strengths, habits))


def _choose(rng: np.random.Generator, n: int, weights: Mapping[Habits, float]) -> list[Habits]:
    """Return so many generators, the heavier ones more often."""
    # A race of waiting times: whose is n-th shortest or shorter is as if drawn one after another without replacement.
    waits = rng.exponential(size=len(weights)) / np.array(list(weights.values()))
    return [tuple(weights)[int(place)] for place in np.argsort(waits)[:n]]


def _weigh(strengths: Mapping[Facet, np.float64], habits: Habits) -> dict[Facet, float]:
    """Return how likely a generator tells each aside wrongly."""
    return {
        facet: min(_SUREST, float(strength) * habits.misses_aside * habits.favours.get(facet.kind, 1.0))
        for facet, strength in strengths.items()
    }


@lru_cache(maxsize=4)
def scenes_by_path(split: Split, seed: str) -> Mapping[str, Mapping[str, Any]]:
    """Return what each recording of a split is made from."""
    return {designed.path: designed.question.scene for designed in design_traces(split, seed)}
