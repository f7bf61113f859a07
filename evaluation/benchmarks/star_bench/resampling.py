"""Scores of STAR-Bench as functions of single items.

AA, ACR and their gap are means over the items of a slice, and means of such means where a slice is one. The
concentration on an option is the largest of several shares of readable answers: it has no interval, and is not ranked.
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.star_bench.slices import MACRO
from evaluation.benchmarks.star_bench.table import Table
from evaluation.metrics.seeds import mean_of_runs
from evaluation.statistics import Figure, ItemMean, MeanOf
from evaluation.types import ABSENT, Outcomes

AA, ACR, GAP = "aa", "acr", "reliability_gap"


def find_figure(table: Table, slice_name: str, metric: str) -> Figure | None:
    """Return how a figure follows from scores of items; None where it does not, or where there are no items."""
    if metric not in (AA, ACR, GAP):
        return None
    if slice_name in MACRO:
        members = [find_figure(table, member, metric) for member in MACRO[slice_name]]
        found = tuple(member for member in members if member is not None)
        return MeanOf(found) if len(found) == len(members) else None
    rows = next((item.rows for item in table.slices if item.name == slice_name), ())
    return _mean_of_rows(table, np.asarray(rows, np.int64), metric) if len(rows) else None


def _mean_of_rows(table: Table, rows: NDArray[np.int64], metric: str) -> ItemMean | None:
    n_runs = (table.truth[rows] != ABSENT).sum(axis=1)
    is_even = bool((n_runs == n_runs[0]).all())
    if metric == GAP and not is_even:
        return None  # AA pools runs and ACR items: their difference is no mean over items
    weights = np.zeros(len(table.items), np.int64)
    weights[rows] = n_runs if metric == AA and not is_even else 1
    return ItemMean(metric, weights)


def score_items(outcomes: Outcomes, score: str) -> NDArray[np.float64]:
    """Return a score of every item: the share of its runs that are right, whether all are, and the difference.

    Raises:
        KeyError: There is no such score.
    """
    share = mean_of_runs(outcomes.correct.astype(np.float64))
    every = np.where(np.isnan(share), np.nan, share == 1)
    return {AA: share, ACR: every, GAP: share - every}[score]
