"""Coverage rule: which scores of an incomplete file may be shown without revealing the answer key.

A file that omits most answers, or fills them with nonsense, turns the number of right answers in a slice into the
verdict on a single answer. Therefore, if answers are secret (not in `practice`, nor with published organiser's
answers):

1. If nothing is missing and at most half of each run is unparsed, every slice has all its scores.
2. Otherwise a slice only has scores over all its items, such as accuracy, and only if each of its groups has either no
   parsed answer or at least 20 in every run (all of them in smaller groups). A group is the items of one `task`; every
   public slice is a union of groups, so that the difference between two slices is never smaller than a group. Scores
   over items that the answers select, such as the true statements, would be smaller.
3. A slice whose members depend on the answers has scores only if nothing is missing and at most 5 % of each run is
   unparsed: the set of its answered items would itself reveal answers.

The rule depends on public data only, so the presence of a score reveals nothing. It does not limit what complete files
reveal if they contain answers with known verdicts: each count is still a count. The limit on submissions per user
covers that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.types import ABSENT, MISSING, UNREADABLE, Item

MIN_READABLE = 20
MAX_UNREADABLE = 0.5
MAX_UNREADABLE_BY_ANSWER = 0.05


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Which scores of a submission may be shown.

    Attributes:
        whole: Whether all may be shown, except slices whose members depend on the answers.
        by_answer: Whether slices whose members depend on the answers may be shown.
        thin: For each item, whether its group has too few parsed answers.
    """

    whole: bool
    by_answer: bool
    thin: NDArray[np.bool_]

    def allows(self, rows: NDArray[np.integer], *, by_answer: bool = False) -> bool:
        """Return whether the scores of the items at `rows` may be shown."""
        if by_answer:
            return self.by_answer
        return self.whole or not self.thin[rows].any()


def judge_coverage(choices: NDArray[np.integer], items: Sequence[Item], *, is_secret: bool) -> Disclosure:
    """Decide which scores of a submission may be shown.

    Args:
        choices: items × runs: the choice, or UNREADABLE, MISSING, ABSENT.
        items: The items, in the same order.
        is_secret: Whether the answers are secret; otherwise everything may be shown.
    """
    if not is_secret:
        return Disclosure(True, True, np.zeros(len(items), dtype=np.bool_))
    return Disclosure(
        whole=_is_whole(choices, MAX_UNREADABLE),
        by_answer=_is_whole(choices, MAX_UNREADABLE_BY_ANSWER),
        thin=_in_thin_group(choices, items),
    )


def _is_whole(choices: NDArray[np.integer], max_unreadable: float) -> bool:
    expected = (choices != ABSENT).sum(axis=0)
    unreadable = (choices == UNREADABLE).sum(axis=0)
    return not (choices == MISSING).any() and bool((unreadable <= max_unreadable * expected).all())


def _in_thin_group(choices: NDArray[np.integer], items: Sequence[Item]) -> NDArray[np.bool_]:
    names, group_of = np.unique([item.task for item in items], return_inverse=True)
    thin = np.array([_is_thin(choices[group_of == group]) for group in range(len(names))], dtype=np.bool_)
    return thin[group_of]


def _is_thin(choices: NDArray[np.integer]) -> bool:
    readable = (choices >= 0).sum(axis=0)
    needed = np.minimum(MIN_READABLE, (choices != ABSENT).sum(axis=0))
    return bool(((readable > 0) & (readable < needed)).any())
