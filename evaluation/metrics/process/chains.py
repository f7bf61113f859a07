"""Answer selection: whether a critic helps to choose among several traces of a question."""

import math

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score

# Sums of probabilities depend on the order of addition in their last digits. Smaller differences are ties.
_DECIMALS = 10


def score_chains(scores: NDArray[np.float64], starts: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the critic's score of each trace: 1 − mean score of its steps, in [0, 1].

    Args:
        scores: float (steps), the critic's probability of an error.
        starts: int (traces), index of each trace's first step.

    Source: the paper only says that a chain is scored from its steps; the formula is ours.

    >>> score_chains(np.array([0.0, 0.5, 1.0]), np.array([0, 2]))
    array([0.75, 0.  ])
    """
    if not len(starts):
        return np.zeros(0)
    lengths = np.diff(np.append(starts, len(scores)))
    return np.asarray(1 - np.add.reduceat(scores, starts) / lengths, dtype=np.float64)


def best_of_n(chains: NDArray[np.float64], groups: NDArray[np.integer], right: NDArray[np.bool_]) -> Score:
    """Compute BoN: how often the best chain of a question ends in the right answer.

    If several chains are best, the share of them that are right: the expected accuracy of a fair draw, so that the
    score is reproducible. Range [0, 1], higher is better; it cannot reach 1 if some question has no right chain. None
    without questions. `n` is the number of questions, including those with a single chain.

    Args:
        chains: float (traces), see `score_chains`.
        groups: int (traces), number of the question, from 0 without gaps.
        right: bool (traces), whether the trace's final answer is the right one.

    Source: AudioProcessBench, section 3.3 (best-of-N), after MPBench; the paper does not define tie-breaking.

    >>> best_of_n(np.array([0.9, 0.9, 0.2]), np.array([0, 0, 0]), np.array([True, False, False]))
    Score(value=0.5, n=1, std=None)
    """
    return _score_groups(share_credit(chains, groups, right))


def majority_vote(
    chains: NDArray[np.float64],
    groups: NDArray[np.integer],
    answers: NDArray[np.integer],
    right: NDArray[np.bool_],
) -> Score:
    """Compute MV: how often the answer with the largest sum of chain scores is right.

    If several answers of a question have the largest sum, the right one earns its share of a fair draw among them.
    Range [0, 1], higher is better. None without questions. `n` is the number of questions.

    Args:
        chains: float (traces), see `score_chains`.
        groups: int (traces), number of the question, from 0 without gaps.
        answers: int (traces), number of the final answer, from 0 without gaps, distinct across questions.
        right: bool (traces), whether the trace's final answer is the right one.

    Source: AudioProcessBench, section 3.3 (majority voting), after MPBench; the paper does not define tie-breaking.

    >>> votes = np.array([0.6, 0.5, 0.4])
    >>> majority_vote(votes, np.array([0, 0, 0]), np.array([0, 1, 1]), np.array([True, False, False]))
    Score(value=0.0, n=1, std=None)
    """
    return _score_groups(share_credit_of_answers(chains, groups, answers, right))


def share_credit_of_answers(
    chains: NDArray[np.float64],
    groups: NDArray[np.integer],
    answers: NDArray[np.integer],
    right: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return each question's contribution to `majority_vote`, with its arguments."""
    _, first = np.unique(answers, return_index=True)
    sums = np.bincount(answers, weights=chains).astype(np.float64)  # One per answer, in the order of `first`.
    return share_credit(sums, groups[first], right[first])


def share_credit(
    weights: NDArray[np.float64], groups: NDArray[np.integer], right: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return for each group the right share of the entries with the largest weight."""
    if not len(groups):
        return np.zeros(0)
    rounded = np.round(weights, _DECIMALS)
    largest = np.full(int(groups.max()) + 1, -np.inf)
    np.maximum.at(largest, groups, rounded)
    tied = rounded == largest[groups]
    return np.bincount(groups[tied & right], minlength=len(largest)) / np.bincount(groups[tied])


def _score_groups(credit: NDArray[np.float64]) -> Score:
    return Score(math.fsum(credit.tolist()) / len(credit) if len(credit) else None, len(credit))
