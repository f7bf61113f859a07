"""Open answers: from a judge's scores of candidate and reference to the figures of a benchmark."""

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
    """A judgement that no score follows from."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge made of one answer, shown beside the reference answer.

    Attributes:
        candidate: Score of the answer, from 0 to 10.
        reference: Score of the reference, above 0 and up to 10.
        candidate_first: Whether the answer was shown before the reference.

    Raises:
        JudgementError: A score is out of range. A reference that scores 0 leaves the ratio undefined: such a judgement
            has to be asked for again, and is neither a 0 nor a 10.
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
    """What a judge made of the open answers of one entry.

    Attributes:
        judgements: Item id → judgements.
        judging: By whom and how was judged, for the signature; empty where that is not told.
        unjudged: Ids of answers that got no verdict, however often it was tried: they are left out of every mean, as
            neither 0 nor full marks would be true.
    """

    judgements: Mapping[str, Sequence[Judgement]]
    judging: str = ""
    unjudged: frozenset[str] = frozenset()


class JudgeScores(NamedTuple):
    """The figures of a set of open answers, all as fractions of ten points.

    Attributes:
        judge_score: Mean item score; higher is better.
        judge_raw: Mean of what the judge gave the answers themselves; higher is better.
        judge_spread: Mean over items of the deviation of their judgements; lower is better.
        position_effect: What being shown first adds to a score; 0 is best, its sign is the direction.
    """

    judge_score: Score
    judge_raw: Score
    judge_spread: Score
    position_effect: Score


def item_score(judgements: Sequence[Judgement]) -> float:
    """Return the score of one answer as a fraction: mean over judgements of min(10, 10 · candidate / reference) / 10.

    The cap is ours, see `score_judged`.

    Without a judgement the answer was empty, and scores 0.

    >>> item_score([Judgement(6, 8, True), Judgement(9, 8, False)])
    0.875
    """
    return _mean([_ratio(judgement) for judgement in judgements]) or 0.0


def score_judged(answers: Sequence[Sequence[Judgement]]) -> JudgeScores:
    """Measure a set of open answers from their judgements.

    * `judge_score`: mean over items of `item_score`. Range [0, 1], higher is better.
    * `judge_raw`: mean over items of the mean of candidate / 10. Range [0, 1], higher is better.
    * `judge_spread`: mean of the sample standard deviation (divisor n − 1) of an item's min(1, candidate / reference),
      over items with at least two judgements. Range [0, 0.71], lower is better: it speaks of the judge, not of the
      answers.
    * `position_effect`: mean over items judged in both orders of (mean of min(1, candidate / reference) with the
      candidate first − the same with it second). Range [−1, 1], 0 is best.

    `Score.n` counts the items behind a figure; each is undefined (None) where there are none. Neither the order of
    items nor that of judgements changes a figure.

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
