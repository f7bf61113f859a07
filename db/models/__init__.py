"""The tables. Rows of these classes never leave `db`; what leaves is in `records.py`."""

from db.models.administration import (
    AuditEntry,
    AuditHead,
    Comparison,
    Reevaluation,
    ReevaluationRow,
    RowChange,
    WorkerHeartbeat,
)
from db.models.base import Base
from db.models.boards import Board, Standing
from db.models.catalogue import BenchmarkVersion, ItemMetadata, Model
from db.models.endpoints import Endpoint, StoredResponse
from db.models.judging import CachedVerdict, ErrorSorting, JudgeDay, JudgeHold
from db.models.listening import ListeningGroup, ListeningResult
from db.models.people import ApiToken, FormerName, Identity, Session, User
from db.models.submissions import Evaluation, Outcome, QuotaUse, StoredScore, Submission, SubmissionEvent

__all__ = [
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "Base",
    "BenchmarkVersion",
    "Board",
    "CachedVerdict",
    "Comparison",
    "Endpoint",
    "ErrorSorting",
    "Evaluation",
    "FormerName",
    "Identity",
    "ItemMetadata",
    "JudgeDay",
    "JudgeHold",
    "ListeningGroup",
    "ListeningResult",
    "Model",
    "Outcome",
    "QuotaUse",
    "Reevaluation",
    "ReevaluationRow",
    "RowChange",
    "Session",
    "Standing",
    "StoredResponse",
    "StoredScore",
    "Submission",
    "SubmissionEvent",
    "User",
    "WorkerHeartbeat",
]
