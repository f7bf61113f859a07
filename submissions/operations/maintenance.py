"""Maintenance service: re-score, hide and restore submissions; inspect the queue."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from db.admin_records import QueueEntry, ReevaluationRecord, Scope
from db.audit_records import AuditRecord
from db.records import SubmissionRecord, UserRecord
from db.repositories import audit, boards, judging, queue_order, reevaluations, submissions, workers
from db.session import Database, Transaction
from db.worker_records import WorkerRecord
from evaluation.benchmarks import get_benchmark
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotFoundError, StateError
from submissions.intake.catalogues import Catalogues
from submissions.jobs.judge_usage import JudgeView, read_judge_view
from submissions.lifecycle import ENDS, TRANSITIONS
from submissions.service import board_of, get_any, get_locked

_LONGEST_REASON = 500
# Verbs of actions, as in the events that record them.
HIDING = "Hidden"
_UNFINISHED: tuple[str, ...] = tuple(state for state in TRANSITIONS if state not in ENDS)
_FORGOTTEN: dict[str, object] = {"reason_code": None, "reason": None, "fault": None, "retryable": None}
_LOG = logging.getLogger(__name__)

# Target of an action: a submission, which gets an event, or what to re-score.
_Subject = SubmissionRecord | Scope


@dataclass(frozen=True, slots=True)
class ReevaluationRequest:
    """Request for a re-evaluation: of a submission, or of a benchmark and optionally a version.

    Attributes:
        submission: Id of the submission.
        benchmark: Id of the benchmark.
        version: Version of the benchmark; by default, the first whose questions are installed.
        dry_run: Whether only to report what would change.
        reason: Reason, shown in the history of every submission.
    """

    submission: str | None
    benchmark: str | None
    version: str | None
    dry_run: bool
    reason: str


@dataclass(frozen=True, slots=True)
class QueuedSubmission:
    """An unfinished submission, the number of submissions ahead of it (None if it is not queued), and its age."""

    entry: QueueEntry
    position: int | None
    age_seconds: float


@dataclass(frozen=True, slots=True)
class QueueView:
    """The queue: running, queued, and other unfinished submissions; and state → number of unfinished submissions."""

    places: tuple[QueuedSubmission, ...]
    totals: Mapping[str, int]


class Maintenance:
    """Actions of maintainers. Everyone else is refused, whatever they name."""

    def __init__(self, database: Database, catalogues: Catalogues, accounts: Accounts) -> None:
        self._database = database
        self._catalogues = catalogues
        self._accounts = accounts

    def request_reevaluation(self, actor: UserRecord, request: ReevaluationRequest) -> ReevaluationRecord:
        """Request a re-evaluation, which an evaluator performs.

        It requires a previous dry run of the same scope; the evaluator verifies that both see the same signature.

        Raises:
            NotAllowedError, NotFoundError, UnknownBenchmarkError, BadRequestError, StateError: It cannot be requested.
        """
        self._accounts.require_maintainer(actor)
        reason = check_reason(request.reason)
        scope = self._find_scope(request)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            reevaluations.lock_scope(transaction, scope)
            open_one = reevaluations.find_open_of(transaction, scope, dry_run=request.dry_run)
            if open_one is not None:
                raise StateError(
                    f"Re-evaluation {open_one} of the same submissions is still running. Wait until it has finished."
                )
            if not request.dry_run and not reevaluations.list_targets_looked_at(transaction, scope):
                raise StateError("No preview of these changes exists. Run a dry run first.")
            reevaluation_id = reevaluations.add_reevaluation(
                transaction, scope, requested_by=actor.name, reason=reason, dry_run=request.dry_run, now=now
            )
            act = "Dry run asked for" if request.dry_run else "Re-evaluation asked for"
            self._note(transaction, actor, act, reason, now, scope)
        return self.get_reevaluation(actor, reevaluation_id)

    def get_reevaluation(self, actor: UserRecord, reevaluation_id: int) -> ReevaluationRecord:
        """Return the state of a re-evaluation, and its result.

        Raises:
            NotAllowedError, NotFoundError: The actor may not see it, or it does not exist.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            found = reevaluations.find_reevaluation(transaction, reevaluation_id)
        if found is None:
            raise NotFoundError(f"Unknown re-evaluation {reevaluation_id}.")
        return found

    def list_reevaluations(self, actor: UserRecord, limit: int, before: int | None = None) -> list[ReevaluationRecord]:
        """Return re-evaluations, newest first.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            return reevaluations.list_reevaluations(transaction, limit, before)

    def view_queue(self, actor: UserRecord, limit: int, after: submissions.QueuePosition | None = None) -> QueueView:
        """Return queued and running submissions; only those after a position if one is given.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            entries = submissions.list_queue(transaction, _UNFINISHED, limit, datetime.now(UTC), after)
            by_state = submissions.count_by_state(transaction)
        totals = {state: by_state[state] for state in _UNFINISHED if state in by_state}
        return QueueView(tuple(_to_place(entry) for entry in entries), totals)

    def view_judge(self, actor: UserRecord) -> JudgeView:
        """Return the current judge, its cost so far, and the number of submissions that wait for it.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            return read_judge_view(transaction, now)

    def list_workers(self, actor: UserRecord) -> list[WorkerRecord]:
        """Return the evaluators, the most recently seen first.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            return workers.list_workers(transaction, datetime.now(UTC))

    def list_audit(self, actor: UserRecord, limit: int, before: int | None = None) -> list[AuditRecord]:
        """Return entries of the audit log, newest first; only those before a number if one is given.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            return audit.list_entries(transaction, limit=limit, before=before)

    def hide(self, submission_id: str, actor: UserRecord, reason: str) -> None:
        """Hide a submission from its board; its owner still sees it, with the reason.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be hidden.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = get_locked(transaction, submission_id)
            if not submissions.hide_submission(transaction, submission_id, now):
                what = "withdrawn" if submission.state == "withdrawn" else "hidden"
                raise StateError(f"This submission is already {what}.")
            self._note(transaction, actor, HIDING, text, now, submission)

    def restore(self, submission_id: str, actor: UserRecord, reason: str) -> None:
        """Show a hidden submission again.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be restored.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = get_locked(transaction, submission_id)
            if not submissions.restore_submission(transaction, submission_id, now):
                raise StateError("This submission is not hidden.")
            self._note(transaction, actor, "Restored", text, now, submission)

    def release(self, submission_id: str, actor: UserRecord, reason: str) -> None:
        """Release a held submission: its judge's verdicts count, and interrupted judging resumes.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be released.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = _get_held(transaction, submission_id)
            judging.release_entry(transaction, submission.id, now)
            stopped = judging.list_stopped(transaction) if submission.reason_code == judging.STOPPED else []
            for one in [submission, *(get_locked(transaction, other) for other in stopped if other != submission.id)]:
                turn = queue_order.find_turn(transaction, one.owner.id, "judge")
                values = {"lane": "judge", "turn": turn, "not_before": None, **_FORGOTTEN}
                submissions.change_state(transaction, one.id, ["awaiting-judge"], now, **values)
                self._note(transaction, actor, "Released", text, now, one)

    def is_held(self, submission_id: str, actor: UserRecord) -> bool:
        """Tell whether a submission waits for a maintainer to review its answers.

        Raises:
            NotAllowedError, NotFoundError: The actor may not see it, or it does not exist.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            submission = get_any(transaction, submission_id)
        return (submission.state, submission.lane) == ("awaiting-judge", "held")

    def reject(self, submission_id: str, actor: UserRecord, reason: str) -> None:
        """Reject a held submission because one of its answers addresses the judge.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be rejected.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            submission = _get_held(transaction, submission_id)
            if submission.reason_code == judging.STOPPED:
                raise StateError(
                    "Judging stopped at this submission, but not because of it. Release it to resume judging."
                )
            values = {"reason_code": "held", "reason": text, "fault": "yours", "retryable": False}
            submissions.change_state(transaction, submission.id, ["awaiting-judge"], now, state="failed", **values)
            self._note(transaction, actor, "Rejected", text, now, submission, to_state="failed")

    def _note(
        self,
        transaction: Transaction,
        actor: UserRecord,
        act: str,
        reason: str,
        now: datetime,
        subject: _Subject,
        to_state: str | None = None,
    ) -> None:
        """Record an action. All maintainers' actions pass here, in the transaction in which they take effect."""
        if isinstance(subject, SubmissionRecord):
            submissions.add_event(
                transaction,
                subject.id,
                actor=actor.name,
                from_state=subject.state,
                to_state=to_state or subject.state,
                text=f"{act}: {reason}",
                now=now,
            )
            boards.touch_board(transaction, board_of(subject), now)
        named = subject.id if isinstance(subject, SubmissionRecord) else subject.name
        audit.append(transaction, actor.name, act.lower().replace(" ", "-"), named, {"reason": reason}, now)
        _LOG.info("%s, by %s: %s: %s", named, actor.name, act, reason)

    def _find_scope(self, request: ReevaluationRequest) -> Scope:
        if (request.submission is None) == (request.benchmark is None):
            raise BadRequestError("submission", "Send either a submission or a benchmark.")
        if request.benchmark is not None:
            benchmark = self._catalogues.find_served(request.benchmark, request.version)
            return Scope(benchmark.id, benchmark.version)
        if request.version is not None:
            raise BadRequestError(
                "version", "Send a version only together with a benchmark; a submission has its own version."
            )
        return self._find_scope_of(request.submission or "")

    def _find_scope_of(self, submission_id: str) -> Scope:
        with self._database.read() as transaction:
            submission = get_any(transaction, submission_id)
        is_kept = submission.artifact_sha256 is not None or submission.source == "verified"
        if not submission.has_scores or not is_kept:
            raise StateError(
                "Only a scored submission with a stored file can be re-scored. Reported and human rows have none; "
                f"this one is {submission.state}."
            )
        benchmark = get_benchmark(submission.benchmark, submission.version)
        return Scope(benchmark.id, benchmark.version, submission.id)


def _to_place(entry: QueueEntry) -> QueuedSubmission:
    age = (datetime.now(UTC) - entry.submission.created_at).total_seconds()
    # Running submissions come first in their queue, so this many are ahead of it.
    position = entry.number_in_lane - 1 if entry.submission.state == "queued" else None
    return QueuedSubmission(entry, position, round(max(0.0, age), 1))


def _get_held(transaction: Transaction, submission_id: str) -> SubmissionRecord:
    submission = get_locked(transaction, submission_id)
    if (submission.state, submission.lane) != ("awaiting-judge", "held"):
        raise StateError(f"Only a held submission can be released or rejected; this one is {submission.state}.")
    return submission


def check_reason(reason: str) -> str:
    """Validate and return a reason.

    Raises:
        BadRequestError: The reason is invalid.
    """
    text = " ".join(reason.split())
    if not text or len(text) > _LONGEST_REASON or not text.isprintable():
        raise BadRequestError("reason", f"Enter a reason of 1 to {_LONGEST_REASON} printable characters.")
    return text
