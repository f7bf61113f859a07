"""Submission status in the API's form."""

from typing import Any

from db.practice_records import PracticeRecord
from db.records import EvaluationRecord, EventRecord, ScoreRecord
from leaderboard.api.endpoint_views import describe_endpoint
from leaderboard.api.routes.hub_model_routes import describe_hub_model
from leaderboard.boards.board_pages import describe_model, find_rate
from leaderboard.boards.provenance.dates import find_moment
from leaderboard.boards.provenance.papers import describe_printed
from submissions.statuses import Status

# Cause of a failure in the database → in the API.
_FAULTS = {"yours": "submitter", "ours": "system"}


def submission_url(submission_id: str) -> str:
    """Return the address of a submission on this host."""
    return f"/api/v1/submissions/{submission_id}"


def describe_status(status: Status, *, sees_all: bool) -> dict[str, Any]:
    """Return everything about a submission that the viewer may see.

    Args:
        status: Status of the submission.
        sees_all: Whether the viewer is its owner or a maintainer.
    """
    submission = status.submission
    return {
        "id": submission.id,
        "benchmark": submission.benchmark,
        "version": submission.version,
        "setting": submission.setting,
        "edition": submission.edition,
        "source": submission.source,
        "model": describe_model(submission.model),
        "shown_as": {"id": status.shown_as.public_id, "name": status.shown_as.name} if status.shown_as else None,
        "state": submission.state,
        "visibility": submission.visibility,
        "position": status.position,
        "progress": status.progress,
        "eta": status.outlook.eta_seconds,
        "stalled": status.outlook.is_stalled,
        "outlook": status.outlook.text or None,
        "events": [_describe_event(event) for event in status.events],
        "reason_code": submission.reason_code,
        "reason": submission.reason,
        "retryable": submission.retryable,
        "fault": _FAULTS.get(submission.fault or ""),
        "whose_fault": submission.fault,
        **_describe_evaluation(status.evaluation),
        "scores": describe_scores(status),
        "evaluations": _describe_past(status),
        "practice": _describe_practice(status.practice, sees_all=sees_all),
        # The digest would identify the file to anyone who guesses or has its content.
        "sha256": submission.artifact_sha256 if sees_all else None,
        "endpoint": describe_endpoint(status.endpoint) if sees_all else None,
        "hub": describe_hub_model(submission.model.hub),
        "hub_pull_request": submission.hub_pull_request,
        "created_at": find_moment(submission),
        "printed_on": submission.printed_on or None,
        "paper": describe_printed(submission.printed_in),
        "url": submission_url(submission.id),
    }


def _describe_event(event: EventRecord) -> dict[str, Any]:
    return {
        "at": event.at,
        "actor": event.actor,
        "from": event.from_state,
        "to": event.to_state,
        "text": event.text,
    }


def _describe_evaluation(evaluation: EvaluationRecord | None) -> dict[str, Any]:
    return {
        "signature": evaluation.signature if evaluation else None,
        "parts": evaluation.parts if evaluation else [],
        "runs": evaluation.runs if evaluation else None,
        "missing": find_rate(evaluation, evaluation.missing) if evaluation else None,
        "unreadable": find_rate(evaluation, evaluation.unreadable) if evaluation else None,
        "unreadable_reasons": dict(evaluation.unreadable_reasons) if evaluation else {},
        "notes": evaluation.notes if evaluation else [],
    }


def _describe_score(score: ScoreRecord) -> dict[str, Any]:
    return {"value": score.value, "n": score.n, "std": score.std, "note": score.note}


def _describe_past(status: Status) -> list[dict[str, Any]]:
    """Return the current and past evaluations, newest first."""
    if not status.past or status.lead is None:
        return []
    submission = status.submission
    return [
        {
            "at": past.finished_at,
            "signature": past.signature,
            "current": past.id == submission.current_evaluation_id,
            "headline": {"figure": status.lead.key, "value": past.value},
            "reason": past.reason,
            "requested_by": past.requested_by,
        }
        for past in status.past
    ]


def _describe_practice(practice: PracticeRecord | None, *, sees_all: bool) -> dict[str, Any] | None:
    if practice is None:
        return None
    result = practice.result
    return {
        "state": practice.state,
        "attached_at": practice.attached_at,
        "figure": result.figure if result else None,
        "value": result.value if result else None,
        "standard_error": result.standard_error if result else None,
        "gap": result.gap if result else None,
        "low": result.low if result else None,
        "high": result.high if result else None,
        "signature": result.signature if result else None,
        # Why a file failed quotes it.
        "explanation": practice.explanation if sees_all or practice.state != "failed" else None,
        "sha256": practice.artifact_sha256 if sees_all else None,
    }


def describe_scores(status: Status) -> dict[str, dict[str, Any]]:
    """Return `<slice>|<metric>` → score."""
    return {score.key: _describe_score(score) for score in status.scores}
