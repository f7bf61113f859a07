"""Many listeners as one row: pooled shares, resampled by listener. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from db.listening_records import ListenerRecord
from evaluation.statistics import Resampling
from evaluation.statistics.bootstrap import interval_of
from evaluation.streams import stream

RESAMPLES = 2_000
# Of fewer, resampling shows far less than what there is to be unsure of.
LEAST_LISTENERS = 5


@dataclass(frozen=True, slots=True)
class Pooled:
    """A share over all answers of several listeners.

    Attributes:
        n_listeners: How many listened.
        n: Answers of all together.
        n_right: How many of them were right.
        low: Lower end of the 95 % interval, listeners being resampled; None for fewer than five.
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
        name: What the resamples follow from, so that the same listeners always give the same interval.
    """
    tasks = sorted({task for one in listeners for task in one.tasks})
    whole = [(one.n_right, one.n) for one in listeners]
    of_tasks = {task: [one.tasks[task] for one in listeners if task in one.tasks] for task in tasks}
    return Group(_pool(whole, name), {task: _pool(counts, f"{name}|{task}") for task, counts in of_tasks.items()})


def _pool(counts: Sequence[tuple[int, int]], name: str) -> Pooled:
    """Pool (right, all) of each listener."""
    n_right, n = sum(right for right, _ in counts), sum(every for _, every in counts)
    if len(counts) < LEAST_LISTENERS:
        return Pooled(len(counts), n, n_right)
    who = np.repeat(np.arange(len(counts)), [every for _, every in counts])
    outcomes = np.concatenate([np.arange(every) < right for right, every in counts]).astype(np.float64)
    drawn = Resampling.draw(who, RESAMPLES, stream(name, "listeners"))
    low, high = interval_of(drawn.resample_exactly(drawn.sum_clusters(outcomes[:, None])))
    return Pooled(len(counts), n, n_right, float(low[0]), float(high[0]))
