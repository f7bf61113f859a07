"""Database tables. Their rows never leave `db`; other packages see the records in `records.py`."""

from db.models.administration_tables import (
    AuditEntry,
    AuditHead,
    Comparison,
    Competition,
    Reevaluation,
    ReevaluationRow,
    RowChange,
    WorkerHeartbeat,
)
from db.models.board_tables import Board, Standing
from db.models.catalogue_tables import BenchmarkVersion, ItemMetadata, Model
from db.models.edition_tables import Edition
from db.models.endpoint_tables import Endpoint, StoredResponse
from db.models.judging_tables import CachedVerdict, ErrorSorting, JudgeDay, JudgeHold
from db.models.listening_tables import ListeningGroup, ListeningResult
from db.models.practice_tables import PracticeAnswers
from db.models.submission_tables import Evaluation, Outcome, QuotaUse, StoredScore, Submission, SubmissionEvent
from db.models.table_base import Base
from db.models.user_tables import ApiToken, FormerName, Identity, Session, User

__all__ = [
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "Base",
    "BenchmarkVersion",
    "Board",
    "CachedVerdict",
    "Comparison",
    "Competition",
    "Edition",
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
    "PracticeAnswers",
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
