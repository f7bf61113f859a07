"""Which items stand and fall together, because they are heard in the same sounds."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Item


def number_clusters(items: Sequence[Item]) -> NDArray[np.int64]:
    """Return a number for each item, the same for items that share a clip, be it by way of others.

    An item without a clip is a cluster of its own.
    """
    parents = list(range(len(items)))

    def find(row: int) -> int:
        while parents[row] != row:
            parents[row] = parents[parents[row]]
            row = parents[row]
        return row

    first_with: dict[str, int] = {}
    for row, item in enumerate(items):
        for clip in item.clips:
            parents[find(row)] = find(first_with.setdefault(clip, row))
    return np.array([find(row) for row in range(len(items))], dtype=np.int64)
