"""Judge of open answers: protocol, guard, calibration. Only `client` needs the openai package."""

from evaluation.judge.asking import MAX_WITHOUT_VERDICT, Cache, Failure, Judge, MemoryCache, Streak
from evaluation.judge.cost import CallsNeeded, count_calls
from evaluation.judge.errors import (
    AllowanceSpentError,
    CalibrationError,
    JudgeError,
    JudgeRefusedError,
    JudgeUnreachableError,
    JudgeVerdictError,
    NoVerdictsInARowError,
)
from evaluation.judge.guard import EntryJudged, Held, judge_entry, name_salt
from evaluation.judge.protocol import JudgeVerdict, OpenQuestion, sign_judging

__all__ = [
    "MAX_WITHOUT_VERDICT",
    "AllowanceSpentError",
    "Cache",
    "CalibrationError",
    "CallsNeeded",
    "EntryJudged",
    "Failure",
    "Held",
    "Judge",
    "JudgeError",
    "JudgeRefusedError",
    "JudgeUnreachableError",
    "JudgeVerdict",
    "JudgeVerdictError",
    "MemoryCache",
    "NoVerdictsInARowError",
    "OpenQuestion",
    "Streak",
    "count_calls",
    "judge_entry",
    "name_salt",
    "sign_judging",
]
