"""What judging an entry costs, before it is done."""

import math
from collections.abc import Callable, Mapping, Set
from typing import NamedTuple

from evaluation.judge.controls import BATCH_SIZE
from evaluation.judge.gates import gate_answers, read_answer
from evaluation.judge.probes import GROUP_SIZE
from evaluation.judge.protocol import OpenQuestion, plan_calls

_CONTROLS = 5
# A batch whose controls fail asks for others once.
_MOST_CONTROLS = 2 * _CONTROLS
# In company, twice alone, three times with and without its suspicious clauses, and these alone three times.
_MOST_PROBES = 1 + 2 + 6 + 3


class CallsNeeded(NamedTuple):
    """Verdicts that are lacking: usually, and at most. One that cannot be read is asked for up to three times."""

    usual: int
    most: int


def count_calls(
    questions: Mapping[str, OpenQuestion],
    answers: Mapping[str, str],
    model: str,
    repeats: int,
    count_known: Callable[[Set[str]], int],
) -> CallsNeeded:
    """Return how many calls it takes to judge an entry.

    Args:
        questions: Item id → what its answer is judged by.
        answers: Item id → answer.
        model: Name of the judge.
        repeats: How often each order of each answer is judged.
        count_known: Keys of calls → how many of them are in the cache.
    """
    gated = gate_answers(questions, answers)
    judged = {item_id: read_answer(answers[item_id]) for item_id in answers.keys() - gated.keys()}
    calls = (call for item_id, text in judged.items() for call in plan_calls(questions[item_id], text, repeats))
    keys = {call.key(model) for call in calls}
    n_lacking = len(keys) - count_known(keys)
    n_batches = math.ceil(len(judged) / BATCH_SIZE)
    usual = n_lacking + _CONTROLS * n_batches + math.ceil(len(judged) / GROUP_SIZE)
    return CallsNeeded(usual, n_lacking + _MOST_CONTROLS * n_batches + _MOST_PROBES * len(judged))
