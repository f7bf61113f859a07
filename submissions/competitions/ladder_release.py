"""Release of a result in competition mode: by the Ladder, against the owner's best released submission on the board."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from db.lease_records import SubmissionJob
from db.records import NewResult, ScoreRecord, SealedOutcomes, SubmissionRecord
from db.repositories import competitions, evaluations, submissions, users
from db.session import Transaction
from db.states import UNRELEASED
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.disclosure_rule import round_share
from evaluation.statistics import (
    Clusters,
    LadderDecision,
    ScoreFormula,
    Scores,
    decide_score_release,
    list_item_means,
)
from evaluation.types import Outcomes, Report
from submissions.competitions.competition_texts import MIN_GAIN, NO_CHANGE, NO_CHANGE_CODE
from submissions.ranking.board_outcomes import read_outcomes
from submissions.scoring.score_disclosure import list_disclosed
from submissions.service import board_of


class _RankedOutcomes(NamedTuple):
    """Outcomes of a released submission with its headline score, missing items as wrong."""

    score: float
    outcomes: Outcomes


# Values of a submission whose result is stored without being released.
WITHHELD: Mapping[str, object] = {
    "state": UNRELEASED,
    "current_evaluation_id": None,
    "reason_code": NO_CHANGE_CODE,
    "reason": NO_CHANGE,
}


def release_result(
    transaction: Transaction, benchmark: Benchmark, key: AnswerKey, job: SubmissionJob, result: NewResult
) -> NewResult | None:
    """Return a result as it may be shown, or None in competition mode without a significant gain.

    The transaction that stores the result has to call this: the owner's lock orders the decisions of a series.

    Args:
        transaction: A write transaction.
        benchmark: Benchmark version of the submission.
        key: Answer key that it was scored with.
        job: The submission, with the lease on its evaluation.
        result: Its result, with sealed outcomes.
    """
    submission = job.work
    # One that waited for the judge was released with the scores of its other parts.
    if submission.current_evaluation_id is not None or not competitions.is_in_series(submission):
        return result
    submissions.lock_submission(transaction, submission.id)
    users.lock_user(transaction, submission.owner.id)
    if competitions.find_competition(transaction, submission.benchmark, submission.version) is None:
        return result
    decision = _decide(transaction, benchmark, key, job, result.outcomes)
    if not decision.is_released:
        return None
    headline = benchmark.headline_of(submission.setting)
    return replace(result, scores=tuple(_round_headline(benchmark, headline, result.scores, decision.score)))


def round_released(
    transaction: Transaction,
    benchmark: Benchmark,
    key: AnswerKey,
    submission: SubmissionRecord,
    report: Report,
) -> list[ScoreRecord]:
    """Return the scores of a new scoring of a released submission as they may be shown.

    In competition mode the headline is rounded as for a release. The decision itself stays.
    """
    scores = list(list_disclosed(benchmark, report))
    is_in_mode = competitions.find_competition(transaction, submission.benchmark, submission.version) is not None
    if not is_in_mode or not competitions.is_in_series(submission):
        return scores
    score = decide_by_headline(benchmark, key, submission.setting, report.outcomes, None).score
    return _round_headline(benchmark, benchmark.headline_of(submission.setting), scores, score)


def decide_by_headline(
    benchmark: Benchmark, key: AnswerKey, setting: str, new: Outcomes, best: Outcomes | None
) -> LadderDecision:
    """Decide by the headline of a setting; items that were not submitted count as wrong.

    A headline that does not follow from items releases the first submission only.
    """
    headline = benchmark.headline_of(setting)
    formula = benchmark.find_formula(key, headline.slice, headline.metric)
    if formula is None:
        return LadderDecision(best is None, None, None, None)
    return decide_score_release(
        formula,
        _cluster_items(benchmark, key),
        _score_items(benchmark, key, formula, new),
        None if best is None else _score_items(benchmark, key, formula, best),
        min_gain=MIN_GAIN,
    )


def _decide(
    transaction: Transaction, benchmark: Benchmark, key: AnswerKey, job: SubmissionJob, sealed: SealedOutcomes | None
) -> LadderDecision:
    if sealed is None:
        raise ValueError(f"evaluation {job.lease.id} has no outcomes")
    new = read_outcomes(benchmark, key, {job.lease.id: sealed})[job.lease.id]
    best = _find_best(transaction, benchmark, key, job)
    return decide_by_headline(benchmark, key, job.work.setting, new, best)


def _find_best(transaction: Transaction, benchmark: Benchmark, key: AnswerKey, job: SubmissionJob) -> Outcomes | None:
    """Return the outcomes of the owner's best released submission on these questions; None for the first one.

    A submission without a headline, such as one that leaves out a part of it, has shown other scores. So it counts,
    too, with its missing items as wrong: otherwise such submissions would be compared with any of them.
    """
    submission, headline = job.work, benchmark.headline_of(job.work.setting)
    board, keyed = board_of(submission), (headline.slice, headline.metric)
    best: _RankedOutcomes | None = None
    for released in competitions.list_released(transaction, submission.owner.id, board, keyed):
        if released.headline is not None and best is not None:
            continue  # The highest headline comes first.
        found = _read_released(transaction, benchmark, key, released.id)
        if found is None:
            continue
        score = decide_by_headline(benchmark, key, submission.setting, found, None).score or 0.0
        if best is None or score > best.score:
            best = _RankedOutcomes(score, found)
    return None if best is None else best.outcomes


def _read_released(
    transaction: Transaction, benchmark: Benchmark, key: AnswerKey, evaluation_id: int
) -> Outcomes | None:
    """Return the outcomes of an evaluation; None if they are of other questions, which begin no series here."""
    sealed = evaluations.find_outcomes(transaction, evaluation_id)
    # Outcomes from before an organiser replaced the questions cannot be opened.
    return None if sealed is None else read_outcomes(benchmark, key, {evaluation_id: sealed}).get(evaluation_id)


@lru_cache(maxsize=4)
def _cluster_items(benchmark: Benchmark, key: AnswerKey) -> Clusters:
    return Clusters.of(benchmark.cluster_items(key))


def _score_items(benchmark: Benchmark, key: AnswerKey, formula: ScoreFormula, outcomes: Outcomes) -> Scores:
    names = sorted({mean.score for mean in list_item_means(formula)})
    return {name: np.nan_to_num(benchmark.score_items(key, outcomes, name)) for name in names}


def _round_headline(
    benchmark: Benchmark, headline: Column, scores: Iterable[ScoreRecord], score: float | None
) -> list[ScoreRecord]:
    """Return scores whose headline is rounded to one item."""
    public = round_share(score) if benchmark.answers_are_secret else score
    return [
        replace(one, value=public) if one.key == headline.key and one.value is not None and public is not None else one
        for one in scores
    ]
