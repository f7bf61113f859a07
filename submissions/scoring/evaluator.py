"""Evaluator of submissions: claim → predictions → report → record → standings. No other code scores submissions."""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from db.lease_records import SubmissionJob
from db.records import NewResult, SubmissionRecord
from db.repositories import boards, editions, endpoints, evaluations, queue_order, submissions
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.errors import AnswerKeyError, UnknownBenchmarkError
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.types import Prediction, Report
from submissions.competitions.competition_texts import NO_CHANGE
from submissions.competitions.ladder_release import WITHHELD, release_result
from submissions.endpoints.runner import (
    QUERYING_SHARE,
    EndpointError,
    EndpointRunner,
    EndpointRunStoppedError,
    to_endpoint,
)
from submissions.endpoints.stored_responses import read_responses
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.leased_jobs import Checkpoint, LeasedJob
from submissions.jobs.queue import SubmissionQueue
from submissions.lifecycle import Fault, GiveUp, decide_after_failure
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.question_keys import LostEditionError, read_question_key
from submissions.ranking.standings import refresh_board
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import describe_waiting, note_waiting, to_result
from submissions.service import board_of

_LOG = logging.getLogger(__name__)
_KEEP_EVERY_SECONDS = 2.0
_PROGRESS_OF_READING = 0.9
_OUR_FAULT = "This is our error and does not use up a submission."


class _Failure(NamedTuple):
    fault: Fault
    code: str
    reason: str
    retryable: bool = False


class _Stopped(NamedTuple):
    """This evaluator has to end before the endpoint is queried completely."""


# Called with the completed share of an evaluation: renews the lease, or raises LeaseLostError.
Keep = Callable[[float], None]


class ScoredFile(NamedTuple):
    """Report of a stored file, and the key that it was scored with."""

    report: Report
    key: AnswerKey


class LeaseKeeper:
    """Renews a lease regularly, however often it is called."""

    def __init__(self, prolong: Keep) -> None:
        self._prolong = prolong
        self._kept_at = time.monotonic()

    def is_due(self) -> bool:
        """Tell whether the lease was not renewed for a while."""
        return time.monotonic() - self._kept_at > _KEEP_EVERY_SECONDS

    def renew_lease(self, progress: float) -> None:
        """Renew the lease; raises `LeaseLostError` if another evaluator holds it now."""
        self._kept_at = time.monotonic()
        self._prolong(progress)

    def renew_when_due(self) -> None:
        """Renew the lease if due."""
        if self.is_due():
            self.renew_lease(0.0)


_MakeReport = Callable[[Benchmark, AnswerKey, SubmissionRecord, LeaseKeeper], Report]


class Evaluator(LeasedJob[SubmissionRecord, _Failure | _Stopped]):
    """Evaluates submissions one at a time. The queue claims them, and counts attempts of evaluators that died."""

    claimed_label = "claimed"

    def __init__(
        self,
        database: Database,
        queue: SubmissionQueue,
        artifacts: ArtifactStore,
        keys_dir: Path,
        checkpoint: Checkpoint = lambda _label: None,
        endpoint_runner: EndpointRunner | None = None,
    ) -> None:
        """Take the services; `endpoint_runner` is for the endpoint queue."""
        super().__init__(database, checkpoint)
        self._queue = queue
        self._artifacts = artifacts
        self._keys_dir = keys_dir
        self._endpoint_runner = endpoint_runner
        self._sign_at: float | None = None

    @property
    def judge(self) -> str:
        """Name of the judge of open answers; empty without one."""
        return ""

    @property
    def silent_seconds(self) -> float:
        """Seconds since the running evaluation last made progress; 0 if none is running."""
        sign_at = self._sign_at
        return 0.0 if sign_at is None else time.monotonic() - sign_at

    def _claim_next(self) -> SubmissionJob | None:
        return self._queue.claim()

    def _work(self, job: SubmissionJob) -> _Stopped | None:
        if self._endpoint_runner is not None and not self._query_endpoint(self._endpoint_runner, job):
            return _Stopped()
        report, key = self.score_file(job.work, lambda progress: self._queue.renew_lease(job, progress))
        if report.awaiting_judge:
            self._await_judge(job, report, key)
        else:
            self._record(job, report, key)
        self._checkpoint("recorded")
        return None

    def _query_endpoint(self, endpoint_runner: EndpointRunner, job: SubmissionJob) -> bool:
        """Query the endpoint of a submission; False if this evaluator has to end before that is done."""
        benchmark = get_benchmark(job.work.benchmark, job.work.version)
        self._sign()
        key = self.find_key_of(job.work)
        try:
            endpoint_runner.query_endpoint(job, benchmark, key, self._sign)
        except EndpointRunStoppedError:
            return False
        finally:
            self._sign_at = None
        self._checkpoint("asked")
        return True

    def _explain(self, job: SubmissionJob, error: Exception) -> _Failure:
        if isinstance(error, EndpointError):
            ending = error.ending
            return _Failure(ending.fault, ending.code, ending.reason, ending.retryable)
        if isinstance(error, PredictionFileError):
            return _Failure("yours", "rejected-file", str(error))
        if isinstance(error, UnknownBenchmarkError):
            # This release no longer has the version; an evaluator of another release may still score it.
            gone = f"{job.work.benchmark} {job.work.version}"
            _LOG.error("submission %s needs %s, which this evaluator does not have", job.work.id, gone)
            return _Failure("ours", "unknown-version", f"This server no longer has {gone}.")
        if isinstance(error, LostEditionError):
            return _Failure("ours", "lost-edition", str(error))
        incident = log_incident(f"submission {job.work.id} could not be scored", error)
        return _Failure("ours", "internal", f"Scoring failed. Reference {incident}.")

    def score_file(self, submission: SubmissionRecord, keep: Keep, *, judges_open: bool = True) -> ScoredFile:
        """Score the stored file of a submission by the current key and rules, without recording the result.

        Args:
            submission: The submission.
            keep: Called regularly.
            judges_open: Whether a judge, if there is one, judges open answers. Otherwise they stay unscored, as
                without a judge, and only the other parts have scores.

        Raises:
            PredictionFileError: The file cannot be scored.
            AnswerKeyError: The key is missing.
        """
        self._sign_at = time.monotonic()
        try:
            lease_keeper = LeaseKeeper(lambda progress: self._note(keep, progress))
            return self._score_file(
                submission, lease_keeper, self._make_report if judges_open else self._score_predictions
            )
        finally:
            self._sign_at = None

    def _sign(self) -> None:
        self._sign_at = time.monotonic()

    def _note(self, keep: Keep, progress: float) -> None:
        self._sign_at = time.monotonic()
        keep(progress)

    def _score_file(
        self, submission: SubmissionRecord, lease_keeper: LeaseKeeper, make_report: _MakeReport
    ) -> ScoredFile:
        benchmark = get_benchmark(submission.benchmark, submission.version)
        key = self.find_key_of(submission)
        report = make_report(benchmark, key, submission, lease_keeper)
        self._checkpoint("scored")
        return ScoredFile(self._sign_asking(submission, report), key)

    def _sign_asking(self, submission: SubmissionRecord, report: Report) -> Report:
        """Add to the signature how the questions were sent, if Earshot queried the endpoint."""
        if submission.source != "verified":
            return report
        with self._database.read() as transaction:
            record = endpoints.find_endpoint(transaction, submission.id)
        if record is None:
            return report
        asking = to_endpoint(record, allows_loopback=True).form
        return replace(report, signature=replace(report.signature, asking=asking))

    def _make_report(
        self, benchmark: Benchmark, key: AnswerKey, submission: SubmissionRecord, lease_keeper: LeaseKeeper
    ) -> Report:
        """Return the report of a file; subclasses with a judge have open answers judged."""
        return self._score_predictions(benchmark, key, submission, lease_keeper)

    def _score_predictions(
        self, benchmark: Benchmark, key: AnswerKey, submission: SubmissionRecord, lease_keeper: LeaseKeeper
    ) -> Report:
        predictions = self._read(submission, key, lease_keeper)
        return benchmark.score(key, predictions, setting=submission.setting, system=submission.model.name)

    def get_key(self, benchmark: str, version: str) -> AnswerKey:
        """Return the key of a benchmark's test split.

        Raises:
            AnswerKeyError: The key is missing.
        """
        key = find_key(self._keys_dir, benchmark, version, "test")
        if key is None:
            raise AnswerKeyError(f"No answer key of {benchmark} {version} in {self._keys_dir}.")
        return key

    def find_key_of(self, submission: SubmissionRecord) -> AnswerKey:
        """Return the key of the questions that a submission answers: its edition's, or that of the shared test split.

        Raises:
            AnswerKeyError: The key is missing.
        """
        key = self.get_key(submission.benchmark, submission.version)
        benchmark = get_benchmark(submission.benchmark, submission.version)
        with self._database.read() as transaction:
            return read_question_key(transaction, benchmark, key, submission.edition)

    def _read(self, submission: SubmissionRecord, key: AnswerKey, lease_keeper: LeaseKeeper) -> Iterator[Prediction]:
        """Yield the predictions to score, and report progress regularly."""
        if submission.source == "verified":
            for prediction in read_responses(self._database, submission.id):
                if lease_keeper.is_due():
                    lease_keeper.renew_lease(QUERYING_SHARE)
                yield prediction
            return
        known = catalogue_of(get_benchmark(submission.benchmark, submission.version), key, submission.setting)
        with self._artifacts.open(submission.artifact_sha256 or "", lease_keeper.renew_when_due) as file:
            size = max(1, submission.artifact_bytes or 1)
            for prediction in read_checked_predictions(file, known, allow_missing=submission.allow_missing):
                if lease_keeper.is_due():
                    lease_keeper.renew_lease(_PROGRESS_OF_READING * min(1.0, file.tell() / size))
                yield prediction
        self._checkpoint("read")

    def iter_predictions(self, submission: SubmissionRecord, key: AnswerKey, keep: Keep) -> Iterator[Prediction]:
        """Yield a submission's predictions, and call `keep` regularly."""
        return self._read(submission, key, LeaseKeeper(keep))

    def _record(self, job: SubmissionJob, report: Report, key: AnswerKey) -> None:
        now, result = datetime.now(UTC), self._seal_result(job, report, key)
        text = f"Scored: {report.expected - report.missing:,} of {report.expected:,} answers."
        with self._database.write() as transaction:
            self._store_result(transaction, job, result, key, now, text)
            if job.work.edition is not None:
                digest = get_benchmark(key.benchmark, key.version).content(key).digest
                editions.reveal_seed(transaction, job.work.edition, key.seed, digest)
            self._checkpoint("recording")

    def _seal_result(self, job: SubmissionJob, report: Report, key: AnswerKey) -> NewResult:
        benchmark = get_benchmark(key.benchmark, key.version)
        return to_result(benchmark, report, seal_outcomes(key, job.lease.id, report.outcomes))

    def _store_result(
        self,
        transaction: Transaction,
        job: SubmissionJob,
        result: NewResult,
        key: AnswerKey,
        now: datetime,
        text: str,
        **waiting: object,
    ) -> None:
        """Store the scores, unless competition mode withholds them, and request a new revision of the board."""
        released = release_result(transaction, get_benchmark(key.benchmark, key.version), key, job, result)
        values, text = (waiting, text) if released is not None else (WITHHELD, NO_CHANGE)
        evaluations.record_result(transaction, job, released or result, now, **values)
        submissions.add_event(
            transaction,
            job.work.id,
            actor="evaluator",
            from_state="running",
            to_state=str(values.get("state", "scored")),
            text=text,
            now=now,
        )
        # It may have been published since it was claimed; a private one is shown nowhere.
        if released is not None and submissions.is_public(transaction, job.work.id):
            boards.touch_board(transaction, board_of(job.work), now)

    def _await_judge(self, job: SubmissionJob, report: Report, key: AnswerKey) -> None:
        """Queue a submission for judging its open answers, with the scores of its other parts.

        Both are written in one transaction: a killed evaluator leaves both or neither.
        """
        now = datetime.now(UTC)
        text = describe_waiting(report)
        waiting: dict[str, object] = {"state": "awaiting-judge", "attempts": 0, "lane": "judge"}
        has_others = any(score.value is not None for _, _, score in report.list_scores())
        with self._database.write() as transaction:
            waiting["turn"] = queue_order.find_turn(transaction, job.work.owner.id, "judge")
            if not has_others:
                state = str(waiting.pop("state"))
                waiting |= {"reason_code": None, "reason": None, "fault": None}
                self._leave_running(transaction, job, now, text, state=state, **waiting)
                return
            result = self._seal_result(job, note_waiting(report), key)
            self._store_result(transaction, job, result, key, now, f"The other parts are scored. {text}", **waiting)
            self._checkpoint("recording")

    def _give_back(self, job: SubmissionJob) -> None:
        """Requeue a submission whose endpoint was being queried when this evaluator was stopped."""
        now = datetime.now(UTC)
        text = "The evaluator stopped. The next one continues with the unanswered questions."
        with self._database.write() as transaction:
            self._leave_running(transaction, job, now, text, state="queued", attempts=0, not_before=None)

    def _end(self, job: SubmissionJob, ending: _Failure | _Stopped) -> None:
        if isinstance(ending, _Stopped):
            self._give_back(job)
        else:
            self._record_failure(job, ending)

    def _record_failure(self, job: SubmissionJob, failure: _Failure) -> None:
        """Requeue a submission after a failure, or end it."""
        now = datetime.now(UTC)
        decision = decide_after_failure(failure.fault, job.lease.attempts, now, retryable=failure.retryable)
        ends = isinstance(decision, GiveUp)
        text = failure.reason if failure.fault == "yours" else f"{failure.reason} {_OUR_FAULT}"
        values: dict[str, object] = {
            "reason_code": failure.code,
            "reason": text,
            "fault": failure.fault,
            "retryable": decision.retryable if isinstance(decision, GiveUp) else None,
            "not_before": None if isinstance(decision, GiveUp) else decision.at,
        }
        with self._database.write() as transaction:
            state = "failed" if ends else queue_order.find_waiting_state(job.work.lane)
            event_text = text if ends else f"{text} Earshot retries it automatically."
            self._leave_running(transaction, job, now, event_text, state=state, **values)
            self._checkpoint("failing")

    def _leave_running(
        self, transaction: Transaction, job: SubmissionJob, now: datetime, text: str, *, state: str, **values: object
    ) -> None:
        """End a submission without a result; only the holder of its lease may do so."""
        submissions.lock_submission(transaction, job.work.id)  # Before its evaluation, in the same order as a claim.
        evaluations.LEASES.renew(transaction, job.lease, now, progress=0.0)
        submissions.leave_running(transaction, job.work.id, now, actor="evaluator", text=text, state=state, **values)

    def refresh_stale_boards(self) -> int:
        """Update every board; return how many changed."""
        with self._database.read() as transaction:
            stale = boards.list_stale_boards(transaction)
        served = {(benchmark.id, benchmark.version): benchmark for benchmark in all_benchmarks()}
        done = 0
        for board in stale:
            # Boards of benchmarks or versions that are no longer served stay as they are.
            benchmark = served.get((board.benchmark, board.version))
            if benchmark is not None:
                done += self._refresh_board(benchmark, board.setting)
                self._checkpoint("ranked")
        return done

    def _refresh_board(self, benchmark: Benchmark, setting: str) -> bool:
        try:
            key = find_key(self._keys_dir, benchmark.id, benchmark.version, "test")
            if key is None and benchmark.made_parts:
                raise AnswerKeyError(f"No answer key of {benchmark.id} {benchmark.version} in {self._keys_dir}.")
        except AnswerKeyError as error:
            _LOG.error("cannot rank the board of %s %s: %s", benchmark.id, benchmark.version, error)
            return False
        rankings = find_rankings(benchmark, key, setting)
        return refresh_board(self._database, benchmark, setting, rankings, datetime.now(UTC), key)
