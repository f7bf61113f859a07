"""Errors of judging. None of them is ever turned into a score."""

from evaluation.errors import EvaluationError


class JudgeError(EvaluationError):
    """Root of the errors of judging."""


class JudgeVerdictError(JudgeError):
    """A reply of a judge that holds no verdict to be trusted."""


class JudgeUnreachableError(JudgeError):
    """A judge's server that could not be asked, or answered with an error, however often it was tried."""


class JudgeRefusedError(JudgeError):
    """A judge's server that will not answer whatever is tried: a wrong key, model or address."""


class NoVerdictsInARowError(JudgeError):
    """A judge whose replies hold no verdict, one after the other: asking on would cost and bring nothing."""

    def __init__(self, n_replies: int, reason: str) -> None:
        """Say how many there were, and why the last one holds none."""
        super().__init__(f"The judge's last {n_replies} replies contain no verdict. Last reason: {reason}")


class AllowanceSpentError(JudgeError):
    """No more calls today. What was judged is kept, and the next scoring asks only for the rest."""

    def __init__(self) -> None:
        """Say when it goes on."""
        super().__init__(
            "Today's calls to the judge are used up (EARSHOT_JUDGE_MAX_CALLS_PER_DAY). Judging resumes tomorrow; "
            "verdicts so far are saved."
        )


class CalibrationError(JudgeError):
    """A calibration file that cannot be used."""
