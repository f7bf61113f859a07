"""Endpoint evaluations: registered, approved, probed, run once, scored, and marked as verified."""

import asyncio
import base64
import threading
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from db.models import Endpoint
from db.repositories import submissions
from evaluation import get_benchmark
from evaluation.answer_keys import replace_key
from evaluation.audio import decode_wav
from evaluation.benchmarks.star_bench.design import TONE_TASKS
from evaluation.listeners import LISTENERS
from evaluation.signature import parse_signature
from evaluation.types import AudioPart, Prediction
from submissions.editions.disclosed_items import DisclosedItems
from submissions.endpoints.runner import list_questions, reseal_keys
from submissions.endpoints.vault import Secret, Vault
from submissions.errors import AlreadySubmittedError, BadRequestError, LimitError, NotAllowedError, StateError
from submissions.jobs.round_robin import RoundRobin
from submissions.operations.maintenance import ReevaluationRequest
from tests.support.editions.edition_places import Editions
from tests.support.endpoints.answering import run_endpoint
from tests.support.endpoints.endpoint_installation import DEMO, KEY, PARTS, SECRET, EndpointInstallation
from tests.support.endpoints.misbehaving import (
    Behave,
    ServedRequest,
    always,
    answer,
    make_completion,
    make_reply,
    run_server,
)
from tests.support.samples.listening import hear_run

N_QUESTIONS = 21
N_PROBES = 4


def test_endpoint_evaluation_starts_only_after_a_maintainer_approves_it(asking: EndpointInstallation) -> None:
    with run_server(answer) as served:
        added = asking.register(served.url)
        assert added.state == "awaiting-approval"
        assert not asking.evaluator.run_next()
        assert served.asked == []
        with pytest.raises(NotAllowedError):
            asking.endpoints.approve(added.id, asking.place.ann)
        asking.endpoints.approve(added.id, asking.place.may, "Known to us.")
        assert asking.evaluator.run_next()
    status = asking.status(added)
    assert (status.submission.state, status.submission.source) == ("scored", "verified")
    assert len(served.asked) == N_QUESTIONS + N_PROBES
    assert [event.to_state for event in status.events] == [
        *("awaiting-approval", "queued", "running", "running", "scored")
    ]
    assert status.events[1].text == "Approved: Known to us."
    assert "takes stereo: yes" in status.events[3].text
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is None, "the key is gone at the end"
    assert all(f"authorization: bearer {KEY}".lower() in asked.head.lower() for asked in served.asked)
    assert status.evaluation is not None
    assert status.evaluation.signature is not None
    assert status.evaluation.signature.endswith("|asked:1.temperature-0.input_audio.parts")


def test_user_has_a_limited_number_of_endpoints_to_approve(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("submissions.endpoints.endpoint_service.MAX_AWAITING", 2)
    first, _ = (asking.register(f"http://127.0.0.1:{port}/v1") for port in (9, 10))
    with pytest.raises(LimitError, match=r"2 of your endpoints await a maintainer's approval"):
        asking.register("http://127.0.0.1:11/v1")
    asking.endpoints.approve(first.id, asking.place.may)
    assert asking.register("http://127.0.0.1:11/v1").state == "awaiting-approval"


def test_rejected_endpoint_is_never_queried_and_shows_the_reason(asking: EndpointInstallation) -> None:
    added = asking.register("http://127.0.0.1:9/v1")
    asking.endpoints.reject(added.id, asking.place.may, "Not a public model.")
    status = asking.status(added)
    assert (status.submission.state, status.submission.reason_code) == ("failed", "not-approved")
    assert "Not a public model." in (status.submission.reason or "")
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is None
    with pytest.raises(StateError, match="failed"):
        asking.endpoints.approve(added.id, asking.place.may)
    with pytest.raises(StateError):
        asking.endpoints.retry(added.id, asking.place.ann, Secret(KEY))


def test_address_of_the_completions_route_is_stored_as_the_base_url(asking: EndpointInstallation) -> None:
    added = asking.register("http://127.0.0.1:9/v1/chat/completions/")
    endpoint = asking.place.status(added).endpoint
    assert endpoint is not None
    assert endpoint.base_url == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    "listener",
    [pytest.param(name, marks=pytest.mark.slow if name == "earshot-mono" else ()) for name in sorted(LISTENERS)],
)
def test_row_of_a_listener_endpoint_equals_that_of_its_file(asking: EndpointInstallation, listener: str) -> None:
    key = asking.place.key_of(DEMO)
    system = LISTENERS[listener]
    with run_endpoint([system], KEY) as url:
        status = asking.ask(f"{url}/v1", model_name=listener)
    content = DEMO.content(key)
    clips = {clip: DEMO.render_clip(key, clip) for clip in content.clips}
    runs = [DEMO.run(item, 0, "default") for item in content.items if item.part in PARTS]
    report = DEMO.score(key, [Prediction(run.id, run.run, system.answer(hear_run(run, clips))) for run in runs])
    assert status.submission.state == "scored", status.submission.reason
    figures = {(name, metric): score.value for name, metric, score in report.list_scores()}
    assert {(score.slice, score.metric): score.value for score in status.scores} == figures
    assert figures


def test_clips_for_a_single_audio_model_are_concatenated_and_recorded_in_the_signature(
    asking: EndpointInstallation,
) -> None:
    with run_server(answer) as served:
        status = asking.ask(served.url, multi_audio=False, audio_form="data-url")
    assert status.evaluation is not None
    assert status.evaluation.signature is not None
    assert status.evaluation.signature.endswith("|asked:1.temperature-0.data-url.joined-2s")
    for asked in served.asked[N_PROBES:]:
        kinds = Counter(part["type"] for part in asked.json["messages"][0]["content"])
        assert kinds["audio_url"] == 1
        assert kinds["input_audio"] == 0


def test_noise_setting_sends_noise_of_the_same_length_as_each_clip(asking: EndpointInstallation) -> None:
    with run_server(answer) as served:
        status = asking.ask(served.url, setting="noise", parts=("main",), concurrency=1)
    assert status.submission.state == "scored"
    key = asking.place.key_of(DEMO)
    questions = list_questions(DEMO, key, "noise", ("main",))
    assert len(questions) == len(served.asked) - N_PROBES
    for question, asked in zip(questions, served.asked[N_PROBES:], strict=True):
        parts = asked.json["messages"][0]["content"]
        sent = next(part["input_audio"]["data"] for part in parts if part["type"] == "input_audio")
        clip = next(part.clip for part in question.prompt if isinstance(part, AudioPart))
        noise, sound = base64.b64decode(sent), DEMO.render_clip(key, clip)
        assert noise != sound
        assert decode_wav(noise)[0].shape == decode_wav(sound)[0].shape


def test_pseudo_stereo_sends_each_tone_with_its_inverse_in_the_right_channel(asking: EndpointInstallation) -> None:
    star = get_benchmark("star-bench", "demo")
    with run_server(answer) as served:
        status = asking.ask(served.url, star, setting="pseudo-stereo", parts=("perception",), concurrency=1)
    assert status.submission.state == "scored", status.submission.reason
    assert "|setting:pseudo-stereo|" in str(status.evaluation.signature if status.evaluation else "")
    key = asking.place.key_of(star)
    items = [item for item in star.content(key).items if item.task in TONE_TASKS]
    asked = served.asked[N_PROBES:]
    assert len(asked) == sum(len(item.runs) for item in items)
    heard = []
    for one in asked:
        (sent,) = [part for part in one.json["messages"][0]["content"] if part["type"] == "input_audio"]
        samples, _ = decode_wav(base64.b64decode(sent["input_audio"]["data"]))
        assert samples.shape[1] == 2
        assert not (samples[:, 0] + samples[:, 1]).any()
        heard.append(bool(samples.any()))
    assert sum(heard) > len(heard) / 2, "only a question about an absent tone may be silent"
    assert {f"{score.slice}|{score.metric}" for score in status.scores} >= {"perception/tones|aa"}


def test_each_endpoint_gets_an_edition_of_its_own_that_accepts_no_file(asking: EndpointInstallation) -> None:
    star, editions = get_benchmark("star-bench", "1.0"), Editions(asking.place)
    added = [asking.register(f"https://models{number}.example.com/v1", star) for number in range(2)]
    ids = [one.edition for one in added]
    assert len(set(ids)) == 2
    assert {editions.service.get_status(str(one), added[0].owner).state for one in ids} == {"closed"}
    assert editions.service.find_quota(added[0].owner, star).n_today == 0
    assert asking.register("https://models3.example.com/v1").edition is None  # the demonstration set is not secret


@pytest.mark.slow
def test_endpoint_answers_its_edition_and_its_owner_sees_every_answer(asking: EndpointInstallation) -> None:
    star = get_benchmark("star-bench", "1.0")
    with run_server(answer) as served:
        status = asking.ask(served.url, star, setting="pseudo-stereo", parts=("perception",))
    submission = status.submission
    assert submission.state == "scored", submission.reason
    edition_id = submission.edition or ""
    assert parse_signature(str(status.evaluation.signature if status.evaluation else "")).edition == edition_id
    editions = Editions(asking.place)
    assert editions.service.get_status(edition_id, submission.owner).state == "closed"
    disclosed = DisclosedItems(asking.place.database, asking.place.store, editions.service)
    found = disclosed.read_edition(edition_id, submission.owner)
    asked = served.asked[N_PROBES:]
    assert sum(found.count_outcomes().values()) == len(asked)
    assert {one.item.task for one in found.items} == set(TONE_TASKS)


def fail_after(n_calls: int, reply: bytes) -> Behave:
    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if asked.number < n_calls:
            await answer(asked, writer)
        else:
            writer.write(reply)

    return behave


def test_dead_endpoint_ends_with_a_reason_and_a_retry_requests_only_the_rest(
    asking: EndpointInstallation,
) -> None:
    with run_server(fail_after(N_PROBES + 8, make_reply(401, b'{"error": "no"}'))) as served:
        added = asking.approved(served.url, concurrency=1)
        assert asking.evaluator.run_next()
    status = asking.status(added)
    submission = status.submission
    assert (submission.state, submission.reason_code, submission.fault) == (
        "failed",
        "endpoint-unauthorised",
        "yours",
    )
    assert "check the key" in (submission.reason or "")
    assert submission.retryable, "its owner can give another key"
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is None
    with pytest.raises(BadRequestError, match="was deleted when the run ended"):
        asking.endpoints.retry(added.id, asking.place.ann)
    with run_server(answer) as healthy:
        with asking.place.database.write() as transaction:
            transaction.execute(update(Endpoint).values(base_url=healthy.url))
        asking.endpoints.retry(added.id, asking.place.ann, Secret("sk-new-0123456789"))
        assert asking.evaluator.run_next()
    status = asking.status(added)
    assert status.submission.state == "scored", status.submission.reason
    assert len(healthy.asked) == N_PROBES + N_QUESTIONS - 8, "what was answered is not asked again"
    assert all("sk-new-0123456789" in asked.head for asked in healthy.asked)
    assert status.endpoint is not None
    assert status.endpoint.progress is not None
    assert (status.endpoint.progress["n_done"], status.endpoint.progress["n_questions"]) == (N_QUESTIONS, N_QUESTIONS)


def test_unsuitable_endpoint_is_detected_in_a_few_calls(asking: EndpointInstallation) -> None:
    with run_server(always(make_reply(404, b"{}"))) as served:
        status = asking.ask(served.url)
    assert len(served.asked) == 1
    assert (status.submission.state, status.submission.reason_code) == ("failed", "endpoint-not-ready")
    assert status.endpoint is not None
    assert status.endpoint.findings is not None
    assert [one["is_ok"] for one in status.endpoint.findings] == [True, True, False, None, None, None]


async def hang() -> None:
    """Never answer: the run must end for another reason."""
    await asyncio.Event().wait()


def test_stopped_evaluator_releases_the_endpoint_and_the_next_resumes(
    asking: EndpointInstallation,
) -> None:
    half = N_PROBES + 10

    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if asked.number == half:
            asking.stop.set()
            await hang()
        await answer(asked, writer)

    with run_server(behave) as served:
        added = asking.approved(served.url, concurrency=1)
        assert asking.evaluator.run_next()
        status = asking.status(added)
        assert (status.submission.state, status.submission.attempts) == ("queued", 0)
        asking.stop.clear()
        assert asking.evaluator.run_next()
    assert asking.status(added).submission.state == "scored"
    assert len(served.asked) <= N_PROBES + N_QUESTIONS + 1, "at most the one on its way is asked twice"


def test_database_error_during_a_release_does_not_fail_the_submission(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if asked.number == N_PROBES + 10:
            asking.stop.set()
            await hang()
        await answer(asked, writer)

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database is locked"))

    turn = RoundRobin(asking.queue, [asking.evaluator.run_next])
    with run_server(behave) as served:
        added = asking.approved(served.url, concurrency=1)
        with monkeypatch.context() as patch:
            patch.setattr(submissions, "leave_running", fail)
            assert not turn()
        found = asking.status(added).submission
        assert (found.state, found.reason_code) == ("running", None)
        assert "incident" not in caplog.text
        asking.stop.clear()
        assert turn(), "the next turn requeues what was dropped, and goes on with it"
    assert asking.status(added).submission.state == "scored"
    assert len(served.asked) <= N_PROBES + N_QUESTIONS + 1


def test_withdrawn_endpoint_is_not_queried_any_more(asking: EndpointInstallation) -> None:
    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        if asked.number == N_PROBES + 3:
            await asyncio.to_thread(asking.place.service.withdraw, added.id, asking.place.ann)
            await hang()
        await answer(asked, writer)

    with run_server(behave) as served:
        added = asking.approved(served.url, concurrency=1)
        assert asking.evaluator.run_next()
    status = asking.status(added)
    assert status.submission.state == "withdrawn"
    assert len(served.asked) == N_PROBES + 4
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is None


@pytest.mark.parametrize("allow_missing", [False, True])
def test_unanswered_question_counts_as_wrong_only_if_allowed(asking: EndpointInstallation, allow_missing: bool) -> None:
    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(make_reply(400, b"{}") if asked.number == N_PROBES + 5 else make_completion("A"))

    with run_server(behave) as served:
        status = asking.ask(served.url, allow_missing=allow_missing, concurrency=1)
    if not allow_missing:
        assert (status.submission.state, status.submission.reason_code) == ("failed", "endpoint-rejected")
        assert "1 of 21 questions" in (status.submission.reason or "")
        return
    assert status.submission.state == "scored"
    assert status.evaluation is not None
    assert status.evaluation.missing == 1


def test_duplicate_endpoint_registration_is_linked_to_the_first(asking: EndpointInstallation) -> None:
    first = asking.register("http://127.0.0.1:9/v1", idempotency_key="k")
    assert asking.register("http://127.0.0.1:9/v1", idempotency_key="k").id == first.id
    with pytest.raises(AlreadySubmittedError) as caught:
        asking.register("http://127.0.0.1:9/v1")
    assert caught.value.submission_id == first.id


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"setting": "cascaded"}, "setting", "default, noise"),
        ({"parts": ("open", "shut")}, "parts", "main, multi, open"),
        ({"parts": ()}, "parts", "main, multi, open"),
        ({"base_url": "http://10.0.0.1/v1"}, "base_url", "https://"),
        ({"base_url": "https://10.0.0.1/v1"}, "base_url", "public host name"),
        ({"base_url": "https://user:word@models.example.com/v1"}, "base_url", "user name"),
        ({"concurrency": 0}, "concurrency", "from 1 to 256"),
        ({"model_name": ""}, "model_name", "1 to 200"),
        ({"model_name": "a\x07"}, "model_name", "1 to 200"),
    ],
)
def test_endpoint_with_an_invalid_field_is_one_error_and_not_stored(
    asking: EndpointInstallation, fields: dict[str, object], field: str, said: str
) -> None:
    values: dict[str, Any] = {"base_url": "http://127.0.0.1:9/v1"} | fields
    with pytest.raises(BadRequestError, match=said) as caught:
        asking.register(values.pop("base_url"), **values)
    assert caught.value.field == field
    assert asking.place.query("select count(*) from submissions where source = 'verified'") == [(0,)]


def test_endpoint_row_is_rescored_after_a_correction_without_new_requests(asking: EndpointInstallation) -> None:
    place = asking.place
    with run_server(always(make_completion("A"))) as served:
        status = asking.ask(served.url, publish=True)
        n_asked = len(served.asked)
        key = place.key_of(DEMO)
        items = [item for item in DEMO.content(key).items if item.part == "main"]
        # Correct some wrong answers, so that the score changes.
        wrong = next(item for item in items if key.answers[item.id] != 0)
        replace_key(place.keys_dir, replace(key, answers={**key.answers, wrong.id: 0}), key)
        for dry_run in (True, False):
            wish = ReevaluationRequest(status.submission.id, None, None, dry_run, "A key was wrong.")
            asked = place.maintenance.request_reevaluation(place.may, wish)
            while place.reevaluator.run_next():
                pass
            assert place.find_reevaluation(asked).state == "done", place.find_reevaluation(asked).explanation
        assert len(served.asked) == n_asked
    after = asking.status(status.submission)
    assert after.evaluation is not None
    assert after.evaluation.signature is not None
    assert after.evaluation.signature.endswith("|asked:1.temperature-0.input_audio.parts")
    old = {(score.slice, score.metric): score.value for score in status.scores}
    new = {(score.slice, score.metric): score.value for score in after.scores}
    assert (new["main", "accuracy"] or 0) > (old["main", "accuracy"] or 0)


def test_keys_are_reencrypted_under_the_current_secret(asking: EndpointInstallation) -> None:
    added = asking.register("http://127.0.0.1:9/v1")
    renewed = Vault(["n" * 40, SECRET])
    assert reseal_keys(asking.place.database, renewed) == 1
    assert reseal_keys(asking.place.database, renewed) == 0
    status = asking.status(added)
    assert status.endpoint is not None
    assert status.endpoint.sealed_key is not None
    assert Vault(["n" * 40]).open(added.id, status.endpoint.sealed_key).reveal() == KEY
    assert reseal_keys(asking.place.database, Vault(["x" * 40])) == 0, "what cannot be opened stays as it is"


def test_key_that_cannot_be_decrypted_is_requested_again(asking: EndpointInstallation) -> None:
    with run_server(answer) as served:
        added = asking.approved(served.url)
        with asking.place.database.write() as transaction:
            transaction.execute(update(Endpoint).values(sealed_key=Vault(["x" * 40]).seal(added.id, Secret(KEY))))
        assert asking.evaluator.run_next()
        status = asking.status(added)
        assert (status.submission.state, status.submission.reason_code) == ("failed", "endpoint-key")
        assert status.submission.retryable
        assert served.asked == []
        asking.endpoints.retry(added.id, asking.place.ann, Secret(KEY))
        assert asking.evaluator.run_next()
    assert asking.status(added).submission.state == "scored"


def test_endless_answers_are_truncated_and_end_the_run_when_they_fill_the_disk(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_filling = threading.Event()

    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        # A few of them show the truncation; all of them fill the disk.
        is_endless = is_filling.is_set() or asked.number <= N_PROBES + 2
        writer.write(make_completion("x" * 300_000 * is_endless + " The answer is B."))

    with run_server(behave) as served:
        status = asking.ask(served.url, publish=True)
        assert status.submission.state == "scored", status.submission.reason
        assert asking.place.query("select max(length(text)), min(text like '%B.') from responses") == [(200_000, 1)]
        is_filling.set()
        monkeypatch.setattr("submissions.endpoints.runner.MAX_KEPT", 1_000_000)
        status = asking.ask(served.url, model_name="other", concurrency=1)
    assert (status.submission.state, status.submission.reason_code) == ("failed", "endpoint-too-long")
    assert not status.submission.retryable
    kept = asking.place.query("select count(*) from responses group by submission_id order by 1")
    assert kept[0][0] <= 5


def test_endpoint_evaluation_beyond_its_time_limit_ends_with_a_reason_and_sends_heartbeats(
    asking: EndpointInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent: list[float] = []

    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        silent.append(asking.evaluator.silent_seconds)
        if asked.number > N_PROBES:
            monkeypatch.setattr("submissions.endpoints.runner.MAX_SECONDS", 0)
            await hang()
        await answer(asked, writer)

    with run_server(behave) as served:
        status = asking.ask(served.url, concurrency=1)
    assert (status.submission.state, status.submission.reason_code) == ("failed", "endpoint-too-slow")
    assert "of 21 questions" in (status.submission.reason or "")
    assert not status.submission.retryable
    assert len(served.asked) == N_PROBES + 2
    assert min(silent) > 0, "whoever watches the evaluator sees that it is at something"
    assert asking.evaluator.silent_seconds == 0
