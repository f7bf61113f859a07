"""Largest studentised difference among all pairs of systems, for every resample.

A thousand systems are half a million pairs, times ten thousand resamples: five billion differences. Only the upper 5 %
of the maxima matter, and in almost every resample almost every pair is far below them. Systems are put into small
groups of similar ones, and a pair of groups is bounded by the extremes of both and their smallest standard error; only
if the bound exceeds the known maximum are the pairs themselves computed. The bound holds in floating point too
(rounding is monotone), so the result equals that of the plain loop over all pairs.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_GROUP = 8
_SAMPLE = 256
_SAFE = 1.7
_TILE = 1 << 17
_UNEVEN = 3.0


class _Groups(NamedTuple):
    """Deviations (systems × resamples) and precisions by groups of systems, with the bounds of each group."""

    members: list[NDArray[np.float32]]
    highs: list[NDArray[np.float32]]
    lows: list[NDArray[np.float32]]
    slices: list[slice]
    precision: NDArray[np.float32]
    peaks: NDArray[np.float32]


def largest_differences(
    deviations: NDArray[np.float32], precision: NDArray[np.float32], tail: int
) -> NDArray[np.float32]:
    """Return max over pairs i, j of |deviation i − deviation j| · precision ij, for every resample.

    Args:
        deviations: systems × resamples, centred on the observed means.
        precision: systems × systems, symmetric: one over the standard error of the difference, 0 to exclude a pair.
        tail: Number of largest maxima that must be exact; the others are lower bounds of their maxima, and below all of
            those. Between 1 and the number of resamples.

    Source: the maximum statistic of Westfall and Young's and of Romano and Wolf's multiple tests.

    >>> largest_differences(np.float32([[0, 1], [2, 0]]), np.float32([[0, 3], [3, 0]]), 2)
    array([6., 3.], dtype=float32)
    """
    groups = _make_groups(deviations, precision)
    maxima = np.zeros(deviations.shape[1], np.float32)
    for members, at in zip(groups.members, groups.slices, strict=True):
        np.maximum(maxima, _largest_among(members, groups.precision[at, at]), out=maxima)
    floor = max(_guess_floor(deviations, precision, tail), _find_tail(maxima, tail))
    _raise_to(maxima, groups, floor)
    while (reached := _find_tail(maxima, tail)) < floor:
        floor = reached  # If the floor was too high it hid maxima; the reached value is a valid floor.
        _raise_to(maxima, groups, floor)
    return maxima


def differences_from(
    deviation: NDArray[np.float32], others: NDArray[np.float32], precision: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the largest studentised difference between one system and the others, for every resample.

    Args:
        deviation: (resamples) of the one system.
        others: systems × resamples.
        precision: (systems), one over the standard error of each difference.

    >>> differences_from(np.float32([0, 1]), np.float32([[2, 0]]), np.float32([3]))
    array([6., 3.], dtype=float32)
    """
    largest = np.zeros(len(deviation), np.float32)
    height = max(1, min(len(others), 128))
    width = _TILE // height  # A tile stays in the cache for all four passes.
    for at in range(0, len(deviation), width):
        columns = slice(at, at + width)
        for start in range(0, len(others), height):
            rows = slice(start, start + height)
            tile = others[rows, columns] - deviation[columns]
            np.abs(tile, out=tile)
            tile *= precision[rows, None]
            np.maximum(largest[columns], tile.max(axis=0), out=largest[columns])
    return largest


def group_similar(precision: NDArray[np.float32], size: int = _GROUP) -> list[NDArray[np.intp]]:
    """Return the systems in groups of at most `size` whose differences have small standard errors.

    Groups are halved repeatedly: by scatter if some members scatter much more than others, else by the nearer of two
    distant members.

    >>> [len(group) for group in group_similar(np.ones((20, 20), np.float32))]
    [5, 5, 5, 5]
    """
    distance = np.divide(1, precision, out=np.zeros_like(precision), where=precision > 0)
    pending, groups = [np.arange(len(precision))], []
    while pending:
        members = pending.pop()
        if len(members) <= size:
            groups.append(members)
            continue
        order = np.argsort(_split_key(distance, members), kind="stable")
        half = len(members) // 2
        pending += [members[order[:half]], members[order[half:]]]
    return groups


def _split_key(distance: NDArray[np.float32], members: NDArray[np.intp]) -> NDArray[np.float32]:
    scatter: NDArray[np.float32] = np.square(distance[np.ix_(members, members)]).mean(axis=1)
    if scatter.max() > _UNEVEN * scatter.min():
        return scatter
    extreme = members[np.argmax(distance[members[0], members])]
    other = members[np.argmax(distance[extreme, members])]
    nearer: NDArray[np.float32] = distance[extreme, members] - distance[other, members]
    return nearer


def _make_groups(deviations: NDArray[np.float32], precision: NDArray[np.float32]) -> _Groups:
    groups = group_similar(precision)
    order = np.concatenate(groups)
    ends = np.cumsum([len(group) for group in groups]).tolist()
    starts = [0, *ends[:-1]]
    members = [deviations[group] for group in groups]
    together = precision[order][:, order]
    return _Groups(
        members=members,
        highs=[rows.max(axis=0) for rows in members],
        lows=[rows.min(axis=0) for rows in members],
        slices=[slice(start, end) for start, end in zip(starts, ends, strict=True)],
        precision=together,
        peaks=np.maximum.reduceat(np.maximum.reduceat(together, starts, axis=0), starts, axis=1),
    )


def _largest_among(deviations: NDArray[np.float32], precision: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the largest differences by checking every pair."""
    largest = np.zeros(deviations.shape[1], np.float32)
    for n in range(len(deviations) - 1):
        rest = slice(n + 1, None)
        np.maximum(largest, differences_from(deviations[n], deviations[rest], precision[n, rest]), out=largest)
    return largest


def _guess_floor(deviations: NDArray[np.float32], precision: NDArray[np.float32], tail: int) -> float:
    """Return a value that is almost surely below the tail: a slightly deeper tail of the first few resamples."""
    n_resamples = deviations.shape[1]
    if n_resamples < 4 * _SAMPLE:
        return 0.0
    sample = np.ascontiguousarray(deviations[:, :_SAMPLE])
    deeper = min(_SAMPLE, 1 + int(_SAFE * tail / n_resamples * _SAMPLE))
    return _find_tail(_largest_among(sample, precision), deeper)


def _find_tail(maxima: NDArray[np.float32], tail: int) -> float:
    """Return the tail-th largest of the maxima."""
    at = len(maxima) - tail
    return float(np.partition(maxima, at)[at])


def _raise_to(maxima: NDArray[np.float32], groups: _Groups, floor: float) -> None:
    """Raise `maxima` in place to the largest difference between groups where that exceeds `floor`."""
    members, highs, lows, slices, precision, peaks = groups
    bound, other = np.empty_like(maxima), np.empty_like(maxima)
    for a, b in combinations(range(len(members)), 2):
        np.subtract(highs[a], lows[b], out=bound)
        np.subtract(highs[b], lows[a], out=other)
        np.maximum(bound, other, out=bound)
        bound *= peaks[a, b]
        columns = np.flatnonzero(bound > floor)
        columns = columns[bound.take(columns) > maxima.take(columns)]
        if columns.size:
            apart = members[a].take(columns, axis=1)[:, None] - members[b].take(columns, axis=1)
            np.abs(apart, out=apart)
            apart *= precision[slices[a], slices[b], None]
            maxima[columns] = np.maximum(maxima.take(columns), apart.max(axis=(0, 1)))
