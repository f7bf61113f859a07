"""Which items stand and fall together, because they are heard in the same sounds."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray


def number_clusters(sources: Sequence[Collection[str]]) -> NDArray[np.int64]:
    """Return a number for each item, the same for items that share a source, be it by way of others.

    Args:
        sources: What each item is heard in: its clips, or the recordings that they are cut from. An item without any is
            a cluster of its own.

    >>> number_clusters([{"a"}, {"b"}, {"a", "c"}, set(), {"c"}]).tolist()
    [4, 1, 4, 3, 4]
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
