"""Structure of scores: means over items, and plain and harmonic means of such means."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scores = Mapping[str, ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class ItemMean:
    """The mean of one score over items: Σ weight · score / Σ weight.

    Attributes:
        score: Name of the score, a fraction in [0, 1] for each item.
        weights: int (items): how often an item counts; 0 excludes it.
    """

    score: str
    weights: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class MeanOf:
    """The plain mean of scores with equal weights."""

    members: tuple["ScoreFormula", ...]


@dataclass(frozen=True, slots=True, eq=False)
class HarmonicMeanOf:
    """The harmonic mean 2ab/(a + b) of two scores, 0 if both are 0."""

    first: "ScoreFormula"
    second: "ScoreFormula"


ScoreFormula = ItemMean | MeanOf | HarmonicMeanOf
Values = Mapping[ItemMean, NDArray[np.float64]]


def list_item_means(formula: ScoreFormula) -> Iterator[ItemMean]:
    """Yield the means over items in a score; a mean that is used twice is yielded twice."""
    if isinstance(formula, ItemMean):
        yield formula
        return
    for member in formula.members if isinstance(formula, MeanOf) else (formula.first, formula.second):
        yield from list_item_means(member)


def count_independent_items(formula: ScoreFormula) -> float | None:
    """Return the number of items whose plain mean has the same variance as the score, for equal item variances.

    It is one over the sum of squares of the item shares: the number of items for a mean, fewer for a mean of means of
    different sizes. None for a score in which items have no fixed share.

    >>> count_independent_items(MeanOf((ItemMean("x", np.array([1, 0, 0])), ItemMean("x", np.array([0, 1, 1])))))
    2.6666666666666665
    """
    shares = share_items(formula)
    return float(1 / np.square(shares).sum()) if shares is not None else None


def share_items(formula: ScoreFormula) -> NDArray[np.float64] | None:
    """Return the share of each item in a plain mean, with sum 1; None if items have no fixed share."""
    shares = np.zeros(0)
    for leaf, share in list_shares(formula, 1.0):
        if _has_harmonic_mean(formula) or not leaf.weights.any():
            return None
        shares = np.zeros(len(leaf.weights)) if not shares.size else shares
        shares += share * leaf.weights / leaf.weights.sum()
    return shares


def _has_harmonic_mean(formula: ScoreFormula) -> bool:
    return isinstance(formula, HarmonicMeanOf) or (
        isinstance(formula, MeanOf) and any(_has_harmonic_mean(member) for member in formula.members)
    )


def list_shares(formula: ScoreFormula, share: float) -> Iterator[tuple[ItemMean, float]]:
    """Yield the share of each mean over items in a score; both parts of a harmonic mean have a half."""
    if isinstance(formula, ItemMean):
        yield formula, share
        return
    members = formula.members if isinstance(formula, MeanOf) else (formula.first, formula.second)
    for member in members:
        yield from list_shares(member, share / len(members))


def combine_means(formula: ScoreFormula, values: Values) -> NDArray[np.float64]:
    """Return a score from its means over items."""
    if isinstance(formula, ItemMean):
        return values[formula]
    if isinstance(formula, MeanOf):
        total = combine_means(formula.members[0], values)
        for member in formula.members[1:]:
            total = total + combine_means(member, values)
        return total / len(formula.members)
    first, second = combine_means(formula.first, values), combine_means(formula.second, values)
    return _divide(2 * first * second, first + second)


def list_slopes(
    formula: ScoreFormula, values: Values, slope: NDArray[np.float64]
) -> Iterator[tuple[ItemMean, NDArray[np.float64]]]:
    """Yield the derivative of each system's score with respect to each mean over items."""
    if isinstance(formula, ItemMean):
        yield formula, slope
    elif isinstance(formula, MeanOf):
        for member in formula.members:
            yield from list_slopes(member, values, slope / len(formula.members))
    else:
        first, second = combine_means(formula.first, values), combine_means(formula.second, values)
        total = first + second
        yield from list_slopes(formula.first, values, slope * 2 * np.square(_divide(second, total)))
        yield from list_slopes(formula.second, values, slope * 2 * np.square(_divide(first, total)))


def bound_slopes(formula: ScoreFormula, slope: float) -> Iterator[tuple[ItemMean, float]]:
    """Yield an upper bound of the derivative of a score with respect to each mean over items."""
    if isinstance(formula, ItemMean):
        yield formula, slope
    elif isinstance(formula, MeanOf):
        for member in formula.members:
            yield from bound_slopes(member, slope / len(formula.members))
    else:
        for member in (formula.first, formula.second):
            yield from bound_slopes(member, 2 * slope)


def _divide(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
