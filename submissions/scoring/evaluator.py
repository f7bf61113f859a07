"""The only place that runs a submission: claim → predictions → report → record → standings."""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from db.records import LeaseRecord, SubmissionRecord
from db.repositories import boards, endpoints, evaluations, queue_order, submissions
from db.repositories.leases import LeaseLostError
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.errors import AnswerKeyError, UnknownBenchmarkError
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.types import Prediction, Report
from submissions.endpoints.runner import (
    QUERYING_SHARE,
    EndpointError,
    EndpointRunner,
    EndpointRunStoppedError,
    read_responses,
    to_endpoint,
)
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.queue import Queue
from submissions.lifecycle import Fault, GiveUp, decide_after_failure
from submissions.ranking.standings import find_ranking, refresh_board
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import describe_waiting, note_waiting, to_result
from submissions.service import board_of

_LOG = logging.getLogger(__name__)
_KEEP_EVERY_SECONDS = 2.0
_PROGRESS_OF_READING = 0.9
_OUR_FAULT = "This is our error and does not use up a submission."

# Called with the name of every point at which the evaluator may be killed without harm.
Checkpoint = Callable[[str], None]


class _Failure(NamedTuple):
    fault: Fault
    code: str
    reason: str
    retryable: bool = False


# Called with the share of a scoring that is done: the lease on it is prolonged, or LeaseLostError raised.
Keep = Callable[[float], None]


class ScoredFile(NamedTuple):
    """What a kept file came to, and the key that said so."""

    report: Report
    key: AnswerKey


class LeaseKeeper:
    """Prolongs a lease every other second, however often it is asked to."""

    def __init__(self, prolong: Keep) -> None:
        self._prolong = prolong
        self._kept_at = time.monotonic()

    def is_due(self) -> bool:
        """Tell whether it was not prolonged for a while."""
        return time.monotonic() - self._kept_at > _KEEP_EVERY_SECONDS

    def renew_lease(self, progress: float) -> None:
        """Prolong it; raises `LeaseLostError` where somebody else has it now."""
        self._kept_at = time.monotonic()
        self._prolong(progress)

    def renew_when_due(self) -> None:
        """Prolong it where that is due."""
        if self.is_due():
            self.renew_lease(0.0)


_MakeReport = Callable[[Benchmark, AnswerKey, SubmissionRecord, LeaseKeeper], Report]


class Evaluator:
    """Runs submissions, one at a time."""

    def __init__(
        self,
        database: Database,
        queue: Queue,
        artifacts: ArtifactStore,
        keys_dir: Path,
        checkpoint: Checkpoint = lambda _label: None,
        endpoint_runner: EndpointRunner | None = None,
    ) -> None:
        """Take what it works with; `endpoint_runner` for the lane of endpoints."""
        self._database = database
        self._queue = queue
        self._artifacts = artifacts
        self._keys_dir = keys_dir
        self._checkpoint = checkpoint
        self._endpoint_runner = endpoint_runner
        self._sign_at: float | None = None

    @property
    def judge(self) -> str:
        """By whom and how open answers are judged here; empty where nobody does."""
        return ""

    @property
    def silent_seconds(self) -> float:
        """For how long the file that is being scored has given no sign of going on; 0 when there is none."""
        sign_at = self._sign_at
        return 0.0 if sign_at is None else time.monotonic() - sign_at

    def run_next(self) -> bool:
        """Run the next submission to an end or a retry; False when none waits."""
        lease = self._queue.claim()
        if lease is None:
            return False
        self._checkpoint("claimed")
        try:
            failure = self._attempt(lease)
            if failure is not None:
                self._fail(lease, failure)
        except LeaseLostError as error:
            _LOG.warning("%s", error)
        return True

    def _attempt(self, lease: LeaseRecord) -> _Failure | None:
        try:
            self._run(lease)
        except LeaseLostError:
            raise
        except EndpointRunStoppedError:
            self._give_back(lease)
        except EndpointError as error:
            ending = error.ending
            return _Failure(ending.whose_fault, ending.code, ending.reason, ending.retryable)
        except PredictionFileError as error:
            return _Failure("yours", "rejected-file", str(error))
        except UnknownBenchmarkError:
            # A version that this release no longer has; an evaluator of the other release may still take it.
            gone = f"{lease.submission.benchmark} {lease.submission.version}"
            _LOG.error("submission %s needs %s, which this evaluator does not have", lease.submission.id, gone)
            return _Failure("ours", "unknown-version", f"This server no longer has {gone}.")
        except Exception as error:  # noqa: BLE001 - the outer edge: whatever happens, the submission moves on
            incident = log_incident(f"submission {lease.submission.id} could not be scored", error)
            return _Failure("ours", "internal", f"Scoring failed. Reference {incident}.")
        return None

    def _run(self, lease: LeaseRecord) -> None:
        if self._endpoint_runner is not None:
            submission = lease.submission
            benchmark = get_benchmark(submission.benchmark, submission.version)
            self._sign()
            key = self.get_key(submission.benchmark, submission.version)
            try:
                self._endpoint_runner.query_endpoint(lease, benchmark, key, self._sign)
            finally:
                self._sign_at = None
            self._checkpoint("asked")
        report, key = self.score_file(lease.submission, lambda progress: self._queue.renew_lease(lease, progress))
        if report.awaiting_judge:
            self._await_judge(lease, report, key)
        else:
            self._record(lease, report, key)
        self._checkpoint("recorded")

    def score_file(self, submission: SubmissionRecord, keep: Keep, *, judges_open: bool = True) -> ScoredFile:
        """Score the kept file of a submission by today's key and rules. Nothing is recorded.

        Args:
            submission: Whose file.
            keep: Called every other second.
            judges_open: Whether to have open answers judged where there is a judge. Otherwise they are awaited, as
                where there is none, and only the other parts have scores.

        Raises:
            PredictionFileError: The file cannot be scored.
            AnswerKeyError: There is no key.
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
        key = self.get_key(submission.benchmark, submission.version)
        report = make_report(benchmark, key, submission, lease_keeper)
        self._checkpoint("scored")
        return ScoredFile(self._sign_asking(submission, report), key)

    def _sign_asking(self, submission: SubmissionRecord, report: Report) -> Report:
        """Say in the signature how the questions were put, where that was done by us."""
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
        """Return the report of a file; evaluators with a judge have its open answers judged."""
        return self._score_predictions(benchmark, key, submission, lease_keeper)

    def _score_predictions(
        self, benchmark: Benchmark, key: AnswerKey, submission: SubmissionRecord, lease_keeper: LeaseKeeper
    ) -> Report:
        predictions = self._read(submission, key, lease_keeper)
        return benchmark.score(key, predictions, setting=submission.setting, system=submission.model.name)

    def get_key(self, benchmark: str, version: str) -> AnswerKey:
        """Return the key of a benchmark's test split.

        Raises:
            AnswerKeyError: There is none.
        """
        key = find_key(self._keys_dir, benchmark, version, "test")
        if key is None:
            raise AnswerKeyError(f"No answer key of {benchmark} {version} in {self._keys_dir}.")
        return key

    def _read(self, submission: SubmissionRecord, key: AnswerKey, lease_keeper: LeaseKeeper) -> Iterator[Prediction]:
        """Yield what is to be scored, and say every other second that the work goes on."""
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
        """Yield what a submission answered, and call `keep` every other second."""
        return self._read(submission, key, LeaseKeeper(keep))

    def _record(self, lease: LeaseRecord, report: Report, key: AnswerKey) -> None:
        now = datetime.now(UTC)
        benchmark = get_benchmark(key.benchmark, key.version)
        result = to_result(benchmark, report, seal_outcomes(key, lease.evaluation_id, report.outcomes))
        with self._database.write() as transaction:
            evaluations.record_result(transaction, lease, result, now)
            self._checkpoint("recording")
            text = f"Scored: {report.expected - report.missing:,} of {report.expected:,} answers."
            self._tell_result(transaction, lease, "scored", text, now)

    def _tell_result(self, transaction: Transaction, lease: LeaseRecord, state: str, text: str, now: datetime) -> None:
        """Write down that scores were recorded, and ask for a new revision of the board."""
        submissions.add_event(
            transaction,
            lease.submission.id,
            actor="evaluator",
            from_state="running",
            to_state=state,
            text=text,
            now=now,
        )
        # It may have been published since it was claimed; nothing is shown of one that is private.
        if submissions.is_public(transaction, lease.submission.id):
            boards.touch_board(transaction, board_of(lease.submission), now)

    def _await_judge(self, lease: LeaseRecord, report: Report, key: AnswerKey) -> None:
        """Put a submission into the line of those whose open answers are judged, with the scores of its other parts.

        Line and scores are written in one transaction: an evaluator that is killed leaves both or neither.
        """
        now = datetime.now(UTC)
        text = describe_waiting(report)
        waiting: dict[str, object] = {"state": "awaiting-judge", "attempts": 0, "lane": "judge"}
        has_others = any(score.value is not None for _, _, score in report.figures())
        with self._database.write() as transaction:
            waiting["turn"] = queue_order.find_turn(transaction, lease.submission.owner.id, "judge")
            if not has_others:
                state = str(waiting.pop("state"))
                waiting |= {"reason_code": None, "reason": None, "whose_fault": None}
                self._leave_running(transaction, lease, now, text, state=state, **waiting)
                return
            benchmark = get_benchmark(key.benchmark, key.version)
            result = to_result(
                benchmark, note_waiting(report), seal_outcomes(key, lease.evaluation_id, report.outcomes)
            )
            evaluations.record_result(transaction, lease, result, now, **waiting)
            self._checkpoint("recording")
            text = f"The other parts are scored. {text}"
            self._tell_result(transaction, lease, "awaiting-judge", text, now)

    def _give_back(self, lease: LeaseRecord) -> None:
        """Queue a submission again whose endpoint was being asked when this evaluator was told to end."""
        now = datetime.now(UTC)
        text = "The evaluator stopped. The next one continues with the unanswered questions."
        with self._database.write() as transaction:
            self._leave_running(transaction, lease, now, text, state="queued", attempts=0, not_before=None)

    def _fail(self, lease: LeaseRecord, failure: _Failure) -> None:
        now = datetime.now(UTC)
        decision = decide_after_failure(failure.fault, lease.submission.attempts, now, retryable=failure.retryable)
        ends = isinstance(decision, GiveUp)
        text = failure.reason if failure.fault == "yours" else f"{failure.reason} {_OUR_FAULT}"
        values: dict[str, object] = {
            "reason_code": failure.code,
            "reason": text,
            "whose_fault": failure.fault,
            "retryable": decision.retryable if isinstance(decision, GiveUp) else None,
            "not_before": None if isinstance(decision, GiveUp) else decision.at,
        }
        with self._database.write() as transaction:
            state = "failed" if ends else queue_order.find_waiting_state(lease.submission.lane)
            told = text if ends else f"{text} Earshot retries it automatically."
            self._leave_running(transaction, lease, now, told, state=state, **values)
            self._checkpoint("failing")

    def _leave_running(
        self, transaction: Transaction, lease: LeaseRecord, now: datetime, text: str, *, state: str, **values: object
    ) -> None:
        """Give a submission up without a result; only the holder of its lease may."""
        evaluations.keep_lease(transaction, lease, progress=0.0, expires_at=now)
        if not submissions.change_state(transaction, lease.submission.id, ["running"], now, state=state, **values):
            return  # it was withdrawn meanwhile
        submissions.add_event(
            transaction,
            lease.submission.id,
            actor="evaluator",
            from_state="running",
            to_state=state,
            text=text,
            now=now,
        )

    def refresh_stale_boards(self) -> int:
        """Bring every board up to date; return how many changed."""
        with self._database.read() as transaction:
            stale = boards.list_stale_boards(transaction)
        served = {(benchmark.id, benchmark.version): benchmark for benchmark in all_benchmarks()}
        done = 0
        for board in stale:
            # The board of a benchmark or version that is no longer served stays as it is.
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
        ranking = find_ranking(benchmark, key, setting)
        return refresh_board(self._database, benchmark, setting, ranking, datetime.now(UTC), key)
