"""Standings of a board whose systems answered different editions: the same design with different items.

Systems of one edition answered the same items: they are compared in pairs, as on a board with one edition. Systems of
two editions are independent samples: their resamples are independent, and their difference has the sum of both
variances.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.estimator import EstimatedScore, Estimator
from evaluation.statistics.intervals import NORMAL_QUANTILE
from evaluation.statistics.linear import LinearFormula
from evaluation.statistics.maxima import largest_differences
from evaluation.statistics.ranks import (
    Outcomes,
    ResampledBoard,
    Standings,
    count_tail,
    estimate_mean,
    find_critical,
    find_exact_scale,
    find_rank_ranges,
    name_scores,
)
from evaluation.statistics.resamples import Resampling
from evaluation.statistics.score_formulas import ItemMean

_Table = NDArray[np.float64]


class _Deviations(NamedTuple):
    """Deviations of the systems of an edition from their own scores, in the unit of the score.

    Attributes:
        turned: float32 (systems × resamples), sum of the deviations after flipping clusters.
        variance: float64 (systems), sum of squared deviations of clusters: the variance of the score.
        tilt: float64 (systems), sum of deviations times the clusters' shares of all items.
        spread: Sum of squared shares.
    """

    turned: NDArray[np.float32]
    variance: _Table
    tilt: _Table
    spread: float


class _Edition(NamedTuple):
    """The systems of an edition; `deviations` is None with fewer than two clusters."""

    linear: LinearFormula
    estimate: EstimatedScore
    leads: _Table
    deviations: _Deviations | None


class JointBoard:
    """Systems of several editions, ranked together.

    Within an edition, `ResampledBoard` studentises each difference. Between two editions, let r be the deviation of a
    cluster from its system's own score and s its share of the items. With equally many items, the variance of a
    difference d is that under equal scores, Σ (r₁ + d s₁ / 2)² + Σ (r₂ − d s₂ / 2)²; with different numbers, both
    systems deviate from the mean over all items. For single items this is the chi-square test of two shares. As in a
    paired difference, the variance includes d, so a pair with few wrong answers is never far apart.

    The critical value is the 95 % quantile, over resamples, of the largest studentised difference among all pairs, of
    one edition and of two. A resample flips the clusters of each edition independently, and the systems of an edition
    share its flips. So all ranges of the board hold together. With one edition, the result is that of `ResampledBoard`.

    Undefined: systems of an edition with one cluster have no interval, and all ranks are possible for them. Editions
    without systems are ignored.

    Memory grows with systems × resamples and systems². The resamples of an edition are not kept.

    Source: pooled variance of two clustered samples: Rao and Scott, Biometrics 48 (1992); for the other methods see
    `standings`.

    >>> from evaluation.statistics import Resampling
    >>> board = JointBoard()
    >>> for seed, n_right in enumerate((10, 50, 90)):
    ...     drawn = Resampling.draw(range(100), 999, np.random.default_rng(seed))
    ...     board.add_edition(drawn, np.arange(100)[:, None] < n_right)
    >>> board.standings().rank_low.tolist()
    [3, 2, 1]
    """

    def __init__(self) -> None:
        """Start with an empty board."""
        self._editions: list[_Edition] = []
        self._maxima: NDArray[np.float32] | None = None
        self._salts: set[bytes] = set()

    def add_edition(self, drawn: Resampling | Estimator, outcomes: Outcomes) -> None:
        """Add the systems of an edition after the systems of the board.

        Args:
            drawn: Resamples of the edition's items, or a score on them; drawn from a random stream of its own.
            outcomes: items × systems; for a score, one such table per item score.

        Raises:
            StatisticsError: See `standings`; or the edition has the resamples of another one, or not as many. The board
                stays unchanged.
        """
        estimator = estimate_mean(drawn)
        self._check_resamples(estimator.drawn)
        scores = name_scores(outcomes)
        estimate = estimator.estimate(scores)
        n, linear = len(estimate.value), estimator.linear
        if not n:
            return
        maxima, leads = np.zeros(estimator.drawn.resamples, np.float32), np.zeros((n, n))
        if n > 1:
            board = ResampledBoard(estimator, scores)
            maxima, leads = board.maxima, board.find_leads()
        deviations = _find_deviations(estimator, estimate) if linear.n_clusters > 1 else None
        # The contributions of clusters are not needed again.
        kept = estimate._replace(additions=estimate.additions[:, :0])
        self._editions.append(_Edition(linear, kept, leads, deviations))
        self._maxima = maxima if self._maxima is None else np.maximum(self._maxima, maxima)
        self._salts.add(estimator.drawn.salt)

    def standings(self) -> Standings:
        """Return the standings of all systems, in the order in which they were added.

        Raises:
            StatisticsError: The board has no system.
        """
        if self._maxima is None:
            raise StatisticsError("The board has no system; add an edition with outcomes first.")
        estimates = [edition.estimate for edition in self._editions]
        value, low, high = (
            np.concatenate([getattr(estimate, name) for estimate in estimates]) for name in ("value", "low", "high")
        )
        leads, critical = self._join_editions(value)
        rank_low, rank_high = find_rank_ranges(leads, critical)
        return Standings(
            value=value,
            low=low,
            high=high,
            rank_low=rank_low,
            rank_high=rank_high,
            critical=critical,
            n_items=min(edition.linear.n_items for edition in self._editions),
            n_clusters=min(edition.linear.n_clusters for edition in self._editions),
        )

    def _check_resamples(self, drawn: Resampling) -> None:
        if drawn.salt in self._salts:
            raise StatisticsError("Two editions have the same resamples; draw those of each edition separately.")
        if self._maxima is not None and drawn.resamples != len(self._maxima):
            raise StatisticsError(
                f"Editions have {len(self._maxima)} and {drawn.resamples} resamples; draw the same number for each."
            )

    def _join_editions(self, value: _Table) -> tuple[_Table, float | None]:
        """Return the studentised leads of all systems, and the critical value of all pairs."""
        leads = np.zeros((len(value), len(value)))
        sizes = [len(edition.estimate.value) for edition in self._editions]
        starts = np.cumsum([0, *sizes])
        blocks = [slice(start, end) for start, end in pairwise(starts.tolist())]
        for edition, at in zip(self._editions, blocks, strict=True):
            leads[at, at] = edition.leads
        maxima = self._maxima if self._maxima is not None else np.zeros(0, np.float32)
        ranked = [place for place, edition in enumerate(self._editions) if edition.deviations is not None]
        if len(ranked) < 2:
            has_pairs = any(sizes[place] > 1 for place in ranked)
            return leads, find_critical(maxima) if has_pairs else None
        systems = np.concatenate([np.arange(blocks[place].start, blocks[place].stop) for place in ranked])
        members = np.repeat(np.arange(len(ranked)), [sizes[place] for place in ranked])
        editions = [self._editions[place] for place in ranked]
        across, largest = _compare_editions(editions, members, value[systems])
        leads[np.ix_(systems, systems)] += across
        # Pairs that differ in hardly any cluster have no quantile; a single pair has that of the normal distribution.
        return leads, max(find_critical(np.maximum(maxima, largest)), NORMAL_QUANTILE)


def _find_deviations(estimator: Estimator, estimate: EstimatedScore) -> _Deviations:
    linear = estimator.linear
    deviations = linear.center_additions(estimate.additions, estimate.value)
    most = linear.most
    if isinstance(linear.formula, ItemMean):
        most = most * linear.leaves[linear.formula].correction.max()
    scale = find_exact_scale(most)
    unit = linear.n_items * scale
    whole = np.rint(deviations * scale)
    return _Deviations(
        turned=estimator.drawn.turn(whole, linear.used) / np.float32(unit),
        variance=np.square(whole).sum(axis=1) / unit**2,
        tilt=(whole * linear.shares).sum(axis=1) / (unit * linear.n_items),
        spread=float(np.square(linear.shares).sum()) / linear.n_items**2,
    )


def _compare_editions(
    editions: list[_Edition], members: NDArray[np.intp], value: _Table
) -> tuple[_Table, NDArray[np.float32]]:
    """Return the studentised leads between editions, 0 within one, and the largest difference of each resample.

    Args:
        editions: Editions with deviations.
        members: Index of the edition of each system.
        value: float64 (systems), the scores.
    """
    deviations = [edition.deviations for edition in editions if edition.deviations is not None]
    variance, tilt = (np.concatenate([getattr(one, name) for one in deviations]) for name in ("variance", "tilt"))
    spread = np.array([one.spread for one in deviations])[members]
    n_items = np.array([edition.linear.n_items for edition in editions], np.float64)[members]
    is_apart = members[:, None] != members
    total = np.where(is_apart, variance[:, None] + variance, 0)
    with np.errstate(divide="ignore"):
        precision = np.where(total > 0, 1 / np.sqrt(total), 0).astype(np.float32)
    turned = np.concatenate([one.turned for one in deviations])
    largest = largest_differences(turned, precision, count_tail(turned.shape[1]))
    difference = value[:, None] - value
    # The pooled score is the mean over the items of both; each system deviates from it by its part of the difference.
    part = n_items / (n_items[:, None] + n_items)
    total += 2 * difference * (part * tilt[:, None] - part.T * tilt)
    total += np.square(difference) * (np.square(part) * spread[:, None] + np.square(part.T) * spread)
    is_different = is_apart & (total > 0)
    return np.divide(difference, np.sqrt(np.maximum(total, 0)), out=np.zeros_like(total), where=is_different), largest
