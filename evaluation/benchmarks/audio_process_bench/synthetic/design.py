"""Design of a split: 60 questions about two recordings each, and what six generators write about them.

**Every text exists twice.** The two recordings of a question are opposite in everything that traces claim, and the six
traces about one are, word for word, those about the other. What is true of one recording is false of the other, so no
text, and no majority of texts, reveals its recording. Steps that are unsound for both recordings (binding, reasoning)
have the roles and words of sound steps (see `traces.py`).

Errors are not drawn independently either, so that the six generators disagree:

* The number of generators that are wrong about a question's key, and the number that draw a wrong conclusion from a
  right key, are distributed over the questions (`ERRING`).
* Every aside has a rumour of its own strength, so that whole questions go wrong together there too.
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
from evaluation.streams import OpaqueIds, stream
from evaluation.types import Split

# Increment this with any change that moves a text or a label. It changes the IDs, so a key made for another design does
# not fit and is rejected.
DESIGN_VERSION = "4"

# (generators wrong about the first recording's key, further generators that conclude wrongly) → number of pairs of
# recordings.
ERRING: Mapping[tuple[int, int], int] = {
    (0, 0): 7, (0, 1): 5, (0, 2): 1, (1, 0): 7, (1, 1): 4, (2, 0): 5, (2, 1): 3,
    (3, 0): 7, (3, 1): 3, (4, 0): 5, (4, 1): 3, (5, 0): 5, (5, 1): 2, (6, 0): 3,
}  # fmt: skip
RUMOUR_STRENGTHS = (0.02, 0.08, 0.2, 0.4, 0.65, 0.85)
_SUREST = 0.95
_STRIDE = 23  # Coprime with the number of pairs, and its first few multiples are far apart.


@dataclass(frozen=True, slots=True)
class DesignedTrace:
    """A trace with its private data, which only evaluators may have.

    Attributes:
        id: Opaque ID.
        pair: Number of the pair of questions. The traces about both have the same texts, so they are one cluster.
        question_id: Opaque ID of the question.
        path: Name of the recording, as a path in the official format.
        question: Its question.
        trace: The generated trace.
    """

    id: str
    pair: int
    question_id: str
    path: str
    question: SyntheticQuestion
    trace: Trace

    @property
    def labels(self) -> TraceLabels:
        """Labels of the trace."""
        kinds = tuple(step.kind for step in self.trace.steps)
        return TraceLabels(tuple(kind is not None for kind in kinds), kinds, self.question.right)

    @property
    def public_row(self) -> Mapping[str, Any]:
        """The trace in the official format, without answer and labels."""
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
    """Return all 720 traces of a split in pack order: by opaque ID, which is as good as shuffled."""
    head = f"{split}|{DESIGN_VERSION}"
    families = [family for family, n in FAMILIES.items() for _ in range(n // 2)]
    erring = _deal_errors(stream(seed, f"{head}|erring"))
    ids = OpaqueIds(seed)
    traces: list[DesignedTrace] = []
    for number, family in enumerate(families):
        purpose = f"{head}|question {number}"
        first, second = (build_question(stream(seed, purpose), family, mirrored=side) for side in (False, True))
        drafts = list(_write_all(seed, purpose, first, erring[number]))
        for question, name in ((first, purpose), (second, f"{purpose}|mirrored")):
            question_id = ids.draw(name, "apq-")
            path = f"audio/{ids.draw(f'{name}|recording', 'recording-')}.wav"
            for generator, steps in drafts:
                trace_id = ids.draw(f"{name}|{generator}", "apb-")
                trace = Trace(generator, label_steps(steps, question), steps[-1].option or "")
                traces.append(DesignedTrace(trace_id, number, question_id, path, question, trace))
    return tuple(sorted(traces, key=lambda designed: designed.id))


def _deal_errors(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return the number of erring generators for each pair, evenly over question types with the same type of key."""
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
    """Yield (generator, steps) of all generators about a question, with the given numbers of errors of both kinds."""
    rng = stream(seed, f"{purpose}|errors")
    missing = _draw_generators(rng, erring[0], {habits: habits.misses_key for habits in HABITS})
    others = {habits: habits.binds_wrongly + habits.infers_wrongly for habits in HABITS if habits not in missing}
    concluding = _draw_generators(rng, erring[1], others)
    strengths = dict(zip(question.asides, rng.choice(RUMOUR_STRENGTHS, len(question.asides)), strict=True))
    for habits in HABITS:
        writer = Writer(stream(seed, f"{purpose}|{habits.name}"), question, habits)
        errs: Errs = "key" if habits in missing else "conclusion" if habits in concluding else None
        yield habits.name, writer.write(errs, _weigh(strengths, habits))


def _draw_generators(rng: np.random.Generator, n: int, weights: Mapping[Habits, float]) -> list[Habits]:
    """Return distinct generators, drawn with weights."""
    # Exponential waiting times: taking the n shortest equals weighted drawing without replacement.
    waits = rng.exponential(size=len(weights)) / np.array(list(weights.values()))
    return [tuple(weights)[int(place)] for place in np.argsort(waits)[:n]]


def _weigh(strengths: Mapping[Facet, np.float64], habits: Habits) -> dict[Facet, float]:
    """Return how likely a generator claims each aside wrongly."""
    return {
        facet: min(_SUREST, float(strength) * habits.misses_aside * habits.favours.get(facet.kind, 1.0))
        for facet, strength in strengths.items()
    }


@lru_cache(maxsize=4)
def scenes_by_path(split: Split, seed: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the scene of each recording of a split."""
    return {designed.path: designed.question.scene for designed in design_traces(split, seed)}
