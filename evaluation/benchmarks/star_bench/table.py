"""Precomputed arrays of a key for scoring."""

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
    """Data of a key for scoring. It contains answers: evaluators only.

    Attributes:
        items: All items, in order.
        shown: ID → options of every run; equal options are one object, which speeds up the lookup of readings.
        truth: int16 (items × runs): the right position; ABSENT if an item does not have this run.
        secret: bool (items): whether the answer is secret.
        slices: Every slice.
    """

    items: tuple[Item, ...]
    shown: Mapping[str, tuple[tuple[str, ...], ...]]
    truth: NDArray[np.int16]
    secret: NDArray[np.bool_]
    slices: tuple[StarSlice, ...]


@lru_cache(maxsize=8)
def make_table(key: AnswerKey) -> Table:
    """Return the data of a key for scoring."""
    items = key_items(key)
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    options_of_runs = {}
    truth = np.full((len(items), max(len(item.runs) for item in items)), ABSENT, np.int16)
    for row, item in enumerate(items):
        options = (shown_options(item, run) for run in item.runs)
        options_of_runs[item.id] = tuple(same.setdefault(texts, texts) for texts in options)
        truth[row, : len(item.runs)] = right_positions(item, key.answers[item.id])
    secret = np.array([key.is_secret and _is_made_here(question) for question in key.questions], dtype=np.bool_)
    return Table(items, options_of_runs, truth, secret, build_slices(key.questions, has_cells=not secret.any()))


def _is_made_here(question: Question) -> bool:
    return all(is_rendered(name) for name in question["audio"])
