"""Problems of a file grouped by cause: one row for a fault that many lines share."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.predictions.problems import SHOWN_OF_A_KIND, Cause, Problem, Problems

_SHOWN_LINES = 3


def group_problems(problems: Problems, n_taken: int) -> tuple[Problem, ...]:
    """Return one problem for each cause that several lines share, at the place of its first line.

    A cause that stands only behind the problems that are shown has a problem of its own as well, at the end.

    Args:
        problems: Those of the whole file.
        n_taken: How many predictions of the file are good.
    """
    members: dict[tuple[str, Cause], list[Problem]] = {}
    for problem in problems.shown:
        if problem.cause is not None:
            members.setdefault((problem.code, problem.cause), []).append(problem)
    grouped: list[Problem] = []
    for problem in (*problems.shown, *_list_later(problems)):
        if problem.cause is None:
            grouped.append(problem)
            continue
        key = (problem.code, problem.cause)
        if problem is problems.first_of_cause[key]:
            grouped.append(_describe(problem, members.get(key, [problem]), problems, n_taken))
    n_of_code: Counter[str] = Counter()
    shown = []
    for problem in grouped:
        n_of_code[problem.code] += 1
        if n_of_code[problem.code] <= SHOWN_OF_A_KIND:
            shown.append(problem)
    return tuple(shown)


def _list_later(problems: Problems) -> Iterator[Problem]:
    shown = {id(problem) for problem in problems.shown}
    return (problem for problem in problems.first_of_cause.values() if id(problem) not in shown)


def _describe(first: Problem, alike: Sequence[Problem], problems: Problems, n_taken: int) -> Problem:
    """Return the first fault of a cause with a sentence on all of them.

    Args:
        first: The first one.
        alike: Those of them that are shown.
        problems: Those of the whole file.
        n_taken: How many predictions of the file are good.
    """
    cause, totals = first.cause, problems.totals
    n = problems.n_of_cause[first.code, cause] if cause is not None else 1
    if cause is None or n == 1:
        return first
    if n == totals[first.code] and not n_taken and not set(totals) - {first.code, "missing"}:
        return replace(first, message=cause.everywhere, details=tuple(alike))
    lines = list(dict.fromkeys(str(problem.line) for problem in alike))[:_SHOWN_LINES]
    # A list may stand on one line.
    what = "rows" if len(lines) < min(n, len(alike), _SHOWN_LINES) else "lines"
    where = ", ".join(lines) if what == "lines" else f"first in line {lines[0]}"
    more = ", …" if what == "lines" and n > len(lines) else ""
    least = "at least " if problems.has_unexplained else ""
    words = f"{least}{n:,} {what} ({where}{more}) {cause.somewhere}"
    return replace(first, message=words[0].upper() + words[1:], details=tuple(alike))
