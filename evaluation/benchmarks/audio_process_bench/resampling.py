"""Scores of AudioProcessBench as functions of single traces.

A share of steps is a mean over traces, weighted by their number of steps of the kind; a share of traces or questions is
a mean over traces or over the first trace of each question. FEI, AEI and PRMScore are harmonic means of two such means,
and the rest are plain means of those. AUROC compares pairs of steps, and the traces of the self-critique gap depend on
the critic: neither has an interval.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.audio_process_bench.trace_arrays import (
    Mask,
    TraceArrays,
    position_masks,
    traces_of_critic,
    type_masks,
)
from evaluation.benchmarks.audio_process_bench.trace_verdicts import CompletedVerdicts, StatedVerdicts, fill_missing
from evaluation.metrics.process.chains import share_credit, share_credit_of_answers
from evaluation.metrics.process.first_error import find_first_errors
from evaluation.statistics import HarmonicMeanOf, ItemMean, MeanOf, ScoreFormula
from evaluation.types import Outcomes

_FOUND, _BEST, _VOTE = "first-error", "best-of-n", "majority-vote"
_ANSWERED = "right-answer"
_ERRONEOUS, _RIGHT = "erroneous", "right"
# Scores are stored at half precision, which preserves only this many decimals.
_DECIMALS = 3


class _Formulas:
    """Scores of a key's traces. Means that several scores share are one object, and resampled once."""

    def __init__(self, table: TraceArrays) -> None:
        self._table = table
        self._means: dict[tuple[str, bytes], ItemMean] = {}

    def find_formula(self, slice_name: str, metric: str) -> ScoreFormula | None:
        head, _, tail = slice_name.partition("/")
        every = np.ones(len(self._table.starts), np.bool_)
        if (slice_name, metric) == ("overall", "overall"):
            return _mean(
                self.find_formula("step", "overall"),
                self.find_formula("type", "prmscore"),
                self.find_formula("chain", "overall"),
            )
        place, _, kind = slice_name.partition("/type/")
        if kind:
            return self._find_recall(place, kind) if metric == "recall" else None
        if head == "step":
            return self._find_of_steps(metric, every)
        if head in ("generator", "source"):
            return self._find_of_steps(metric, self._find_traces(slice_name))
        if head == "position" and metric == "aei":
            return self._aei(every, f"@{tail}")
        if head == "chain":
            return self._find_of_chains(metric)
        return self._find_of_types([tail] if tail else ERROR_TYPES, metric) if head == "type" else None

    def _find_traces(self, group: str) -> Mask:
        """Return the traces of a generator or source."""
        mask: Mask = (self._table.generators == group) | (self._table.sources == group)
        return mask

    def _find_recall(self, place: str, kind: str) -> ScoreFormula | None:
        """Return the recall of an error type at a position, or in the traces of a generator."""
        head, _, tail = place.partition("/")
        every = np.ones(len(self._table.starts), np.bool_)
        if head == "position":
            return self._share_of_steps(f"{kind}@{tail}", every)
        return self._share_of_steps(kind, self._find_traces(place))

    def _find_of_steps(self, metric: str, traces: Mask) -> ScoreFormula | None:
        if metric == "overall":
            return _mean(self._fei(traces), self._aei(traces))
        if metric == "fei":
            return self._fei(traces)
        if metric == "aei":
            return self._aei(traces)
        name = {"recall": _ERRONEOUS, "specificity": _RIGHT}.get(metric)
        return self._share_of_steps(name, traces) if name else None

    def _find_of_chains(self, metric: str) -> ScoreFormula | None:
        means = {"bon": self._mean(_BEST, self._first_traces()), "mv": self._mean(_VOTE, self._first_traces())}
        return _mean(*means.values()) if metric == "overall" else means.get(metric)

    def _find_of_types(self, kinds: Sequence[str], metric: str) -> ScoreFormula | None:
        every = np.ones(len(self._table.starts), np.bool_)
        right = self._share_of_steps(_RIGHT, every)
        pairs = [(self._share_of_steps(kind, every), right) for kind in kinds]
        if metric == "prmscore":
            formulas: list[ScoreFormula | None] = [_harmonic_mean(*pair) for pair in pairs]
        elif metric == "balanced_accuracy":
            formulas = [_mean(*pair) for pair in pairs]
        elif metric == "recall":
            formulas = [recall for recall, _ in pairs]
        else:
            return None
        return _mean(*formulas) if len(formulas) > 1 else formulas[0]

    def _fei(self, traces: Mask) -> ScoreFormula | None:
        has_error = np.logical_or.reduceat(self._table.erroneous, self._table.starts)
        return _harmonic_mean(self._mean(_FOUND, traces & has_error), self._mean(_FOUND, traces & ~has_error))

    def _aei(self, traces: Mask, place: str = "") -> ScoreFormula | None:
        shares = (self._share_of_steps(f"{name}{place}", traces) for name in (_ERRONEOUS, _RIGHT))
        return _harmonic_mean(*shares)

    def _share_of_steps(self, name: str, traces: Mask) -> ItemMean | None:
        return self._mean(name, _count_steps(self._table, _steps_of(self._table)[name]) * traces)

    def _first_traces(self) -> Mask:
        _, first = np.unique(self._table.groups, return_index=True)
        return np.isin(np.arange(len(self._table.starts)), first)

    def _mean(self, score: str, weights: NDArray[np.integer] | Mask) -> ItemMean | None:
        if not weights.any():
            return None
        numbers = weights.astype(np.int64)
        return self._means.setdefault((score, numbers.tobytes()), ItemMean(score, numbers))


def find_formula(table: TraceArrays, slice_name: str, metric: str) -> ScoreFormula | None:
    """Return how a score is computed from trace scores; None if it is not, or if it covers no traces."""
    return _Formulas(table).find_formula(slice_name, metric)


def find_own_formula(table: TraceArrays, slice_name: str, metric: str, system: str) -> ScoreFormula | None:
    """Return generation accuracy as a mean over a model's own traces; None if it wrote none."""
    own = traces_of_critic(table, system)
    is_known = (slice_name, metric) == ("generation", "accuracy") and own.any()
    return ItemMean(_ANSWERED, own.astype(np.int64)) if is_known else None


def score_traces(table: TraceArrays, outcomes: Outcomes, score: str) -> NDArray[np.float64]:
    """Return a score for every trace; for steps of a kind, the share of them that is judged correctly.

    Raises:
        KeyError: The score is unknown.
    """
    if score == _ANSWERED:
        return table.right.astype(np.float64)
    judged = _judge(table, outcomes)
    if score == _FOUND:
        return find_first_errors(judged.flagged, table.erroneous, table.starts).astype(np.float64)
    if score == _BEST:
        return share_credit(judged.chains, table.groups, table.right)[table.groups]
    if score == _VOTE:
        return share_credit_of_answers(judged.chains, table.groups, table.answers, table.right)[table.groups]
    steps = _steps_of(table)[score]
    among, hit = _count_steps(table, steps), _count_steps(table, steps & (judged.flagged == table.erroneous))
    return np.divide(hit, among, out=np.zeros(len(among)), where=among > 0)


def _judge(table: TraceArrays, outcomes: Outcomes) -> CompletedVerdicts:
    if outcomes.step_verdicts is None or outcomes.step_scores is None:
        raise KeyError("step_verdicts")
    scores = outcomes.step_scores.astype(np.float64).round(_DECIMALS)
    return fill_missing(StatedVerdicts(outcomes.step_verdicts == 1, scores), outcomes.choices[:, 0], table)


@lru_cache(maxsize=2)
def _steps_of(table: TraceArrays) -> dict[str, Mask]:
    """Return the kinds of steps by name: erroneous and correct ones, error types, and each of these at a position."""
    kinds = {_ERRONEOUS: table.erroneous, _RIGHT: ~table.erroneous, **dict(type_masks(table))}
    at = {f"{name}@{place}": steps & there for name, steps in kinds.items() for place, there in position_masks(table)}
    return kinds | at


def _count_steps(table: TraceArrays, steps: Mask) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = np.add.reduceat(steps.astype(np.int64), table.starts)
    return counts


def _mean(*members: ScoreFormula | None) -> ScoreFormula | None:
    defined = tuple(member for member in members if member is not None)
    return MeanOf(defined) if len(defined) == len(members) else None


def _harmonic_mean(first: ScoreFormula | None, second: ScoreFormula | None) -> ScoreFormula | None:
    return None if first is None or second is None else HarmonicMeanOf(first, second)
