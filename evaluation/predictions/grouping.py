"""Problems of a file grouped by cause: one row for a fault that many lines share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluation.predictions.problems import Cause, Problem

_SHOWN_LINES = 3


def group_problems(problems: Sequence[Problem], totals: Mapping[str, int], n_taken: int) -> tuple[Problem, ...]:
    """Return one problem for each cause that several lines share, at the place of its first line.

    Args:
        problems: The first problems of each kind, in the order of the file.
        totals: Kind → number of problems, shown or not.
        n_taken: How many predictions of the file are good.
    """
    members: dict[tuple[str, Cause], list[Problem]] = {}
    n_of_code: dict[str, int] = {}
    for problem in problems:
        n_of_code[problem.code] = n_of_code.get(problem.code, 0) + 1
        if problem.cause is not None:
            members.setdefault((problem.code, problem.cause), []).append(problem)
    grouped: dict[int, Problem] = {}
    for (code, cause), alike in members.items():
        # The lines that are not shown are told by those that are.
        is_only_cause = len(alike) == n_of_code[code]
        n = totals[code] if is_only_cause else len(alike)
        if n > 1:
            is_everywhere = is_only_cause and not n_taken and not set(totals) - {code, "missing"}
            grouped[id(alike[0])] = replace(alike[0], message=_describe(cause, alike, n, is_everywhere=is_everywhere))
            grouped |= {id(problem): grouped[id(alike[0])] for problem in alike[1:]}
    shown = (grouped.get(id(problem), problem) for problem in problems)
    return tuple({id(problem): problem for problem in shown}.values())


def _describe(cause: Cause, alike: Sequence[Problem], n: int, *, is_everywhere: bool) -> str:
    if is_everywhere:
        return cause.everywhere
    lines = ", ".join(str(problem.line) for problem in alike[:_SHOWN_LINES])
    return f"{n:,} lines ({lines}{', …' if n > _SHOWN_LINES else ''}) {cause.somewhere}"
