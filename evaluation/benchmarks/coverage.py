"""Which figures of a submission may be shown, so that nobody buys an answer key with files made for it.

Whoever leaves most answers out, or fills them with nonsense, turns the count of right answers in a slice into the
verdict on a single answer. So, where the answers are secret (those of `practice` are not, nor those of an organiser who
has published them):

1. Where nothing is missing and in no run more than half is unreadable, every slice has all its figures.
2. Elsewhere a slice has only figures over all its items, such as accuracy, and those only where each of its groups
   holds no readable answer at all or at least 20 in every run (all of them in a smaller group). A group is what one
   `task` names; every public slice is a union of groups, so that the difference between two slices is never thinner
   than a group. Figures over items that the answers pick out, such as the true statements, would again be thinner.
3. A slice whose members follow from the answers has figures only where nothing is missing and in no run more than 5 %
   is unreadable: which of its items somebody answered would itself be an answer.

The rule looks at public things alone, so whether a figure is there tells nothing. It does not bound what whole files
teach, filled with answers whose verdict the sender knows: each count is still a count. That is left to the limits on
how many files a person sends.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Split

MIN_READABLE = 20
MAX_UNREADABLE = 0.5
MAX_UNREADABLE_BY_ANSWER = 0.05


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What of a submission may be shown.

    Attributes:
        whole: Whether everything may be, slices whose members follow from the answers aside.
        by_answer: Whether slices whose members follow from the answers may be.
        thin: For each item, whether its group holds too few readable answers.
    """

    whole: bool
    by_answer: bool
    thin: NDArray[np.bool_]

    def allows(self, rows: NDArray[np.integer], *, by_answer: bool = False) -> bool:
        """Return whether the figures of the items at `rows` may be shown."""
        if by_answer:
            return self.by_answer
        return self.whole or not self.thin[rows].any()


def judge_coverage(choices: NDArray[np.integer], items: Sequence[Item], split: Split) -> Disclosure:
    """Decide what may be shown of a submission.

    Args:
        choices: items × runs: what was chosen, or UNREADABLE, MISSING, ABSENT.
        items: The items, in the same order.
        split: Of `practice` everything may be shown.
    """
    if split == "practice":
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
