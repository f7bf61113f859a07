"""Which slices of a submission may have scores, if some answers are secret (see `coverage`)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.coverage import judge_coverage
from evaluation.benchmarks.star_bench.slices import StarSlice
from evaluation.types import Item


def choose_slices(
    slices: Sequence[StarSlice], choices: NDArray[np.int16], items: Sequence[Item], secret: NDArray[np.bool_]
) -> tuple[StarSlice, ...]:
    """Return the slices whose scores reveal no secret answer.

    A sub-task is a group in the sense of `coverage`, and a union of sub-tasks is a union of groups. A level, or a row
    of the audiogram, is smaller than a group and has scores for complete files only.

    Args:
        slices: All slices.
        choices: int16 (items × runs): the choice, or UNREADABLE, MISSING, ABSENT.
        items: The items, in the same order.
        secret: bool (items): whether the answer is secret.
    """
    if not secret.any():
        return tuple(slices)
    secret_items = [item for item, is_secret in zip(items, secret, strict=True) if is_secret]
    disclosure = judge_coverage(choices[secret], secret_items, is_secret=True)
    place = np.cumsum(secret) - 1  # Index of a secret item among the secret ones.
    return tuple(
        item
        for item in slices
        if disclosure.whole
        or not (rows := item.rows[secret[item.rows]]).size
        or (not item.is_within and disclosure.allows(place[rows]))
    )
