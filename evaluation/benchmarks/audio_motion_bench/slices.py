"""The slices of AudioMotionBench: named sets of items, and how each becomes figures."""

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
from evaluation.metrics import seed_accuracy, seed_verification
from evaluation.metrics.seeds import score_over_seeds
from evaluation.types import ABSENT, Outcomes, Score, Split

CONFUSIONS = {
    "left_right_confusion": mirror_left_right,
    "front_back_confusion": mirror_front_back,
    "reversal": reverse,
}


@dataclass(frozen=True)
class Slice:
    """A named set of items.

    Attributes:
        name: Such as `sct/25db/mcq`.
        rows: Positions of its items in the benchmark's order.
        parts: Parts that must be present for the slice to have figures.
        form: `mcq`, `tf`, or `both`.
    """

    name: str
    rows: NDArray[np.int32]
    parts: frozenset[str]
    form: str


@dataclass(frozen=True)
class Layout:
    """Everything about the items that scoring needs as arrays. It holds answers: evaluators only.

    Attributes:
        slices: Every slice.
        confusable: metric → bool (items × 4): whether an option is that wrong image of the truth.
    """

    slices: tuple[Slice, ...]
    confusable: Mapping[str, NDArray[np.bool_]]


@lru_cache(maxsize=8)
def layout(split: Split, seed: str) -> Layout:
    """Return the slices and distractor kinds of a split."""
    items = design_items(split, seed)
    return Layout(_slices(items), {metric: _image_of_truth(items, metric) for metric in CONFUSIONS})


def _slices(items: tuple[DesignedItem, ...]) -> tuple[Slice, ...]:
    names: dict[str, list[int]] = {}
    for row, designed in enumerate(items):
        for name in _names(designed):
            names.setdefault(name, []).append(row)
    return tuple(Slice(name, np.array(names[name], np.int32), _needed(name), _form(name)) for name in sorted(names))


def _names(designed: DesignedItem) -> list[str]:
    """Return the slices an item is in. A direction's slice pools 36 items, so that no answer shows through it."""
    clip, form = designed.clip, designed.form
    names = [f"direction/{clip.trajectory.start}-{clip.trajectory.end}"]
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
    outcomes: Outcomes, truth: NDArray[np.int16], parts: tuple[str, ...], table: Layout
) -> dict[str, dict[str, Score]]:
    """Return the figures of every slice whose parts are all present."""
    present = frozenset(parts)
    return {item.name: _score_slice(item, outcomes, truth, table) for item in table.slices if item.parts <= present}


def _score_slice(item: Slice, outcomes: Outcomes, truth: NDArray[np.int16], table: Layout) -> dict[str, Score]:
    scores = {"accuracy": seed_accuracy(outcomes.correct[item.rows])}
    choices = outcomes.choices[item.rows]
    if item.form == "tf":
        scores |= seed_verification(choices, truth[item.rows] == 1)._asdict()
    if item.form == "mcq":
        scores |= {metric: _confusion(choices, table.confusable[metric][item.rows]) for metric in CONFUSIONS}
    return scores


def _confusion(choices: NDArray[np.int16], images: NDArray[np.bool_]) -> Score:
    """Return the share of items that offer a wrong image of the truth in which that image was chosen.

    Range [0, 1], lower is better, 0.25 for an even guess; None where no item offers it. Ours; the paper has no such
    figure.
    """
    offering = images.any(axis=1)
    position = images[offering].argmax(axis=1)
    chosen = choices[offering]
    hit = np.where(chosen == ABSENT, np.nan, (chosen == position[:, None]).astype(np.float64))
    return score_over_seeds(hit)


def chance_figures() -> dict[str, float]:
    """Return the expected figures of an even guess: a quarter, a half, and (56/4 + 112/2)/168 = 5/12 pooled."""
    figures = {f"direction/{path.start}-{path.end}|accuracy": 5 / 12 for path in TRAJECTORIES}
    for head in ("overall", *VARIANTS):
        for name in (head, *(f"{head}/{condition}" for condition in CONDITIONS)):
            figures[f"{name}|accuracy"] = 5 / 12
            figures[f"{name}/mcq|accuracy"] = 1 / 4
            figures[f"{name}/tf|accuracy"] = 1 / 2
            figures |= {f"{name}/tf|{metric}": 1 / 2 for metric in ("tpr", "tnr", "yes_bias")}
            figures |= {f"{name}/mcq|{metric}": 1 / 4 for metric in CONFUSIONS}
    return figures
