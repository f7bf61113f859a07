"""Records for maintainers: re-evaluations, the queue, earlier scorings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.records import EvaluationRecord, SubmissionRecord


@dataclass(frozen=True, slots=True)
class Scope:
    """What is to be scored anew: one submission, or with `submission_id` None everything of a benchmark version."""

    benchmark: str
    version: str
    submission_id: str | None = None

    @property
    def name(self) -> str:
        """The submission's id, or `<benchmark> <version>`, as the audit log names it."""
        return self.submission_id or f"{self.benchmark} {self.version}"


@dataclass(frozen=True, slots=True)
class ReevaluationRecord:
    """A re-evaluation as it stands.

    Attributes:
        id: Number, in the order of asking.
        scope: What is scored anew.
        requested_by: Name of the maintainer.
        reason: In his words.
        dry_run: Whether it only tells what would change.
        state: `queued`, `running`, `done`, `refused` or `failed`.
        explanation: Why it was refused or failed.
        target: Setting → signature that is worked towards, with 0 runs.
        result: What changes or changed; None until it is done.
        n_rows: Number of submissions.
        n_done: How many of them are scored.
        created_at: When it was asked for.
        started_at: When an evaluator began.
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
class OpenReevaluation:
    """The re-evaluation whose turn it is, and who holds it."""

    id: int
    token: str | None
    worker: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReevaluationLease:
    """The right to do the next step of a re-evaluation.

    Attributes:
        reevaluation: What it is.
        token: What every write must present.
        worker: Who holds it.
        attempts: Number of attempts at this step, this one included.
    """

    reevaluation: ReevaluationRecord
    token: str
    worker: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ReevaluationRowRecord:
    """One submission of a re-evaluation.

    Attributes:
        submission_id: Which.
        state: `waiting`, `scored`, `failed`, or in a dry run `unasked` where only a judge could tell.
        old_evaluation_id: The scoring that was current when the re-evaluation began.
        new_evaluation_id: The scoring that replaces it; None in a dry run.
        signature: Of the new figures.
        ranking: What that has in common with all it is ranked with.
        figures: `<slice>|<metric>` → old and new value, those shown first on the board.
        n_figures: Number of figures that were compared.
        n_changed: How many of them differ.
        reason: Why it could not be scored.
        judge_calls: Calls that this takes usually, where it is `unasked`.
        most_judge_calls: Calls that this takes at most.
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
    """A scored submission with its current scoring."""

    submission: SubmissionRecord
    evaluation: EvaluationRecord


@dataclass(frozen=True, slots=True)
class PastEvaluation:
    """A finished scoring of a submission, with its headline figure and, of a re-evaluation, who asked and why."""

    id: int
    signature: str | None
    finished_at: datetime
    value: float | None
    n: int | None
    reason: str | None
    requested_by: str | None


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An unfinished submission, its number in the queue and in its own lane from 1 on, and the lease on it."""

    number: int
    number_in_lane: int
    submission: SubmissionRecord
    worker: str | None
    lease_expires_at: datetime | None
    started_at: datetime | None
    progress: float | None
