"""Problems of a file grouped by cause: one row for an error that many lines share.

Only this module converts errors to user-visible problems. Every error of a line has a kind and a cause
(`problems.Cause`); all errors of one kind and cause are one problem, with their number, the first three lines and one
fix. The page, the command line and the API show the same problems.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.predictions.problems import SHOWN_OF_A_KIND, Cause, Problem, Problems

_SHOWN_LINES = 3
_MAX_PROBLEMS = 100
_MISSING = "missing"


def group_problems(problems: Problems, n_taken: int) -> tuple[Problem, ...]:
    """Return one problem per cause: the most frequent first, missing predictions last.

    Problems with equal numbers of errors are in the order of the file.

    Args:
        problems: Problems of the whole file.
        n_taken: Number of valid predictions in the file.
    """
    grouped = sorted(_describe_all(problems, n_taken), key=lambda problem: (problem.code == _MISSING, -problem.count))
    selected: list[Problem] = []
    n_of_code: dict[str, int] = {}
    for problem in grouped:
        n_of_code[problem.code] = n_of_code.get(problem.code, 0) + 1
        if n_of_code[problem.code] <= SHOWN_OF_A_KIND and len(selected) < _MAX_PROBLEMS:
            selected.append(problem)
    return tuple(selected)


def _describe_all(problems: Problems, n_taken: int) -> Iterator[Problem]:
    """Yield the problems in the order of the file; causes beyond the shown errors come last."""
    members: dict[tuple[str, Cause], list[Problem]] = {}
    for problem in problems.shown:
        if problem.cause is not None:
            members.setdefault((problem.code, problem.cause), []).append(problem)
    later = [faults for key, faults in problems.first_of_cause.items() if key not in members]
    described: set[tuple[str, Cause]] = set()
    for problem in (*problems.shown, *(fault for faults in later for fault in faults)):
        if problem.cause is None:
            yield problem
            continue
        key = (problem.code, problem.cause)
        n = problems.n_of_cause[key]
        alike = members.get(key) or problems.first_of_cause[key]
        is_one = n == 1 and bool(problem.cause.somewhere)
        if n < problem.cause.fewest or (is_one and not _is_everything(problem.code, problem.cause, problems, n_taken)):
            yield problem
        elif key not in described:
            described.add(key)
            yield _describe(problem, problem.cause, alike, problems, n_taken)


def _is_everything(code: str, cause: Cause, problems: Problems, n_taken: int) -> bool:
    """Return whether the file has only errors of one cause, and enough of them to explain missing predictions."""
    totals, n = problems.totals, problems.n_of_cause[code, cause]
    return n >= cause.fewest and n == totals[code] and not n_taken and not set(totals) - {code, _MISSING}


def _describe(first: Problem, cause: Cause, alike: Sequence[Problem], problems: Problems, n_taken: int) -> Problem:
    """Return the first error of a cause with a sentence about all of them.

    Args:
        first: First error.
        cause: Its cause.
        alike: Shown errors with this cause.
        problems: Problems of the whole file.
        n_taken: Number of valid predictions in the file.
    """
    n = problems.n_of_cause[first.code, cause]
    details = tuple(alike) if n > 1 else ()
    if not cause.somewhere or _is_everything(first.code, cause, problems, n_taken):
        return replace(first, message=problems.rename_places(cause.everywhere), details=details, count=n)
    lines = list(dict.fromkeys(str(problem.line) for problem in alike))[:_SHOWN_LINES]
    # A list may be on one line.
    what = "rows" if len(lines) < min(n, len(alike), _SHOWN_LINES) else "lines"
    where = ", ".join(lines) if what == "lines" else f"first in line {lines[0]}"
    more = ", …" if what == "lines" and n > len(lines) else ""
    least = "at least " if problems.has_unexplained else ""
    sentence = f"{least}{n:,} {what} ({where}{more}) {cause.somewhere}"
    message = problems.rename_places(sentence[0].upper() + sentence[1:])
    return replace(first, message=message, details=details, count=n)
