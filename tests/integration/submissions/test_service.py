"""Submission service: submit, check, view, publish, withdraw and retry, on a real database with a small catalogue."""

import hashlib
import io
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, ScoreRecord, SubmissionRecord, UserRecord
from db.repositories import boards, catalogue, evaluations, submissions, users
from db.session import Database
from evaluation import get_benchmark
from evaluation.errors import SettingError
from evaluation.predictions import PredictionFileError
from submissions.accounts.credentials import Accounts
from submissions.errors import (
    AlreadySubmittedError,
    BadRequestError,
    NotAllowedError,
    NotFoundError,
    NotReadyError,
    StateError,
    SubmissionError,
)
from submissions.intake.artifacts import ArtifactStore, TooLargeError
from submissions.intake.catalogues import Catalogues
from submissions.intake.identifiers import new_submission_id
from submissions.intake.submission_limits import NO_LIMITS
from submissions.model_registry.descriptions import check_model
from submissions.service import Request, SubmissionService, board_of
from tests.support.servers.shared_splits import make_shared_catalogues

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("audio-motion-bench")
ITEMS = [ItemRecord(f"amb-{n}", "sct", "sct/clean/tf", "boolean", (0, 1, 2)) for n in range(3)]
GOOD = "".join(json.dumps({"id": item.id, "response": "True"}) + "\n" for item in ITEMS).encode()
MAX_BYTES = 10_000
Act = Callable[[SubmissionService, str, UserRecord], None]


class World:
    """Database with a small catalogue, its service, and four users."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(f"sqlite:///{folder}/earshot.db")
        self.catalogues = make_shared_catalogues(self.database)
        store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        accounts = Accounts(self.database, ("boss",))
        self.service = SubmissionService(self.database, store, self.catalogues, accounts, MAX_BYTES, NO_LIMITS)
        with self.database.write() as transaction:
            self.ann, self.bob, self.boss = (
                users.get_or_add_user(transaction, name, NOW) for name in ("ann", "bob", "boss")
            )

    def register(self, items: list[ItemRecord], digest: str = "digest") -> None:
        record = BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, digest, "pack.zip", len(items), 1)
        with self.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, NOW)

    def submit(self, data: bytes = GOOD, owner: UserRecord | None = None, **fields: Any) -> SubmissionRecord:
        request = replace(Request(BENCHMARK, "default", NewModel("A model")), **fields)
        return self.service.submit(owner or self.ann, request, io.BytesIO(data))

    def get(self, submission_id: str) -> SubmissionRecord:
        return self.service.status(submission_id, self.boss).submission

    def set_state(self, submission_id: str, **values: object) -> None:
        with self.database.write() as transaction:
            assert submissions.change_state(transaction, submission_id, [self.get(submission_id).state], NOW, **values)

    def score(self, submission_id: str) -> None:
        """Record a score for a submission, as an evaluator does."""
        result = NewResult("sig", "rank", ("sct",), 1, 3, 0, 0, {}, (ScoreRecord("sct", "accuracy", 0.5, 3),))
        with self.database.write() as transaction:
            job = evaluations.claim_next(transaction, worker="w", token="t", now=datetime.now(UTC), expires_at=NOW)
            assert job is not None
            assert job.work.id == submission_id
            evaluations.record_result(transaction, job, result, NOW)

    def files(self) -> list[Path]:
        folders = (self.folder / "artifacts", self.folder / "incoming")
        return [path for folder in folders for path in folder.rglob("*") if path.is_file()]

    def n_submissions(self) -> int:
        with self.database.read() as transaction:
            return sum(submissions.count_by_state(transaction).values())


@pytest.fixture
def world(empty: Path, tmp_path: Path) -> Iterator[World]:
    shutil.copy(empty, tmp_path)
    made = World(tmp_path)
    made.register(ITEMS)
    with closing(made.database):
        yield made


# --- submit ---------------------------------------------------------------------------------------------------------


def test_submitted_file_is_queued_and_stored_under_its_digest(world: World) -> None:
    record = world.submit()
    digest = hashlib.sha256(GOOD).hexdigest()
    assert (record.state, record.visibility, record.source) == ("queued", "private", "submitted")
    assert (record.artifact_sha256, record.artifact_bytes) == (digest, len(GOOD))
    assert (record.owner, record.model.name, record.attempts) == (world.ann, "A model", 0)
    assert [path.read_bytes() for path in world.files()] == [GOOD]
    status = world.service.status(record.id, world.ann)
    assert [(e.from_state, e.to_state, e.actor) for e in status.events] == [
        (None, "received", "ann"),
        ("received", "queued", "ann"),
    ]
    assert (status.position, status.progress, status.evaluation, status.scores) == (0, None, None, ())


def test_file_submitted_for_two_models_is_two_submissions_of_one_upload(world: World) -> None:
    one, other = world.submit(), world.submit(model=NewModel("Another model"))
    assert one.id != other.id
    assert one.artifact_sha256 == other.artifact_sha256
    assert len(world.files()) == 1
    assert [record.id for record in world.service.list_mine(world.ann)] in ([one.id, other.id], [other.id, one.id])
    assert world.service.list_mine(world.bob) == []


def test_file_submitted_to_be_published_is_public_from_the_start(world: World) -> None:
    assert world.submit(publish=True).visibility == "public"


def test_same_key_returns_the_same_submission_whatever_the_request_contains(world: World) -> None:
    first = world.submit(idempotency_key="k")
    assert world.submit(idempotency_key="k").id == first.id
    assert world.submit(b"not even JSON", idempotency_key="k").id == first.id
    assert world.submit(idempotency_key="k", model=NewModel("Other")).id == first.id
    assert world.n_submissions() == 1


def test_same_key_of_another_owner_is_another_submission(world: World) -> None:
    assert world.submit(idempotency_key="k").id != world.submit(owner=world.bob, idempotency_key="k").id


def test_same_key_used_concurrently_creates_one_submission(world: World) -> None:
    n_threads = 4
    start = threading.Barrier(n_threads)
    found: list[object] = []

    def send() -> None:
        start.wait()
        try:
            found.append(world.submit(idempotency_key="k").id)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            found.append(error)

    threads = [threading.Thread(target=send) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == n_threads
    assert len(set(found)) == 1, found
    assert world.n_submissions() == 1


def test_same_key_used_by_a_faster_request_returns_its_submission(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Forces the race: the other request commits after this one has looked up the key.
    winner: list[SubmissionRecord] = []
    original = Catalogues.get

    def let_another_in(catalogues: Catalogues, benchmark: object, setting: str) -> object:
        monkeypatch.setattr(Catalogues, "get", original)
        winner.append(world.submit(idempotency_key="k"))
        return original(catalogues, benchmark, setting)  # type: ignore[arg-type]

    monkeypatch.setattr(Catalogues, "get", let_another_in)
    assert world.submit(idempotency_key="k").id == winner[0].id
    assert world.n_submissions() == 1


@pytest.mark.parametrize("state", ["queued", "running", "scored", "awaiting-judge"])
def test_duplicate_file_is_refused_and_linked_to_the_earlier_submission(world: World, state: str) -> None:
    first = world.submit(idempotency_key="one")
    world.set_state(first.id, state=state)
    with pytest.raises(AlreadySubmittedError) as caught:
        world.submit(idempotency_key="two", publish=True, allow_missing=True, model=NewModel(" a  MODEL"))
    assert caught.value.submission_id == first.id
    assert str(caught.value) == (
        f"You already submitted this file for AudioMotionBench 1.0, setting default, model A model: see {first.id} "
        f"({state}). Nothing was added. To submit the file again, withdraw that submission first."
    )
    assert world.n_submissions() == 1


@pytest.mark.parametrize("state", ["failed", "withdrawn"])
def test_file_of_a_submission_that_ended_without_a_score_is_accepted_again(world: World, state: str) -> None:
    first = world.submit()
    world.set_state(first.id, state=state)
    assert world.submit().id != first.id


@pytest.mark.parametrize(
    "fields",
    [{"data": GOOD + b"\n"}, {"model": NewModel("Another")}, {"source": "random"}],
    ids=["file", "model", "source"],
)
def test_file_with_any_relevant_difference_is_another_submission(world: World, fields: dict[str, Any]) -> None:
    world.submit()
    assert world.submit(**fields).state == "queued"


def test_same_file_of_another_owner_is_another_submission(world: World) -> None:
    assert world.submit().id != world.submit(owner=world.bob).id


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 201, "a\n"])
def test_malformed_key_is_refused(world: World, key: str) -> None:
    with pytest.raises(BadRequestError, match="1 to 200 visible ASCII characters") as caught:
        world.submit(idempotency_key=key)
    assert caught.value.field == "Idempotency-Key"


@pytest.mark.parametrize(
    ("data", "fields", "error", "message"),
    [
        (b"", {}, PredictionFileError, "The file is empty"),
        (b"{", {}, PredictionFileError, "Line 1 is not a JSON object"),
        (
            GOOD + b'{"id": "x", "response": ""}',
            {},
            PredictionFileError,
            "Line 4: id `x` is not in AudioMotionBench 1.0",
        ),
        (GOOD + GOOD, {}, PredictionFileError, "already answered"),
        (GOOD.split(b"\n")[0], {}, PredictionFileError, "has no prediction"),
        (GOOD + GOOD, {"allow_missing": True}, PredictionFileError, "already answered"),
        (b" " * (MAX_BYTES + 1), {}, TooLargeError, "larger than 10,000 bytes"),
        (GOOD, {"setting": "defualt"}, SettingError, "Did you mean `default`"),
    ],
)
def test_rejected_file_leaves_nothing_behind(
    world: World, data: bytes, fields: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        world.submit(data, idempotency_key="k", **fields)
    assert world.n_submissions() == 0
    assert world.files() == []
    assert world.submit(idempotency_key="k").state == "queued", "the key was not used up"


def test_file_with_missing_runs_is_accepted_when_they_are_allowed(world: World) -> None:
    assert world.submit(GOOD.split(b"\n")[0], allow_missing=True).allow_missing


def test_submission_to_an_unregistered_benchmark_waits_for_it(empty: Path, tmp_path: Path) -> None:
    shutil.copy(empty, tmp_path)
    world = World(tmp_path)
    with closing(world.database):
        for act in (
            world.submit,
            lambda: world.service.validate(BENCHMARK, "default", io.BytesIO(), None, allow_missing=True),
        ):
            with pytest.raises(NotReadyError, match="AudioMotionBench is being prepared"):
                act()


@pytest.mark.parametrize("name", ["Whisper", "Whisper+Qwen", "Whisper + ", " + Qwen"])
def test_system_of_two_models_names_both(world: World, name: str) -> None:
    mdar = get_benchmark("mdar", "demo")
    with pytest.raises(BadRequestError, match="`Captioner \\+ Text model`") as refused:
        world.submit(benchmark=mdar, setting="cascaded", model=NewModel(name))
    assert refused.value.field == "model"
    for setting, whole in (("cascaded", "Whisper + Qwen"), ("default", name)):
        with pytest.raises(NotReadyError):
            world.submit(benchmark=mdar, setting=setting, model=NewModel(whole))


def test_failure_after_the_upload_was_stored_creates_no_submission(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(submissions, "add_event", fail)
    with pytest.raises(RuntimeError, match="disk full"):
        world.submit()
    assert world.n_submissions() == 0


def test_ids_of_submissions_cannot_be_guessed() -> None:
    ids = {new_submission_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(name.startswith("s-") and len(name) == 16 and name.isascii() for name in ids)


# --- check ----------------------------------------------------------------------------------------------------------


def test_check_describes_the_file_and_stores_nothing(world: World) -> None:
    verdict = world.service.validate(BENCHMARK, "default", io.BytesIO(GOOD), None, allow_missing=False)
    assert (verdict.ok, verdict.predictions, verdict.expected, verdict.missing) == (True, 3, 3, 0)
    verdict = world.service.validate(BENCHMARK, "default", io.BytesIO(GOOD + b"{"), None, allow_missing=False)
    assert not verdict.ok
    assert (world.n_submissions(), world.files()) == (0, [])
    with pytest.raises(SettingError):
        world.service.validate(BENCHMARK, "no such", io.BytesIO(GOOD), None, allow_missing=False)


def test_catalogue_follows_what_an_evaluator_registers(world: World) -> None:
    known = world.catalogues.get(BENCHMARK, "default")
    assert set(known.items) == {"amb-0", "amb-1", "amb-2"}
    assert known.title == "AudioMotionBench 1.0"
    assert world.catalogues.get(BENCHMARK, "default") is known
    world.register(ITEMS[:1], "another digest")
    assert set(world.catalogues.get(BENCHMARK, "default").items) == {"amb-0"}


# --- visibility -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "visibility", "seen_by_all"),
    [
        ("scored", "public", True),
        ("scored", "private", False),
        ("scored", "hidden", False),
        ("queued", "public", False),
        ("running", "public", False),
        ("failed", "public", False),
        ("withdrawn", "public", False),
        ("withdrawn", "private", False),
    ],
)
def test_submission_is_visible_to_others_only_when_scored_and_public(
    world: World, state: str, visibility: str, seen_by_all: bool
) -> None:
    record = world.submit()
    world.set_state(record.id, state=state, visibility=visibility)
    for insider in (world.ann, world.boss):
        assert world.service.status(record.id, insider).submission.state == state
    for viewer in (None, world.bob):
        if seen_by_all:
            assert world.service.status(record.id, viewer).submission.id == record.id
        else:
            with pytest.raises(NotFoundError, match="no such submission, or it is private") as caught:
                world.service.status(record.id, viewer)
            with pytest.raises(NotFoundError) as unknown:
                world.service.status("s-nothing", viewer)
            assert str(caught.value) == str(unknown.value), "the two are not told apart"


def test_status_of_a_scored_submission_has_its_scores(world: World) -> None:
    record = world.submit()
    world.score(record.id)
    status = world.service.status(record.id, world.ann)
    assert status.evaluation is not None
    assert status.evaluation.signature == "sig"
    assert status.scores == (ScoreRecord("sct", "accuracy", 0.5, 3),)
    assert (status.position, status.progress) == (None, None)


def test_status_of_a_running_submission_has_its_progress(world: World) -> None:
    record = world.submit()
    waiting = world.submit(model=NewModel("Another model"))
    with world.database.write() as transaction:
        job = evaluations.claim_next(transaction, worker="w", token="t", now=datetime.now(UTC), expires_at=NOW)
        assert job is not None
        evaluations.LEASES.renew(transaction, job.lease, NOW, progress=0.25)
    status = world.service.status(record.id, world.ann)
    assert (status.submission.state, status.position, status.progress) == ("running", None, 0.25)
    assert world.service.status(waiting.id, world.ann).position == 1


# --- publish, withdraw, retry ---------------------------------------------------------------------------------------


def publish(service: SubmissionService, submission_id: str, actor: UserRecord) -> None:
    service.publish(submission_id, actor)


def withdraw(service: SubmissionService, submission_id: str, actor: UserRecord) -> None:
    service.withdraw(submission_id, actor)


def retry(service: SubmissionService, submission_id: str, actor: UserRecord) -> None:
    service.retry(submission_id, actor)


@pytest.mark.parametrize("act", [publish, withdraw, retry])
def test_action_of_another_user_is_refused_as_if_the_submission_did_not_exist(world: World, act: Act) -> None:
    record = world.submit()
    with pytest.raises(NotFoundError):
        act(world.service, record.id, world.bob)
    assert world.get(record.id) == record


@pytest.mark.parametrize("act", [publish, withdraw, retry])
def test_action_of_another_user_on_a_public_row_is_forbidden(world: World, act: Act) -> None:
    record = world.submit(publish=True)
    world.score(record.id)
    before = world.get(record.id)
    with pytest.raises(NotAllowedError, match="Only the owner or a maintainer"):
        act(world.service, record.id, world.bob)
    assert world.get(record.id) == before


def list_events(world: World, submission_id: str) -> list[tuple[str | None, str, str]]:
    events = world.service.status(submission_id, world.boss).events
    return [(event.from_state, event.to_state, event.actor) for event in events]


def changes_of(world: World, record: SubmissionRecord) -> int:
    with world.database.read() as transaction:
        board = boards.find_board(transaction, board_of(record))
    return board.changes if board else 0


@pytest.mark.parametrize("by_maintainer", [False, True])
def test_publish_shows_a_result_and_requests_a_board_refresh(world: World, by_maintainer: bool) -> None:
    actor = world.boss if by_maintainer else world.ann
    record = world.submit()
    world.score(record.id)
    before = changes_of(world, record)
    world.service.publish(record.id, actor)
    assert world.get(record.id).visibility == "public"
    assert list_events(world, record.id)[-1] == ("scored", "scored", actor.name)
    assert changes_of(world, record) == before + 1
    world.service.publish(record.id, actor)
    assert changes_of(world, record) == before + 1, "published twice is published once"


def test_publish_of_a_hidden_or_withdrawn_submission_is_refused(world: World) -> None:
    record = world.submit()
    world.set_state(record.id, state="scored", visibility="hidden")
    with pytest.raises(NotAllowedError, match="Only a maintainer can restore it"):
        world.service.publish(record.id, world.ann)
    world.set_state(record.id, state="withdrawn", visibility="private")
    with pytest.raises(StateError, match="withdrawn submission cannot be published"):
        world.service.publish(record.id, world.ann)
    assert world.get(record.id).visibility == "private"


@pytest.mark.parametrize("state", ["received", "queued", "running", "awaiting-judge", "scored", "failed"])
def test_withdraw_ends_a_submission_in_any_state(world: World, state: str) -> None:
    record = world.submit()
    world.set_state(record.id, state=state)
    before = changes_of(world, record)
    world.service.withdraw(record.id, world.ann)
    assert world.get(record.id).state == "withdrawn"
    assert list_events(world, record.id)[-1] == (state, "withdrawn", "ann")
    assert changes_of(world, record) == before + 1


def test_withdraw_twice_is_refused(world: World) -> None:
    record = world.submit()
    world.service.withdraw(record.id, world.ann)
    events = list_events(world, record.id)
    with pytest.raises(StateError, match="that is withdrawn cannot become withdrawn"):
        world.service.withdraw(record.id, world.ann)
    assert list_events(world, record.id) == events


def test_retry_of_a_system_failure_requeues_it(world: World) -> None:
    record = world.submit()
    failed = {"reason": "r", "reason_code": "internal", "retryable": True, "fault": "ours", "attempts": 5}
    world.set_state(record.id, state="failed", **failed)
    world.service.retry(record.id, world.ann)
    found = world.get(record.id)
    assert (found.state, found.attempts, found.reason, found.reason_code) == ("queued", 0, None, None)
    assert list_events(world, record.id)[-1] == ("failed", "queued", "ann")
    world.score(record.id)
    found = world.get(record.id)
    assert (found.state, found.retryable, found.fault) == ("scored", None, None)


@pytest.mark.parametrize(
    ("state", "retryable"),
    [("failed", False), ("failed", None), ("queued", True), ("running", True), ("scored", True), ("withdrawn", True)],
)
def test_retry_of_anything_else_is_refused(world: World, state: str, retryable: bool | None) -> None:
    record = world.submit()
    world.set_state(record.id, state=state, retryable=retryable)
    with pytest.raises(StateError, match=rf"this one is {state}\. If the file was rejected, correct it"):
        world.service.retry(record.id, world.ann)
    assert world.get(record.id).state == state


# --- models ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        NewModel("a"),
        NewModel("x" * 120, organisation="y" * 120, kind="z" * 40, url="https://" + "a" * 492),
        NewModel("模型 7B", size_billions=0.5, open_weights=False, url="http://a"),
        NewModel("=1+1"),
        NewModel("Модель é 🙂", organisation="ㅎ"),
    ],
)
def test_valid_model_is_returned(model: NewModel) -> None:
    assert check_model(model) == model


def test_invalid_model_is_refused_with_its_field(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "model.name"),
        ({"name": "   "}, "model.name"),
        ({"name": "x" * 121}, "model.name"),
        ({"name": "a\nb"}, "model.name"),
        ({"name": "a\x00"}, "model.name"),
        ({"name": "a\u202eb"}, "model.name"),
        ({"name": "a\ud800"}, "model.name"),
        ({"name": "\u3164"}, "model.name"),
        ({"name": "\u2800\u2800"}, "model.name"),
        ({"name": "a\ufe0f"}, "model.name"),
        ({"name": "a\U000e0100"}, "model.name"),
        ({"organisation": "\u034f"}, "model.organisation"),
        ({"kind": "\uffa0"}, "model.kind"),
        ({"url": "http://"}, "model.url"),
        ({"url": "https://:80/a"}, "model.url"),
        ({"url": "https://a b"}, "model.url"),
        ({"url": "https://[a"}, "model.url"),
        ({"organisation": ""}, "model.organisation"),
        ({"organisation": "x" * 121}, "model.organisation"),
        ({"kind": "x" * 41}, "model.kind"),
        ({"url": "javascript:alert(1)"}, "model.url"),
        ({"url": "ftp://a"}, "model.url"),
        ({"url": "//a"}, "model.url"),
        ({"url": "https://" + "a" * 493}, "model.url"),
        ({"url": "https://a\n"}, "model.url"),
        ({"links": ("https://a", "javascript:alert(1)")}, "model.links"),
        ({"links": ("https://" + "a" * 493,)}, "model.links"),
        ({"links": ("https://a\u202eb",)}, "model.links"),
        ({"links": ("https://a",) * 6}, "model.links"),
        ({"url": "https://a", "links": ("https://b",) * 5}, "model.links"),
        ({"size_billions": 0.0}, "model.size_billions"),
        ({"size_billions": -1.0}, "model.size_billions"),
        ({"size_billions": 100_000.0}, "model.size_billions"),
        ({"size_billions": float("nan")}, "model.size_billions"),
        ({"size_billions": float("inf")}, "model.size_billions"),
    ]
    for fields, field in rows:
        with subtests.test(fields=fields, field=field):
            with pytest.raises(BadRequestError) as caught:
                check_model(replace(NewModel("a"), **fields))
            assert caught.value.field == field
            assert isinstance(caught.value, SubmissionError)


def test_model_names_are_case_insensitive(world: World) -> None:
    one, other = (
        world.submit(data, model=NewModel(name)) for data, name in ((GOOD, "My Model"), (GOOD + b"\n", "my model"))
    )
    assert (one.model.id, one.model.public_id) == (other.model.id, other.model.public_id)
    assert (one.model.name, other.model.name) == ("My Model", "my model"), "each is called as it was sent"
