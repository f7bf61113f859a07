"""Progress of a run: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from submissions.endpoints.querying.query_records import Progress

_LINE_SECONDS = 30.0
_MAX_KINDS = 2
_MINUTE, _HOUR = 60, 3600


class ProgressDisplay:
    """Shows how many questions are answered, the rate, the errors and the remaining time."""

    def __init__(
        self, console: Console, n_before: int, n_questions: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take the console, and the numbers of answered questions and of all."""
        self._console = console
        self._n_before = n_before
        self._n_questions = n_questions
        self._clock = clock
        self._shown_at = clock()
        columns = (BarColumn(), TextColumn("{task.description}"))
        self._bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=n_questions, completed=n_before)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Show the current numbers."""
        line = describe_progress(progress, self._n_before, self._n_questions)
        self._bar.update(self._task, completed=self._n_before + progress.n_done, description=line)
        if not self._console.is_terminal and self._clock() >= self._shown_at + _LINE_SECONDS:
            self._shown_at = self._clock()
            self._console.print(line, soft_wrap=True)


def describe_progress(progress: Progress, n_before: int, n_questions: int) -> str:
    """Return the progress in one line.

    >>> describe_progress(Progress(90, n_done=10, per_second=2.0, failures={"throttled": 3}), 10, 100)
    '20 of 100 answered · 2.0/s · 3 errors (throttled) · 40 s left'
    """
    n_answered = n_before + progress.n_done
    n_errors = sum(progress.failures.values())
    left = n_questions - n_answered - progress.n_abandoned
    pieces = [f"{n_answered:,} of {n_questions:,} answered", f"{progress.per_second:.1f}/s"]
    kinds = ", ".join(sorted(progress.failures, key=lambda kind: -progress.failures[kind])[:_MAX_KINDS])
    pieces.append(f"{n_errors:,} error{'' if n_errors == 1 else 's'}{f' ({kinds})' if kinds else ''}")
    if progress.n_abandoned:
        pieces.append(f"{progress.n_abandoned:,} given up")
    if progress.per_second and left:
        pieces.append(f"{_describe_seconds(left / progress.per_second)} left")
    return " · ".join(pieces)


def _describe_seconds(seconds: float) -> str:
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} h"
