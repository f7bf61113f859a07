"""Evaluator: a real AudioMotionBench submission is scored, and every failure ends with a reason."""

import contextlib
import io
import json
import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from sqlalchemy import func, select, update

import submissions.intake.artifacts
import submissions.scoring.evaluator
from db.models import Outcome, StoredScore, Submission
from db.records import NewModel, SubmissionRecord, UserRecord
from db.repositories import boards, evaluations, users
from db.repositories import submissions as submission_rows
from db.session import Database
from evaluation import Prediction, get_benchmark
from evaluation.answer_keys import AnswerKey, find_key, key_path
from evaluation.benchmarks.audio_motion_bench.design import design_items
from evaluation.errors import AnswerKeyError, UnknownBenchmarkError
from evaluation.types import ABSENT
from submissions.accounts.credentials import OPERATOR, Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.registration import register_all
from submissions.keys.identity import accept_any_key
from submissions.keys.sealing import SealError
from submissions.lifecycle import MAX_ATTEMPTS
from submissions.scoring.evaluator import Evaluator
from submissions.scoring.outcomes import seal_outcomes, unseal_outcomes
from submissions.scoring.packing import pack_outcomes
from submissions.scoring.results import to_result
from submissions.service import Request, SubmissionService, board_of
from submissions.statuses import Status
from tests.support.servers.shared_splits import make_shared_catalogues

BENCHMARK = get_benchmark("audio-motion-bench")

SECRET = "the path /keys and the answer (B)"
ELSEWHERE = "another-machine/pid:[1]/1/1"


class World:
    """Installation with database, keys, uploads, service, and an evaluator that records every checkpoint."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = Database(f"sqlite:///{folder}/earshot.db")
        self.store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        accounts = Accounts(self.database, ())
        catalogues = make_shared_catalogues(self.database)
        self.service = SubmissionService(self.database, self.store, catalogues, accounts, 100_000_000, NO_LIMITS)
        self.checkpoints: list[str] = []
        self.at: dict[str, Callable[[], None]] = {}
        self.queue = SubmissionQueue(self.database, ELSEWHERE)
        self.evaluator = Evaluator(self.database, self.queue, self.store, folder / "answer-keys", self._pass)
        with self.database.write() as transaction:
            self.ann: UserRecord = users.get_or_add_user(transaction, "ann", datetime.now(UTC))

    def _pass(self, label: str) -> None:
        self.checkpoints.append(label)
        self.at.pop(label, lambda: None)()

    @property
    def key(self) -> AnswerKey:
        key = find_key(self.folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test")
        assert key is not None
        return key

    def submit(self, data: bytes, **fields: Any) -> SubmissionRecord:
        request = Request(BENCHMARK, "default", NewModel("m"), allow_missing=True, publish=True, **fields)
        return self.service.submit(self.ann, request, io.BytesIO(data))

    def status(self, submission_id: str) -> Status:
        return self.service.status(submission_id, self.ann)

    def path_of(self, record: SubmissionRecord) -> Path:
        digest = record.artifact_sha256 or ""
        return self.folder / "artifacts" / digest[:2] / digest

    def let_retry_now(self) -> None:
        with self.database.write() as transaction:
            transaction.execute(update(Submission).values(not_before=None))

    def count(self, table: type) -> int:
        with self.database.read() as transaction:
            return transaction.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture
def world(installed: Path, tmp_path: Path) -> Iterator[World]:
    shutil.copytree(installed, tmp_path, dirs_exist_ok=True)
    made = World(tmp_path)
    with closing(made.database):
        yield made


def answers(world: World, n: int = 600, *, right: bool = True) -> bytes:
    """Return a file that answers the first `n` items of one part, all right or all wrong."""
    items = [designed for designed in design_items("test", world.key.seed) if designed.item.part == "sct"][:n]
    lines = []
    for designed in items:
        if designed.form == "tf":
            response = str(bool(designed.answer) is right)
        else:
            response = "ABCD"[(number_of(designed.answer) + (not right)) % 4]
        lines.append(json.dumps({"id": designed.item.id, "response": response}))
    return "\n".join(lines).encode()


# --- a valid file ---------------------------------------------------------------------------------------------------


def test_submission_is_scored_as_the_benchmark_scores_it(world: World) -> None:
    data = answers(world)
    record = world.submit(data)
    assert world.evaluator.run_next()
    assert not world.evaluator.run_next()
    status = world.status(record.id)
    rows = [json.loads(line) for line in data.splitlines()]
    expected = BENCHMARK.score(world.key, [Prediction(row["id"], 0, row["response"]) for row in rows])
    found = {(score.slice, score.metric): (score.value, score.n, score.std) for score in status.scores}
    assert found == {(name, metric): (s.value, s.n, s.std) for name, metric, s in BENCHMARK.disclose(expected)}
    assert found["sct", "accuracy"][0] == round(600 / 672, 3)
    assert status.evaluation is not None
    assert (status.evaluation.signature, status.evaluation.missing) == (str(expected.signature), 672 - 600)
    assert status.evaluation.ranking == expected.signature.ranking
    assert [event.to_state for event in status.events] == ["received", "queued", "running", "scored"]
    assert status.events[-1].text == "Scored: 600 of 672 answers."
    assert world.count(Outcome) == 1
    assert world.checkpoints == ["claimed", "read", "scored", "recording", "recorded"]


def test_outcomes_in_the_database_are_readable_only_with_the_key(world: World) -> None:
    records = [world.submit(answers(world, n=672, right=right)) for right in (True, False)]
    assert world.evaluator.run_next()
    assert world.evaluator.run_next()
    stored = []
    for record in records:
        evaluation_id = world.status(record.id).submission.current_evaluation_id or 0
        with world.database.read() as transaction:
            sealed = evaluations.find_outcomes(transaction, evaluation_id)
        assert sealed is not None
        stored.append(sealed)
        correct = unseal_outcomes(world.key, evaluation_id, sealed).correct
        assert np.nanmean(correct) == float(record is records[0])
        with pytest.raises(SealError):
            unseal_outcomes(replace(world.key, seed="guessed"), evaluation_id, sealed)
    right, wrong = stored
    assert len(right.data) == len(wrong.data) <= 8_000
    agreeing = np.mean(np.frombuffer(right.data, np.uint8) == np.frombuffer(wrong.data, np.uint8))
    assert agreeing < 0.02, "1 in 256 by chance"


def read_every_cell(path: Path) -> list[bytes]:
    """Return every value in every table of a database, and the bytes of the file itself."""
    with closing(sqlite3.connect(path)) as connection:
        dump = "\n".join(connection.iterdump())
    blobs = [bytes.fromhex(found) for found in re.findall(r"X'([0-9A-F]*)'", dump)]
    return [dump.encode(), path.read_bytes(), *blobs]


def number_of(answer: object) -> int:
    assert isinstance(answer, int)
    return int(answer)


def find_answers(world: World, cells: list[bytes]) -> list[str]:
    """Return the encodings in which bytes contain the answers of one part, compressed with zstd or not."""
    key = world.key
    items = BENCHMARK.content(key).items
    truth = [number_of(key.answers[item.id]) if item.part == "sct" else ABSENT for item in items]
    looks = {
        "codes": np.array(truth, np.int8).tobytes(),
        "digits": "".join(str(answer) for answer in truth if answer != ABSENT).encode(),
        "list": ", ".join(str(answer) for answer in truth if answer != ABSENT).encode(),
        "letters": "".join("ABCD"[answer] for answer in truth if answer != ABSENT).encode(),
    }
    for cell in list(cells):
        for found in re.finditer(rb"\x28\xb5\x2f\xfd", cell):
            with contextlib.suppress(zstandard.ZstdError):
                unpacked = zstandard.ZstdDecompressor().decompressobj().decompress(cell[found.start() :])
                cells = [*cells, unpacked]
    return [name for name, look in looks.items() if any(look[:60] in cell for cell in cells)]


def test_database_contains_the_answers_in_no_encoding(world: World) -> None:
    record = world.submit(answers(world, n=672))
    world.evaluator.run_next()
    world.evaluator.refresh_stale_boards()
    assert find_answers(world, read_every_cell(world.folder / "earshot.db")) == []
    # The search works: it finds the same outcomes if they are packed but not encrypted.
    evaluation_id = world.status(record.id).submission.current_evaluation_id
    rows = [json.loads(line) for line in answers(world, n=672).splitlines()]
    report = BENCHMARK.score(world.key, [Prediction(row["id"], 0, row["response"]) for row in rows])
    packed = pack_outcomes(report.outcomes)
    with closing(sqlite3.connect(world.folder / "earshot.db")) as connection:
        connection.execute("update outcomes set data = ? where evaluation_id = ?", (packed.data, evaluation_id))
        connection.commit()
    assert find_answers(world, read_every_cell(world.folder / "earshot.db")) == ["codes"]


def test_submissions_are_scored_in_order_and_ranked(world: World) -> None:
    worse, better = world.submit(answers(world, right=False)), world.submit(answers(world))
    while world.evaluator.run_next():
        pass
    assert world.evaluator.refresh_stale_boards() == 1
    assert world.evaluator.refresh_stale_boards() == 0
    query = boards.PageQuery("sct|accuracy", descending=True)
    with world.database.read() as transaction:
        rows = boards.read_page(transaction, board_of(better), query, ["sct|accuracy"]).rows
    places = [(row.submission.id, row.standings["sct|accuracy"].rank) for row in rows]
    assert places == [(better.id, 1), (worse.id, 2)]


def test_row_scored_under_an_older_key_keeps_its_scores_and_loses_its_rank(world: World) -> None:
    record = world.submit(answers(world))
    world.evaluator.run_next()
    assert world.evaluator.refresh_stale_boards() == 1
    register_all(world.database, world.folder / "answer-keys")
    assert world.evaluator.refresh_stale_boards() == 0, "the rule is the same"
    key_path(world.folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test").unlink()
    accept_any_key(world.database, BENCHMARK.id, OPERATOR, datetime.now(UTC))
    register_all(world.database, world.folder / "answer-keys")
    assert world.evaluator.refresh_stale_boards() == 1
    query = boards.PageQuery("sct|accuracy", descending=True)
    with world.database.read() as transaction:
        (row,) = boards.read_page(transaction, board_of(record), query, ["sct|accuracy"]).rows
    assert row.standings["sct|accuracy"].value == round(600 / 672, 3)
    assert row.standings["sct|accuracy"].rank is None


def test_board_is_reranked_after_a_release(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.submit(answers(world))
    world.evaluator.run_next()
    assert world.evaluator.refresh_stale_boards() == 1
    monkeypatch.setattr("submissions.ranking.standings.CODE_VERSION", "9.9.9")
    register_all(world.database, world.folder / "answer-keys")
    assert world.evaluator.refresh_stale_boards() == 1
    register_all(world.database, world.folder / "answer-keys")
    assert world.evaluator.refresh_stale_boards() == 0


def test_report_without_predictions_is_stored_without_scores(world: World) -> None:
    report = BENCHMARK.score(world.key, [])
    result = to_result(BENCHMARK, report, seal_outcomes(world.key, 1, report.outcomes))
    assert (result.scores, result.parts, result.expected) == ((), (), 0)


def test_lease_is_renewed_while_files_are_compared(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large remote file takes longer than a lease lasts before its first line is read."""
    monkeypatch.setattr(submissions.scoring.evaluator, "_KEEP_EVERY_SECONDS", -1.0)
    monkeypatch.setattr(submissions.intake.artifacts, "_CHUNK_BYTES", 1_000)
    kept: list[float] = []
    monkeypatch.setattr(world.queue, "renew_lease", lambda _lease, progress: kept.append(progress))
    data = answers(world)
    world.submit(data)
    assert world.evaluator.run_next()
    n_pieces = -(-len(data) // 1_000)
    assert n_pieces > 5
    assert kept[:n_pieces] == [0.0] * n_pieces
    assert kept[n_pieces] > 0.0
    assert world.count(Outcome) == 1


def test_long_read_renews_the_lease_and_shows_progress(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions.scoring.evaluator, "_KEEP_EVERY_SECONDS", -1.0)
    record = world.submit(answers(world, n=50))
    seen: list[float | None] = []
    world.at["read"] = lambda: seen.append(world.status(record.id).progress)
    world.evaluator.run_next()
    assert seen[0] is not None
    assert 0.8 < seen[0] <= 0.9
    assert world.status(record.id).submission.state == "scored"


# --- failures --------------------------------------------------------------------------------------------------------


def fail_in_scoring(*_: object, **__: object) -> None:
    raise RuntimeError(SECRET)


def assert_incident(reason: str | None, log: str) -> None:
    assert reason is not None
    assert SECRET not in reason
    assert "RuntimeError" not in reason
    incident = re.search(r"Reference ([0-9a-f]{8})\.", reason)
    assert incident is not None
    assert f"incident {incident[1]}" in log
    assert SECRET in log, "the log has what the public may not see"


def test_failure_during_scoring_is_retried_later(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    record = world.submit(answers(world))
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(type(BENCHMARK), "score", fail_in_scoring)
        before = datetime.now(UTC)
        assert world.evaluator.run_next()
    status = world.status(record.id)
    assert (status.submission.state, status.submission.fault) == ("queued", "ours")
    assert_incident(status.submission.reason, caplog.text)
    assert status.submission.not_before is not None
    assert 4 < (status.submission.not_before - before).total_seconds() < 15
    assert status.events[-1].text.endswith(
        "This is our error and does not use up a submission. Earshot retries it automatically."
    )
    assert not world.evaluator.run_next(), "not before its time"
    world.let_retry_now()
    assert world.evaluator.run_next()
    found = world.status(record.id).submission
    assert (found.state, found.reason, found.reason_code, found.fault) == ("scored", None, None, None)
    assert found.attempts == 2


def test_submission_to_a_removed_version_fails_with_a_reason_and_without_an_incident(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    record = world.submit(answers(world))

    def find_nothing(benchmark: str, version: str) -> None:
        raise UnknownBenchmarkError(f"{benchmark} {version}", ["mdar 1.0"])

    monkeypatch.setattr(submissions.scoring.evaluator, "get_benchmark", find_nothing)
    with caplog.at_level(logging.ERROR):
        for _ in range(MAX_ATTEMPTS):
            assert world.evaluator.run_next()
            world.let_retry_now()
    assert not world.evaluator.run_next()
    found = world.status(record.id).submission
    assert (found.state, found.reason_code, found.fault) == ("failed", "unknown-version", "ours")
    assert (found.reason or "").startswith(f"This server no longer has {BENCHMARK.id} {BENCHMARK.version}.")
    assert "Traceback" not in caplog.text


def test_repeated_failure_during_scoring_ends_as_a_system_failure_with_an_incident(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    record = world.submit(answers(world))
    monkeypatch.setattr(type(BENCHMARK), "score", fail_in_scoring)
    with caplog.at_level(logging.ERROR):
        for _ in range(MAX_ATTEMPTS):
            assert world.evaluator.run_next()
            world.let_retry_now()
    assert not world.evaluator.run_next()
    status = world.status(record.id)
    found = status.submission
    assert (found.state, found.reason_code, found.fault, found.retryable) == ("failed", "internal", "ours", True)
    assert_incident(found.reason, caplog.text)
    assert not any(SECRET in event.text for event in status.events)
    assert (world.count(StoredScore), world.count(Outcome)) == (0, 0)
    monkeypatch.undo()
    world.service.retry(record.id, world.ann)
    assert world.evaluator.run_next()
    assert world.status(record.id).submission.state == "scored"


@pytest.mark.parametrize(
    "poison", [b"", b"{", b"\x00" * 1_000, b"[" * 100_000, b'{"id": "amb-nobody", "response": ""}']
)
def test_modified_upload_fails_with_a_reason(world: World, poison: bytes) -> None:
    record = world.submit(answers(world))
    world.path_of(record).write_bytes(poison)
    for _ in range(MAX_ATTEMPTS):
        world.evaluator.run_next()
        world.let_retry_now()
    found = world.status(record.id).submission
    assert found.state == "failed"
    assert found.reason
    assert found.reason_code
    assert (world.count(StoredScore), world.count(Outcome)) == (0, 0)
    assert not world.evaluator.run_next()


def test_missing_upload_ends_as_a_system_failure(world: World) -> None:
    record = world.submit(answers(world))
    world.path_of(record).unlink()
    for _ in range(MAX_ATTEMPTS):
        assert world.evaluator.run_next()
        world.let_retry_now()
    found = world.status(record.id).submission
    assert (found.state, found.fault, found.retryable) == ("failed", "ours", True)
    assert str(world.folder) not in (found.reason or "")


def test_failed_submission_does_not_block_the_next(world: World) -> None:
    poisoned, good = world.submit(answers(world)), world.submit(answers(world, right=False))
    world.path_of(poisoned).write_bytes(b"{")
    assert world.evaluator.run_next()
    assert world.evaluator.run_next()
    assert world.status(good.id).submission.state == "scored"


def test_missing_key_is_a_system_failure(world: World) -> None:
    record = world.submit(answers(world))
    key_path(world.folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test").unlink()
    with pytest.raises(AnswerKeyError, match=r"No answer key of audio-motion-bench 1\.0"):
        world.evaluator.get_key(BENCHMARK.id, BENCHMARK.version)
    world.evaluator.run_next()
    found = world.status(record.id).submission
    assert (found.state, found.fault) == ("queued", "ours")
    assert "key" not in (found.reason or "")


# --- races ----------------------------------------------------------------------------------------------------------


def lose_lease(world: World) -> None:
    with world.database.write() as transaction:
        (held,) = evaluations.list_running(transaction)
        assert evaluations.revoke_lease(transaction, held)
        submission_rows.change_state(transaction, held.submission_id, ["running"], datetime.now(UTC), state="queued")


@pytest.mark.parametrize("point", ["claimed", "read", "scored"])
def test_result_under_a_lost_lease_is_not_recorded(world: World, point: str, caplog: pytest.LogCaptureFixture) -> None:
    record = world.submit(answers(world))
    world.at[point] = lambda: lose_lease(world)
    assert world.evaluator.run_next()
    assert "was taken over" in caplog.text
    status = world.status(record.id)
    assert status.submission.state == "queued"
    assert (world.count(StoredScore), world.count(Outcome)) == (0, 0)
    assert world.evaluator.run_next()
    assert world.status(record.id).submission.state == "scored"
    assert world.count(Outcome) == 1


@pytest.mark.parametrize("point", ["claimed", "read", "scored"])
def test_submission_withdrawn_during_scoring_stays_withdrawn(world: World, point: str) -> None:
    record = world.submit(answers(world))
    world.at[point] = lambda: world.service.withdraw(record.id, world.ann)
    assert world.evaluator.run_next()
    status = world.status(record.id)
    assert (status.submission.state, status.submission.current_evaluation_id) == ("withdrawn", None)
    assert status.events[-1].to_state == "withdrawn"
    assert (world.count(StoredScore), world.count(Outcome)) == (0, 0)
    assert not world.evaluator.run_next()


class KilledError(BaseException):
    """Simulated SIGKILL: nothing after the checkpoint runs."""


def kill() -> None:
    raise KilledError


@pytest.mark.parametrize("point", ["claimed", "read", "scored", "recording", "recorded"])
def test_evaluator_killed_at_any_point_leaves_one_result(world: World, point: str) -> None:
    record = world.submit(answers(world))
    world.at[point] = kill
    with pytest.raises(KilledError):
        world.evaluator.run_next()
    if point != "recorded":
        assert (world.count(StoredScore), world.count(Outcome)) == (0, 0)
        assert world.status(record.id).submission.state == "running"
        lose_lease(world)
        assert world.evaluator.run_next()
    status = world.status(record.id)
    assert status.submission.state == "scored"
    assert world.count(Outcome) == 1
    assert [event.to_state for event in status.events].count("scored") == 1
    assert not world.evaluator.run_next()


def test_board_ranked_by_a_killed_evaluator_is_up_to_date(world: World) -> None:
    record = world.submit(answers(world))
    world.evaluator.run_next()
    world.at["ranked"] = kill
    with pytest.raises(KilledError):
        world.evaluator.refresh_stale_boards()
    with world.database.read() as transaction:
        board = boards.find_board(transaction, board_of(record))
    assert board is not None
    assert board.revision == board.changes
