"""The slices of AudioProcessBench and their figures: what is judged → scores."""

from collections.abc import Iterator, Mapping

import numpy as np

from evaluation.benchmarks.audio_process_bench.layout import LAST_POSITION, POSITIONS, Layout, Mask, type_masks
from evaluation.benchmarks.audio_process_bench.verdicts import Judged
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
from evaluation.types import Score

Figures = dict[str, Score]


def score_slices(judged: Judged, table: Layout, own: Mask) -> dict[str, Figures]:
    """Return the figures of every slice.

    Args:
        judged: What counts as said by the critic.
        table: The truth.
        own: bool (traces): which the critic generated itself; none where it is no generator.
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
        **_score_generators(judged, table),
        **_score_positions(judged, table),
    }


def keep_back(scores: Mapping[str, Figures], disclosure: Disclosure) -> dict[str, Figures]:
    """Return the slices that may be shown where the labels are secret: all, all but the types, or none.

    Every figure here is over what the labels pick out, so that a file with gaps has none. The mean over the types is
    over all errors alike and stays.
    """
    return {
        name: figures
        for name, figures in scores.items()
        if disclosure.whole and (disclosure.by_answer or not name.startswith("type/"))
    }


def _score_steps(judged: Judged, table: Layout, own: Mask) -> Figures:
    rates = step_identification(judged.flagged, table.erroneous)
    fei = first_error(judged.flagged, table.erroneous, table.starts)
    return {
        "overall": mean_score([fei, rates.aei], n=len(table.starts)),
        "fei": fei,
        **rates._asdict(),
        "self_critique_gap": score_gap(*(_aei(judged, table, table.of_steps(traces)) for traces in (own, ~own))),
    }


def _aei(judged: Judged, table: Layout, steps: Mask) -> Score:
    return step_identification(judged.flagged[steps], table.erroneous[steps]).aei


def _score_types(judged: Judged, table: Layout) -> Iterator[tuple[str, Figures]]:
    for kind, of_type in type_masks(table):
        yield kind, type_detection(judged.flagged, judged.scores, of_type, ~table.erroneous)._asdict()


def _mean_of_types(types: Mapping[str, Figures], n: int) -> Figures:
    metrics = next(iter(types.values()))
    return {metric: mean_score([figures[metric] for figures in types.values()], n) for metric in metrics}


def _score_chains(judged: Judged, table: Layout) -> Figures:
    bon = best_of_n(judged.chains, table.groups, table.right)
    mv = majority_vote(judged.chains, table.groups, table.answers, table.right)
    return {"overall": mean_score([bon, mv], n=bon.n), "bon": bon, "mv": mv}


def _score_generators(judged: Judged, table: Layout) -> dict[str, Figures]:
    return {str(name): _score_traces(judged, table, table.generators == name) for name in np.unique(table.generators)}


def _score_traces(judged: Judged, table: Layout, traces: Mask) -> Figures:
    """Return FEI and AEI over some of the traces alone."""
    steps = table.of_steps(traces)
    lengths = table.lengths[traces]
    fei = first_error(judged.flagged[steps], table.erroneous[steps], np.cumsum(lengths) - lengths)
    return {"fei": fei, "aei": _aei(judged, table, steps)}


def _score_positions(judged: Judged, table: Layout) -> dict[str, Figures]:
    number = np.minimum(table.positions + 1, LAST_POSITION)
    return {
        f"position/{name}": {"aei": _aei(judged, table, number == place)}
        for place, name in enumerate(POSITIONS, start=1)
    }
