"""Clusters of items that share audio."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray


def number_clusters(sources: Sequence[Collection[str]]) -> NDArray[np.int64]:
    """Return a cluster number for each item; items that share a source, directly or indirectly, share a cluster.

    Args:
        sources: Audio of each item: its clips, or the recordings that they are cut from. An item without any is a
            cluster of its own.

    >>> number_clusters([{"a"}, {"b"}, {"a", "c"}, set(), {"c"}]).tolist()
    [0, 1, 0, 3, 0]
    """
    parents = list(range(len(sources)))

    def find_root(row: int) -> int:
        while parents[row] != row:
            parents[row] = parents[parents[row]]
            row = parents[row]
        return row

    first_with: dict[str, int] = {}
    for row, names in enumerate(sources):
        for name in sorted(names):
            parents[find_root(row)] = find_root(first_with.setdefault(name, row))
    return np.array([find_root(row) for row in range(len(sources))], dtype=np.int64)
