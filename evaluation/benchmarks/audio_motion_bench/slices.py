"""Slices of AudioMotionBench: named sets of items and their scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.audio_motion_bench.design import (
    CONDITIONS,
    TRAJECTORIES,
    VARIANTS,
    DesignedItem,
    design_items,
    mirror_front_back,
    mirror_left_right,
    reverse,
)
from evaluation.benchmarks.coverage import Disclosure
from evaluation.metrics import seed_accuracy, seed_verification
from evaluation.metrics.confusion import seed_confusion
from evaluation.types import Outcomes, Score, Split

DIRECTION = "direction"
CONFUSIONS = {
    "left_right_confusion": mirror_left_right,
    "front_back_confusion": mirror_front_back,
    "reversal": reverse,
}


@dataclass(frozen=True)
class MotionSlice:
    """A named set of items.

    Attributes:
        name: Name, such as `sct/25db/mcq`.
        rows: Positions of its items in the benchmark's order.
        parts: Parts that must be submitted for the slice to have scores.
        form: `mcq`, `tf`, or `both`.
        by_answer: Whether membership depends on the answers, which participants must not learn.
    """

    name: str
    rows: NDArray[np.int32]
    parts: frozenset[str]
    form: str
    by_answer: bool


@dataclass(frozen=True)
class _SliceLayout:
    """Arrays of item properties for scoring. They contain answers: evaluators only.

    Attributes:
        slices: All slices.
        confusable: metric → bool (items × 4): whether an option is this wrong image of the right answer.
    """

    slices: tuple[MotionSlice, ...]
    confusable: Mapping[str, NDArray[np.bool_]]


@lru_cache(maxsize=8)
def layout(split: Split, seed: str) -> _SliceLayout:
    """Return the slices and distractor types of a split."""
    items = design_items(split, seed)
    slices = list_slices(split, seed)
    return _SliceLayout(slices, {metric: _image_of_truth(items, metric) for metric in CONFUSIONS})


def list_slices(split: Split, seed: str) -> tuple[MotionSlice, ...]:
    """Return the slices of a split, without what only the scores of confusions need."""
    names: dict[str, list[int]] = {}
    for row, designed in enumerate(design_items(split, seed)):
        for name in _names(designed):
            names.setdefault(name, []).append(row)
    return tuple(_slice(name, names[name]) for name in sorted(names))


def _slice(name: str, rows: list[int]) -> MotionSlice:
    by_answer = name.startswith(f"{DIRECTION}/")
    return MotionSlice(name, np.array(rows, np.int32), _needed(name), _form(name), by_answer)


def _names(designed: DesignedItem) -> list[str]:
    """Return the slices of an item.

    A direction pools the 36 items about one path. If participants knew these items, they would know the answers, and a
    file that answers few of them would reveal answers through its scores; `evaluation.benchmarks.coverage` decides when
    they are shown.
    """
    clip, form = designed.clip, designed.form
    names = [f"{DIRECTION}/{clip.trajectory.start}-{clip.trajectory.end}"]
    for head in ("overall", clip.variant):
        names += [head, f"{head}/{clip.condition}", f"{head}/{form}", f"{head}/{clip.condition}/{form}"]
    return names


def _needed(name: str) -> frozenset[str]:
    head = name.split("/")[0]
    return frozenset([head] if head in VARIANTS else VARIANTS)


def _form(name: str) -> str:
    tail = name.split("/")[-1]
    return tail if tail in ("mcq", "tf") else "both"


def _image_of_truth(items: tuple[DesignedItem, ...], metric: str) -> NDArray[np.bool_]:
    table = np.zeros((len(items), 4), dtype=np.bool_)
    for row, designed in enumerate(items):
        truth = designed.clip.trajectory
        image = CONFUSIONS[metric](truth)
        if designed.form == "mcq" and image != truth and image in designed.offered:
            table[row, designed.offered.index(image)] = True
    return table


def score_slices(
    outcomes: Outcomes, truth: NDArray[np.int16], parts: tuple[str, ...], table: _SliceLayout, disclosure: Disclosure
) -> dict[str, dict[str, Score]]:
    """Return the scores of every slice that may be shown and whose parts are all submitted."""
    present = frozenset(parts)
    return {
        item.name: _score_slice(item, outcomes, truth, table, only_accuracy=not disclosure.whole)
        for item in table.slices
        if item.parts <= present and disclosure.allows(item.rows, by_answer=item.by_answer)
    }


def _score_slice(
    item: MotionSlice, outcomes: Outcomes, truth: NDArray[np.int16], table: _SliceLayout, *, only_accuracy: bool
) -> dict[str, Score]:
    scores = {"accuracy": seed_accuracy(outcomes.correct[item.rows])}
    if only_accuracy:
        return scores
    choices = outcomes.choices[item.rows]
    if item.form == "tf":
        scores |= seed_verification(choices, truth[item.rows] == 1)._asdict()
    if item.form == "mcq":
        scores |= {metric: _confusion(choices, table.confusable[metric][item.rows]) for metric in CONFUSIONS}
    return scores


def _confusion(choices: NDArray[np.int16], images: NDArray[np.bool_]) -> Score:
    """Return how often an offered wrong image was chosen."""
    offering = images.any(axis=1)
    return seed_confusion(choices[offering], images[offering].argmax(axis=1))


def chance_scores() -> dict[str, float]:
    """Return the expected scores of random guessing: a quarter, a half, and (56/4 + 112/2)/168 = 5/12 pooled."""
    scores = {f"{DIRECTION}/{path.start}-{path.end}|accuracy": 5 / 12 for path in TRAJECTORIES}
    for head in ("overall", *VARIANTS):
        for name in (head, *(f"{head}/{condition}" for condition in CONDITIONS)):
            scores[f"{name}|accuracy"] = 5 / 12
            scores[f"{name}/mcq|accuracy"] = 1 / 4
            scores[f"{name}/tf|accuracy"] = 1 / 2
            scores |= {f"{name}/tf|{metric}": 1 / 2 for metric in ("tpr", "tnr", "yes_bias")}
            scores |= {f"{name}/mcq|{metric}": 1 / 4 for metric in CONFUSIONS}
    return scores
