"""Confidence intervals (95 %) of means over clustered items: Wilson's, on the effective number of items.

A share p of N items is right. For independent items, Wilson's interval would be valid; clusters multiply the variance
by a design effect φ, so the effective number of items is N/φ. Five corrections keep coverage close to 95 %:

* *Small samples.* A cluster's residual r = right − p · size is divided by √(1 − size/N), which undoes the effect of the
  mean on it (CR2). φ = Σ r² / Σ s, where s = right · (1 − 2p) + size · p² is the value for independent items.
* *An uncertain design effect.* φ is an estimate, and a poor one if there are few clusters and almost all items are
  right or wrong. The scatter of r² − φ s gives its degrees of freedom (after Satterthwaite; times 0.7). Three clusters
  with one wrong item each do not scatter and yet carry little information, so the degrees also depend on the effective
  number g = (Σ y)² / Σ y² of clusters that the rarer answers y are spread over: 1/degrees is the scatter's plus u /
  g^(5/3). u = clusters · Σ size² / N² is 1 for clusters of equal size and grows with their unevenness.
* *A prior.* φ lies between 1 and k = Σ size² / N, the value for clusters that are all right or all wrong. The estimate
  is averaged with the design effect of a correlation of 0.8, which counts for 1 / ln² k degrees of freedom (with k at
  least 2): two in clusters of two, a sixth in clusters of twelve. The quantile is that of Student's t with all degrees
  of freedom, at least two. If no item is right, or all are, φ is the prior; if every cluster is a single item, it is 1
  and certain.
* *Granularity.* On 20 items the share moves in steps of 5 points, and no interval that depends only on the number of
  right items is near 95 % at every accuracy: at 97 % either 88 % or 98 % of the intervals cover. So the share is
  shifted by up to half a step, up or down, before its interval is computed. The offset depends on the answers and a
  salt: the same answers have the same interval, and nobody can remove the offset without the salt.
* *Few wrong items.* If few of a cluster's items are wrong, they may be independent errors or a single shared one. The
  end towards 1/2 allows for both, so it almost never misses and 97 to 98 % of the intervals cover. The other end then
  takes over its share of the 5 %: its quantile falls from the two-sided 1.96 to the one-sided 1.64 as the number of
  wrong items (of right ones, below 1/2) falls from about 60 to 0. Clusters of one item need no such correction.

Source: Wilson (1927); effective sample size: Kish, Survey Sampling (1965), Korn and Graubard, Survey Methodology 24
(1998); CR2 and degrees of freedom: Bell and McCaffrey, Survey Methodology 28 (2002); smoothing a lattice: Hall, The
Bootstrap and Edgeworth Expansion (1992), section 2.3, and Decrouez and Hall, J. R. Stat. Soc. B 76 (2014); averaging a
variance with a prior: Smyth, Stat. Appl. Genet. Mol. Biol. 3 (2004).
"""

import hashlib
from math import log
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.clusters import UNIT, Clusters

LEVEL = 0.95
NORMAL_QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)

FEWER_DEGREES = 0.7
"""Factor of a variance's degrees of freedom: those of a few skewed clusters are overestimated."""

_ASSUMED_CORRELATION = 0.8
_SPREAD_POWER = 5 / 3
_ONE_SIDED_QUANTILE = NormalDist().inv_cdf(LEVEL)
_FEW_WRONG = 33.0
_SURE_DEGREES = 1e6
_STEPS = 2520  # Halves to tenths are integer multiples of 1/2520.
_FEWEST_DEGREES = 2.0
_NOTHING = 1e-12

_Column = NDArray[np.float64]


class MeanIntervals(NamedTuple):
    """Means with their intervals; each float64 (systems), fractions in [0, 1]."""

    value: _Column
    low: _Column
    high: _Column


def make_intervals(
    sums: NDArray[np.int64], clusters: Clusters, salt: bytes, *, is_member: bool = False
) -> MeanIntervals:
    """Return the means of systems over items, and their 95 % intervals.

    Undefined (NaN) with fewer than two clusters. An interval lies in [0, 1] and contains its mean.

    Args:
        sums: clusters × systems, in 1/UNIT, from `Clusters.sum_clusters`.
        clusters: Clusters of the items.
        salt: Determines, with the sums, the fraction of a step by which each mean is shifted.
        is_member: Whether the means are members of a score. Then both ends have the two-sided quantile: together the
            members miss on either side.
    """
    value = clusters.mean(sums)
    if clusters.n_clusters < 2:
        nothing = np.full(len(value), np.nan)
        return MeanIntervals(value, nothing, nothing)
    right = np.ascontiguousarray(sums.T) / UNIT
    effect, degrees = estimate_design_effect(right, value, clusters.sizes)
    moved = np.clip(value + draw_offsets(sums, salt) / clusters.n_items, 0, 1)
    inner = outer = student_quantile(degrees)
    if not is_member:
        outer = student_quantile(degrees, _find_outer_quantile(value, clusters.sizes))
    is_high, n = value > 0.5, clusters.n_items / effect
    low, _ = make_wilson(moved, n, np.where(is_high, inner, outer))
    _, high = make_wilson(moved, n, np.where(is_high, outer, inner))
    return MeanIntervals(value, np.minimum(low, value).clip(0, 1), np.maximum(high, value).clip(0, 1))


def estimate_design_effect(right: _Column, value: _Column, sizes: NDArray[np.int64]) -> tuple[_Column, _Column]:
    """Return the design effect of each system, above 0, and its degrees of freedom.

    Args:
        right: systems × clusters, the sum of each cluster.
        value: (systems), the means.
        sizes: (clusters).
    """
    n_items = float(sizes.sum())
    widest = float(np.square(sizes).sum()) / n_items
    p = value[:, None]
    squares = np.square(right - p * sizes) / (1 - sizes / n_items)
    expected = right * (1 - 2 * p) + sizes * p**2
    total = squares.sum(axis=1)
    observed = total / np.maximum(n_items * value * (1 - value), 1 / (2 * n_items))
    scatter = np.square(squares - observed[:, None] * expected).sum(axis=1)
    rare = np.where(p > 0.5, sizes - right, right)
    spread = np.square(rare.sum(axis=1)) / np.maximum(np.square(rare).sum(axis=1), _NOTHING)
    # One over the combined degrees of freedom of both kinds.
    unevenness = len(sizes) * widest / n_items
    fewness = scatter / (FEWER_DEGREES * 2 * np.maximum(np.square(total), _NOTHING))
    fewness += unevenness / np.maximum(spread, 1) ** _SPREAD_POWER
    degrees = np.where(total > _NOTHING, 1 / fewness, 0)
    prior = 1 / log(max(widest, 2)) ** 2
    assumed = 1 + (widest - 1) * _ASSUMED_CORRELATION
    effect = (prior * assumed + degrees * observed) / (prior + degrees)
    is_sure = (sizes == 1).all() & ((right == 0) | (right == 1)).all(axis=1)
    degrees = np.where(is_sure, _SURE_DEGREES, (prior + degrees).clip(_FEWEST_DEGREES, _SURE_DEGREES))
    return np.where(is_sure, 1.0, effect), degrees


def _find_outer_quantile(value: _Column, sizes: NDArray[np.int64]) -> _Column:
    """Return the normal quantile of the end towards 0 or 1: below 1.96 if few items are right, or few are wrong."""
    if (sizes == 1).all():
        return np.full_like(value, NORMAL_QUANTILE)
    n_rare = sizes.sum() * np.minimum(value, 1 - value)
    fewness: _Column = np.exp(-np.square(n_rare / _FEW_WRONG))
    return NORMAL_QUANTILE - (NORMAL_QUANTILE - _ONE_SIDED_QUANTILE) * fewness


def student_quantile(degrees: _Column, normal_quantile: _Column | float = NORMAL_QUANTILE) -> _Column:
    """Return quantiles of Student's t by the Cornish–Fisher expansion, for at least 2 degrees of freedom.

    Args:
        degrees: Degrees of freedom.
        normal_quantile: Normal quantile at the same level; that of 97.5 % by default.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> student_quantile(np.array([5.0, 20.0])).round(3).tolist()
    [2.57, 2.086]
    """
    z = normal_quantile
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    quantile = np.zeros_like(degrees) + z
    for power, term in enumerate(terms, start=1):
        quantile += term / degrees**power
    return quantile


def make_wilson(share: _Column, n: _Column, quantile: _Column) -> tuple[_Column, _Column]:
    """Return the ends of Wilson's interval of shares on n items, which need not be an integer."""
    scale = 1 + quantile**2 / n
    centre = (share + quantile**2 / (2 * n)) / scale
    half = quantile / scale * np.sqrt(share * (1 - share) / n + quantile**2 / (4 * n**2))
    return centre - half, centre + half


def draw_offsets(sums: NDArray[np.int64], salt: bytes) -> _Column:
    """Return the shift of each system's sum, in items: uniform within half a step of its sums, up or down."""
    # In steps that fit thirds in single precision as well as exact ones.
    coarse = np.rint(sums / (UNIT // _STEPS)).astype("<i8")
    steps = np.gcd(np.gcd.reduce(coarse, axis=0), _STEPS) / _STEPS
    digests = [hashlib.blake2b(column.tobytes(), key=salt[:64], digest_size=8).digest() for column in coarse.T]
    offsets: _Column = (np.frombuffer(b"".join(digests), "<u8") / 2**64 - 0.5) * steps
    return offsets
