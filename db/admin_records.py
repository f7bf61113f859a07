"""Records for maintainers: competitions, re-evaluations, the queue, past evaluations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.records import EvaluationRecord, SubmissionRecord


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a re-evaluation: one submission or, if `submission_id` is None, a whole benchmark version."""

    benchmark: str
    version: str
    submission_id: str | None = None

    @property
    def name(self) -> str:
        """The submission's ID, or `<benchmark> <version>`, as in the audit log."""
        return self.submission_id or f"{self.benchmark} {self.version}"


@dataclass(frozen=True, slots=True)
class CompetitionRecord:
    """A benchmark version in competition mode, and the maintainer who started it."""

    benchmark: str
    version: str
    started_by: str
    started_at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class ReevaluationRecord:
    """A re-evaluation and its progress.

    Attributes:
        id: Number, in the order of requests.
        scope: What to re-score.
        requested_by: Name of the maintainer.
        reason: Reason that the maintainer gave.
        dry_run: Whether to compute the changes without applying them.
        state: `queued`, `running`, `done`, `refused` or `failed`.
        explanation: Why it was refused or failed.
        target: Setting → signature that re-scoring will produce, with 0 runs.
        result: Changes to the scores; None until it is done.
        n_rows: Number of submissions.
        n_done: Number of submissions that are re-scored.
        created_at: Time of the request.
        started_at: When an evaluator started it.
        finished_at: When it ended.
    """

    id: int
    scope: Scope
    requested_by: str
    reason: str
    dry_run: bool
    state: str
    explanation: str | None
    target: Mapping[str, str]
    result: Mapping[str, Any] | None
    n_rows: int
    n_done: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReevaluationRowRecord:
    """One submission of a re-evaluation.

    Attributes:
        submission_id: ID of the submission.
        state: `waiting`, `scored`, `failed`, or `unasked` in a dry run that would need a judge.
        old_evaluation_id: Evaluation that was current when the re-evaluation started.
        new_evaluation_id: Evaluation that replaces it; None in a dry run.
        signature: Signature of the new scores.
        ranking: Part of the signature that all rows ranked together share.
        figures: `<slice>

        <metric>` → old and new score; the board's default columns come first.
        n_figures: Number of scores that were compared.
        n_changed: Number of scores that differ.
        reason: Why it could not be re-scored.
        judge_calls: Expected number of judge calls, if `unasked`.
        most_judge_calls: Maximum number of judge calls.
    """

    submission_id: str
    state: str
    old_evaluation_id: int
    new_evaluation_id: int | None = None
    signature: str | None = None
    ranking: str = ""
    figures: Mapping[str, tuple[float | None, float | None]] | None = None
    n_figures: int = 0
    n_changed: int = 0
    reason: str | None = None
    judge_calls: int = 0
    most_judge_calls: int = 0


@dataclass(frozen=True, slots=True)
class ScoredRecord:
    """A scored submission with its current evaluation."""

    submission: SubmissionRecord
    evaluation: EvaluationRecord


@dataclass(frozen=True, slots=True)
class PastEvaluation:
    """A finished evaluation with its headline score and, for a re-evaluation, its requester and reason."""

    id: int
    signature: str | None
    finished_at: datetime
    value: float | None
    n: int | None
    reason: str | None
    requested_by: str | None


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An unfinished submission with its lease and its 1-based positions in the whole queue and in its own queue."""

    number: int
    number_in_lane: int
    submission: SubmissionRecord
    worker: str | None
    lease_expires_at: datetime | None
    started_at: datetime | None
    progress: float | None
