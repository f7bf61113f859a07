"""Self-monitoring of an evaluator process: a file that blocks it ends it, and another process takes over."""

import os
import signal
from types import SimpleNamespace

import pytest

from submissions import worker as workers
from submissions.scoring import evaluator as evaluators
from submissions.scoring.evaluator import Evaluator
from submissions.worker import Worker
from tests.support.servers.installation import Installation, answers


class Clock:
    """Clock that moves only when a test sets it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(evaluators, "time", clock)
    monkeypatch.setattr(workers, "time", clock)
    return clock


def make_worker(evaluator: object) -> Worker:
    """Return a worker with the given evaluator only: a complete one would open its own database."""
    worker = object.__new__(Worker)
    worker._evaluator = evaluator  # type: ignore[assignment]
    worker._judge_queues = None
    worker._askers = []
    worker._rank_at = 0.0
    worker._changes = SimpleNamespace(may_find_work=lambda: True)  # type: ignore[assignment]
    return worker


def test_worker_without_progress_on_a_file_ends_itself(
    place: Installation, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    kills: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *arguments: kills.append(arguments))
    worker = make_worker(place.evaluator)
    observations: list[tuple[float, int]] = []

    def observe() -> None:
        for seconds in (0.0, 299.0, 2.0):
            clock.now += seconds
            worker._end_when_stuck()
            observations.append((place.evaluator.silent_seconds, len(kills)))

    place.at["read"] = observe
    place.submit(answers(place.key))
    worker._end_when_stuck()
    assert place.evaluator.run_next()
    assert observations == [(0.0, 0), (299.0, 0), (301.0, 1)]
    assert kills == [(os.getpid(), signal.SIGKILL)]
    clock.now += 1_000
    worker._end_when_stuck()
    assert (place.evaluator.silent_seconds, len(kills)) == (0.0, 1), "nothing is being scored"


def test_boards_are_ranked_at_most_half_of_the_time(clock: Clock) -> None:
    ranked: list[float] = []

    class Ranking(Evaluator):
        def __init__(self) -> None:
            pass

        def refresh_stale_boards(self) -> int:
            ranked.append(clock.now)
            clock.now += 2.0
            return 1

    worker = make_worker(Ranking())
    for now in (1_000.0, 1_002.5, 1_003.9, 1_004.0, 1_007.0):
        clock.now = now
        worker._rank()
    assert ranked == [1_000.0, 1_004.0]
    clock.now = 1_008.0
    worker._rank()
    assert ranked[-1] == 1_008.0
