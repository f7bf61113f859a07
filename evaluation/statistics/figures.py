"""How a figure of a board follows from scores of single items, so that resampling items resamples the figure.

A figure is a mean over items, or plain and harmonic means of such means. Of every resample it is computed anew from the
resampled means; the standard error of a difference between two systems comes from what each cluster adds to the figure
to first order (the infinitesimal jackknife), which for a mean over items is the closed form of the cluster bootstrap.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.bootstrap import UNIT, Resampling, interval_of
from evaluation.statistics.errors import StatisticsError, check_table

_BLOCK_SYSTEMS = 128

Scores = Mapping[str, ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class ItemMean:
    """The mean of one score over items: Σ weight · score / Σ weight.

    Attributes:
        score: Name of the score, a fraction in [0, 1] for each item.
        weights: int (items): how often an item counts; 0 leaves it out.
    """

    score: str
    weights: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class MeanOf:
    """The plain mean of figures, each weighing the same."""

    members: tuple["Figure", ...]


@dataclass(frozen=True, slots=True, eq=False)
class HarmonicMeanOf:
    """The harmonic mean 2ab/(a + b) of two figures, 0 where both are 0."""

    first: "Figure"
    second: "Figure"


Figure = ItemMean | MeanOf | HarmonicMeanOf
Values = Mapping[ItemMean, NDArray[np.float64]]


class Estimate(NamedTuple):
    """What items say about systems.

    Attributes:
        value: float64 (systems), the figure.
        deviations: float32 (systems × resamples), the figure of each resample minus the figure.
        residuals: float64 (systems × clusters), what each cluster adds to the figure, times the number of items.
    """

    value: NDArray[np.float64]
    deviations: NDArray[np.float32]
    residuals: NDArray[np.float64]

    def intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the ends of the 95 % interval of each system alone."""
        low, high = interval_of(self.deviations)
        return np.clip(self.value + low, 0, 1), np.clip(self.value + high, 0, 1)


class _Leaf(NamedTuple):
    drawn: Resampling
    clusters: NDArray[np.intp]  # which of the figure's clusters these are


class Estimator:
    """A figure on resamples of its items.

    Attributes:
        resamples: Number of resamples.
        n_items: Number of items, each as often as it weighs; of a compound figure that of its largest mean.
        n_clusters: Number of clusters that have a weight in it.
        fewest_clusters: Number of clusters behind the mean that has the fewest.
        leverage: float64 (clusters): the most that a cluster can add to the figure, times the number of items.
    """

    def __init__(self, figure: Figure, drawn: Resampling) -> None:
        """Take a figure, and resamples of the items that its weights are of.

        Raises:
            StatisticsError: A figure has weights for another number of items, or for none.
        """
        self._figure = figure
        leaves = dict.fromkeys(list_item_means(figure))
        _check_weights(leaves, drawn.n_items)
        sizes = {leaf: drawn.weigh_clusters(leaf.weights) for leaf in leaves}
        used = np.any([size > 0 for size in sizes.values()], axis=0)
        self._leaves = {
            leaf: _Leaf(drawn.weighted(leaf.weights), np.flatnonzero(size[used] > 0)) for leaf, size in sizes.items()
        }
        self.resamples = drawn.resamples
        self.n_items = max(leaf.drawn.n_items for leaf in self._leaves.values())
        self.n_clusters = int(used.sum())
        self.fewest_clusters = min(leaf.drawn.n_clusters for leaf in self._leaves.values())
        self.leverage = self._bound_residuals(used)

    def _bound_residuals(self, used: NDArray[np.bool_]) -> NDArray[np.float64]:
        bound = np.zeros(int(used.sum()))
        for leaf, steepest in _bound_slopes(self._figure, 1.0):
            drawn, clusters = self._leaves[leaf]
            bound[clusters] += steepest * (self.n_items / max(drawn.n_items, 1)) * drawn.sizes
        return bound

    def estimate(self, scores: Scores) -> Estimate:
        """Estimate the figure of systems.

        Args:
            scores: Name → items × systems, fractions in [0, 1]; NaN only where an item does not weigh.

        Raises:
            StatisticsError: Shapes that do not fit, NaN where an item weighs, fractions outside [0, 1].
        """
        tables = self._check(scores)
        if isinstance(self._figure, ItemMean):
            return _estimate_mean(self._leaves[self._figure].drawn, tables[self._figure.score])
        n_systems = next(iter(tables.values())).shape[1]
        value = np.empty(n_systems)
        deviations = np.empty((n_systems, self.resamples), np.float32)
        residuals = np.empty((n_systems, self.n_clusters))
        for at in range(0, n_systems, _BLOCK_SYSTEMS):  # to bound memory
            rows = slice(at, at + _BLOCK_SYSTEMS)
            block = self._estimate_compound({name: table[:, rows] for name, table in tables.items()})
            value[rows], deviations[rows], residuals[rows] = block
        return Estimate(value, deviations, residuals)

    def _check(self, scores: Scores) -> dict[str, NDArray[np.floating]]:
        tables = {}
        for leaf in self._leaves:
            tables[leaf.score] = table = np.asarray(scores[leaf.score])
            weighing = leaf.weights > 0
            fits = table.shape[:1] == weighing.shape and not weighing.all()
            check_table(table[weighing] if fits else table, int(weighing.sum()) if fits else len(weighing))
        return tables

    def _estimate_compound(self, tables: Mapping[str, NDArray[np.floating]]) -> Estimate:
        means = {leaf: _estimate_mean(drawn, tables[leaf.score]) for leaf, (drawn, _) in self._leaves.items()}
        values = {leaf: mean.value for leaf, mean in means.items()}
        value = combine_means(self._figure, values)
        resampled = {leaf: mean.value[:, None] + mean.deviations for leaf, mean in means.items()}
        deviations = (combine_means(self._figure, resampled) - value[:, None]).astype(np.float32)
        residuals = np.zeros((len(value), self.n_clusters))
        for leaf, slope in _list_slopes(self._figure, values, np.ones(len(value))):
            drawn, clusters = self._leaves[leaf]
            scale = slope * (self.n_items / max(drawn.n_items, 1))
            residuals[:, clusters] += scale[:, None] * means[leaf].residuals
        return Estimate(value, deviations, residuals)


def list_item_means(figure: Figure) -> Iterator[ItemMean]:
    """Yield the means over items that a figure is made of; one that is used twice comes twice."""
    if isinstance(figure, ItemMean):
        yield figure
        return
    for member in figure.members if isinstance(figure, MeanOf) else (figure.first, figure.second):
        yield from list_item_means(member)


def count_independent_items(figure: Figure) -> float | None:
    """Return how many items a plain mean has whose variance is that of the figure, the items' variances being equal.

    One over the sum of squares of what each item adds: the number of items of a mean; fewer of a mean of means of
    different sizes. None for a figure in which an item adds no fixed share.

    >>> count_independent_items(MeanOf((ItemMean("x", np.array([1, 0, 0])), ItemMean("x", np.array([0, 1, 1])))))
    2.6666666666666665
    """
    shares = np.zeros(0)
    for leaf, slope in _list_shares(figure, 1.0):
        if slope is None or not leaf.weights.any():
            return None
        shares = np.zeros(len(leaf.weights)) if not shares.size else shares
        shares += slope * leaf.weights / leaf.weights.sum()
    return float(1 / np.square(shares).sum())


def _list_shares(figure: Figure, share: float) -> Iterator[tuple[ItemMean, float | None]]:
    if isinstance(figure, ItemMean):
        yield figure, share
    elif isinstance(figure, MeanOf):
        for member in figure.members:
            yield from _list_shares(member, share / len(figure.members))
    else:
        yield next(list_item_means(figure)), None


def _check_weights(leaves: Mapping[ItemMean, None], n_items: int) -> None:
    for leaf in leaves:
        if leaf.weights.shape != (n_items,) or (leaf.weights < 0).any():
            raise StatisticsError(
                f"Weights of `{leaf.score}` have the shape {leaf.weights.shape}; give one from 0 for each of "
                f"{n_items} items."
            )


def _estimate_mean(drawn: Resampling, table: NDArray[np.floating]) -> Estimate:
    sums = drawn.sum_clusters(table)
    value, deviations = drawn.resample(sums)
    residuals = np.empty(sums.T.shape)
    np.multiply(sums.T, 1 / UNIT, out=residuals)
    residuals -= value[:, None] * drawn.sizes
    return Estimate(value, deviations, residuals)


def combine_means(figure: Figure, values: Values) -> NDArray[np.float64]:
    """Return a figure from the means over items that it is made of."""
    if isinstance(figure, ItemMean):
        return values[figure]
    if isinstance(figure, MeanOf):
        total = combine_means(figure.members[0], values)
        for member in figure.members[1:]:
            total = total + combine_means(member, values)
        return total / len(figure.members)
    first, second = combine_means(figure.first, values), combine_means(figure.second, values)
    return _divide(2 * first * second, first + second)


def _list_slopes(
    figure: Figure, values: Values, slope: NDArray[np.float64]
) -> Iterator[tuple[ItemMean, NDArray[np.float64]]]:
    """Yield how steeply the figure of each system follows each mean over items."""
    if isinstance(figure, ItemMean):
        yield figure, slope
    elif isinstance(figure, MeanOf):
        for member in figure.members:
            yield from _list_slopes(member, values, slope / len(figure.members))
    else:
        first, second = combine_means(figure.first, values), combine_means(figure.second, values)
        total = first + second
        yield from _list_slopes(figure.first, values, slope * 2 * np.square(_divide(second, total)))
        yield from _list_slopes(figure.second, values, slope * 2 * np.square(_divide(first, total)))


def _bound_slopes(figure: Figure, slope: float) -> Iterator[tuple[ItemMean, float]]:
    if isinstance(figure, ItemMean):
        yield figure, slope
    elif isinstance(figure, MeanOf):
        for member in figure.members:
            yield from _bound_slopes(member, slope / len(figure.members))
    else:
        for member in (figure.first, figure.second):
            yield from _bound_slopes(member, 2 * slope)


def _divide(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
