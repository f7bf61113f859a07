"""Errors of statistics, and the checks that raise them. The message gives the finding and the fix."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.errors import EvaluationError

FEWEST_RESAMPLES = 40
"""With fewer, no order statistic leaves 2.5 % outside, so there is no 95 % interval."""

_MAX_NAMED = 5


class StatisticsError(EvaluationError):
    """Invalid outcomes, clusters or resamples."""


def check_clusters(clusters: ArrayLike) -> NDArray[np.int64]:
    """Return the cluster labels, one per item, as int64.

    Raises:
        StatisticsError: The labels are not a list of integers.
    """
    labels = np.asarray(clusters)
    if labels.ndim != 1:
        raise StatisticsError(f"Clusters have the shape {labels.shape}; pass one integer per item.")
    if labels.size and not np.issubdtype(labels.dtype, np.integer):
        raise StatisticsError(
            f"Clusters have the type {labels.dtype}; pass one integer per item, such as the clip's index."
        )
    return labels.astype(np.int64)


def check_resamples(resamples: int) -> int:
    """Return the number of resamples.

    Raises:
        StatisticsError: There are too few for a 95 % interval.
    """
    if resamples < FEWEST_RESAMPLES:
        raise StatisticsError(
            f"{resamples} resamples are too few for a 95 % confidence interval; use {FEWEST_RESAMPLES} or more."
        )
    return resamples


def check_table(outcomes: ArrayLike, n_items: int) -> NDArray[np.floating]:
    """Check the shape and range of outcomes (items × systems) and return them.

    Raises:
        StatisticsError: The number of rows differs from the items, a system does not cover all items, or a value is
            outside [0, 1].
    """
    table = np.asarray(outcomes)
    if not np.issubdtype(table.dtype, np.floating):
        table = table.astype(np.float64)
    if table.ndim != 2 or table.shape[0] != n_items:
        raise StatisticsError(
            f"Outcomes have the shape {table.shape}; for {n_items} items it must be ({n_items}, systems)."
        )
    _check_covered(table)
    if table.size and not (table.min() >= 0 and table.max() <= 1):
        raise StatisticsError(f"Outcomes lie in [{table.min():g}, {table.max():g}]; pass fractions in [0, 1].")
    return table


def _check_covered(table: NDArray[np.floating]) -> None:
    absent = np.isnan(table).sum(axis=0)
    if not absent.any():
        return
    lacking = np.flatnonzero(absent)
    systems = ", ".join(f"{system} ({absent[system]} items)" for system in lacking[:_MAX_NAMED])
    more = f" and {len(lacking) - _MAX_NAMED} more" if len(lacking) > _MAX_NAMED else ""
    raise StatisticsError(
        f"Outcomes are NaN for the systems in columns {systems}{more}, of {table.shape[0]} items. Systems are compared "
        "on the same items: remove these systems, or keep only items that all systems cover."
    )
