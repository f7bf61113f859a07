"""Quotas in the database: uses and refunds are exact under any sequence and concurrency."""

import io
import json
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.dialects import postgresql

import submissions.intake.quota_service
import submissions.service
from db.models import QuotaUse, Submission
from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, ScoreRecord, SubmissionRecord, UserRecord
from db.repositories import catalogue, evaluations, users
from db.repositories import submissions as rows
from db.session import Database, Transaction
from evaluation import get_benchmark
from evaluation.predictions import PredictionFileError
from submissions.accounts.credentials import Accounts
from submissions.errors import LimitError, StateError
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS, UNLIMITED, SubmissionLimits
from submissions.service import Request, SubmissionService
from tests.support.servers.postgres import KINDS, Databases
from tests.support.servers.shared_splits import make_shared_catalogues

BENCHMARK = get_benchmark("audio-motion-bench")
OTHERS = [get_benchmark("star-bench", version) for version in ("1.0", "demo")]
ITEM = ItemRecord("amb-0", "sct", "sct/clean/tf", "boolean", (0,))
GOOD = json.dumps({"id": "amb-0", "response": "True"}).encode()
USUAL = SubmissionLimits(2, 10, 60)
OURS = {"reason_code": "internal", "reason": "r", "fault": "ours", "retryable": True}
YOURS = {"reason_code": "rejected-file", "reason": "r", "fault": "yours", "retryable": False}


class World:
    """Database with one question, a service with limits, and three users."""

    def __init__(self, folder: Path, limits: SubmissionLimits = USUAL, url: str | None = None) -> None:
        self.folder = folder
        self.numbers = count()
        self.database = Database(url or f"sqlite:///{folder}/earshot.db")
        self.accounts = Accounts(self.database, ("boss",))
        with self.database.write() as transaction:
            now = datetime.now(UTC)
            self.ann, self.bob, self.boss = (
                users.get_or_add_user(transaction, name, now) for name in ("ann", "bob", "boss")
            )
            for one in (BENCHMARK, *OTHERS):
                record = BenchmarkRecord(one.id, one.version, f"digest of {one.id}", "p.zip", 1, 1)
                part = replace(ITEM, part=one.parts[0].id)
                catalogue.register_benchmark(transaction, record, [part], now)
        self.limit(limits)

    def limit(self, limits: SubmissionLimits) -> None:
        store = ArtifactStore(str(self.folder / "artifacts"), self.folder / "incoming")
        catalogues = make_shared_catalogues(self.database)
        self.service = SubmissionService(self.database, store, catalogues, self.accounts, 10_000, limits)

    def submit(self, data: bytes = GOOD, owner: UserRecord | None = None, **fields: Any) -> SubmissionRecord:
        # A duplicate file is recognised, unless it failed; only submissions with a key are repeated here.
        model = NewModel("m" if "idempotency_key" in fields else f"m{next(self.numbers)}")
        request = replace(Request(BENCHMARK, "default", model, allow_missing=True), **fields)
        return self.service.submit(owner or self.ann, request, io.BytesIO(data))

    def left(self, owner: UserRecord | None = None) -> int | None:
        return self.service.find_quota(owner or self.ann, BENCHMARK).left

    def change(self, submission_id: str, state: str, **values: object) -> bool:
        with self.database.write() as transaction:
            submission = rows.find_submission(transaction, submission_id)
            assert submission is not None
            return rows.change_state(
                transaction, submission_id, [submission.state], datetime.now(UTC), state=state, **values
            )

    def score(self, submission_id: str) -> None:
        result = NewResult("sig", "rank", ("sct",), 1, 1, 0, 0, {}, (ScoreRecord("sct", "accuracy", 0.5, 1),))
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            job = evaluations.claim_next(transaction, worker="w", token="t", now=now, expires_at=now)
            assert job is not None
            assert job.work.id == submission_id
            evaluations.record_result(transaction, job, result, now)

    def uses(self) -> dict[str, str | None]:
        """Return submission id → reason of the refund, or None."""
        with self.database.read() as transaction:
            return {row.submission_id: row.refund_reason for row in transaction.scalars(select(QuotaUse))}

    def check_books(self, limits: SubmissionLimits = USUAL) -> None:
        """Uses match submissions that have or may get a score, and the totals match."""
        with self.database.read() as transaction:
            uses = {row.submission_id: row for row in transaction.scalars(select(QuotaUse))}
            for row in transaction.scalars(select(Submission)):
                counts = row.current_evaluation_id is not None or row.state not in ("failed", "withdrawn")
                assert (uses[row.id].refunded_at is None) is counts, row.state
                assert (uses[row.id].refund_reason is None) is counts
            for user in (self.ann, self.bob):
                standing = sum(use.refunded_at is None and use.user_id == user.id for use in uses.values())
                (in_all,) = (one for one in self.service.find_quota(user, BENCHMARK).allowances if one.span == "all")
                # All uses minus refunds, plus the remaining ones, give the limit.
                assert in_all.used == standing
                assert in_all.used + in_all.left == in_all.limit == limits.in_all


@pytest.fixture
def world(empty: Path, tmp_path: Path) -> Iterator[World]:
    shutil.copy(empty, tmp_path)
    made = World(tmp_path)
    with closing(made.database):
        yield made


@pytest.fixture(params=KINDS)
def any_world(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[World]:
    """World on either kind of database."""
    with databases.lend(request.param, tmp_path) as url:
        made = World(tmp_path, url=url)
        with closing(made.database):
            yield made


@contextmanager
def clock(moment: datetime) -> Iterator[None]:
    """Set the clock of the service."""

    class Fixed(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - as declared
            return moment

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(submissions.service, "datetime", Fixed)
        patched.setattr(submissions.intake.quota_service, "datetime", Fixed)
        yield


# --- uses ------------------------------------------------------------------------------------------------------------


def test_third_submission_of_a_day_is_refused_and_stores_nothing(world: World) -> None:
    kept = [world.submit().id, world.submit().id]
    with pytest.raises(LimitError, match=r"Daily limit for AudioMotionBench 1\.0 reached: 2 of 2"):
        world.submit(GOOD + b"\n\n")
    assert list(world.uses()) == kept
    assert len(list((world.folder / "artifacts").rglob("*/*"))) == 1, "the file that was refused is not kept"
    world.check_books()


def test_quota_applies_per_user_and_benchmark_version(world: World) -> None:
    world.submit()
    world.submit()
    assert (world.left(), world.left(world.bob)) == (0, 2)
    official, demo = OTHERS
    assert official.version == BENCHMARK.version
    assert [world.service.find_quota(world.ann, one).left for one in OTHERS] == [2, 2]
    for setting in ("default", "caption-only"):
        world.submit(benchmark=demo, setting=setting)
    assert [world.service.find_quota(world.ann, one).left for one in OTHERS] == [2, 0]
    world.submit(owner=world.bob)
    assert world.left(world.bob) == 1


def test_rejected_file_and_check_use_no_quota(world: World) -> None:
    for _ in range(5):
        with pytest.raises(PredictionFileError):
            world.submit(b"{")
        assert world.service.validate(BENCHMARK, "default", io.BytesIO(GOOD), None, allow_missing=True).ok
    assert (world.left(), world.uses()) == (2, {})


def test_repeated_key_uses_no_quota_even_if_none_is_left(world: World) -> None:
    first = world.submit(idempotency_key="k")
    world.submit()
    for _ in range(3):
        assert world.submit(idempotency_key="k").id == first.id
    assert world.left() == 0
    world.check_books()


@pytest.mark.parametrize("source", ["random", "reported"])
def test_submission_without_a_submitter_uses_no_quota(world: World, source: str) -> None:
    for _ in range(3):
        world.submit(source=source)
    assert (world.left(), world.uses()) == (2, {})


def test_maintainer_is_not_limited(world: World) -> None:
    for _ in range(3):
        world.submit(owner=world.boss)
    assert (world.left(world.boss), world.uses()) == (None, {})


def test_uses_are_recorded_without_limits(world: World) -> None:
    world.limit(NO_LIMITS)
    for _ in range(3):
        world.submit()
    assert world.left() is None
    world.limit(USUAL)
    assert world.left() == 0
    assert world.service.find_quota(world.ann, BENCHMARK).allowances[2].used == 3


def test_quota_is_renewed_at_midnight_utc_and_in_the_next_month(world: World) -> None:
    last_moment = datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC)
    with clock(last_moment):
        world.submit()
        world.submit()
        with pytest.raises(LimitError, match="from 1 February 2026, 00:00 UTC"):
            world.submit()
    with clock(last_moment + timedelta(microseconds=1)):
        text = world.service.find_quota(world.ann, BENCHMARK).describe()
        assert text == "2 of 2 left today, 10 of 10 this month, 58 of 60 in total"
        world.submit()
    for day in range(2, 7):
        with clock(datetime(2026, 2, day, tzinfo=UTC)):
            world.submit()
            if day < 6:
                world.submit()
    with clock(datetime(2026, 2, 7, tzinfo=UTC)), pytest.raises(LimitError, match=r"Monthly limit .* 1 March 2026"):
        world.submit()
    world.check_books()


# --- refunds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [OURS, YOURS, OURS | {"reason_code": "evaluator-lost"}])
def test_failure_refunds_the_use_in_the_same_transaction(world: World, values: dict[str, object]) -> None:
    record = world.submit()
    world.change(record.id, "running")
    with pytest.raises(RuntimeError), world.database.write() as transaction:
        assert rows.change_state(transaction, record.id, ["running"], datetime.now(UTC), state="failed", **values)
        raise RuntimeError
    assert world.uses() == {record.id: None}, "neither the failure nor the refund"
    world.change(record.id, "failed", **values)
    assert world.uses() == {record.id: values["reason_code"]}
    assert world.left() == 2
    world.check_books()


@pytest.mark.parametrize("state", ["queued", "running", "awaiting-judge", "awaiting-approval"])
def test_withdrawal_before_scoring_refunds_the_use(world: World, state: str) -> None:
    record = world.submit()
    if state != "queued":
        world.change(record.id, state)
    world.service.withdraw(record.id, world.ann)
    assert world.uses() == {record.id: "withdrawn"}
    world.check_books()


def test_withdrawal_of_a_score_refunds_nothing(world: World) -> None:
    record = world.submit()
    world.score(record.id)
    world.service.withdraw(record.id, world.ann)
    assert (world.uses(), world.left()) == ({record.id: None}, 1)
    world.check_books()


def test_failed_reevaluation_refunds_nothing(world: World) -> None:
    record = world.submit()
    world.score(record.id)
    world.change(record.id, "failed", **OURS)
    assert world.uses() == {record.id: None}
    world.submit()
    world.service.retry(record.id, world.ann)
    assert (world.uses()[record.id], world.left()) == (None, 0), "it counted already, so nothing more is needed"


def test_use_is_refunded_once(world: World) -> None:
    record = world.submit()
    world.change(record.id, "failed", **OURS)
    world.service.withdraw(record.id, world.ann)
    assert world.uses() == {record.id: "internal"}
    with pytest.raises(StateError):
        world.service.withdraw(record.id, world.ann)
    assert world.left() == 2


def test_withdrawal_after_scoring_in_a_race_refunds_nothing(world: World) -> None:
    """The score is recorded between the owner's read and their withdrawal."""
    record = world.submit()
    assert world.service.status(record.id, world.ann).submission.state == "queued"
    world.score(record.id)
    world.service.withdraw(record.id, world.ann)
    assert world.uses() == {record.id: None}


# --- retries ---------------------------------------------------------------------------------------------------------


def fail(world: World) -> SubmissionRecord:
    record = world.submit()
    world.change(record.id, "failed", **OURS)
    return record


def test_retry_counts_again_once(world: World) -> None:
    record = fail(world)
    world.service.retry(record.id, world.ann)
    assert (world.uses(), world.left()) == ({record.id: None}, 1)
    world.score(record.id)
    assert world.left() == 1
    world.check_books()


def test_retry_without_remaining_quota_is_refused_and_changes_nothing(world: World) -> None:
    record = fail(world)
    world.submit()
    world.submit()
    with pytest.raises(LimitError, match=r"Daily limit for audio-motion-bench 1\.0"):
        world.service.retry(record.id, world.ann)
    status = world.service.status(record.id, world.ann)
    assert (status.submission.state, status.submission.reason) == ("failed", "r")
    assert [event.to_state for event in status.events] == ["received", "queued"]
    world.check_books()


def test_retry_by_a_maintainer_uses_no_quota_of_the_owner(world: World) -> None:
    record = fail(world)
    world.submit()
    world.submit()
    world.service.retry(record.id, world.boss)
    assert world.service.status(record.id, world.ann).submission.state == "queued"
    assert world.uses()[record.id] == "internal"
    assert world.service.find_quota(world.ann, BENCHMARK).allowances[0].used == 2


# --- concurrency -----------------------------------------------------------------------------------------------------


def run_at_once(world: World, n_threads: int, **fields: Any) -> Counter[str]:
    start = threading.Barrier(n_threads)
    found: list[str] = []

    def send() -> None:
        start.wait()
        try:
            found.append(world.submit(**fields).state)
        except Exception as error:  # noqa: BLE001 - counted by the test
            found.append(type(error).__name__)

    threads = [threading.Thread(target=send) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(found)


def test_concurrent_submissions_use_at_most_the_remaining_quota(any_world: World) -> None:
    assert run_at_once(any_world, 32) == {"queued": 2, "LimitError": 30}
    assert (len(any_world.uses()), any_world.left()) == (2, 0)
    any_world.check_books()


def test_concurrent_submissions_that_pass_the_first_check_are_decided_one_by_one(
    any_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions.intake.quota_service.Quotas, "find_quota", lambda *_: UNLIMITED)
    taken = run_at_once(any_world, 16)
    monkeypatch.undo()
    assert taken == {"queued": 2, "LimitError": 14}
    any_world.check_books()


@pytest.mark.parametrize("owner", [submissions.intake.quota_service.Quotas, SubmissionService])
@pytest.mark.parametrize("is_before", [True, False])
def test_repeated_key_that_used_the_last_quota_meanwhile_is_the_response(
    any_world: World, monkeypatch: pytest.MonkeyPatch, owner: type, is_before: bool
) -> None:
    """The other request commits before or after this one reads the quota or looks up the key."""
    any_world.submit()
    name = "find_quota" if owner is submissions.intake.quota_service.Quotas else "find_by_key"
    original = getattr(owner, name)
    winner: list[str] = []

    def let_another_in(*args: object) -> object:
        monkeypatch.undo()
        before = original(*args)
        winner.append(any_world.submit(idempotency_key="k").id)
        return original(*args) if is_before else before

    monkeypatch.setattr(owner, name, let_another_in)
    assert any_world.submit(idempotency_key="k").id == winner[0]
    assert any_world.left() == 0


def test_same_key_used_concurrently_counts_once(any_world: World) -> None:
    any_world.submit()
    assert run_at_once(any_world, 16, idempotency_key="k") == {"queued": 16}
    assert (len(any_world.uses()), any_world.left()) == (2, 0)
    any_world.check_books()


def test_same_file_submitted_concurrently_is_accepted_once(any_world: World) -> None:
    found = run_at_once(any_world, 16, model=NewModel("m"))
    assert found == {"queued": 1, "AlreadySubmittedError": 15}
    assert len(any_world.uses()) == 1
    any_world.check_books()


def test_owner_is_locked_on_databases_with_several_writers(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    executed: list[str] = []
    original = Transaction.execute

    def note(transaction: Transaction, statement: Any, *args: Any, **options: Any) -> object:
        dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
        executed.append(str(statement.compile(dialect=dialect)))
        return original(transaction, statement, *args, **options)

    monkeypatch.setattr(Transaction, "execute", note)
    with world.database.write() as transaction:
        users.lock_user(transaction, world.ann.id)
    assert executed[-1].endswith("FOR NO KEY UPDATE")
    assert "FROM users" in executed[-1]


# --- random histories ------------------------------------------------------------------------------------------------

ACTS = st.lists(
    st.tuples(
        st.sampled_from(["submit", "submit", "score", "ours", "yours", "withdraw", "retry", "boss-retry", "night"]),
        st.integers(0, 5),
        st.booleans(),
    ),
    max_size=25,
)


# The soak draws hundreds of histories.
@settings(max_examples=10 if settings().max_examples == 25 else settings().max_examples)
@given(acts=ACTS)
def test_books_hold_after_any_history(
    empty: Path, tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    shutil.copy(empty, folder)
    world = World(folder, SubmissionLimits(2, 5, 8))
    now = datetime(2026, 1, 29, 12, tzinfo=UTC)
    gifts: set[str] = set()
    with closing(world.database):
        for act, at, is_ann in acts:
            now += timedelta(days=1) if act == "night" else timedelta(minutes=1)
            with clock(now):
                play(world, act, at, world.ann if is_ann else world.bob, gifts)
                check_history(world, gifts)


def play(world: World, act: str, at: int, owner: UserRecord, gifts: set[str]) -> None:
    mine = world.service.list_mine(owner)
    if act == "submit":
        before = world.left(owner)
        try:
            world.submit(owner=owner)
        except LimitError:
            assert before == 0
        else:
            assert before != 0
        return
    if not mine:
        return
    one = mine[at % len(mine)]
    if act == "withdraw" and one.state != "withdrawn":
        world.service.withdraw(one.id, owner)
    elif act in ("ours", "yours") and one.state == "queued":
        world.change(one.id, "failed", **(OURS if act == "ours" else YOURS))
    elif act == "score" and one.state == "queued":
        world.change(one.id, "scored", current_evaluation_id=1)
    elif act.endswith("retry") and one.state == "failed" and one.retryable:
        before = world.left(owner)
        if act == "boss-retry":
            world.service.retry(one.id, world.boss)
            gifts.add(one.id)
            assert world.left(owner) == before
        elif before:
            world.service.retry(one.id, owner)
            gifts.discard(one.id)
        else:
            with pytest.raises(LimitError):
                world.service.retry(one.id, owner)


def check_history(world: World, gifts: set[str]) -> None:
    for user in (world.ann, world.bob):
        counting = [
            one
            for one in world.service.list_mine(user)
            if one.id not in gifts
            and (one.current_evaluation_id is not None or one.state not in ("failed", "withdrawn"))
        ]
        for allowance in world.service.find_quota(user, BENCHMARK).allowances:
            assert allowance.used + allowance.left == allowance.limit, "never more than there are"
            assert allowance.span != "all" or allowance.used == len(counting)
