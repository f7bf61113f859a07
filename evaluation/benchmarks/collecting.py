"""From a stream of predictions to one array of what was chosen."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError
from evaluation.extraction import read_boolean, read_choice
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Prediction, Reading


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


def collect_choices(
    items: Sequence[Item],
    index: dict[str, int],
    predictions: Iterable[Prediction],
    options_of_run: Callable[[Item, int], tuple[str, ...]],
    parts: Sequence[str],
) -> Collected:
    """Read every response and lay the answers out as items × runs.

    A run of a part is expected when any item of the part was answered in that run; where one was answered and
    another was not, the other is MISSING. Parts and runs that were left out altogether are ABSENT.

    Raises:
        DuplicatePredictionError: A run is answered twice.
        UnknownItemError: An id or a run does not exist.
    """
    n_runs = max(len(item.runs) for item in items)
    choices = np.full((len(items), n_runs), ABSENT, dtype=np.int16)
    reasons: Counter[str] = Counter()
    for prediction in predictions:
        row = index.get(prediction.id)
        if row is None or prediction.run not in items[row].runs:
            raise UnknownItemError(f"There is no run {prediction.run} of `{prediction.id}`. Validate the file first.")
        if choices[row, prediction.run] != ABSENT:
            raise DuplicatePredictionError(f"Run {prediction.run} of `{prediction.id}` is answered twice.")
        item = items[row]
        reading = _read(prediction, item, options_of_run)
        choices[row, prediction.run] = _code(reading)
        if reading.reason is not None:
            reasons[reading.reason] += 1
    return Collected(*_mark_missing(choices, items, parts), reasons)


def _read(prediction: Prediction, item: Item, options_of_run: Callable[[Item, int], tuple[str, ...]]) -> Reading:
    if item.answer_format == "boolean":
        return read_boolean(prediction.response)
    return read_choice(prediction.response, options_of_run(item, prediction.run))


def _code(reading: Reading) -> int:
    if reading.value is not None:
        return int(reading.value)
    return UNREADABLE if reading.index is None else reading.index


def _mark_missing(
    choices: NDArray[np.int16], items: Sequence[Item], parts: Sequence[str]
) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    part_of = np.array([parts.index(item.part) for item in items])
    run_exists = np.array([[run in item.runs for run in range(choices.shape[1])] for item in items])
    present = []
    for number, part in enumerate(parts):
        rows = part_of == number
        runs = (choices[rows] != ABSENT).any(axis=0)
        if runs.any():
            present.append(part)
        expected = rows[:, None] & runs[None, :] & run_exists
        choices[expected & (choices == ABSENT)] = MISSING
    return choices, tuple(present)
