"""Error classification of scored submissions: runs after scoring, and only with a judge."""

import logging
import time
from datetime import UTC, datetime, timedelta

from db.lease_records import Job, Lease
from db.records import ScoreRecord, SubmissionRecord
from db.repositories import boards, error_sortings, evaluations
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.error_shares import count_shares, write_note
from evaluation.incidents import log_incident
from evaluation.judge.mistakes import LABELS, Sorted, sign_sorting
from evaluation.types import Outcomes
from submissions.jobs.leased_jobs import Checkpoint, RequestedJob
from submissions.judging.errors import JudgingError, JudgingStoppedError, SpentError, UnreadableJudgeError
from submissions.judging.judging_evaluator import JudgingEvaluator
from submissions.lifecycle import MAX_ATTEMPTS
from submissions.ranking.board_outcomes import read_outcomes
from submissions.scoring.score_disclosure import disclose_shares

_LOG = logging.getLogger(__name__)
_REST = timedelta(minutes=30)
_LONG_REST = timedelta(days=1)


class MistakeSorter(RequestedJob[SubmissionRecord, datetime]):
    """Classifies the wrong answers of one evaluation after the other, newest first; one that fails is postponed.

    It pauses for a day once too many consecutive replies contain no label, whichever answers they are about.
    """

    leases = error_sortings.LEASES
    max_attempts = MAX_ATTEMPTS
    claimed_label = "sorting-claimed"

    def __init__(
        self,
        database: Database,
        evaluator: JudgingEvaluator,
        worker: str,
        checkpoint: Checkpoint = lambda _label: None,
    ) -> None:
        super().__init__(database, worker, checkpoint)
        self._evaluator = evaluator
        # Its replies say nothing about judging, and vice versa.
        self._judging = evaluator.judging.with_own_streak()
        self._closed_until = 0.0
        self._is_unreadable = False

    @property
    def is_stopped(self) -> bool:
        """Whether it is paused because the judge's replies contained no label."""
        return self._is_unreadable and self._is_closed()

    def _is_closed(self) -> bool:
        return time.monotonic() < self._closed_until

    def _close(self, rest: timedelta, *, is_unreadable: bool = False) -> None:
        """Pause for a while: the judge is in trouble, whichever answers it gets."""
        self._closed_until = time.monotonic() + rest.total_seconds()
        self._is_unreadable = is_unreadable

    def run_next(self) -> bool:
        """Classify those of the next evaluation; False if there is none, it is off, or other evaluators hold them."""
        return self._judging.sort_errors > 0 and not self._is_closed() and super().run_next()

    def _find_next(self, transaction: Transaction, now: datetime) -> Lease | None:
        return error_sortings.find_unsorted(transaction, tuple(LABELS), now)

    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> SubmissionRecord | None:
        return error_sortings.claim_sorting(transaction, current, lease)

    def _work(self, job: Job[SubmissionRecord]) -> datetime | None:
        submission = job.work
        benchmark = get_benchmark(submission.benchmark, submission.version)
        key = self._evaluator.find_key_of(submission)

        def extend_lease(_progress: float) -> None:
            self._extend_lease(job)

        outcomes = self._read_outcomes(benchmark, key, job.lease.id)
        predictions = self._evaluator.iter_predictions(submission, key, extend_lease)
        labels = self._judging.sort(
            benchmark.id, list(benchmark.iter_wrong(key, predictions, outcomes)), key.seed, extend_lease
        )
        if labels.is_lacking:
            return datetime.now(UTC) + _LONG_REST
        self._record(job, self._list_shares(benchmark, key, labels), sum(labels.n_wrong.values()))
        return None

    def _give_up(self, job: Job[SubmissionRecord]) -> datetime:
        _LOG.error("%s: the evaluator stopped %d times; next attempt in a day", job.lease.name, MAX_ATTEMPTS)
        return datetime.now(UTC) + _LONG_REST

    def _explain(self, job: Job[SubmissionRecord], error: Exception) -> datetime:
        now = datetime.now(UTC)
        if isinstance(error, JudgingStoppedError):
            return now
        if isinstance(error, SpentError):
            return error.resumes_at
        if isinstance(error, UnreadableJudgeError):
            self._close(_LONG_REST, is_unreadable=True)
            _LOG.error("error classification pauses for a day, or until the evaluator restarts: %s", error)
        elif isinstance(error, JudgingError):
            self._close(_REST)
            _LOG.warning("%s: %s", job.lease.name, error)
            return now + _REST
        else:
            log_incident(f"the {job.lease.name} could not be classified", error)
        return now + _LONG_REST

    def _end(self, job: Job[SubmissionRecord], ending: datetime) -> None:
        """Postpone it. This evaluator did not die, so it counts as no attempt."""
        with self._database.write() as transaction:
            self.leases.renew(transaction, job.lease, ending, attempts=0)

    def _read_outcomes(self, benchmark: Benchmark, key: AnswerKey, evaluation_id: int) -> Outcomes | None:
        """Return item-level outcomes, which include low judge scores; None if this key does not open them."""
        with self._database.read() as transaction:
            sealed = evaluations.find_outcomes(transaction, evaluation_id)
        return None if sealed is None else read_outcomes(benchmark, key, {evaluation_id: sealed}).get(evaluation_id)

    def _record(self, job: Job[SubmissionRecord], shares: list[ScoreRecord], n_wrong: int) -> None:
        """Store error shares, and request a new revision of the board that shows them."""
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            error_sortings.record_sorting(transaction, job.lease, n_wrong, shares, now)
            self._checkpoint("sorting-recording")
            if shares:
                board = BoardKey(job.work.benchmark, job.work.version, job.work.setting)
                boards.touch_board(transaction, board, now)

    def _list_shares(self, benchmark: Benchmark, key: AnswerKey, labels: Sorted) -> list[ScoreRecord]:
        """Return the share of every error type in each part; empty if no answer was wrong.

        The signature does not contain who classified, so each share does.
        """
        sorter = sign_sorting(self._judging.model, benchmark.id, self._judging.sort_errors)
        items = benchmark.content(key).items
        clusters = dict(zip((item.id for item in items), benchmark.cluster_items(key).tolist(), strict=True))
        shares = [
            ScoreRecord(
                one.slice, one.metric, one.value, one.n, note=write_note(one, sorter), low=one.low, high=one.high
            )
            for one in count_shares(benchmark.id, labels, clusters)
        ]
        return disclose_shares(benchmark, shares)
