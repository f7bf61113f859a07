"""Two systems on many figures at once: the same resamples for all, and one matrix product for many means."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.bootstrap import UNIT, Resampling
from evaluation.statistics.errors import StatisticsError, check_table
from evaluation.statistics.figures import Figure, ItemMean, combine_means, list_item_means
from evaluation.statistics.paired import Comparison, judge_resampled

_FIGURES_AT_ONCE = 32
# Differences that are equal may differ in their last digits where they are made of several means.
_DECIMALS = 12

ItemScores = Mapping[str, ArrayLike]
"""Name of a score → one system's fractions in [0, 1], one an item; NaN only where an item does not weigh."""

_Column = NDArray[np.float64]


def compare_figures(figures: Sequence[Figure], drawn: Resampling, a: ItemScores, b: ItemScores) -> list[Comparison]:
    """Compare two systems on several figures, all on the same resamples.

    Each resample computes a figure anew for both systems and takes the difference, as `compare` does for a mean: with
    one mean over all items the two agree to the last bit. A mean over some of the items, or one in which items weigh
    differently, is a ratio: both its sums are resampled. A resample that holds nothing of a mean says nothing: its
    difference is that of the items. Interval and p-value are those of `compare`, in the figure's own unit, a fraction;
    positive differences say that the first system's figure is higher.

    Wins, losses and ties count items on which the first system has the higher, lower or same score. They are 0 where a
    figure is made of several scores, since then no item has a single one.

    Undefined: with fewer than two clusters behind one of its means a figure has no interval and no p-value.

    Args:
        figures: How each follows from scores of items; every mean has items that weigh.
        drawn: Resamples of all items, as they were drawn.
        a: Scores of the first system.
        b: Scores of the second, in the same order of items.

    Raises:
        StatisticsError: Scores that are NaN where an item weighs, or outside [0, 1]; weights of nothing.

    Source: see `compare`; ratios: Davison and Hinkley, Bootstrap Methods and their Application, section 5.3.

    >>> drawn = Resampling.draw([1, 2, 3, 4], 999, np.random.default_rng(1))
    >>> first, second = {"x": [1, 1, 1, 0]}, {"x": [0, 1, 1, 0]}
    >>> compare_figures([ItemMean("x", np.array([1, 1, 0, 0]))], drawn, first, second)[0].difference
    0.5
    """
    scores = {name: tuple(np.asarray(one[name], np.float64) for one in (a, b)) for name in _list_scores(figures)}
    found: list[Comparison] = []
    for at in range(0, len(figures), _FIGURES_AT_ONCE):  # to bound memory
        found += _compare_some(figures[at : at + _FIGURES_AT_ONCE], drawn, scores)
    return found


def _list_scores(figures: Sequence[Figure]) -> list[str]:
    return sorted({mean.score for figure in figures for mean in list_item_means(figure)})


_Both = Mapping[str, tuple[NDArray[np.float64], ...]]


def _compare_some(figures: Sequence[Figure], drawn: Resampling, scores: _Both) -> Iterator[Comparison]:
    means = list(dict.fromkeys(mean for figure in figures for mean in list_item_means(figure)))
    sums = np.stack([column for mean in means for column in _sum_clusters(mean, drawn, scores[mean.score])], axis=1)
    resampled = drawn.sum_resamples(sums)
    totals = sums.sum(axis=0).astype(np.float64)
    for figure in figures:
        mine = {mean: 3 * means.index(mean) for mean in list_item_means(figure)}
        observed = float(_difference(figure, mine, totals[None], totals)[0])
        yield _judge(figure, observed, _difference(figure, mine, resampled, totals), drawn, scores)


def _sum_clusters(
    mean: ItemMean, drawn: Resampling, both: tuple[NDArray[np.float64], ...]
) -> Iterator[NDArray[np.int64]]:
    """Yield the sums over each cluster: of either system's weighted scores in 1/UNIT, and of the weights."""
    weighs = mean.weights > 0
    if mean.weights.shape != (drawn.n_items,) or not weighs.any():
        raise StatisticsError(f"No item of {drawn.n_items} weighs in `{mean.score}`; leave the figure out.")
    for one in both:
        check_table(one[weighs][:, None], int(weighs.sum()))
        fixed = np.rint(np.where(weighs, one, 0.0) * UNIT).astype(np.int64)
        yield drawn.weigh_clusters(fixed * mean.weights)
    yield drawn.weigh_clusters(mean.weights)


def _difference(figure: Figure, columns: Mapping[ItemMean, int], sums: _Column, observed: _Column) -> _Column:
    """Return the difference of a figure between both systems, in each row of sums."""
    if isinstance(figure, ItemMean):
        at = columns[figure]
        return _divide(
            sums[:, at] - sums[:, at + 1], sums[:, at + 2], (observed[at] - observed[at + 1]) / observed[at + 2]
        )
    first, second = (
        combine_means(
            figure,
            {
                mean: _divide(sums[:, at + one], sums[:, at + 2], observed[at + one] / observed[at + 2])
                for mean, at in columns.items()
            },
        )
        for one in (0, 1)
    )
    return np.round(first - second, _DECIMALS)


def _divide(above: _Column, weights: _Column, whole: float) -> _Column:
    """Return means, and that of all items where nothing was drawn."""
    means = np.full(len(above), whole / UNIT)
    np.divide(above, float(UNIT) * weights, out=means, where=weights > 0)
    return means


def _judge(figure: Figure, observed: float, resampled: _Column, drawn: Resampling, scores: _Both) -> Comparison:
    means = list(list_item_means(figure))
    clusters = [drawn.weigh_clusters(mean.weights) > 0 for mean in means]
    has_interval = min(int(some.sum()) for some in clusters) > 1
    low, high, p_value = judge_resampled(resampled) if has_interval else (None, None, None)
    weighs = np.any([mean.weights > 0 for mean in means], axis=0)
    wins, losses, ties = _count(weighs, scores[means[0].score]) if len({m.score for m in means}) == 1 else (0, 0, 0)
    return Comparison(
        difference=observed,
        low=low,
        high=high,
        p_value=p_value,
        wins=wins,
        losses=losses,
        ties=ties,
        n_items=int(weighs.sum()),
        n_clusters=int(np.any(clusters, axis=0).sum()),
    )


def _count(weighs: NDArray[np.bool_], both: tuple[NDArray[np.float64], ...]) -> tuple[int, int, int]:
    first, second = (one[weighs] for one in both)
    return int((first > second).sum()), int((first < second).sum()), int((first == second).sum())
