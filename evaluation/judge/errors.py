"""Errors of judging. None is ever converted to a score."""

from evaluation.errors import EvaluationError


class JudgeError(EvaluationError):
    """Base class of judge errors."""


class JudgeVerdictError(JudgeError):
    """A reply contains no trustworthy verdict."""


class JudgeUnreachableError(JudgeError):
    """The judge's server could not be reached, or returned errors in all attempts."""


class JudgeRefusedError(JudgeError):
    """The judge's server refuses all calls: wrong key, model or address."""


class NoVerdictsInARowError(JudgeError):
    """Consecutive replies contain no verdict: more calls would cost money without results."""

    def __init__(self, n_replies: int, reason: str) -> None:
        """Set the message: number of replies, and the reason of the last failure."""
        super().__init__(f"The judge's last {n_replies} replies contain no verdict. Last reason: {reason}")


class AllowanceSpentError(JudgeError):
    """The day's calls are used up. Verdicts are cached, and the next scoring requests only missing ones."""

    def __init__(self) -> None:
        """Set the message with the time of continuation."""
        super().__init__(
            "Today's calls to the judge are used up (EARSHOT_JUDGE_MAX_CALLS_PER_DAY). Judging resumes tomorrow; "
            "verdicts so far are saved."
        )


class CalibrationError(JudgeError):
    """A calibration file is unusable."""
