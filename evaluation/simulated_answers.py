"""Simulated answers: the designs of the benchmarks, and answers that are correlated within recordings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.clustering import number_clusters
from evaluation.statistics import Clusters, list_item_means

Sizes = NDArray[np.int64]
Table = NDArray[np.float64]

_RECALLS = (
    "step",
    "type/existence",
    "type/temporal",
    "type/acoustic-attribute",
    "type/cross-modal-binding",
    "type/reasoning",
    "generator/cedar-audio-r1/type/existence",
    "generator/maple-listen-e4/type/acoustic-attribute",
    "position/2/type/acoustic-attribute",
)


@dataclass(frozen=True, slots=True)
class MeasuredShare:
    """One measured proportion.

    Attributes:
        kind: `interval`, `figure`, `ranks`, `test`, `difference` or `power`.
        what: Description of the simulated data.
        share: How often the interval or range held, or the difference was found or rejected; a fraction.
        least: Lowest guaranteed value.
        most: Highest guaranteed value.
        times: Number of simulations.
    """

    kind: str
    what: str
    share: float
    least: float
    most: float
    times: int

    @property
    def holds(self) -> bool:
        """Whether the guarantee holds within three standard errors."""
        slack = 3 * math.sqrt(0.05 * 0.95 / self.times)
        return self.least - slack <= self.share <= self.most + slack


def list_structures() -> Mapping[str, Sizes]:
    """Return the numbers of items per cluster, for slices of the four benchmarks and some others.

    MDAR uses its release, with one cluster per film; STAR-Bench and AudioMotionBench use their designs;
    AudioProcessBench uses our own set, whose clusters are pairs of recordings. With single recordings as clusters, that
    set stands for the paper's, whose traces are not available. Slices without intervals are included and skipped.
    """
    return {
        "STAR-Bench, 20 items of a level": _repeat({1: 20}),
        "STAR-Bench, 45 items of a task": _repeat({1: 45}),
        "STAR-Bench, 283 items of a task": _repeat({1: 283}),
        "AudioMotionBench, variant, one form": _repeat({1: 56}),
        "AudioMotionBench, variant, clean, T/F": _repeat({2: 56}),
        "AudioMotionBench, variant, one condition": _repeat({3: 56}),
        "AudioMotionBench, variant, MCQ, four conditions": _repeat({4: 56}),
        "AudioMotionBench, variant, T/F, four conditions": _repeat({8: 56}),
        "AudioMotionBench, variant, all items": _repeat({12: 56}),
        "AudioMotionBench, T/F of a condition": _repeat({2: 168}),
        "AudioMotionBench, one form, four conditions": _repeat({4: 168}),
        "AudioMotionBench, all items": _repeat({12: 168}),
        "MDAR, main": _repeat({1: 71, 2: 107, 3: 120, 4: 77, 5: 44, 6: 25, 7: 12, 8: 6, 9: 5}),
        "MDAR, multi": _repeat({3: 8, 4: 44, 5: 125}),
        "MDAR, social relations": _repeat({1: 164, 2: 110, 3: 58, 4: 19, 5: 7, 6: 1}),
        "MDAR, scenes": _repeat({1: 127, 2: 15, 3: 4, 4: 1}),
        "MDAR, elements of scenes": _repeat({1: 53, 2: 2}),
        "MDAR, interaction of characters": _repeat({1: 54, 2: 18, 3: 2}),
        **_list_recalls(),
        "120 recordings of 1 to 8 items": np.arange(120) % 8 + 1,
    }


def _list_recalls() -> dict[str, Sizes]:
    """Return the numbers of erroneous steps of AudioProcessBench's clusters, also by type, generator and position."""
    process = get_benchmark("audio-process-bench", "synthetic-3")
    key = process.make_key("practice")
    formulas = {name: process.find_formula(key, name, "recall") for name in _RECALLS}
    means = {name: next(list_item_means(formula)) for name, formula in formulas.items() if formula is not None}
    return {
        f"AudioProcessBench{of_pairs}, recall of {name}": Clusters.of(labels).weighted(mean.weights).sizes
        for of_pairs, labels in list_trace_clusters(process, key).items()
        for name, mean in means.items()
    }


def list_trace_clusters(process: Benchmark, key: AnswerKey) -> Mapping[str, Sizes]:
    """Return suffix of a name → cluster of each trace: its recording, as in the paper's set, or its pair of them."""
    recordings = number_clusters([item.clips for item in process.content(key).items])
    return {"": recordings, " in pairs": process.cluster_items(key)}


def _repeat(times_of: Mapping[int, int]) -> Sizes:
    return np.repeat(np.array(list(times_of), np.int64), list(times_of.values()))


def draw_answers(sizes: Sizes, accuracy: float, correlation: float, n: int, rng: np.random.Generator) -> Table:
    """Return right and wrong answers (items × n systems) that are correlated within clusters."""
    shape = len(sizes), n
    if correlation == 0:
        rates = np.full(shape, accuracy)
    else:
        weight = (1 - correlation) / correlation
        rates = rng.beta(accuracy * weight, (1 - accuracy) * weight, size=shape)
    return (rng.random((int(sizes.sum()), n)) < np.repeat(rates, sizes, axis=0)).astype(np.float64)


def label_items(sizes: Sizes) -> Sizes:
    """Return the cluster of each item."""
    return np.repeat(np.arange(len(sizes)), sizes)
