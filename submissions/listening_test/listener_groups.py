"""Listener groups: pooled shares of many listeners, with each listener as a cluster. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from db.listening_records import ListenerRecord
from evaluation.statistics import Clusters, make_intervals

# With fewer listeners nothing is shown.
MIN_LISTENERS = 5
# With fewer listeners an interval does not hold: the variance between listeners is unknown.
MIN_FOR_INTERVAL = 10


@dataclass(frozen=True, slots=True)
class Pooled:
    """Share of correct answers, pooled over several listeners; unlike a score, it belongs to no evaluation.

    Attributes:
        n_listeners: Number of listeners.
        n: Number of answers.
        n_right: Number of correct answers.
        low: Lower end of the 95 % confidence interval, clustered by listener; None for fewer than ten.
        high: Upper end.
    """

    n_listeners: int
    n: int
    n_right: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """Share of correct answers; None without answers."""
        return self.n_right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Group:
    """Listeners of a version: all answers, and those of each group of tasks."""

    whole: Pooled
    tasks: Mapping[str, Pooled]


def pool_group(listeners: Sequence[ListenerRecord], name: str) -> Group:
    """Pool the answers of listeners.

    Args:
        listeners: One per round.
        name: Seeds the resampling together with the answers; only its first 64 bytes count.
    """
    tasks = sorted({task for one in listeners for task in one.tasks})
    whole = [(one.n_right, one.n) for one in listeners]
    of_tasks = {task: [one.tasks[task] for one in listeners if task in one.tasks] for task in tasks}
    return Group(_pool(whole, name), {task: _pool(counts, f"{name}|{task}") for task, counts in of_tasks.items()})


def _pool(counts: Sequence[tuple[int, int]], name: str) -> Pooled:
    """Pool (correct, all) of each listener."""
    n_right, n = sum(right for right, _ in counts), sum(every for _, every in counts)
    if len(counts) < MIN_FOR_INTERVAL:
        return Pooled(len(counts), n, n_right)
    who = np.repeat(np.arange(len(counts)), [every for _, every in counts])
    outcomes = np.concatenate([np.arange(every) < right for right, every in counts]).astype(np.float64)
    clusters = Clusters.of(who)
    _, low, high = make_intervals(clusters.sum_clusters(outcomes[:, None]), clusters, name.encode())
    return Pooled(len(counts), n, n_right, float(low[0]), float(high[0]))
