"""Arrays of a key's traces for scoring. They contain answers: evaluators only."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks.audio_process_bench.generators import generator_slice, source_slice
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.errors import AnswerKeyError

Mask = NDArray[np.bool_]

# Steps from this position on share a slice, because few traces are that long.
LAST_POSITION = 10
POSITIONS = (*(str(number) for number in range(1, LAST_POSITION)), f"{LAST_POSITION}-up")

_NO_TYPE = -1


@dataclass(frozen=True, eq=False)
class TraceArrays:
    """Traces in the order of the benchmark's items, with concatenated steps.

    Attributes:
        starts: int (traces): index of each trace's first step.
        lengths: int (traces): number of steps.
        erroneous: bool (steps).
        types: int8 (steps): position in ERROR_TYPES; −1 for a correct step.
        positions: int (steps): position within its trace, from 0.
        generators: Slice name of each trace's generator.
        generator_names: Its name as the organiser writes it.
        sources: Slice name of the source benchmark of each trace's question; empty if it has no name.
        groups: int (traces): number of the question.
        answers: int (traces): number of the final answer, distinct across questions.
        right: bool (traces): whether the final answer is right.
    """

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    erroneous: Mask
    types: NDArray[np.int8]
    positions: NDArray[np.int64]
    generators: NDArray[np.str_]
    generator_names: NDArray[np.str_]
    sources: NDArray[np.str_]
    groups: NDArray[np.int64]
    answers: NDArray[np.int64]
    right: Mask

    def of_steps(self, per_trace: NDArray[Any]) -> NDArray[Any]:
        """Return an array over steps with the value of each step's trace."""
        return np.repeat(per_trace, self.lengths)


def layout(key: AnswerKey, questions: Sequence[Mapping[str, Any]]) -> TraceArrays:
    """Return the arrays of a key's traces, given in the official format and in their order."""
    labels = [_labels_of(key, question) for question in questions]
    lengths = np.array([len(label.erroneous) for label in labels], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    names = [question["generator"] for question in questions]
    right = [question["final_answer"] == label.answer for question, label in zip(questions, labels, strict=True)]
    return TraceArrays(
        starts=starts,
        lengths=lengths,
        erroneous=np.array([step for label in labels for step in label.erroneous], dtype=np.bool_),
        types=np.array([_type_code(kind) for label in labels for kind in label.error_types], dtype=np.int8),
        positions=np.arange(int(lengths.sum())) - np.repeat(starts, lengths),
        generators=np.array([generator_slice(name) for name in names], dtype=np.str_),
        generator_names=np.array(names, dtype=np.str_),
        sources=np.array([source_slice(question["source"]) for question in questions], dtype=np.str_),
        groups=_number(question["question_id"] for question in questions),
        answers=_number((question["question_id"], question["final_answer"]) for question in questions),
        right=np.array(right, dtype=np.bool_),
    )


def _labels_of(key: AnswerKey, question: Mapping[str, Any]) -> TraceLabels:
    label = key.answers[question["id"]]
    if isinstance(label, TraceLabels) and len(label.erroneous) == len(question["steps"]):
        return label
    raise AnswerKeyError(
        f"The key of {key.benchmark} {key.version} lacks labels for steps of `{question['id']}`. Import it again."
    )


def _type_code(kind: str | None) -> int:
    return _NO_TYPE if kind is None else ERROR_TYPES.index(kind)


def _number(names: Iterable[Hashable]) -> NDArray[np.int64]:
    """Return a number for each name, in the order of first appearance from 0."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def fold_name(name: str) -> str:
    """Fold a model's name for comparison: without organisation, in lower case, letters and digits only."""
    return "".join(letter for letter in name.rpartition("/")[2].casefold() if letter.isalnum())


def traces_of_critic(table: TraceArrays, critic: str | None) -> Mask:
    """Return the traces that the critic generated itself: none if it has no name or is not a generator."""
    folded = fold_name(critic or "")
    own = {str(name) for name in np.unique(table.generator_names) if folded and fold_name(str(name)) == folded}
    return np.isin(table.generator_names, sorted(own))


def type_masks(table: TraceArrays) -> Sequence[tuple[str, Mask]]:
    """Return error type → its steps."""
    return [(kind, table.types == code) for code, kind in enumerate(ERROR_TYPES)]


def position_masks(table: TraceArrays) -> Sequence[tuple[str, Mask]]:
    """Return position → its steps; the last position includes all later steps."""
    number = np.minimum(table.positions + 1, LAST_POSITION)
    return [(name, number == place) for place, name in enumerate(POSITIONS, start=1)]
