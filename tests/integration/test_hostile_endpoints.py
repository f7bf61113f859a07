"""Slow, broken and hostile endpoints, and their visibility to other users."""

import asyncio
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import update

from db.errors import DatabaseUnableError
from db.models import Submission
from db.repositories import endpoints, users
from submissions.endpoints.endpoint_service import Endpoints
from submissions.endpoints.vault import Secret
from submissions.errors import NotAllowedError, NotReadyError, StateError
from submissions.jobs.leased_jobs import LEASE, utc_now
from submissions.jobs.queue import SubmissionQueue
from submissions.operations.integrity import check_installation
from submissions.reference_systems import listener_server
from submissions.reference_systems.listener_server import ListenersError, serve_listeners
from tests.support.endpoints.endpoint_installation import DEMO, KEY, EndpointInstallation, make_references
from tests.support.endpoints.misbehaving import ServedRequest, always, answer, make_completion, make_reply, run_server
from tests.support.servers.installation import KilledError
from tests.support.servers.revisions import move_to

N_QUESTIONS = 21
N_PROBES = 4
AFTER_A_LEASE = LEASE + timedelta(seconds=15)


def find_expiry(asking: EndpointInstallation) -> str:
    found = asking.place.query("select max(lease_expires_at) from evaluations where lease_token is not null")
    return str(found[0][0])


def forget_pause(asking: EndpointInstallation) -> None:
    with asking.place.database.write() as transaction:
        transaction.execute(update(Submission).values(not_before=None))


def test_slow_probe_keeps_the_lease_of_its_evaluator(asking: EndpointInstallation) -> None:
    swept: list[int] = []
    later = SubmissionQueue(asking.place.database, "other", lambda: utc_now() + AFTER_A_LEASE, lane="endpoints")

    async def take_time(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if asked.number == 1:
            claimed = await asyncio.to_thread(find_expiry, asking)
            while await asyncio.to_thread(find_expiry, asking) == claimed:
                await asyncio.sleep(0.01)
            swept.append(await asyncio.to_thread(later.requeue_lost))
        await answer(asked, writer)

    with run_server(take_time) as served:
        status = asking.ask(served.url)
    assert swept == [0], "longer than a lease"
    assert status.submission.state == "scored"
    assert len(served.asked) == N_PROBES + N_QUESTIONS


@pytest.mark.parametrize("happens", ["stop", "withdraw"])
def test_probe_ends_immediately_when_the_evaluator_stops_or_the_endpoint_is_withdrawn(
    asking: EndpointInstallation, happens: str
) -> None:
    over = threading.Event()

    async def never(_asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if happens == "stop":
            asking.stop.set()
        else:
            await asyncio.to_thread(asking.place.service.withdraw, added.id, asking.place.ann)
        while not over.is_set():
            await asyncio.sleep(0.01)
        writer.transport.abort()

    with run_server(never) as served:
        added = asking.approved(served.url)
        assert asking.evaluator.run_next()
        over.set()
    status = asking.status(added)
    assert status.submission.state == ("queued" if happens == "stop" else "withdrawn")
    assert len(served.asked) == 1
    assert status.endpoint is not None
    assert status.endpoint.findings is None


def test_probe_quotes_only_a_short_line_of_a_response(asking: EndpointInstallation) -> None:
    with run_server(always(make_completion("\u202e<b>evil\0 " * 100))) as served:
        status = asking.ask(served.url)
    assert status.endpoint is not None
    assert status.endpoint.findings is not None
    for finding in status.endpoint.findings:
        assert len(finding["detail"]) <= 200
        assert finding["detail"].isprintable()


def test_failed_probe_is_recorded_despite_a_kill(asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_args: object, **_values: object) -> None:
        raise KilledError

    with run_server(always(make_reply(404, b"{}"))) as served:
        added = asking.approved(served.url)
        monkeypatch.setattr("submissions.scoring.evaluator.Evaluator._end", die)
        with pytest.raises(KilledError):
            asking.evaluator.run_next()
        monkeypatch.undo()
        SubmissionQueue(asking.place.database, "other", lambda: utc_now() + 2 * AFTER_A_LEASE).requeue_lost()
        forget_pause(asking)
        assert asking.evaluator.run_next()
        assert len(served.asked) == 1
    assert asking.status(added).submission.reason_code == "endpoint-not-ready"


@pytest.mark.parametrize(("n_refused", "state"), [(2, "scored"), (3, "failed")])
def test_last_unanswered_questions_are_counted_like_all_others(
    asking: EndpointInstallation, n_refused: int, state: str
) -> None:
    async def tire(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        is_left = asked.number < N_PROBES + N_QUESTIONS - n_refused
        writer.write(make_completion("A") if is_left else make_reply(400, b"{}"))

    with run_server(tire) as served:
        status = asking.ask(served.url, allow_missing=True, concurrency=1)
    assert status.submission.state == state
    assert (status.evaluation is not None) == (state == "scored")


def test_completed_endpoint_run_is_scored_without_its_key(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        monkeypatch.undo()
        raise OSError

    with run_server(answer) as served:
        added = asking.approved(served.url)
        monkeypatch.setattr("submissions.scoring.evaluator.Evaluator.score_file", fail)
        assert asking.evaluator.run_next()
    with asking.place.database.write() as transaction:
        endpoints.set_key(transaction, added.id, None)
    forget_pause(asking)
    assert asking.evaluator.run_next()
    assert asking.status(added).submission.state == "scored"


def test_scoring_of_long_answers_renews_the_lease(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []
    monkeypatch.setattr("submissions.scoring.evaluator._KEEP_EVERY_SECONDS", -1.0)
    monkeypatch.setattr(SubmissionQueue, "renew_lease", lambda _queue, _lease, share: shares.append(share))
    with run_server(answer) as served:
        assert asking.ask(served.url).submission.state == "scored"
    assert shares == [0.98] * N_QUESTIONS


def test_endpoint_lost_in_a_schema_downgrade_is_never_scored_without_answers(
    asking: EndpointInstallation,
) -> None:
    added = asking.approved("http://127.0.0.1:9/v1")
    move_to(asking.place.database, "0012", command.downgrade)
    move_to(asking.place.database, "head", command.upgrade)
    assert not asking.place.evaluator.run_next()
    assert asking.evaluator.run_next()
    assert asking.status(added).submission.reason_code == "endpoint-unknown"


def test_other_users_see_neither_address_nor_responses_of_a_public_model(asking: EndpointInstallation) -> None:
    async def fail_once(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        refusal = make_reply(401, b'{"error": {"message": "ann@example.com has no credit"}}')
        writer.write(refusal if asked.number == N_PROBES + 2 else make_completion("A"))

    with run_server(fail_once) as served:
        added = asking.approved(served.url, publish=True, concurrency=1)
        assert asking.evaluator.run_next()
        asking.endpoints.retry(added.id, asking.place.ann, Secret(KEY))
        assert asking.evaluator.run_next()
    place = asking.place
    for viewer in (place.ann, place.may):
        seen = place.service.status(added.id, viewer)
        assert seen.endpoint is not None
        assert "no credit" in repr(seen.events)
    stranger = place.service.status(added.id, None)
    assert stranger.endpoint is None
    assert len(stranger.events) == len(asking.status(added).events)
    assert "credit" not in repr(stranger.events)
    assert "127.0.0.1" not in repr(stranger)


def test_retry_that_is_not_possible_is_refused_before_a_key_is_requested(asking: EndpointInstallation) -> None:
    with run_server(answer) as served:
        status = asking.ask(served.url, publish=True)
    with pytest.raises(StateError, match="scored"):
        asking.endpoints.retry(status.submission.id, asking.place.ann)
    with asking.place.database.write() as transaction:
        bob = users.get_or_add_user(transaction, "bob", utc_now())
    with pytest.raises(NotAllowedError):
        asking.endpoints.retry(status.submission.id, bob)


def test_endpoint_without_a_key_uses_the_key_of_the_retry(asking: EndpointInstallation) -> None:
    async def want_key(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(make_completion("A") if KEY in asked.head else make_reply(401, b"{}"))

    with run_server(want_key) as served:
        failed = asking.ask(served.url, api_key=None).submission
        assert (failed.state, failed.retryable) == ("failed", True)
        asking.endpoints.retry(failed.id, asking.place.ann, Secret(KEY))
        assert asking.evaluator.run_next()
    status = asking.status(failed)
    assert status.submission.state == "scored"
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is None


def test_endpoint_without_questions_is_never_scored(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = replace(DEMO.content(asking.place.key_of(DEMO)), items=())
    monkeypatch.setattr(type(DEMO), "content", lambda *_: content)
    failed = asking.ask("http://127.0.0.1:9/v1").submission
    assert (failed.state, failed.reason_code) == ("failed", "endpoint-without-questions")


def test_integrity_check_accepts_endpoints_in_every_state(asking: EndpointInstallation) -> None:
    assert make_references(asking).submit_next()
    asking.endpoints.reject(asking.register("http://127.0.0.1:9/v1").id, asking.place.may, "No.")
    asking.register("http://127.0.0.1:9/v1")
    found = [one.text for one in check_installation(asking.place.database, asking.place.store) if not one.is_good]
    assert found == []


@pytest.mark.parametrize(
    ("error", "is_sent"),
    [
        (DatabaseUnableError("insert", {}, Exception()), True),
        (NotReadyError("Try again."), False),
    ],
)
def test_reference_system_is_submitted_later_unless_it_is_refused(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch, error: Exception, is_sent: bool
) -> None:
    references = make_references(asking)

    def fail(*_args: object) -> None:
        monkeypatch.undo()
        raise error

    monkeypatch.setattr(Endpoints, "register_own", fail)
    if is_sent:
        with pytest.raises(DatabaseUnableError):
            references.submit_next()
    assert references.submit_next()
    (name,) = asking.place.query("select model_name from submissions")[0]
    assert (name == "Earshot chance") == is_sent


def test_silent_listeners_are_one_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 600\n")
    silent.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(silent))
    monkeypatch.setattr(listener_server, "_START_SECONDS", 0.05)
    with pytest.raises(ListenersError), serve_listeners({"PATH": "/usr/bin:/bin"}):
        pass
