"""Errors of evaluation. Every message says what happened, why, and what to do."""

import difflib
from collections.abc import Iterable

_LONGEST_SHOWN = 60


class EvaluationError(Exception):
    """Base class of all errors in this package."""


class UnknownBenchmarkError(EvaluationError):
    """A benchmark ID is not registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        """Name the existing IDs and, if printable, the requested one."""
        known = sorted(known)
        suggestion = suggest(name[:_LONGEST_SHOWN], known)
        super().__init__(f"Unknown benchmark `{shorten(name)}`.{suggestion} Benchmarks: {', '.join(known)}.")


class AnswerKeyError(EvaluationError):
    """An answer key is missing, unreadable or does not fit its benchmark."""


class DataNotHeldError(EvaluationError):
    """Questions must be imported from an organiser and are not installed."""


class ImportProblemsError(EvaluationError):
    """An organiser's files cannot be imported.

    Attributes:
        problems: Every error, with file, location and allowed values.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        """List the errors."""
        self.problems = tuple(problems)
        super().__init__("The files could not be imported:\n" + "\n".join(f"* {problem}" for problem in self.problems))


class SettingError(EvaluationError):
    """The benchmark does not have this setting."""


class PackError(EvaluationError):
    """A question pack cannot be written."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean …?` if a known name is close to `name`, else an empty text."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" Did you mean `{close[0]}`?" if close else ""


def shorten(text: str) -> str:
    r"""Shorten user input for a message: at most 60 characters, with unprintable ones replaced.

    >>> shorten("a\x00b"), len(shorten("x" * 1000))
    ('a�b', 61)
    """
    text_shown = "".join(letter if letter.isprintable() else "�" for letter in text[:_LONGEST_SHOWN])
    return text_shown if len(text) <= _LONGEST_SHOWN else f"{text_shown}…"
