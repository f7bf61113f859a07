"""States of a submission, their transitions, and the consequences of failures. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

State = Literal[
    "received",
    "queued",
    "running",
    "awaiting-judge",
    "awaiting-approval",
    "awaiting-close",
    "scored",
    "unreleased",
    "failed",
    "withdrawn",
]
Fault = Literal["yours", "ours"]

TRANSITIONS: dict[State, frozenset[State]] = {
    "received": frozenset({"queued", "awaiting-close", "withdrawn"}),
    "awaiting-approval": frozenset({"queued", "failed", "withdrawn"}),
    "awaiting-close": frozenset({"queued", "withdrawn"}),
    "queued": frozenset({"running", "withdrawn"}),
    "running": frozenset({"scored", "unreleased", "failed", "queued", "awaiting-judge", "withdrawn"}),
    "awaiting-judge": frozenset({"running", "failed", "withdrawn"}),
    "scored": frozenset({"withdrawn"}),
    "unreleased": frozenset({"withdrawn"}),
    "failed": frozenset({"queued", "withdrawn"}),
    "withdrawn": frozenset(),
}
ENDS: frozenset[State] = frozenset({"scored", "unreleased", "failed", "withdrawn"})

MAX_ATTEMPTS = 5
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)
_FIRST_JUDGE_DELAY = timedelta(minutes=1)


def sources_of(target: State) -> tuple[State, ...]:
    """Return the states from which a state can be entered."""
    return tuple(state for state, targets in TRANSITIONS.items() if target in targets)


@dataclass(frozen=True, slots=True)
class Retry:
    """Retry, not before `at`."""

    at: datetime


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The submission ends here."""

    retryable: bool


def decide_after_failure(fault: Fault, attempts: int, now: datetime, *, retryable: bool = False) -> Retry | GiveUp:
    """Decide what follows a failed attempt.

    A faulty file stays faulty, and an endpoint was given its time: the submission ends at once. Our failures are
    retried a few times with doubling delays; then the submission ends as failed by the system, and its owner or a
    maintainer may retry it.

    Args:
        fault: Who caused the failure.
        attempts: Number of attempts, including this one.
        now: Time of the failure.
        retryable: Whether another attempt may help although it was not our failure.
    """
    if fault == "yours":
        return GiveUp(retryable=retryable)
    if attempts >= MAX_ATTEMPTS:
        return GiveUp(retryable=True)
    return Retry(now + min(_FIRST_DELAY * 2 ** (attempts - 1), _LONGEST_DELAY))


def decide_without_verdicts(attempts: int, now: datetime) -> Retry | GiveUp:
    """Decide what follows judging that left too many answers without a verdict: the judge gets minutes to recover."""
    if attempts >= MAX_ATTEMPTS:
        return GiveUp(retryable=True)
    return Retry(now + _FIRST_JUDGE_DELAY * 2 ** (attempts - 1))


def decide_after_loss(attempts: int, now: datetime) -> Retry | GiveUp:
    """Decide what follows an attempt whose evaluator vanished: retry at once, unless that happened too often."""
    return GiveUp(retryable=True) if attempts >= MAX_ATTEMPTS else Retry(now)
