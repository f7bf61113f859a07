"""The judge of open answers: protocol, guard, calibration. Only `client` needs the openai package."""

from evaluation.judge.asking import Cache, Failure, Judge, MemoryCache
from evaluation.judge.cost import CallsNeeded, count_calls
from evaluation.judge.errors import (
    AllowanceSpentError,
    CalibrationError,
    JudgeError,
    JudgeRefusedError,
    JudgeUnreachableError,
    VerdictError,
)
from evaluation.judge.guard import EntryJudged, Held, judge_entry, name_salt
from evaluation.judge.protocol import OpenQuestion, Verdict, sign_judging

__all__ = [
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
    "MemoryCache",
    "OpenQuestion",
    "Verdict",
    "VerdictError",
    "count_calls",
    "judge_entry",
    "name_salt",
    "sign_judging",
]
