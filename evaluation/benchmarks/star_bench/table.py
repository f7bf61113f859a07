"""A key as scoring needs it, made once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.star_bench.questions import Question, key_items, right_positions, shown_options
from evaluation.benchmarks.star_bench.rendered import is_rendered
from evaluation.benchmarks.star_bench.slices import StarSlice, build_slices
from evaluation.types import ABSENT, Item


@dataclass(frozen=True)
class Table:
    """What scoring needs of a key. It holds answers: evaluators only.

    Attributes:
        items: All items, in order.
        shown: id → options of every run; equal options are one object, which makes looking readings up quick.
        truth: int16 (items × runs): the right position, ABSENT where an item has no such run.
        secret: bool (items): whether nobody outside may know the answer.
        slices: Every slice.
    """

    items: tuple[Item, ...]
    shown: Mapping[str, tuple[tuple[str, ...], ...]]
    truth: NDArray[np.int16]
    secret: NDArray[np.bool_]
    slices: tuple[StarSlice, ...]


@lru_cache(maxsize=8)
def make_table(key: AnswerKey) -> Table:
    """Return what scoring needs of a key."""
    items = key_items(key)
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    shown = {}
    truth = np.full((len(items), max(len(item.runs) for item in items)), ABSENT, np.int16)
    for row, item in enumerate(items):
        options = (shown_options(item, run) for run in item.runs)
        shown[item.id] = tuple(same.setdefault(texts, texts) for texts in options)
        truth[row, : len(item.runs)] = right_positions(item, key.answers[item.id])
    secret = np.array([key.split == "test" and _is_made_here(question) for question in key.questions], dtype=np.bool_)
    return Table(items, shown, truth, secret, build_slices(key.questions, has_cells=not secret.any()))


def _is_made_here(question: Question) -> bool:
    return all(is_rendered(name) for name in question["audio"])
