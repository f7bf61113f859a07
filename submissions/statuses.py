"""Submission status, read from the database."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import inf

from db.admin_records import PastEvaluation
from db.endpoint_records import EndpointRecord
from db.model_records import ModelIdentity
from db.practice_records import PracticeRecord
from db.records import EvaluationRecord, EventRecord, ScoreRecord, SubmissionRecord
from db.repositories import (
    endpoints,
    evaluations,
    judging,
    models,
    practice_results,
    queue_order,
    reevaluations,
    submissions,
)
from db.session import Transaction
from db.states import UNRELEASED
from evaluation.benchmarks import Column, get_benchmark
from evaluation.errors import UnknownBenchmarkError
from submissions.jobs.outlook import NOTHING_AHEAD, Outlook, look_ahead
from submissions.ranking.best_rows import find_lead


@dataclass(frozen=True, slots=True)
class Status:
    """Status of a submission.

    Attributes:
        submission: The submission.
        position: Number of submissions ahead of it; None if it is not queued.
        progress: Completed share of the running evaluation; None if none is running.
        events: All events.
        evaluation: The current evaluation.
        scores: Its scores; empty if there are none or the viewer may not see them.
        lead: Its leading score; None for a version that is no longer served.
        past: Current and past evaluations with that score, newest first.
        shown_as: The model that it is shown under, if a maintainer merged its own into that one.
        outlook: Expected time while it is unfinished.
        endpoint: Endpoint of its model with the progress; None for an uploaded file.
        practice: Its practice answers; None without any.
    """

    submission: SubmissionRecord
    position: int | None
    progress: float | None
    events: tuple[EventRecord, ...]
    evaluation: EvaluationRecord | None
    scores: tuple[ScoreRecord, ...]
    past: tuple[PastEvaluation, ...] = ()
    lead: Column | None = None
    shown_as: ModelIdentity | None = None
    outlook: Outlook = NOTHING_AHEAD
    endpoint: EndpointRecord | None = None
    practice: PracticeRecord | None = None


def read_status(
    transaction: Transaction, submission: SubmissionRecord, now: datetime, *, sees_unreleased: bool = False
) -> Status:
    """Return the status of a submission; with `sees_unreleased`, also scores that competition mode withholds."""
    open_one = evaluations.find_open_evaluation(transaction, submission.id)
    current = submission.current_evaluation_id
    if sees_unreleased and submission.state == UNRELEASED:
        current = evaluations.find_newest_finished(transaction, submission.id)
    evaluation = evaluations.find_evaluation(transaction, current) if current is not None else None
    scores = tuple(evaluations.list_scores(transaction, evaluation.id)) if evaluation else ()
    lead = _find_lead(submission, scores)
    return Status(
        submission=submission,
        position=queue_order.count_ahead(transaction, submission.id, now) if _waits_in_line(submission) else None,
        progress=open_one.progress if open_one is not None and submission.state == "running" else None,
        events=tuple(submissions.list_events(transaction, submission.id)),
        evaluation=evaluation,
        scores=scores,
        lead=lead,
        past=_list_past(transaction, submission, lead),
        shown_as=models.find_other_name(transaction, submission.model.id),
        outlook=look_ahead(transaction, submission, now),
        endpoint=endpoints.find_endpoint(transaction, submission.id),
        practice=_find_practice(transaction, submission),
    )


def hide_private_details(status: Status) -> Status:
    """Return the public view of a published submission.

    It omits scores over few items, which would reveal single answers, and the endpoint with its messages: the failure
    of a retried attempt quotes the host and its words, which may name accounts.
    """
    least = _find_least_items(status.submission)
    scores = tuple(one for one in status.scores if one.covers(least))
    past = tuple(one if one.n is None or one.n >= least else replace(one, value=None) for one in status.past)
    events = status.events
    if status.endpoint is not None:
        events = tuple(
            replace(one, text="The submission failed.") if one.to_state == "failed" else one for one in events
        )
    return replace(status, scores=scores, past=past, events=events, endpoint=None)


def hide_judge_replies(status: Status) -> Status:
    """Remove why the judge's replies contain no verdict: only maintainers can act on it.

    The outlook of a submission that is held for it tells the owner all that is needed.
    """
    submission = status.submission
    is_held = (submission.state, submission.lane) == ("awaiting-judge", "held")
    if not is_held or submission.reason_code not in (judging.STOPPED, judging.UNREADABLE):
        return status
    return replace(status, submission=replace(submission, reason=None))


def _find_least_items(submission: SubmissionRecord) -> float:
    try:
        return get_benchmark(submission.benchmark, submission.version).min_public_items
    except UnknownBenchmarkError:
        return inf  # a version that is no longer served


def _find_practice(transaction: Transaction, submission: SubmissionRecord) -> PracticeRecord | None:
    """Return the practice answers of a submission; without the gap to an earlier evaluation."""
    found = practice_results.find_practice(transaction, submission.id)
    if found is None or found.result is None or found.result.evaluation_id == submission.current_evaluation_id:
        return found
    result = replace(found.result, gap=None, low=None, high=None, n_items=None, explanation=None)
    return replace(found, result=result, explanation=None)


def _waits_in_line(submission: SubmissionRecord) -> bool:
    return submission.state == queue_order.find_waiting_state(submission.lane)


def _find_lead(submission: SubmissionRecord, scores: Sequence[ScoreRecord]) -> Column | None:
    try:
        benchmark = get_benchmark(submission.benchmark, submission.version)
    except UnknownBenchmarkError:
        return None
    return find_lead(benchmark, {score.key for score in scores if score.value is not None})


def _list_past(
    transaction: Transaction, submission: SubmissionRecord, lead: Column | None
) -> tuple[PastEvaluation, ...]:
    if lead is None:
        return ()
    return tuple(reevaluations.list_past_evaluations(transaction, submission.id, lead.slice, lead.metric))
