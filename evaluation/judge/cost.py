"""Cost estimate of judging a submission."""

import math
from collections.abc import Callable, Mapping, Set
from typing import NamedTuple

from evaluation.judge.address import find_address
from evaluation.judge.controls import BATCH_SIZE
from evaluation.judge.gates import gate_answers, read_answer
from evaluation.judge.home_probes import MAX_CALLS
from evaluation.judge.probes import GROUP_SIZE, N_CONFIRMATIONS, SAMPLED_ALONE
from evaluation.judge.protocol import ORDERS, OpenQuestion, plan_calls
from evaluation.judge.signals import find_signals

_CONTROLS = 5
# A batch whose controls fail repeats them once.
_MAX_CONTROLS = 2 * _CONTROLS
# In a group, alone under each foreign question, there without its suspicious clauses, and its text about grading under
# its own question.
_MAX_PROBES = 1 + 2 * N_CONFIRMATIONS + MAX_CALLS
GUARD_FACTOR = 1.25
"""Approximate calls including probes per call of the protocol, for estimates without the answers; without controls."""


class CallsNeeded(NamedTuple):
    """Missing verdicts: expected and maximum number of calls. An unparsed reply is requested up to three times."""

    usual: int
    most: int


def count_calls(
    questions: Mapping[str, OpenQuestion],
    answers: Mapping[str, str],
    model: str,
    repeats: int,
    count_known: Callable[[Set[str]], int],
) -> CallsNeeded:
    """Return the number of calls for judging a submission.

    Args:
        questions: Item ID → question and reference.
        answers: Item ID → answer.
        model: Name of the judge model.
        repeats: Judgements per order and answer.
        count_known: Keys of calls → how many of them are cached.
    """
    gated = gate_answers(questions, answers)
    judged = {item_id: read_answer(answers[item_id]) for item_id in answers.keys() - gated.keys()}
    calls = (call for item_id, text in judged.items() for call in plan_calls(questions[item_id], text, repeats))
    keys = {call.key(model) for call in calls}
    n_lacking = len(keys) - count_known(keys)
    n_batches = math.ceil(len(judged) / BATCH_SIZE)
    n_alone = sum(bool(find_signals(text, questions[item_id])) for item_id, text in judged.items())
    n_alone += math.ceil(SAMPLED_ALONE * (len(judged) - n_alone))
    n_spoken = sum(bool(find_address(text, questions[item_id])) for item_id, text in judged.items())
    n_probes = n_alone + math.ceil((len(judged) - n_alone) / GROUP_SIZE) + len(ORDERS) * n_spoken
    usual = n_lacking + _CONTROLS * n_batches + n_probes
    return CallsNeeded(usual, n_lacking + _MAX_CONTROLS * n_batches + _MAX_PROBES * len(judged))
