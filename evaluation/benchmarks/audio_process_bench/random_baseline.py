"""Random baseline of a critic: each step is flagged with probability 2/3.

This is the paper's random critic, as inferred from its printed scores, and that of the packs' example files.
"""

from collections.abc import Mapping
from math import fsum
from statistics import fmean

import numpy as np

from evaluation.answer_keys import PRACTICE_SEED
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS, SOURCES, generator_slice, source_slice
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.audio_process_bench.slices import score_slices
from evaluation.benchmarks.audio_process_bench.trace_arrays import POSITIONS, TraceArrays
from evaluation.benchmarks.audio_process_bench.trace_verdicts import CompletedVerdicts
from evaluation.metrics.process import score_chains
from evaluation.streams import stream
from evaluation.types import GUESSED_ERROR_RATE

_HARMONIC = 2 * GUESSED_ERROR_RATE * (1 - GUESSED_ERROR_RATE)  # h(2/3, 1/3), whose arguments add up to 1.
# Scores that depend on the organiser's traces of version 1.0: the paper's random row, Table 3.
_PRINTED = {"step|fei": 0.026, "chain|bon": 0.475, "chain|mv": 0.406}
_DRAWS = 60


def chance_of_paper() -> Mapping[str, float]:
    """Return the expected scores of a critic that flags two steps in three at random, on version 1.0.

    Scores that do not depend on the traces are computed; the others are the paper's. Means combine both.
    """
    scores = dict(_PRINTED)
    scores |= {"step|aei": _HARMONIC, "step|recall": GUESSED_ERROR_RATE, "step|specificity": 1 - GUESSED_ERROR_RATE}
    for name in ("type", *(f"type/{kind}" for kind in ERROR_TYPES)):
        scores |= {f"{name}|prmscore": _HARMONIC, f"{name}|balanced_accuracy": 1 / 2, f"{name}|auroc": 1 / 2}
    scores |= {f"position/{position}|aei": _HARMONIC for position in POSITIONS}
    groups = [*map(generator_slice, GENERATORS), *map(source_slice, SOURCES)]
    scores |= {f"{group}|aei": _HARMONIC for group in groups}
    crossed = ["", *(f"{generator_slice(one)}/" for one in GENERATORS), *(f"position/{one}/" for one in POSITIONS)]
    scores |= {f"{place}type/{kind}|recall": GUESSED_ERROR_RATE for place in crossed for kind in ERROR_TYPES}
    scores["type|recall"] = GUESSED_ERROR_RATE
    scores["step|overall"] = fmean([scores["step|fei"], scores["step|aei"]])
    scores["chain|overall"] = fmean([scores["chain|bon"], scores["chain|mv"]])
    scores["overall|overall"] = fmean([scores["step|overall"], scores["type|prmscore"], scores["chain|overall"]])
    return scores


def simulate_chance(table: TraceArrays) -> Mapping[str, float]:
    """Return the mean scores of the random critic over many draws, for traces with public labels.

    With few steps, the expectation of a harmonic mean differs from the harmonic mean of expectations, so only recall
    and specificity can be computed exactly. The draws are seeded, so the result is reproducible.
    """
    rng = stream(PRACTICE_SEED, "audio-process-bench|chance")
    nobody = np.zeros(len(table.starts), dtype=np.bool_)
    samples: dict[str, list[float]] = {}
    for _ in range(_DRAWS):
        flagged = rng.random(len(table.erroneous)) < GUESSED_ERROR_RATE
        scores = flagged.astype(np.float64)
        judged = CompletedVerdicts(flagged, scores, score_chains(scores, table.starts))
        for name, by_metric in score_slices(judged, table, nobody).items():
            for metric, score in by_metric.items():
                if score.value is not None:
                    samples.setdefault(f"{name}|{metric}", []).append(score.value)
    means = {name: fsum(values) / len(values) for name, values in samples.items()}
    exact = {"recall": GUESSED_ERROR_RATE, "specificity": 1 - GUESSED_ERROR_RATE}
    return means | {name: exact[name.split("|")[1]] for name in means if name.split("|")[1] in exact}
