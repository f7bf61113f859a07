"""Submissions with open answers: waiting for a judge, judged once, held, postponed, or failed with a reason."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from db.repositories import workers
from evaluation import Prediction
from evaluation.judge import JudgeRefusedError, JudgeUnreachableError
from evaluation.metrics import JudgedAnswers, Judgement
from evaluation.signature import parse_signature
from submissions.errors import NotAllowedError, StateError
from submissions.lifecycle import MAX_ATTEMPTS
from tests.support.judges.judging_installation import MDAR, JudgingInstallation, ScriptedConnection, play
from tests.support.servers.installation import KilledError

SCORE = "open|judge_score"


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[JudgingInstallation]:
    made = JudgingInstallation(installed, tmp_path)
    with closing(made.database):
        yield made


def events(place: JudgingInstallation, sent: object) -> list[tuple[str | None, str]]:
    return [(event.from_state, event.to_state) for event in place.read_status(sent).events]  # type: ignore[arg-type]


# --- waiting and resuming -------------------------------------------------------------------------------------------


def test_open_answers_wait_without_a_judge_and_resume_when_one_appears(place: JudgingInstallation) -> None:
    sent = place.send(place.full())
    waiting = place.read_status(sent)
    assert (waiting.submission.state, waiting.submission.lane) == ("awaiting-judge", "judge")
    assert waiting.position == 0
    assert waiting.events[-1].text.endswith("open answers wait for a judge.")
    assert "this server has none" in waiting.outlook.text
    assert not place.evaluator.run_next()
    assert place.judge_with().run_next()
    status = place.read_status(sent)
    assert (status.submission.state, place.read_scores(sent)[SCORE]) == ("scored", 1.0)
    assert events(place, sent)[-3:] == [
        ("running", "awaiting-judge"),
        ("awaiting-judge", "running"),
        ("running", "scored"),
    ]
    assert status.evaluation is not None
    judging = parse_signature(status.evaluation.signature or "").judging
    assert judging == place.judge_with().judging.signature


def test_second_scoring_makes_no_judge_calls(place: JudgingInstallation) -> None:
    first = place.send(place.half())
    assert place.judge_with().run_next()
    n_calls = place.client.n_calls
    assert place.calls_today() == n_calls > 2 * len(place.references)
    again = place.send(place.half(), "another")
    assert place.judge_with().run_next()
    assert place.client.n_calls == n_calls
    assert place.read_scores(first) == place.read_scores(again)
    assert 0 < (place.read_scores(first)[SCORE] or 0) < 1
    assert place.query("select prompt_tokens, completion_tokens from judge_days") == [(100 * n_calls, 20 * n_calls)]


def test_heartbeat_of_a_judge_prevents_the_missing_judge_message(place: JudgingInstallation) -> None:
    judge = place.judge_with().judging.record
    now = datetime.now(UTC)
    with place.database.write() as transaction:
        workers.record_heartbeat(transaction, "elsewhere", {}, now, now, judge)
    waiting = place.read_status(place.send(place.full()))
    assert waiting.events[-1].text.endswith("open answers wait for a judge.")
    assert waiting.outlook.text == "Next in the judge's queue."


# --- interruptions --------------------------------------------------------------------------------------------------


def test_judging_resumes_after_a_kill_without_repeating_calls(place: JudgingInstallation) -> None:
    def die(number: int) -> None:
        if number == 9:
            raise KilledError

    sent = place.send(place.half())
    with pytest.raises(KilledError):
        place.judge_with(ScriptedConnection(play(place.mdar_key), fail=die)).run_next()
    known = place.query("select count(*) from judgements")[0][0]
    lane = place.judge_with()
    with place.database.write() as transaction:
        transaction.connection().exec_driver_sql(
            "update evaluations set lease_expires_at = '2000-01-01 00:00:00.000000'"
        )
    lane._queue.requeue_lost()
    assert place.read_status(sent).submission.state == "awaiting-judge"
    assert lane.run_next()
    assert place.read_status(sent).submission.state == "scored"
    assert place.client.n_calls + known == place.query("select count(*) from judgements")[0][0]


def test_evaluator_that_is_stopped_releases_judging(place: JudgingInstallation) -> None:
    lane = place.judge_with()

    def stop(number: int) -> None:
        if number == 7:
            place.client.hangs = True
            lane.judging.stop.set()

    place.client.fail = stop
    sent = place.send(place.half())
    assert lane.run_next()
    found = place.read_status(sent).submission
    assert (found.state, found.attempts, found.not_before) == ("awaiting-judge", 0, None)
    place.client.hangs, place.client.fail = False, lambda _number: None
    assert place.judge_with().run_next()
    assert place.read_status(sent).submission.state == "scored"


def test_spent_allowance_postpones_judging_until_tomorrow(place: JudgingInstallation) -> None:
    sent = place.send(place.half())
    lane = place.judge_with(most=8)
    assert lane.run_next()
    found = place.read_status(sent)
    tomorrow = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    assert (found.submission.state, found.submission.not_before) == ("awaiting-judge", tomorrow)
    assert (found.submission.attempts, found.submission.reason_code) == (0, "judge-allowance")
    assert place.calls_today() == place.client.n_calls == 8
    assert not lane.run_next()
    assert "used up" in found.outlook.text
    place.make_work_due()
    assert place.judge_with(clock=lambda: datetime.now(UTC) + timedelta(days=1)).run_next()
    assert place.read_status(sent).submission.state == "scored"


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (JudgeUnreachableError("http://judge.example:1 fails"), "does not respond"),
        (JudgeRefusedError("401"), "rejects"),
    ],
)
def test_unavailable_judge_postpones_submissions_without_counting_attempts(
    place: JudgingInstallation, error: Exception, word: str
) -> None:
    def fail(_number: int) -> None:
        raise error

    place.client.fail = fail
    sent = place.send(place.half())
    lane = place.judge_with()
    assert lane.run_next()
    found = place.read_status(sent)
    assert (found.submission.state, found.submission.attempts) == ("awaiting-judge", 0)
    assert found.submission.not_before is not None
    assert found.submission.reason_code == "judge-away"
    assert found.outlook.text.count(word) == 1
    assert "judge unavailable" in found.events[-1].text
    assert "judge.example" not in str(found)
    place.make_work_due()
    assert not lane.run_next(), "it rests for a minute, whatever waits"


def test_judge_without_verdicts_is_retried_and_ends_as_a_system_failure(
    place: JudgingInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = place.send(place.half())
    first, judge_honestly = min(place.half().values()), place.client.part.verdict
    judge = lambda asked: {"nothing": "here"} if first in asked.answers else judge_honestly(asked)  # noqa: E731 - a part
    monkeypatch.setattr(place.client.part, "verdict", judge)
    lane = place.judge_with()
    pauses = []
    for _ in range(MAX_ATTEMPTS):
        began = datetime.now(UTC)
        assert lane.run_next()
        found = place.read_status(sent).submission
        pauses.append((found.not_before - began).total_seconds() if found.not_before else None)
        place.make_work_due()
    assert (found.state, found.reason_code, found.fault, found.retryable) == (
        "failed",
        "judge-error",
        "ours",
        True,
    )
    assert "gave no verdict on" in (found.reason or "")
    waits = [pause for pause in pauses if pause is not None]
    assert len(waits) == MAX_ATTEMPTS - 1
    assert all(late > 1.5 * early for early, late in pairwise(waits))
    assert place.read_scores(sent) == {}
    assert place.query("select count(*) from quota_uses where refunded_at is null") == [(0,)]
    monkeypatch.undo()
    place.service.retry(sent.id, place.may)
    place.score_all()
    assert lane.run_next()
    assert place.read_status(sent).submission.state == "scored"


# --- held -----------------------------------------------------------------------------------------------------------


def test_prompt_injection_holds_the_submission_and_publishes_nothing_of_it(place: JudgingInstallation) -> None:
    answers = place.hostile()
    sent = place.send(answers)
    assert place.judge_with(place.gullible()).run_next()
    found = place.read_status(sent)
    assert (found.submission.state, found.submission.lane) == ("awaiting-judge", "held")
    assert found.position is None, "it waits for a person, in no line"
    assert f"`{min(answers)}` (earns-anywhere)" in found.events[-1].text
    assert "Held" in found.outlook.text
    assert place.read_scores(sent) == {}
    place.score_all()
    assert sent.id not in {row[0] for row in place.query("select submission_id from standings")}
    assert not place.judge_with(place.gullible()).run_next(), "nobody goes on before a maintainer looked"


def test_released_submission_is_scored_without_further_calls(place: JudgingInstallation) -> None:
    sent, gullible = place.send(place.hostile()), place.gullible()
    assert place.judge_with(gullible).run_next()
    n_calls = gullible.n_calls
    place.maintenance.release(sent.id, place.may, "It quotes what is said in the recording.")
    assert place.read_status(sent).submission.reason is None
    assert place.judge_with(gullible).run_next()
    assert (place.read_status(sent).submission.state, gullible.n_calls) == ("scored", n_calls)
    assert place.read_scores(sent)[SCORE] is not None
    assert [row[0] for row in place.query("select action from audit_log order by number")][-1] == "released"


def test_release_does_not_apply_to_another_judge(place: JudgingInstallation) -> None:
    sent = place.send(place.hostile())
    assert place.judge_with(place.gullible()).run_next()
    place.maintenance.release(sent.id, place.may, "Looks fine.")
    other = place.gullible()
    other.model = "another"
    assert place.judge_with(other).run_next()
    assert place.read_status(sent).submission.lane == "held"


def test_rejected_submission_fails_permanently(place: JudgingInstallation) -> None:
    sent = place.send(place.hostile())
    assert place.judge_with(place.gullible()).run_next()
    place.maintenance.reject(sent.id, place.may, "The first answer orders the judge.")
    found = place.read_status(sent)
    ended = found.submission
    assert (ended.state, ended.reason_code, ended.fault, ended.retryable) == ("failed", "held", "yours", False)
    assert (found.events[-1].from_state, found.events[-1].to_state) == ("awaiting-judge", "failed")
    assert found.events[-1].text == "Rejected: The first answer orders the judge."
    with pytest.raises(StateError, match="held submission"):
        place.maintenance.release(sent.id, place.may, "Too late.")


def test_release_and_reject_require_a_maintainer_and_a_held_submission(place: JudgingInstallation) -> None:
    sent = place.send(place.half())
    for act in (place.maintenance.release, place.maintenance.reject):
        with pytest.raises(NotAllowedError):
            act(sent.id, place.ann, "Mine.")
        with pytest.raises(StateError, match="this one is awaiting-judge"):
            act(sent.id, place.may, "Not held.")


def test_answers_without_a_verdict_are_excluded_from_the_mean_and_noted(place: JudgingInstallation) -> None:
    predictions = [Prediction(name, 0, text) for name, text in place.full().items()]
    names = sorted(place.references)
    judged = {name: (Judgement(5, 10, True), Judgement(7, 10, False)) for name in names[1:]}
    answers = JudgedAnswers(judged, "judge-1", frozenset(names[:1]))
    report = MDAR.score_judged(place.mdar_key, predictions, answers)
    score = report.scores["open"]["judge_score"]
    assert score.value == pytest.approx(0.6)
    assert score.n == len(names) - 1
    assert report.notes == ("The judge gave no verdict on 1 open answer, so no score includes it.",)
    assert report.signature.judging == "judge-1"
    assert report.awaiting_judge == ()
    whole = MDAR.score_judged(place.mdar_key, predictions, JudgedAnswers(judged))
    assert (whole.awaiting_judge, whole.signature.judging) == ((names[0],), "")


def test_benchmark_names_the_judge_of_open_answers(place: JudgingInstallation) -> None:
    open_items = [item.id for item in MDAR.content(place.mdar_key).items if item.part == "open"]
    assert list(MDAR.open_questions(place.mdar_key)) == open_items
