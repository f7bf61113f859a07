"""95 % intervals of means over items that come in clusters: Wilson's, on the effective number of items.

Of N items a share p is right. Were the items independent, Wilson's interval would hold; clusters multiply the variance
by a design effect φ, so N/φ items stand behind the share. Four things keep what follows close to 95 %:

* *Small samples.* A cluster's residual r = right − p · size is divided by √(1 − size/N), which undoes what the mean
  took of it (CR2). φ = Σ r² / Σ s, where s = right · (1 − 2p) + size · p² is what independent items would give.
* *An uncertain design effect.* φ is estimated, and from few clusters badly where almost all items are right or wrong.
  The scatter of r² − φ s says how many degrees of freedom it has (after Satterthwaite; times 0.7). Three clusters with
  one wrong item each do not scatter and yet say little, so the degrees are made fewer by the square of the number
  g = (Σ y)² / Σ y² of clusters that the rarer answers y are spread over: 1/degrees is 1/scatter's + 1/g².
* *What is known before.* φ lies between 1 and k = Σ size² / N, what clusters that are all right or all wrong would
  give. The estimate is averaged with the design effect of a correlation of 0.8, which counts for 1 / ln² k degrees of
  freedom (k being 2 at the least): two in clusters of two, a sixth in clusters of twelve. The quantile is that of
  Student's t with all degrees of freedom, two at the least. Where nothing is right, or all, φ is what is known before;
  where every cluster is one right or wrong item, it is 1 and certain.
* *The grain.* On 20 items the share moves in steps of 5 points, and no interval that follows from the number right
  alone is near 95 % at every accuracy: at 97 % either 88 % or 98 % of the intervals cover. So the share is moved by up
  to half a step, up or down, before its interval is made. The offset follows from the answers and a salt: the same
  answers have the same interval, and nobody without the salt can take the offset away.

Source: Wilson (1927); effective sample size: Kish, Survey Sampling (1965), Korn and Graubard, Survey Methodology 24
(1998); CR2 and degrees of freedom: Bell and McCaffrey, Survey Methodology 28 (2002); smoothing a lattice: Hall, The
Bootstrap and Edgeworth Expansion (1992), section 2.3, and Decrouez and Hall, J. R. Stat. Soc. B 76 (2014); a variance
averaged with one that is known before: Smyth, Stat. Appl. Genet. Mol. Biol. 3 (2004).
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

_ASSUMED_CORRELATION = 0.8
_FEWER_DEGREES = 0.7
_SURE_DEGREES = 1e6
_STEPS = 2520  # halves to tenths are whole numbers of 1/2520
_FEWEST_DEGREES = 2.0
_NOTHING = 1e-12

_Column = NDArray[np.float64]


class Interval(NamedTuple):
    """Means with their intervals; each float64 (systems), fractions in [0, 1]."""

    value: _Column
    low: _Column
    high: _Column


def make_intervals(sums: NDArray[np.int64], clusters: Clusters, salt: bytes) -> Interval:
    """Return the means of systems over items, and their 95 % intervals.

    Undefined (NaN) with fewer than two clusters. An interval lies in [0, 1] and holds its mean.

    Args:
        sums: clusters × systems, in 1/UNIT, as `Clusters.sum_clusters` makes them.
        clusters: Of the items.
        salt: Decides, with the sums, by how much of a step each mean is moved.
    """
    value = clusters.mean(sums)
    if clusters.n_clusters < 2:
        nothing = np.full(len(value), np.nan)
        return Interval(value, nothing, nothing)
    right = np.ascontiguousarray(sums.T) / UNIT
    effect, degrees = estimate_design_effect(right, value, clusters.sizes)
    moved = np.clip(value + _draw_offsets(sums, salt) / clusters.n_items, 0, 1)
    low, high = _make_wilson(moved, clusters.n_items / effect, student_quantile(degrees))
    return Interval(value, np.minimum(low, value).clip(0, 1), np.maximum(high, value).clip(0, 1))


def estimate_design_effect(right: _Column, value: _Column, sizes: NDArray[np.int64]) -> tuple[_Column, _Column]:
    """Return the design effect of each system, above 0, and its degrees of freedom.

    Args:
        right: systems × clusters, what each cluster sums to.
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
    # One over the degrees of freedom of both kinds together.
    fewness = scatter / (_FEWER_DEGREES * 2 * np.maximum(np.square(total), _NOTHING)) + 1 / np.maximum(spread, 1) ** 2
    degrees = np.where(total > _NOTHING, 1 / fewness, 0)
    known = 1 / log(max(widest, 2)) ** 2
    assumed = 1 + (widest - 1) * _ASSUMED_CORRELATION
    effect = (known * assumed + degrees * observed) / (known + degrees)
    is_sure = (sizes == 1).all() & ((right == 0) | (right == 1)).all(axis=1)
    degrees = np.where(is_sure, _SURE_DEGREES, (known + degrees).clip(_FEWEST_DEGREES, _SURE_DEGREES))
    return np.where(is_sure, 1.0, effect), degrees


def student_quantile(degrees: _Column) -> _Column:
    """Return the 97.5 % points of Student's t, by the expansion of Cornish and Fisher; for 2 degrees and more.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> student_quantile(np.array([5.0, 20.0])).round(3).tolist()
    [2.57, 2.086]
    """
    z = NORMAL_QUANTILE
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    quantile = np.full_like(degrees, z)
    for power, term in enumerate(terms, start=1):
        quantile += term / degrees**power
    return quantile


def _make_wilson(share: _Column, n: _Column, quantile: _Column) -> tuple[_Column, _Column]:
    scale = 1 + quantile**2 / n
    centre = (share + quantile**2 / (2 * n)) / scale
    half = quantile / scale * np.sqrt(share * (1 - share) / n + quantile**2 / (4 * n**2))
    return centre - half, centre + half


def _draw_offsets(sums: NDArray[np.int64], salt: bytes) -> _Column:
    """Return by how much to move each system's sum, in items: evenly within half a step of its sums, up or down."""
    # In steps that thirds in single precision meet as well as exact ones.
    coarse = np.rint(sums / (UNIT // _STEPS)).astype("<i8")
    steps = np.gcd(np.gcd.reduce(coarse, axis=0), _STEPS) / _STEPS
    drawn = [hashlib.blake2b(column.tobytes(), key=salt[:64], digest_size=8).digest() for column in coarse.T]
    offsets: _Column = (np.frombuffer(b"".join(drawn), "<u8") / 2**64 - 0.5) * steps
    return offsets
