"""Many listeners as one row: pooled shares, with each listener as a cluster. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from db.listening_records import ListenerRecord
from evaluation.statistics import Clusters, make_intervals

# Of fewer nothing is shown.
MIN_LISTENERS = 5
# Of fewer, an interval does not hold: how listeners differ cannot be seen.
MIN_FOR_INTERVAL = 10


@dataclass(frozen=True, slots=True)
class Pooled:
    """A share over all answers of several listeners.

    Attributes:
        n_listeners: How many listened.
        n: Answers of all together.
        n_right: How many of them were right.
        low: Lower end of the 95 % interval, each listener being a cluster; None for fewer than ten.
        high: Its upper end.
    """

    n_listeners: int
    n: int
    n_right: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The share that was right; None of nothing."""
        return self.n_right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Group:
    """The listeners of one version: all answers, and those of each group of tasks."""

    whole: Pooled
    tasks: Mapping[str, Pooled]


def pool_group(listeners: Sequence[ListenerRecord], name: str) -> Group:
    """Return what listeners did together.

    Args:
        listeners: One a round.
        name: What the offset of an interval follows from beside the answers, at most 64 bytes of which count.
    """
    tasks = sorted({task for one in listeners for task in one.tasks})
    whole = [(one.n_right, one.n) for one in listeners]
    of_tasks = {task: [one.tasks[task] for one in listeners if task in one.tasks] for task in tasks}
    return Group(_pool(whole, name), {task: _pool(counts, f"{name}|{task}") for task, counts in of_tasks.items()})


def _pool(counts: Sequence[tuple[int, int]], name: str) -> Pooled:
    """Pool (right, all) of each listener."""
    n_right, n = sum(right for right, _ in counts), sum(every for _, every in counts)
    if len(counts) < MIN_FOR_INTERVAL:
        return Pooled(len(counts), n, n_right)
    who = np.repeat(np.arange(len(counts)), [every for _, every in counts])
    outcomes = np.concatenate([np.arange(every) < right for right, every in counts]).astype(np.float64)
    clusters = Clusters.of(who)
    _, low, high = make_intervals(clusters.sum_clusters(outcomes[:, None]), clusters, name.encode())
    return Pooled(len(counts), n, n_right, float(low[0]), float(high[0]))
