"""The states of a submission, who may follow whom, and what to do after a failure. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

State = Literal["received", "queued", "running", "awaiting-judge", "awaiting-approval", "scored", "failed", "withdrawn"]
Fault = Literal["yours", "ours"]

TRANSITIONS: dict[State, frozenset[State]] = {
    "received": frozenset({"queued", "withdrawn"}),
    "awaiting-approval": frozenset({"queued", "failed", "withdrawn"}),
    "queued": frozenset({"running", "withdrawn"}),
    "running": frozenset({"scored", "failed", "queued", "awaiting-judge", "withdrawn"}),
    "awaiting-judge": frozenset({"running", "failed", "withdrawn"}),
    "scored": frozenset({"withdrawn"}),
    "failed": frozenset({"queued", "withdrawn"}),
    "withdrawn": frozenset(),
}
ENDS: frozenset[State] = frozenset({"scored", "failed", "withdrawn"})

MAX_ATTEMPTS = 5
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)
_FIRST_JUDGE_DELAY = timedelta(minutes=1)


def sources_of(target: State) -> tuple[State, ...]:
    """Return the states from which a state may be entered."""
    return tuple(state for state, targets in TRANSITIONS.items() if target in targets)


@dataclass(frozen=True, slots=True)
class Retry:
    """It is tried again, not before `at`."""

    at: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """It ends here."""

    retryable: bool


def decide_after_failure(fault: Fault, attempts: int, now: datetime, *, retryable: bool = False) -> Retry | GiveUp:
    """Decide what follows a failed attempt.

    What is wrong with a file stays wrong, and an endpoint was given its time: it ends at once. What is wrong with us is
    tried again, a few times, with a doubling pause; after that it ends as ours, and its owner or a maintainer may have
    it retried.

    Args:
        fault: Whose failure it was.
        attempts: Number of attempts so far, this one included.
        now: The time of the failure.
        retryable: Whether another attempt may help although it is not our failure.
    """
    if fault == "yours":
        return GiveUp(retryable=retryable)
    if attempts >= MAX_ATTEMPTS:
        return GiveUp(retryable=True)
    return Retry(now + min(_FIRST_DELAY * 2 ** (attempts - 1), _LONGEST_DELAY))


def decide_without_verdicts(attempts: int, now: datetime) -> Retry | GiveUp:
    """Decide what follows judging that left too many answers without a verdict: minutes, as a judge may be mended."""
    if attempts >= MAX_ATTEMPTS:
        return GiveUp(retryable=True)
    return Retry(now + _FIRST_JUDGE_DELAY * 2 ** (attempts - 1))


def decide_after_loss(attempts: int, now: datetime) -> Retry | GiveUp:
    """Decide what follows an attempt whose evaluator vanished: at once again, unless that happened too often."""
    return GiveUp(retryable=True) if attempts >= MAX_ATTEMPTS else Retry(now)
