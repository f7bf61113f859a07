"""Outlook of an unfinished submission, with fixed times."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from db.records import MeasuredScoring, RunningScoring
from db.repositories.queue_order import Waiting
from submissions.jobs.outlook import (
    Outlook,
    Pace,
    QueueFacts,
    describe_outlook,
    describe_querying,
    describe_waiting_for_judge,
    find_pace,
)
from tests.support.pages.records import NOW, make_submission

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
SUBMISSION = make_submission(
    state="queued", benchmark="b", version="1", artifact_bytes=1_000, created_at=NOW, updated_at=NOW
)
RUNNING = RunningScoring("s-other", "b", "1", 1_000, NOW - SECOND, 0.0, NOW + MINUTE)
PACES = {("b", "1"): Pace(2.0, 0.001), ("c", "1"): Pace(10.0, 0.0)}
FACTS = QueueFacts((), (), PACES, 1, NOW, NOW)


def measure(*pairs: tuple[float, int]) -> list[MeasuredScoring]:
    return [MeasuredScoring(seconds, n_bytes) for seconds, n_bytes in pairs]


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        ([(3.0, 1_000), (5.0, 2_000), (7.0, 3_000)], Pace(1.0, 0.002)),
        ([(4.0, 1_000), (6.0, 1_000)], Pace(5.0, 0.0)),  # one size says nothing about other sizes
        ([(4.0, 1_000), (2.0, 3_000)], Pace(3.0, 0.0)),  # a larger file never takes less time
        ([(0.0, 1_000), (8.0, 3_000)], Pace(0.0, 0.002)),  # and no time is negative
        ([(2.5, 0)], Pace(2.5, 0.0)),
    ],
)
def test_pace_is_a_line_through_the_measurements(measured: list[tuple[float, int]], expected: Pace) -> None:
    assert find_pace(measure(*measured)) == pytest.approx(expected)


def test_pace_without_measurements_is_none() -> None:
    assert find_pace([]) is None


@pytest.mark.parametrize(
    ("facts", "eta", "text"),
    [
        (FACTS, 3.0, "Next in the queue; about 3 s."),
        (FACTS._replace(running=(RUNNING,)), 5.0, "1 ahead in the queue; about 5 s."),
        (FACTS._replace(running=(replace(RUNNING, progress=0.25),)), 6.0, "1 ahead in the queue; about 6 s."),
        (FACTS._replace(running=(replace(RUNNING, started_at=NOW - MINUTE),)), 3.0, "1 ahead in the queue; about 3 s."),
        (FACTS._replace(ahead=(Waiting("b", "1", 10, 5_000),)), 28.0, "10 ahead in the queue; about 28 s."),
        (
            FACTS._replace(ahead=(Waiting("b", "1", 10, 5_000), Waiting("c", "1", 6, 0)), running=(RUNNING,)),
            90.0,
            "17 ahead in the queue; about 2 min.",
        ),
        (FACTS._replace(ahead=(Waiting("b", "1", 10, 5_000),), n_workers=5), 8.0, "10 ahead in the queue; about 8 s."),
        (FACTS._replace(ahead=(Waiting("b", "1", 9_000, 0),)), 18_003.0, "9,000 ahead in the queue; about 5 h."),
    ],
)
def test_outlook_of_a_queued_submission_has_position_and_estimate(facts: QueueFacts, eta: float, text: str) -> None:
    outlook = describe_outlook(SUBMISSION, facts, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled, outlook.text) == (eta, False, text)


@pytest.mark.parametrize(
    "facts",
    [
        FACTS._replace(paces={("c", "1"): Pace(1.0, 0.0)}),
        FACTS._replace(ahead=(Waiting("new", "1", 1, 1),)),
        FACTS._replace(running=(replace(RUNNING, benchmark="new"),)),
    ],
)
def test_outlook_without_a_measurement_has_no_estimate_and_states_why(facts: QueueFacts) -> None:
    outlook = describe_outlook(SUBMISSION, facts, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled) == (None, False)
    assert outlook.text.endswith("No estimate: a benchmark in this queue has no recent timing.")


@pytest.mark.parametrize(
    ("progress", "started", "eta"), [(0.0, SECOND, 2.0), (0.0, MINUTE, 0.0), (0.5, 4 * SECOND, 4.0), (1.0, MINUTE, 0.0)]
)
def test_outlook_of_a_running_submission_has_an_estimate(progress: float, started: timedelta, eta: float) -> None:
    own = replace(RUNNING, submission_id="s-1", progress=progress, started_at=NOW - started)
    facts = FACTS._replace(running=(own, replace(RUNNING, benchmark="new")), paces={("b", "1"): PACES["b", "1"]})
    outlook = describe_outlook(replace(SUBMISSION, state="running"), facts, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled) == (eta, False)
    assert outlook.text.startswith("Scoring; about ")


def test_outlook_of_a_postponed_submission_is_not_before_its_retry_time() -> None:
    submission = replace(SUBMISSION, not_before=NOW + 40 * SECOND)
    outlook = describe_outlook(submission, FACTS, NOW)
    assert (outlook.eta_seconds, outlook.text) == (43.0, "Retry at 00:00:40 UTC; about 43 s.")


@pytest.mark.parametrize("state", ["queued", "running"])
def test_outlook_without_an_evaluator_is_stalled_and_has_no_estimate(state: str) -> None:
    facts = FACTS._replace(n_workers=0, seen_at=NOW - MINUTE)
    outlook = describe_outlook(replace(SUBMISSION, state=state), facts, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled) == (None, True)
    assert outlook.text == (
        "Stalled: the evaluator was last seen on 31 December at 23:59 UTC. "
        "The file is safe, and is scored as soon as the evaluator is back."
    )
    assert "has not started yet" in describe_outlook(SUBMISSION, facts._replace(seen_at=None), NOW).text


def test_outlook_of_a_silent_evaluator_is_stalled() -> None:
    own = replace(RUNNING, submission_id="s-1", expires_at=NOW - SECOND)
    outlook = describe_outlook(replace(SUBMISSION, state="running"), FACTS._replace(running=(own,)), NOW)
    assert (outlook.eta_seconds, outlook.is_stalled) == (None, True)
    assert outlook.text == "The evaluator stopped responding. Earshot retries the submission automatically."


@pytest.mark.parametrize(
    ("facts", "later", "is_stalled"),
    [
        (FACTS, 15 * MINUTE, False),
        (FACTS, 16 * MINUTE, True),
        (FACTS._replace(moved_at=None), 16 * MINUTE, True),
        (FACTS._replace(moved_at=NOW + 2 * MINUTE), 16 * MINUTE, False),
        (FACTS._replace(running=(replace(RUNNING, expires_at=NOW + 17 * MINUTE),)), 16 * MINUTE, False),
        (FACTS._replace(running=(replace(RUNNING, expires_at=NOW + 15 * MINUTE),)), 16 * MINUTE, True),
    ],
)
def test_outlook_is_stalled_after_fifteen_minutes_without_progress(
    facts: QueueFacts, later: timedelta, is_stalled: bool
) -> None:
    outlook = describe_outlook(SUBMISSION, facts, NOW + later)
    assert outlook.is_stalled == is_stalled
    assert (outlook.eta_seconds is None) == is_stalled
    assert outlook.text.startswith("Stalled: nothing has been scored since 01 January, 00:00 UTC.") == is_stalled


def test_outlook_of_a_postponed_submission_is_stalled_only_after_its_retry_time() -> None:
    submission = replace(SUBMISSION, not_before=NOW + 10 * MINUTE)
    assert not describe_outlook(submission, FACTS, NOW + 20 * MINUTE).is_stalled
    assert describe_outlook(submission, FACTS, NOW + 26 * MINUTE).is_stalled


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("awaiting-approval", "Waiting for a maintainer"),
        ("received", "Receiving the file"),
    ],
)
def test_outlook_of_a_waiting_submission_names_what_it_waits_for(state: str, expected: str) -> None:
    outlook = describe_outlook(replace(SUBMISSION, state=state), None, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled) == (None, False)
    assert expected in outlook.text
    assert describe_outlook(replace(SUBMISSION, state=state), None, NOW + 16 * MINUTE).is_stalled == (
        state == "received"
    )


@pytest.mark.parametrize(
    ("fields", "n_ahead", "has_judge", "expected"),
    [
        ({"lane": "judge", "current_evaluation_id": None}, 0, False, "this server has none"),
        ({"lane": "judge"}, 0, False, "no judge of open answers at the moment. Their scores are added"),
        ({"lane": "judge"}, 0, True, "Next in the judge's queue."),
        ({"lane": "judge"}, 1_200, True, "1,200 ahead in the judge's queue"),
        ({"lane": "judge", "not_before": NOW + MINUTE, "reason": "Used up."}, 0, True, "Used up. Judging continues at"),
        ({"lane": "judge", "not_before": NOW - MINUTE, "reason": "Used up."}, 0, True, "Next in the judge's queue"),
        ({"lane": "held"}, 0, False, "Held until a maintainer"),
    ],
)
def test_outlook_of_open_answers_names_what_they_wait_for(
    fields: dict[str, Any], n_ahead: int, has_judge: bool, expected: str
) -> None:
    submission = replace(SUBMISSION, state="awaiting-judge", **fields)
    assert expected in describe_waiting_for_judge(submission, n_ahead, NOW, has_judge=has_judge)


@pytest.mark.parametrize("state", ["scored", "failed", "withdrawn"])
def test_outlook_of_a_finished_submission_is_empty(state: str) -> None:
    outlook = describe_outlook(replace(SUBMISSION, state=state), None, NOW)
    assert (outlook.eta_seconds, outlook.is_stalled, outlook.text) == (None, False, "")


def test_endpoint_evaluation_is_estimated_from_its_latest_pace() -> None:
    progress = {"n_questions": 300, "n_done": 100, "per_second": 2.0}
    assert describe_querying(progress) == Outlook(
        100.0, text="Evaluating the endpoint: 100 of 300 answered; about 2 min."
    )
    assert describe_querying(progress | {"per_second": 0.0}).eta_seconds is None
    assert describe_querying(None).eta_seconds is None
    assert describe_querying(None).text.startswith("Evaluating the endpoint.")
