"""The tables. Rows of these classes never leave `db`; what leaves is in `records.py`."""

from db.models.administration import (
    AuditEntry,
    AuditHead,
    Comparison,
    Reevaluation,
    ReevaluationRow,
    RowChange,
    Worker,
)
from db.models.base import Base
from db.models.boards import Board, Standing
from db.models.catalogue import BenchmarkVersion, Item, Model
from db.models.endpoints import Endpoint, Response
from db.models.judging import ErrorSorting, JudgeDay, JudgeHold, Judgement
from db.models.listening import ListeningGroup, ListeningResult
from db.models.people import ApiToken, FormerName, Identity, Session, User
from db.models.submissions import Evaluation, Outcome, QuotaUse, Score, Submission, SubmissionEvent

__all__ = [
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "Base",
    "BenchmarkVersion",
    "Board",
    "Comparison",
    "Endpoint",
    "ErrorSorting",
    "Evaluation",
    "FormerName",
    "Identity",
    "Item",
    "JudgeDay",
    "JudgeHold",
    "Judgement",
    "ListeningGroup",
    "ListeningResult",
    "Model",
    "Outcome",
    "QuotaUse",
    "Reevaluation",
    "ReevaluationRow",
    "Response",
    "RowChange",
    "Score",
    "Session",
    "Standing",
    "Submission",
    "SubmissionEvent",
    "User",
    "Worker",
]
