"""From a stream of predictions to one array of what was chosen."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError
from evaluation.signature import Signature
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Outcomes, Prediction, Reading, Report, Score


class DuplicatePredictionError(EvaluationError):
    """Two predictions for the same run of the same item."""


class UnknownItemError(EvaluationError):
    """A prediction for an item or a run that the benchmark does not have."""


class Collected(NamedTuple):
    """What a submission holds.

    Attributes:
        choices: int16 (items × runs): chosen position (true/false: 1 for true) or UNREADABLE, MISSING, ABSENT.
        parts: Parts of which at least one prediction was there, in the order given.
        reasons: Why responses were unreadable → how many.
    """

    choices: NDArray[np.int16]
    parts: tuple[str, ...]
    reasons: Counter[str]

    @property
    def expected(self) -> int:
        """Number of runs that the submission should hold."""
        return int((self.choices != ABSENT).sum())

    @property
    def missing(self) -> int:
        """Number of expected runs without a prediction."""
        return int((self.choices == MISSING).sum())

    @property
    def unreadable(self) -> int:
        """Number of predictions that could not be read."""
        return int((self.choices == UNREADABLE).sum())

    @property
    def runs(self) -> int:
        """Largest number of runs that a part of the submission has."""
        return int((self.choices != ABSENT).sum(axis=1).max(initial=0))

    def report(
        self,
        scores: Mapping[str, Mapping[str, Score]],
        outcomes: Outcomes,
        signature: Signature,
        awaiting: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Report:
        """Return what was collected together with what was made of it."""
        return Report(
            scores=scores,
            outcomes=outcomes,
            parts=self.parts,
            runs=self.runs,
            expected=self.expected,
            missing=self.missing,
            unreadable=self.unreadable,
            signature=signature,
            unreadable_reasons=dict(self.reasons),
            awaiting_judge=awaiting,
            notes=notes,
        )


Reader = Callable[[Item, Prediction], Reading]

_NOBODY: tuple[int, Item | None] = (0, None)


def collect_answers(
    items: Sequence[Item],
    predictions: Iterable[Prediction],
    read: Reader,
    parts: Sequence[str],
    *,
    runs_are_seeds: bool,
    asked: NDArray[np.bool_] | None = None,
) -> Collected:
    """Read every response and lay the answers out as items × runs.

    A part is present when any of its items was answered, and then all its runs are expected; what was not answered is
    MISSING, and parts that were left out altogether are ABSENT. Where runs are decoding seeds, a seed of a part is
    expected only when any item of the part was answered under it.

    Args:
        items: All items; the outcome has one row each, in this order.
        predictions: Whose ids and runs were validated.
        read: How a response to an item is read.
        parts: All parts, in the benchmark's order.
        runs_are_seeds: See `Benchmark`.
        asked: bool (items): which of them the setting asks; all unless given. The others are never MISSING.

    Raises:
        DuplicatePredictionError: A run is answered twice.
        UnknownItemError: An id or a run does not exist.
    """
    rows = {item.id: (row, item) for row, item in enumerate(items)}
    n_runs = max((len(item.runs) for item in items), default=0)
    # A list, and an array at the end: reaching into an array for one number costs more than reading a short answer.
    codes = [ABSENT] * (len(items) * n_runs)
    reasons: Counter[str] = Counter()
    for prediction in predictions:
        row, item = rows.get(prediction.id, _NOBODY)
        if item is None or prediction.run not in item.runs:
            raise UnknownItemError(
                f"Run {prediction.run} of `{prediction.id}` does not exist. Validate the file first."
            )
        cell = row * n_runs + prediction.run
        if codes[cell] != ABSENT:
            raise DuplicatePredictionError(
                f"Run {prediction.run} of `{prediction.id}` is answered twice. Keep one answer."
            )
        reading = read(item, prediction)
        codes[cell] = _code(reading)
        if reading.reason is not None:
            reasons[reading.reason] += 1
    choices = np.array(codes, dtype=np.int16).reshape(len(items), n_runs)
    return Collected(*_mark_missing(choices, items, parts, runs_are_seeds, asked), reasons)


def _code(reading: Reading) -> int:
    """Return an answer as one small number (see `Outcomes.choices`)."""
    if reading.index is not None:
        return reading.index
    if reading.value is not None:
        return int(reading.value)
    if reading.indices is not None:
        return sum(1 << position for position in reading.indices)
    return UNREADABLE if reading.reason is not None else 0


def _mark_missing(
    choices: NDArray[np.int16],
    items: Sequence[Item],
    parts: Sequence[str],
    runs_are_seeds: bool,
    asked: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    part_of = np.array([parts.index(item.part) for item in items])
    existing = {runs: [run in runs for run in range(choices.shape[1])] for runs in {item.runs for item in items}}
    run_exists = np.array([existing[item.runs] for item in items])
    if asked is not None:
        run_exists &= asked[:, None]
    present = []
    for number, part in enumerate(parts):
        rows = part_of == number
        runs = (choices[rows] != ABSENT).any(axis=0)
        if runs.any():
            present.append(part)
            runs |= not runs_are_seeds
        expected = rows[:, None] & runs[None, :] & run_exists
        choices[expected & (choices == ABSENT)] = MISSING
    return choices, tuple(present)
