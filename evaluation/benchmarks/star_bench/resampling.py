"""Scores of STAR-Bench as functions of single items.

AA, ACR and their gap are means over the items of a slice, or means of such means. Option concentration is the largest
of several shares of parsed answers: it has no interval, and is not ranked.
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.star_bench.slices import MACRO
from evaluation.benchmarks.star_bench.table import Table
from evaluation.metrics.seeds import mean_of_runs
from evaluation.statistics import ItemMean, MeanOf, ScoreFormula
from evaluation.types import ABSENT, Outcomes

AA, ACR, GAP = "aa", "acr", "reliability_gap"


def find_formula(table: Table, slice_name: str, metric: str) -> ScoreFormula | None:
    """Return how a score is computed from item scores; None if it is not, or without items."""
    if metric not in (AA, ACR, GAP):
        return None
    if slice_name in MACRO:
        members = [find_formula(table, member, metric) for member in MACRO[slice_name]]
        defined = tuple(member for member in members if member is not None)
        return MeanOf(defined) if len(defined) == len(members) else None
    rows = next((item.rows for item in table.slices if item.name == slice_name), ())
    return _mean_of_rows(table, np.asarray(rows, np.int64), metric) if len(rows) else None


def _mean_of_rows(table: Table, rows: NDArray[np.int64], metric: str) -> ItemMean | None:
    n_runs = (table.truth[rows] != ABSENT).sum(axis=1)
    is_even = bool((n_runs == n_runs[0]).all())
    if metric == GAP and not is_even:
        return None  # AA pools runs and ACR items: their difference is not a mean over items.
    weights = np.zeros(len(table.items), np.int64)
    weights[rows] = n_runs if metric == AA and not is_even else 1
    return ItemMean(metric, weights)


def score_items(outcomes: Outcomes, score: str) -> NDArray[np.float64]:
    """Return a score for every item: the share of its right runs, whether all are right, and the difference.

    Raises:
        KeyError: The score is unknown.
    """
    share = mean_of_runs(outcomes.correct.astype(np.float64))
    every = np.where(np.isnan(share), np.nan, share == 1)
    return {AA: share, ACR: every, GAP: share - every}[score]
