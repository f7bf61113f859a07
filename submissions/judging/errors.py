"""Errors of judging: why open answers have no scores yet. Every message is meant for the submission's owner."""

from collections.abc import Sequence
from datetime import datetime

from evaluation.judge import EntryJudged, Held

_SHOWN = 20


class JudgingError(Exception):
    """Base class: the submission is postponed, and nothing is recorded."""


class JudgingStoppedError(JudgingError):
    """This evaluator has to end."""

    def __init__(self) -> None:
        """Say what follows."""
        super().__init__("The evaluator stopped. Verdicts so far are saved, and judging will continue.")


class JudgeAwayError(JudgingError):
    """The judge's server does not respond, or refuses every request."""

    def __init__(self, *, refuses: bool) -> None:
        """Take what is wrong, without the server's name or words."""
        what = "rejects requests; a maintainer has to check its settings" if refuses else "does not respond"
        super().__init__(f"The judge's server {what}.")


class SpentError(JudgingError):
    """The daily budget is used up."""

    def __init__(self, resumes_at: datetime) -> None:
        self.resumes_at = resumes_at
        super().__init__("The judge's daily budget is used up.")


class UnreadableJudgeError(JudgingError):
    """Too many consecutive replies of the judge contain no verdict; a maintainer has to look at it."""

    def __init__(self, reason: str, *, has_verdicts: bool = False) -> None:
        """Take why the last reply contains none, and whether other answers of the same submission have verdicts."""
        self.has_verdicts = has_verdicts
        super().__init__(reason)


class StoppedJudgeError(JudgingError):
    """Judging was stopped earlier, and no maintainer has resumed it."""

    def __init__(self) -> None:
        """Say what follows."""
        super().__init__("Judging is stopped until a maintainer resumes it.")


class UnaskedError(JudgingError):
    """A call would be necessary but is not allowed."""

    def __init__(self, usual: int, most: int) -> None:
        self.usual = usual
        self.most = most
        super().__init__(f"The preview needs the judge: about {usual:,} calls, at most {most:,}.")


class NoVerdictsError(JudgingError):
    """Too many answers got no verdict."""

    def __init__(self, judged: EntryJudged) -> None:
        n_without = len(judged.errors)
        self.answers = "1 open answer" if n_without == 1 else f"{n_without:,} open answers"
        self.first_reason = next(iter(judged.errors.values()), "")
        super().__init__(f"The judge gave no verdict on {self.answers}.")


class HeldError(JudgingError):
    """An answer scores where it cannot, or the judge failed its controls: a maintainer has to look."""

    def __init__(self, judged: EntryJudged) -> None:
        self.judged = judged
        found = [_list_answers(judged.held)] if judged.held else []
        found += [f"Control answers failed: {fault}" for fault in judged.faults[:1]]
        super().__init__("Held for review: a maintainer has to check it before its scores count. " + " ".join(found))


def _list_answers(held: Sequence[Held]) -> str:
    named = ", ".join(f"`{one.id}` ({one.reason})" for one in held[:_SHOWN])
    more = f" and {len(held) - _SHOWN:,} more" if len(held) > _SHOWN else ""
    return f"Answers that may have manipulated the judge: {named}{more}."
