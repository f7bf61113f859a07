"""Scores of AudioMotionBench as functions of single items.

Accuracy, TPR, TNR and YesBias are means over items of means over decoding seeds. The confusions are not: they are
shares of the parsed answers, so their denominators differ between systems; they have no interval, and are not ranked.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.audio_motion_bench.design import design_items
from evaluation.benchmarks.audio_motion_bench.slices import MotionSlice, list_slices
from evaluation.metrics.seeds import mean_of_runs
from evaluation.metrics.verification import SAYS_TRUE
from evaluation.statistics import ItemMean
from evaluation.types import ABSENT, Outcomes, Split

RIGHT, SAID_TRUE = "right", "said-true"
# Metric → score, and the truth value of its statements.
_OF_STATEMENTS = {"tpr": (RIGHT, True), "tnr": (RIGHT, False), "yes_bias": (SAID_TRUE, False)}


def find_formula(split: Split, seed: str, slice_name: str, metric: str) -> ItemMean | None:
    """Return how a score is computed from item scores; None if it is not a mean over items."""
    item = _slices(split, seed).get(slice_name)
    if item is None:
        return None
    weights = np.zeros(len(_truths(split, seed)), np.int64)
    weights[item.rows] = 1
    if metric == "accuracy":
        return ItemMean(RIGHT, weights)
    if item.form != "tf" or metric not in _OF_STATEMENTS:
        return None
    score, truth = _OF_STATEMENTS[metric]
    return ItemMean(score, weights * (_truths(split, seed) == truth))


def score_items(outcomes: Outcomes, score: str) -> NDArray[np.float64]:
    """Return a score for every item.

    Raises:
        KeyError: The score is unknown.
    """
    if score == RIGHT:
        return mean_of_runs(outcomes.correct.astype(np.float64))
    if score == SAID_TRUE:
        return mean_of_runs(np.where(outcomes.choices == ABSENT, np.nan, outcomes.choices == SAYS_TRUE))
    raise KeyError(score)


@lru_cache(maxsize=2)
def _slices(split: Split, seed: str) -> dict[str, MotionSlice]:
    return {item.name: item for item in list_slices(split, seed)}


@lru_cache(maxsize=2)
def _truths(split: Split, seed: str) -> NDArray[np.int64]:
    return np.array([designed.answer for designed in design_items(split, seed)], dtype=np.int64)
