"""Slices of AudioProcessBench and their scores, computed from verdicts."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.audio_process_bench.trace_arrays import Mask, TraceArrays, position_masks, type_masks
from evaluation.benchmarks.audio_process_bench.trace_verdicts import CompletedVerdicts
from evaluation.benchmarks.coverage import Disclosure
from evaluation.metrics.process import (
    best_of_n,
    first_error,
    majority_vote,
    mean_score,
    score_gap,
    step_identification,
    type_detection,
)
from evaluation.metrics.process.means import share_of
from evaluation.types import Score

MetricScores = dict[str, Score]


def score_slices(judged: CompletedVerdicts, table: TraceArrays, own: Mask) -> dict[str, MetricScores]:
    """Return the scores of every slice.

    Args:
        judged: Completed verdicts of the critic.
        table: The answer key as arrays.
        own: bool (traces): traces that the critic generated itself; none if it is not a generator.
    """
    step = _score_steps(judged, table, own)
    types = {f"type/{kind}": rates for kind, rates in _score_types(judged, table)}
    every_type = _mean_of_types(types, n=len(table.erroneous))
    chain = _score_chains(judged, table)
    overall = mean_score([step["overall"], every_type["prmscore"], chain["overall"]], n=len(table.starts))
    return {
        "overall": {"overall": overall},
        "step": step,
        "type": every_type,
        **types,
        "chain": chain,
        **_score_groups(judged, table, table.generators),
        **_score_groups(judged, table, table.sources),
        **_score_positions(judged, table),
        **{
            f"{name}/{kind}": {"recall": recall}
            for name, steps in _list_places(table)
            for kind, recall in _score_recalls(judged, table, steps)
        },
        **_score_generation(table, own),
    }


def keep_back(scores: Mapping[str, MetricScores], disclosure: Disclosure) -> dict[str, MetricScores]:
    """Return the slices that may be shown for secret labels: all, all except error types, or none.

    Every score here covers steps that the labels select, so incomplete files have none. The mean over error types
    covers all errors alike and stays.
    """
    return {
        name: by_metric
        for name, by_metric in scores.items()
        if disclosure.whole and (disclosure.by_answer or "type/" not in name)
    }


def _score_steps(judged: CompletedVerdicts, table: TraceArrays, own: Mask) -> MetricScores:
    rates = step_identification(judged.flagged, table.erroneous)
    fei = first_error(judged.flagged, table.erroneous, table.starts)
    return {
        "overall": mean_score([fei, rates.aei], n=len(table.starts)),
        "fei": fei,
        **rates._asdict(),
        "self_critique_gap": score_gap(*(_aei(judged, table, table.of_steps(traces)) for traces in (own, ~own))),
    }


def _aei(judged: CompletedVerdicts, table: TraceArrays, steps: Mask) -> Score:
    return step_identification(judged.flagged[steps], table.erroneous[steps]).aei


def _score_types(judged: CompletedVerdicts, table: TraceArrays) -> Iterator[tuple[str, MetricScores]]:
    recalls = dict(_score_recalls(judged, table, np.ones(len(table.erroneous), dtype=np.bool_)))
    for kind, of_type in type_masks(table):
        rates = type_detection(judged.flagged, judged.scores, of_type, ~table.erroneous)
        yield kind, rates._asdict() | {"recall": recalls[kind]}


def _score_recalls(judged: CompletedVerdicts, table: TraceArrays, steps: Mask) -> Iterator[tuple[str, Score]]:
    """Yield each error type with the flagged share of its given steps; None without any."""
    for kind, of_type in type_masks(table):
        among = of_type & steps
        yield kind, Score(share_of(judged.flagged, among), int(among.sum()))


def _list_places(table: TraceArrays) -> Iterator[tuple[str, Mask]]:
    """Yield the slices that are crossed with error types: the steps of each generator and at each position."""
    for name in np.unique(table.generators):
        yield f"{name}/type", table.of_steps(table.generators == name)
    for position, steps in position_masks(table):
        yield f"position/{position}/type", steps


def _score_generation(table: TraceArrays, own: Mask) -> dict[str, MetricScores]:
    """Return how often the critic's own traces end in the right answer; empty for critics that wrote none."""
    return {"generation": {"accuracy": Score(float(table.right[own].mean()), int(own.sum()))}} if own.any() else {}


def _mean_of_types(types: Mapping[str, MetricScores], n: int) -> MetricScores:
    metrics = next(iter(types.values()))
    return {metric: mean_score([by_metric[metric] for by_metric in types.values()], n) for metric in metrics}


def _score_chains(judged: CompletedVerdicts, table: TraceArrays) -> MetricScores:
    bon = best_of_n(judged.chains, table.groups, table.right)
    mv = majority_vote(judged.chains, table.groups, table.answers, table.right)
    return {"overall": mean_score([bon, mv], n=bon.n), "bon": bon, "mv": mv}


def _score_groups(judged: CompletedVerdicts, table: TraceArrays, groups: NDArray[np.str_]) -> dict[str, MetricScores]:
    """Return FEI and AEI of each named group of traces."""
    return {str(name): _score_traces(judged, table, groups == name) for name in np.unique(groups) if name}


def _score_traces(judged: CompletedVerdicts, table: TraceArrays, traces: Mask) -> MetricScores:
    """Return FEI and AEI over some traces."""
    steps = table.of_steps(traces)
    lengths = table.lengths[traces]
    fei = first_error(judged.flagged[steps], table.erroneous[steps], np.cumsum(lengths) - lengths)
    return {"fei": fei, "aei": _aei(judged, table, steps)}


def _score_positions(judged: CompletedVerdicts, table: TraceArrays) -> dict[str, MetricScores]:
    return {f"position/{name}": {"aei": _aei(judged, table, steps)} for name, steps in position_masks(table)}
