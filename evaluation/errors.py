"""Errors of evaluation. Every message says what happened, why, and what to do."""

import difflib
from collections.abc import Iterable

_LONGEST_SHOWN = 60


class EvaluationError(Exception):
    """Root of the errors of this package."""


class UnknownBenchmarkError(EvaluationError):
    """A benchmark id that is not registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        """Name the ids that exist, and what was asked for as far as it may be shown."""
        known = sorted(known)
        found = suggest(name[:_LONGEST_SHOWN], known)
        super().__init__(f"Unknown benchmark `{shorten(name)}`.{found} Benchmarks: {', '.join(known)}.")


class AnswerKeyError(EvaluationError):
    """An answer key that is absent, unreadable or does not fit its benchmark."""


class DataNotHeldError(EvaluationError):
    """Questions that only an organiser has, and that were not imported here."""


class ImportProblemsError(EvaluationError):
    """An organiser's files that cannot be imported.

    Attributes:
        problems: Every fault, each with file, place, what is allowed.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        """List the faults."""
        self.problems = tuple(problems)
        super().__init__("The files could not be imported:\n" + "\n".join(f"* {problem}" for problem in self.problems))


class SettingError(EvaluationError):
    """A setting that the benchmark does not have."""


class PackError(EvaluationError):
    """A question pack that cannot be written."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean …?` when something known is close to `name`, else an empty text."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def shorten(text: str) -> str:
    r"""Return user input for use in a message: at most 60 characters, unprintable ones replaced.

    >>> shorten("a\x00b"), len(shorten("x" * 1000))
    ('a�b', 61)
    """
    shown = "".join(letter if letter.isprintable() else "�" for letter in text[:_LONGEST_SHOWN])
    return shown if len(text) <= _LONGEST_SHOWN else f"{shown}…"
