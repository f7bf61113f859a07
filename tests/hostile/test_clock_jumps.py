"""Clock jumps under a running evaluator: each submission is scored once, and soon by the clock that remains."""

import itertools
import shutil
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from submissions.jobs.leased_jobs import utc_now
from submissions.jobs.queue import SubmissionQueue
from submissions.scoring.evaluator import Evaluator
from tests.support.servers.installation import Installation, answers

JUMPS = (timedelta(hours=1), timedelta(hours=-1), timedelta(days=1), timedelta(days=-1))
# Kill points of the evaluator at which the clock jumps: after the claim, and with the score in hand.
LABELS = ("claimed", "read", "scored")


@dataclass
class JumpingClock:
    """The time of a machine whose clock is set while it works."""

    offset: timedelta = timedelta(0)

    def read_time(self) -> datetime:
        return utc_now() + self.offset


@pytest.fixture(scope="module")
def place(ranked: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(shutil.copytree(ranked, tmp_path_factory.mktemp("clocks"), dirs_exist_ok=True))


def test_submission_is_scored_once_when_the_clock_jumps(
    place: Installation, soak: bool, subtests: pytest.Subtests
) -> None:
    cases = list(itertools.product(LABELS, JUMPS))
    with closing(place.database):
        for number, (label, jump) in enumerate(cases if soak else cases[::3]):
            with subtests.test(label=label, jump=str(jump)):
                check_jump(place, label, jump, number)


@pytest.mark.parametrize("ahead", [timedelta(hours=2), timedelta(days=1), timedelta(days=400)], ids=str)
def test_submission_requeued_while_the_clock_was_ahead_is_scored_when_it_is_right_again(
    ranked: Path, tmp_path: Path, ahead: timedelta
) -> None:
    place = Installation(shutil.copytree(ranked, tmp_path, dirs_exist_ok=True))
    with closing(place.database):
        clock = JumpingClock()
        queue = SubmissionQueue(place.database, "one", clock.read_time)
        added = place.submit(answers(place.key, wrong=frozenset()), "Clock", publish=False)
        assert queue.claim() is not None
        clock.offset = ahead
        assert queue.requeue_lost() == 1, "its lease has expired by this clock"
        clock.offset = timedelta(0)
        assert Evaluator(place.database, queue, place.store, place.keys_dir).run_next()
        assert place.status(added).submission.state == "scored"


def check_jump(place: Installation, label: str, jump: timedelta, number: int) -> None:
    """Score a submission while the clock jumps, and another evaluator with the same clock looks for lost ones."""
    clock = JumpingClock()
    queues = [SubmissionQueue(place.database, name, clock.read_time) for name in ("one", "other")]

    def set_clock(passed: str) -> None:
        if passed == label and not clock.offset:
            clock.offset = jump
            for queue in reversed(queues):
                queue.requeue_lost()

    evaluators = [Evaluator(place.database, queue, place.store, place.keys_dir, set_clock) for queue in queues]
    added = place.submit(answers(place.key, wrong=frozenset()) + b"\n" * number, f"Clock {number}", publish=False)
    n_turns = 0
    while sum(evaluator.run_next() for evaluator in evaluators) and n_turns < 5:
        n_turns += 1
    assert clock.offset == jump, "the clock jumped"
    status = place.status(added)
    assert status.submission.state == "scored", status.events
    scored = place.query("select submission_id from evaluations")
    assert scored.count((added.id,)) == 1
    assert sum(event.to_state == "scored" and event.from_state == "running" for event in status.events) == 1
    assert sum(event.to_state == "running" and event.from_state == "queued" for event in status.events) <= 2
