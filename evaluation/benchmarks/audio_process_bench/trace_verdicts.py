"""From predictions to what a critic said of every step, and what is put in the place of what it did not say.

* **Unreadable**: a response was there and no verdicts could be read out of it. It counts as "judges every step right":
  no step flagged, every score 0. Scores sent beside it are not used.
* **Missing**: there was no prediction for the trace. It counts as wrong, and what is wrong for a critic is said once
  for all figures: as the worst that could have been sent for this trace. Its erroneous steps are unflagged with score
  0 and its right steps flagged with score 1; its chain weighs 0 where its answer is right and 1 where it is wrong.

A missing trace could not count as "judges every step right" too: that is a good answer for a trace without an error,
and a critic that flags too much would gain by leaving such traces out. Counted as the worst answer, a trace that is
left out never helps any figure (a gap, in which neither direction is better, aside), whatever would have been sent for
it; and everything is measured over all traces whatever the file holds.
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
    """What a critic said of every step; unflagged with score 0 where it said nothing.

    Attributes:
        flagged: bool (steps).
        scores: float (steps): how probable an error is held; where none were sent, 1 for a flagged step, else 0.
    """

    flagged: Mask
    scores: NDArray[np.float64]


class CompletedVerdicts(NamedTuple):
    """What counts as said of every step and trace.

    Attributes:
        flagged: bool (steps).
        scores: float (steps): how probable an error is held.
        chains: float (traces): how good the trace is held.
    """

    flagged: Mask
    scores: NDArray[np.float64]
    chains: NDArray[np.float64]


class Sheet:
    """Takes the verdicts of a critic, prediction by prediction."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._verdicts: dict[str, Sequence[bool]] = {item.id: (False,) * (item.n_steps or 0) for item in items}
        self._scores: dict[str, Sequence[float]] = {}

    def read(self, item: Item, prediction: Prediction) -> Reading:
        """Keep what a prediction says and return it as a reading.

        Raises:
            StepVerdictError: A list has another length than the trace has steps, or there are scores without verdicts.
        """
        reading = read_answer(prediction, item.answer_format, n_steps=item.n_steps)
        if reading.verdicts is not None:
            self._verdicts[item.id] = reading.verdicts
            if prediction.scores is not None:
                self._scores[item.id] = prediction.scores
        return reading

    def collect_verdicts(self) -> StatedVerdicts:
        """Return everything that was read, laid out over steps.

        Raises:
            StepVerdictError: A score is not between 0 and 1.
        """
        flagged = np.fromiter(chain.from_iterable(self._verdicts.values()), dtype=np.bool_)
        if not self._scores:
            return StatedVerdicts(flagged, flagged.astype(np.float64))
        by_trace = (self._scores.get(item_id, verdicts) for item_id, verdicts in self._verdicts.items())
        scores = np.fromiter(chain.from_iterable(by_trace), dtype=np.float64)
        if not ((scores >= 0) & (scores <= 1)).all():  # NaN is neither
            raise StepVerdictError(self._explain_range())
        return StatedVerdicts(flagged, scores)

    def _explain_range(self) -> str:
        return next(
            f"The score of step {number} of `{item_id}` is {score}. Scores must be probabilities from 0 to 1."
            for item_id, scores in self._scores.items()
            for number, score in enumerate(scores, start=1)
            if not 0 <= score <= 1
        )


def fill_missing(said: StatedVerdicts, choices: NDArray[np.int16], table: TraceArrays) -> CompletedVerdicts:
    """Return what counts as said: what was, with the worst answer for every missing trace."""
    is_missing = choices == MISSING
    at_missing = table.of_steps(is_missing)
    flagged = np.where(at_missing, ~table.erroneous, said.flagged)
    scores = np.where(at_missing, ~table.erroneous, said.scores)
    chains = np.where(is_missing, ~table.right, score_chains(scores, table.starts))
    return CompletedVerdicts(flagged, scores, chains)


def share_right(judged: CompletedVerdicts, table: TraceArrays) -> NDArray[np.float32]:
    """Return the share of each trace's steps that are judged rightly: float32 (traces)."""
    hits = np.add.reduceat((judged.flagged == table.erroneous).astype(np.int64), table.starts)
    return (hits / table.lengths).astype(np.float32)
