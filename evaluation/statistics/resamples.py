"""Resamples of a board: sign flips of clusters and the resulting sums, as one matrix product.

If two systems are equally good, exchanging their answers on a cluster changes nothing. So the sign of their difference
on each cluster can be flipped, and the distribution of the sum under flips is its distribution under chance.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.errors import check_resamples

_DRAW_ROWS = 256
_PRODUCT_ROWS = 1024
_FEW_SYSTEMS, _CACHED_ROWS = 8, 64  # For few systems, signs are read from the cache.
_MAX_WIDENED = 10_000_000  # Signs that are held as float32, too, because few systems have many scores.
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True, eq=False)
class Resampling:
    """Resamples of a board's clusters, stored so that one more system costs one more row.

    Source: the sign-flipping (wild bootstrap) distribution with the null hypothesis imposed; Cameron, Gelbach and
    Miller, Review of Economics and Statistics 90 (2008).

    Attributes:
        clusters: Clusters of the items.
        signs: int8 (resamples × clusters), 1 or −1.
        salt: Determines the offsets of intervals; see `evaluation.statistics.intervals`.
    """

    clusters: Clusters
    signs: NDArray[np.int8]
    salt: bytes
    _widened: list[NDArray[np.float32]] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def draw(cls, clusters: ArrayLike, resamples: int, rng: np.random.Generator) -> Self:
        """Draw resamples.

        Args:
            clusters: int (items), equal numbers for items of one cluster, such as those on one clip.
            resamples: Number of resamples, 40 or more.
            rng: Seeded generator; the same state gives the same resamples.

        Raises:
            StatisticsError: Cluster labels are not integers, or there are too few resamples.

        >>> Resampling.draw([7, 7, 3], 40, np.random.default_rng(1)).signs.shape
        (40, 2)
        """
        item_clusters = Clusters.of(clusters)
        salt = rng.bytes(_SALT_BYTES)
        signs = np.empty((check_resamples(resamples), item_clusters.n_clusters), np.int8)
        for at in range(0, resamples, _DRAW_ROWS):
            rows = signs[at : at + _DRAW_ROWS]
            n_bytes = (rows.size + 7) // 8
            bits = np.unpackbits(np.frombuffer(rng.bytes(n_bytes), np.uint8), count=rows.size)
            rows[:] = (2 * bits.astype(np.int8) - 1).reshape(rows.shape)
        return cls(item_clusters, signs, salt)

    @property
    def resamples(self) -> int:
        """Number of resamples."""
        return len(self.signs)

    def turn(self, shares: NDArray[np.floating], used: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the sums of shares (systems × used clusters) after flipping clusters: systems × resamples.

        Args:
            shares: Integers; those of a system sum to less than 2^24 in size, so that every sum is exact.
            used: Indices of the clusters of the shares.
        """
        sums = np.empty((len(shares), self.resamples), np.float32)
        exact = shares.astype(np.float32)
        if len(shares) <= _FEW_SYSTEMS and self.signs.size <= _MAX_WIDENED:
            signs = self._widen_signs()
            np.matmul(exact, signs if len(used) == len(signs) else signs[used], out=sums)
            return sums
        for rows, signs in self._blocks(used, _CACHED_ROWS if len(shares) <= _FEW_SYSTEMS else _PRODUCT_ROWS):
            np.matmul(exact, signs.T, out=sums[:, rows])
        return sums

    def _widen_signs(self) -> NDArray[np.float32]:
        """Return the signs as float32 (clusters × resamples): converting them takes longer than one product."""
        if not self._widened:
            self._widened.append(np.ascontiguousarray(self.signs.T, np.float32))
        return self._widened[0]

    def _blocks(self, used: NDArray[np.intp], n_rows: int) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        is_whole = len(used) == self.signs.shape[1]
        for at in range(0, self.resamples, n_rows):
            rows = slice(at, at + n_rows)
            signs = self.signs[rows] if is_whole else self.signs[rows][:, used]
            yield rows, signs.astype(np.float32)
