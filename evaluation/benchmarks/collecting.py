"""Collects a stream of predictions into an array of answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError
from evaluation.signature import Signature
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Outcomes, Prediction, Reading, Report, Score


class DuplicatePredictionError(EvaluationError):
    """Two predictions exist for the same run of the same item."""


class UnknownItemError(EvaluationError):
    """A prediction refers to an item or run that the benchmark does not have."""


class Collected(NamedTuple):
    """Answers of a submission.

    Attributes:
        choices: int16 (items × runs): chosen position (true/false: 1 for true) or UNREADABLE, MISSING, ABSENT.
        parts: Parts with at least one prediction, in the given order.
        reasons: Reason of an unparsed response → count.
    """

    choices: NDArray[np.int16]
    parts: tuple[str, ...]
    reasons: Counter[str]

    @property
    def expected(self) -> int:
        """Number of expected runs."""
        return int((self.choices != ABSENT).sum())

    @property
    def missing(self) -> int:
        """Number of expected runs without a prediction."""
        return int((self.choices == MISSING).sum())

    @property
    def unreadable(self) -> int:
        """Number of unparsed predictions."""
        return int((self.choices == UNREADABLE).sum())

    @property
    def runs(self) -> int:
        """Largest number of runs of any submitted part."""
        return int((self.choices != ABSENT).sum(axis=1).max(initial=0))

    def report(
        self,
        scores: Mapping[str, Mapping[str, Score]],
        outcomes: Outcomes,
        signature: Signature,
        awaiting: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Report:
        """Return a report on the collected answers and their scores."""
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
    """Parse every response and lay the answers out as items × runs.

    A part counts as submitted if any of its items is answered; then all its runs are expected. Unanswered runs are
    MISSING, and omitted parts are ABSENT. If runs are decoding seeds, a seed of a part is expected only if some item of
    the part was answered with it.

    Args:
        items: All items; the outcome has one row per item, in this order.
        predictions: Predictions with validated IDs and runs.
        read: Parser for the response to an item.
        parts: All parts, in the benchmark's order.
        runs_are_seeds: See `Benchmark`.
        asked: bool (items): items that the setting includes; all by default. The others are never MISSING.

    Raises:
        DuplicatePredictionError: A run has two predictions.
        UnknownItemError: An ID or run does not exist.
    """
    rows = {item.id: (row, item) for row, item in enumerate(items)}
    n_runs = max((len(item.runs) for item in items), default=0)
    # A list, converted to an array at the end: writing single array elements takes longer than parsing a short answer.
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
        codes[cell] = _encode(reading)
        if reading.reason is not None:
            reasons[reading.reason] += 1
    choices = np.array(codes, dtype=np.int16).reshape(len(items), n_runs)
    return Collected(*_mark_missing(choices, items, parts, runs_are_seeds, asked), reasons)


def _encode(reading: Reading) -> int:
    """Encode an answer as a small number (see `Outcomes.choices`)."""
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
    included: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    part_of = np.array([parts.index(item.part) for item in items])
    existing = {runs: [run in runs for run in range(choices.shape[1])] for runs in {item.runs for item in items}}
    run_exists = np.array([existing[item.runs] for item in items])
    if included is not None:
        run_exists &= included[:, None]
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
