"""Judging of open answers. Only `connecting` needs the openai package."""

from submissions.judging.entry import Connect, Connection, Judging
from submissions.judging.errors import (
    HeldError,
    JudgeAwayError,
    JudgingError,
    JudgingStoppedError,
    NoVerdictsError,
    SpentError,
    StoppedJudgeError,
    UnaskedError,
    UnreadableJudgeError,
)
from submissions.judging.judging_evaluator import JudgingEvaluator
from submissions.judging.memory import DatabaseAllowance, DatabaseCache

__all__ = [
    "Connect",
    "Connection",
    "DatabaseAllowance",
    "DatabaseCache",
    "HeldError",
    "JudgeAwayError",
    "Judging",
    "JudgingError",
    "JudgingEvaluator",
    "JudgingStoppedError",
    "NoVerdictsError",
    "SpentError",
    "StoppedJudgeError",
    "UnaskedError",
    "UnreadableJudgeError",
]
