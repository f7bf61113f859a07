"""Scores of open answers, from a judge's scores of candidate and reference."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import stdev
from typing import NamedTuple

from evaluation.errors import EvaluationError
from evaluation.types import Score

FULL_SCORE = 10.0


class JudgementError(EvaluationError):
    """A judgement does not define a score."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's scores of one answer and the reference answer.

    Attributes:
        candidate: Score of the answer, from 0 to 10.
        reference: Score of the reference, above 0 and up to 10.
        candidate_first: Whether the answer was shown before the reference.

    Raises:
        JudgementError: A score is out of range. A reference score of 0 leaves the ratio undefined: such a judgement has
            to be requested again, and is neither a 0 nor a 10.
    """

    candidate: float
    reference: float
    candidate_first: bool

    def __post_init__(self) -> None:
        if not (math.isfinite(self.candidate) and 0 <= self.candidate <= FULL_SCORE):
            raise JudgementError(
                f"A judge gave an answer {self.candidate} points; 0 to 10 are allowed. Judge it again."
            )
        if not (math.isfinite(self.reference) and 0 < self.reference <= FULL_SCORE):
            raise JudgementError(
                f"A judge gave the reference {self.reference} points; more than 0 and at most 10 are allowed. Judge it "
                "again."
            )


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """A judge's judgements of a submission's open answers.

    Attributes:
        judgements: Item ID → judgements.
        judging: Judge and protocol, for the signature; empty if unknown.
        unjudged: IDs of answers without a verdict after all attempts: they are excluded from every mean, as neither 0
            nor full points would be true.
    """

    judgements: Mapping[str, Sequence[Judgement]]
    judging: str = ""
    unjudged: frozenset[str] = frozenset()


class JudgeScores(NamedTuple):
    """Scores of a set of open answers, as fractions of ten points.

    Attributes:
        judge_score: Mean item score; higher is better.
        judge_raw: Mean of the judge's scores of the answers themselves; higher is better.
        judge_spread: Mean over items of the standard deviation of their judgements; lower is better.
        position_effect: Effect of being shown first; 0 is best, its sign is the direction.
    """

    judge_score: Score
    judge_raw: Score
    judge_spread: Score
    position_effect: Score


def item_score(judgements: Sequence[Judgement]) -> float:
    """Return the score of one answer as a fraction: mean over judgements of min(10, 10 · candidate / reference) / 10.

    The cap is ours, see `score_judged`.

    An answer without judgements was empty, and scores 0.

    >>> item_score([Judgement(6, 8, True), Judgement(9, 8, False)])
    0.875
    """
    return _mean([_ratio(judgement) for judgement in judgements]) or 0.0


def score_judged(answers: Sequence[Sequence[Judgement]]) -> JudgeScores:
    """Compute the scores of a set of open answers from their judgements.

    * `judge_score`: mean over items of `item_score`. Range [0, 1], higher is better.
    * `judge_raw`: mean over items of the mean of candidate / 10. Range [0, 1], higher is better.
    * `judge_spread`: mean of the sample standard deviation (divisor n − 1) of an item's min(1, candidate / reference),
      over items with at least two judgements. Range [0, 0.71], lower is better: it describes the judge, not the
      answers.
    * `position_effect`: mean over items judged in both orders of (mean of min(1, candidate / reference) with the
      candidate first − the same with it second). Range [−1, 1], 0 is best.

    `Score.n` counts the items behind a score; each is undefined (None) without items. Neither the order of items nor
    that of judgements affects a score.

    Args:
        answers: The judgements of each item; none for an empty answer, which scores 0 without a call.

    Source: MDAR, section 3.3 and appendix F.2, and the ratio of its released script, 10 · candidate / reference, on
    scores that were parsed whole. Several judgements are averaged, as the paper says of its own. The cap at 10
    is ours: the script has none, so that one judgement of 10 beside a reference of 1 counts as 100 of 10 points, and a
    mean may leave the scale. Spread and effect are ours as well.

    >>> score_judged([[Judgement(6, 8, True), Judgement(4, 8, False)], []]).judge_score
    Score(value=0.3125, n=2, std=None)
    """
    several = [answer for answer in answers if len(answer) > 1]
    effects = [effect for answer in answers if (effect := _position_effect(answer)) is not None]
    return JudgeScores(
        judge_score=_score([item_score(answer) for answer in answers]),
        judge_raw=_score([_mean([judged.candidate / FULL_SCORE for judged in answer]) or 0.0 for answer in answers]),
        judge_spread=_score([stdev(_ratio(judged) for judged in answer) for answer in several]),
        position_effect=_score(effects),
    )


def _ratio(judgement: Judgement) -> float:
    return min(1.0, judgement.candidate / judgement.reference)


def _position_effect(answer: Sequence[Judgement]) -> float | None:
    first = _mean([_ratio(judged) for judged in answer if judged.candidate_first])
    second = _mean([_ratio(judged) for judged in answer if not judged.candidate_first])
    return None if first is None or second is None else first - second


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _score(values: Sequence[float]) -> Score:
    return Score(_mean(values), len(values))
