"""Lifecycle: valid transitions between states, and retries after failures."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from submissions.lifecycle import (
    ENDS,
    MAX_ATTEMPTS,
    TRANSITIONS,
    GiveUp,
    Retry,
    State,
    decide_after_failure,
    decide_after_loss,
    sources_of,
)

NOW = datetime(2026, 1, 2, tzinfo=UTC)
STATES: tuple[State, ...] = get_args(State)


def reachable_from(state: State) -> set[State]:
    reached: set[State] = set()
    waiting = [state]
    while waiting:
        for target in TRANSITIONS[waiting.pop()] - reached:
            reached.add(target)
            waiting.append(target)
    return reached


def test_every_state_has_its_transitions() -> None:
    assert set(TRANSITIONS) == set(STATES)
    assert set().union(*TRANSITIONS.values()) <= set(STATES)


@pytest.mark.parametrize("state", STATES)
def test_every_state_can_end(state: State) -> None:
    assert state in ENDS or reachable_from(state) >= ENDS
    assert state == "withdrawn" or "withdrawn" in TRANSITIONS[state]


def test_withdrawn_is_final() -> None:
    assert TRANSITIONS["withdrawn"] == frozenset()


def test_scored_is_entered_only_from_running() -> None:
    assert sources_of("scored") == ("running",)


def test_received_and_awaiting_approval_have_no_predecessors() -> None:
    assert sources_of("received") == sources_of("awaiting-approval") == ()


@pytest.mark.parametrize("target", STATES)
def test_sources_of_a_state_are_its_predecessors(target: State) -> None:
    assert set(sources_of(target)) == {state for state in STATES if target in TRANSITIONS[state]}


@pytest.mark.parametrize("attempts", [1, MAX_ATTEMPTS, MAX_ATTEMPTS + 5])
def test_submitter_failure_is_final_immediately(attempts: int) -> None:
    assert decide_after_failure("yours", attempts, NOW) == GiveUp(retryable=False)


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 5), (2, 10), (3, 20), (4, 40)])
def test_system_failure_is_retried_after_a_doubling_pause(attempts: int, seconds: int) -> None:
    assert decide_after_failure("ours", attempts, NOW) == Retry(NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize("attempts", [MAX_ATTEMPTS, MAX_ATTEMPTS + 1, 1_000_000])
def test_system_failure_after_the_last_attempt_ends_and_may_be_retried(attempts: int) -> None:
    assert decide_after_failure("ours", attempts, NOW) == GiveUp(retryable=True)


@pytest.mark.parametrize("attempts", range(1, MAX_ATTEMPTS))
def test_loss_of_an_evaluator_is_retried_immediately(attempts: int) -> None:
    assert decide_after_loss(attempts, NOW) == Retry(NOW)


@pytest.mark.parametrize("attempts", [MAX_ATTEMPTS, MAX_ATTEMPTS + 1])
def test_loss_of_too_many_evaluators_ends_and_may_be_retried(attempts: int) -> None:
    assert decide_after_loss(attempts, NOW) == GiveUp(retryable=True)


def test_all_attempts_fit_into_fifteen_minutes() -> None:
    waits = [decide_after_failure("ours", attempts, NOW) for attempts in range(1, MAX_ATTEMPTS)]
    total = sum(((wait.at - NOW) for wait in waits if isinstance(wait, Retry)), timedelta())
    assert total < timedelta(minutes=15)
