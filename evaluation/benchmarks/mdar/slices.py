"""Slices of MDAR and their scores."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerValue
from evaluation.benchmarks.mdar.design import list_sub_slices, slices_of
from evaluation.metrics import (
    Judgement,
    item_score,
    option_concentration,
    score_judged,
    score_multi_label,
    seed_accuracy,
)
from evaluation.metrics.multi_label import score_multi_label_items
from evaluation.statistics import ItemMean
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Outcomes, Score

# Score of an item: a choice, a whole set, or a judged open answer.
_CORRECT = "correct"
_SCORES = {
    "main": {"accuracy": _CORRECT},
    "multi": {"em": _CORRECT, "ji": "ji", "precision": "precision", "recall": "recall"},
    "open": {"judge_score": _CORRECT},
}

Judgements = Mapping[str, Sequence[Judgement]]


def code_answers(answers: Sequence[AnswerValue]) -> NDArray[np.int16]:
    """Encode right answers like `Outcomes.choices`; open ones are 0."""
    codes = [
        sum(1 << place for place in answer) if isinstance(answer, tuple) else answer if isinstance(answer, int) else 0
        for answer in answers
    ]
    return np.array(codes, dtype=np.int16)


def right_places(answer: AnswerValue) -> frozenset[int]:
    """Return the positions of the right options of a question of main or multi."""
    return frozenset(answer) if isinstance(answer, tuple) else frozenset({int(answer)})  # type: ignore[arg-type]


def score_correct(
    items: Sequence[Item], choices: NDArray[np.int16], truth: NDArray[np.int16], judgements: Judgements
) -> NDArray[np.float32]:
    """Return the score of each item: 1 if the answer or the whole set is right, the judge's score of an open answer.

    NaN if the part was not submitted, and for open answers that wait for a judge.
    """
    correct = np.where(choices == ABSENT, np.nan, choices == truth[:, None]).astype(np.float32)
    for row, item in enumerate(items):
        if item.part == "open" and choices[row, 0] == 0:
            correct[row, 0] = item_score(judgements[item.id]) if judgements.get(item.id) else np.nan
        elif item.part == "open" and choices[row, 0] in (UNREADABLE, MISSING):
            correct[row, 0] = 0.0
    return correct


def score_slices(
    items: Sequence[Item],
    names: Sequence[Collection[str]],
    choices: NDArray[np.int16],
    truth: NDArray[np.int16],
    parts: Sequence[str],
    judgements: Judgements | None,
    unjudged: Collection[str] = (),
) -> dict[str, dict[str, Score]]:
    """Return the scores of every slice of the given parts; those of open only with complete judgements.

    Answers without a verdict are excluded: they get neither zero nor full points.

    Args:
        items: The items.
        names: The slices of each item.
        choices: The answers.
        truth: The right answers.
        parts: Submitted parts.
        judgements: Item ID → judgement of its answer; None while some are missing.
        unjudged: Items whose answers got no verdict.
    """
    scores = {}
    slices = frozenset(name for of_item in names for name in of_item)
    subs = [name for name in list_sub_slices() if name in slices and "main" in parts]
    for name in (*(name for part in parts for name in slices_of(part)), *subs):
        rows = np.array([row for row, of_item in enumerate(names) if name in of_item], dtype=np.int64)
        if name.startswith("main"):
            scores[name] = {"accuracy": seed_accuracy((choices[rows] == truth[rows, None]).astype(np.float64))}
            if "/" not in name:
                scores[name]["option_concentration"] = option_concentration(choices[rows])
        elif name.startswith("multi"):
            scores[name] = score_multi_label(choices[rows, 0], truth[rows])._asdict()
        elif judgements is not None:
            ids = [items[row].id for row in rows if items[row].id not in unjudged]
            scores[name] = score_judged([judgements.get(item_id, ()) for item_id in ids])._asdict()
    return scores


def find_formula(names: Sequence[Collection[str]], slice_name: str, metric: str) -> ItemMean | None:
    """Return how a score is computed from item scores.

    None for the judge's raw score, its spread and the effect of position, because outcomes contain the score of an
    answer, not its judgements; and for option concentration, which is a largest share.

    Args:
        names: The slices of each item.
        slice_name: Slice of the score.
        metric: Metric of the score.
    """
    score = _SCORES.get(slice_name.split("/")[0], {}).get(metric)
    weights = np.array([slice_name in of_item for of_item in names], dtype=np.int64)
    return ItemMean(score, weights) if score is not None and weights.any() else None


def score_items(items: Sequence[Item], outcomes: Outcomes, truth: NDArray[np.int16], score: str) -> NDArray[np.float64]:
    """Return a score for every item; NaN for items without it.

    Raises:
        KeyError: The score is unknown.
    """
    correct = outcomes.correct[:, 0].astype(np.float64)
    if score == _CORRECT:
        return correct
    is_set = ~np.isnan(correct) & np.array([item.part == "multi" for item in items])
    values = np.full(len(correct), np.nan)
    values[is_set] = score_multi_label_items(outcomes.choices[is_set, 0], truth[is_set])._asdict()[score]
    return values
