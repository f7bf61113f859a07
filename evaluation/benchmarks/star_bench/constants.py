"""The best constant answers to STAR-Bench's perception task, computed on the public practice split.

The practice split has the design of the test split, with the same numbers of items, so no secret is used. A constant
answer names one option by its text, whatever its letter in a run, and is right in all runs of an item or in none.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.baselines import find_largest_share
from evaluation.benchmarks.star_bench.slices import MACRO
from evaluation.types import Item


def score_constants(key: AnswerKey, items: Sequence[Item]) -> dict[str, float]:
    """Return `<slice>|<metric>` → AA and ACR, which are equal, of the best constant answer to each sub-task.

    The means over sub-tasks are the paper's; a mean is omitted if a sub-task has no items.
    """
    right: dict[str, list[str]] = defaultdict(list)
    for item in items:
        answer = key.answers[item.id]
        if isinstance(answer, int):
            right[item.task].append(item.options[answer])
    shares = {task: find_largest_share(answers) for task, answers in right.items()}
    for name, members in MACRO.items():
        if shares.keys() >= set(members):
            shares[name] = fmean(shares[member] for member in members)
    return {f"{name}|{metric}": share for name, share in shares.items() for metric in ("aa", "acr")}
