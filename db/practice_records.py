"""Records of practice answers: a second file of a submission, for comparing practice with test."""

from dataclasses import dataclass
from datetime import datetime

from db.records import SubmissionRecord


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """What an evaluator computes from a file of practice answers.

    Attributes:
        evaluation_id: Evaluation on the test questions that it is compared with; None before there is one.
        signature: Signature of the practice score; None if the file has none.
        figure: `<slice>|<metric>` of the score in which both are compared.
        value: Score on the practice questions, a fraction; None if the file does not cover it.
        standard_error: Its standard error over recordings; None if it has none.
        gap: Practice − test; None before the test score exists, and if either score is undefined.
        low: Lower end of the gap's 95 % confidence interval; None without one.
        high: Upper end.
        n_items: Number of items behind the gap, those of the smaller set; None without a gap.
        explanation: Why there is no gap, or no interval; None if there are both, or if the test score is awaited.
    """

    evaluation_id: int | None
    signature: str | None
    figure: str | None
    value: float | None
    standard_error: float | None
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    n_items: int | None = None
    explanation: str | None = None


@dataclass(frozen=True, slots=True)
class PracticeRecord:
    """A file of practice answers.

    Attributes:
        id: Number, in the order of first files.
        submission_id: The submission that it belongs to.
        state: `queued`, `scored`, or `failed`.
        artifact_sha256: Digest of the file.
        artifact_bytes: Size of the file.
        n_files: Number of files so far, including replaced ones.
        attached_at: When this file arrived.
        result: Result; None until it is scored. Kept while it is compared with a newer evaluation.
        explanation: Why it failed; otherwise that of the result.
    """

    id: int
    submission_id: str
    state: str
    artifact_sha256: str
    artifact_bytes: int
    n_files: int
    attached_at: datetime
    result: PracticeResult | None
    explanation: str | None


@dataclass(frozen=True, slots=True)
class PracticeWork:
    """A file of practice answers to score, and its submission."""

    practice: PracticeRecord
    submission: SubmissionRecord
