"""Verdicts of a critic on every step, from predictions; missing verdicts are filled in.

* **Unparsed**: there was a response, but the parser found no verdicts in it. It counts as "all steps are correct": no
  step flagged, every score 0. Scores sent with it are not used.
* **Missing**: there was no prediction for the trace. It counts as wrong for all scores, as the worst possible
  prediction for this trace: its erroneous steps are unflagged with score 0 and its correct steps flagged with score 1;
  its chain has weight 0 if its answer is right and 1 if it is wrong.

A missing trace could not count as "all steps are correct" too: that is a good answer for an error-free trace, and a
critic that flags too much would gain by omitting such traces. Counted as the worst answer, an omitted trace never
improves any score (except a gap, in which neither direction is better), and every score covers all traces whatever the
file contains.
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.audio_process_bench.trace_arrays import Mask, TraceArrays
from evaluation.benchmarks.reading import StepVerdictError, read_answer
from evaluation.metrics.process import score_chains
from evaluation.types import MISSING, Item, Prediction, Reading


class StatedVerdicts(NamedTuple):
    """Stated verdicts of a critic on every step; unflagged with score 0 without a statement.

    Attributes:
        flagged: bool (steps).
        scores: float (steps): probability of an error; without scores, 1 for a flagged step, else 0.
    """

    flagged: Mask
    scores: NDArray[np.float64]


class CompletedVerdicts(NamedTuple):
    """Verdicts on every step and trace, with missing ones filled in.

    Attributes:
        flagged: bool (steps).
        scores: float (steps): probability of an error.
        chains: float (traces): score of the trace.
    """

    flagged: Mask
    scores: NDArray[np.float64]
    chains: NDArray[np.float64]


class Sheet:
    """Collects the verdicts of a critic, prediction by prediction."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._verdicts: dict[str, Sequence[bool]] = {item.id: (False,) * (item.n_steps or 0) for item in items}
        self._scores: dict[str, Sequence[float]] = {}

    def read(self, item: Item, prediction: Prediction) -> Reading:
        """Store the verdicts of a prediction and return them as a reading.

        Raises:
            StepVerdictError: A list does not have the trace's number of steps, or there are scores without verdicts.
        """
        reading = read_answer(prediction, item.answer_format, n_steps=item.n_steps)
        if reading.verdicts is not None:
            self._verdicts[item.id] = reading.verdicts
            if prediction.scores is not None:
                self._scores[item.id] = prediction.scores
        return reading

    def collect_verdicts(self) -> StatedVerdicts:
        """Return all stored verdicts, laid out over steps.

        Raises:
            StepVerdictError: A score is not between 0 and 1.
        """
        flagged = np.fromiter(chain.from_iterable(self._verdicts.values()), dtype=np.bool_)
        if not self._scores:
            return StatedVerdicts(flagged, flagged.astype(np.float64))
        by_trace = (self._scores.get(item_id, verdicts) for item_id, verdicts in self._verdicts.items())
        scores = np.fromiter(chain.from_iterable(by_trace), dtype=np.float64)
        if not ((scores >= 0) & (scores <= 1)).all():  # NaN fails both comparisons.
            raise StepVerdictError(self._explain_range())
        return StatedVerdicts(flagged, scores)

    def _explain_range(self) -> str:
        return next(
            f"The score of step {number} of `{item_id}` is {score}. Scores must be probabilities from 0 to 1."
            for item_id, scores in self._scores.items()
            for number, score in enumerate(scores, start=1)
            if not 0 <= score <= 1
        )


def fill_missing(stated: StatedVerdicts, choices: NDArray[np.int16], table: TraceArrays) -> CompletedVerdicts:
    """Return completed verdicts: the stated ones, with the worst answer for every missing trace."""
    is_missing = choices == MISSING
    at_missing = table.of_steps(is_missing)
    flagged = np.where(at_missing, ~table.erroneous, stated.flagged)
    scores = np.where(at_missing, ~table.erroneous, stated.scores)
    chains = np.where(is_missing, ~table.right, score_chains(scores, table.starts))
    return CompletedVerdicts(flagged, scores, chains)


def share_right(judged: CompletedVerdicts, table: TraceArrays) -> NDArray[np.float32]:
    """Return the share of each trace's steps that are judged correctly: float32 (traces)."""
    hits = np.add.reduceat((judged.flagged == table.erroneous).astype(np.int64), table.starts)
    return (hits / table.lengths).astype(np.float32)
