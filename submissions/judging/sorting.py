"""Sorting the wrong answers of what is scored: after its figures stand, and only where there is a judge."""

import logging
import time
from datetime import UTC, datetime, timedelta

from db.records import ScoreRecord, SubmissionRecord
from db.repositories import boards, error_sortings, evaluations, submissions
from db.repositories.boards import BoardKey
from db.repositories.error_sortings import Unsorted
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.error_shares import count_shares, write_note
from evaluation.judge.mistakes import LABELS, Sorted, sign_sorting
from evaluation.types import Outcomes
from submissions.judging.errors import JudgingError, SpentError, UnreadableJudgeError
from submissions.judging.judging_evaluator import JudgingEvaluator
from submissions.ranking.rank_ranges import read_outcomes
from submissions.scoring.score_disclosure import disclose_shares

_LOG = logging.getLogger(__name__)
_LEASE = timedelta(minutes=2)
_REST = timedelta(minutes=30)
_LONG_REST = timedelta(days=1)


class MistakeSorter:
    """Sorts the wrong answers of one scoring after the other, the newest first.

    It rests for a day once too many replies in a row hold no verdict, whichever answers they are about.
    """

    def __init__(self, database: Database, evaluator: JudgingEvaluator) -> None:
        self._database = database
        self._evaluator = evaluator
        # Its replies say nothing of judging, and the other way round.
        self._judging = evaluator.judging.with_own_streak()
        self._closed_until = 0.0
        self._is_unreadable = False

    @property
    def is_stopped(self) -> bool:
        """Whether it rests because the judge's replies held no verdict."""
        return self._is_unreadable and self._is_closed()

    def _is_closed(self) -> bool:
        return time.monotonic() < self._closed_until

    def _close(self, rest: timedelta, *, is_unreadable: bool = False) -> None:
        """Sort nothing for a while: the judge is in trouble, whichever answers it is asked about."""
        self._closed_until = time.monotonic() + rest.total_seconds()
        self._is_unreadable = is_unreadable

    def run_next(self) -> bool:
        """Sort those of the next scoring; False when there is none, none is wanted, or others are at it."""
        if not self._judging.sort_errors or self._is_closed():
            return False
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            found = error_sortings.find_unsorted(transaction, tuple(LABELS), error_sortings.SOURCES, now)
        if found is None:
            return False
        with self._database.write() as transaction:
            if not error_sortings.take_sorting(transaction, found.evaluation_id, now, now + _LEASE):
                return False
        self._attempt(found)
        return True

    def _attempt(self, found: Unsorted) -> None:
        try:
            self._sort(found)
        except SpentError as error:
            self._hold(found, error.resumes_at)
        except UnreadableJudgeError as error:
            self._close(_LONG_REST, is_unreadable=True)
            _LOG.error("error classification pauses for a day, or until the evaluator restarts: %s", error)
            self._hold(found, datetime.now(UTC) + _LONG_REST)
        except JudgingError as error:
            self._close(_REST)
            _LOG.warning("wrong answers of %s: %s", found.submission_id, error)
            self._hold(found, datetime.now(UTC) + _REST)
        except Exception:  # noqa: BLE001 - the outer edge: a file that cannot be read keeps nobody from the next
            _LOG.exception("the wrong answers of %s could not be classified", found.submission_id)
            self._hold(found, datetime.now(UTC) + _LONG_REST)

    def _sort(self, found: Unsorted) -> None:
        with self._database.read() as transaction:
            submission = submissions.find_submission(transaction, found.submission_id)
        if submission is None:
            return
        benchmark = get_benchmark(submission.benchmark, submission.version)
        key = self._evaluator.get_key(submission.benchmark, submission.version)

        def extend_lease(_progress: float) -> None:
            self._hold(found, datetime.now(UTC) + _LEASE)

        outcomes = self._read_outcomes(benchmark, key, found.evaluation_id)
        predictions = self._evaluator.iter_predictions(submission, key, extend_lease)
        told = self._judging.sort(
            benchmark.id, list(benchmark.iter_wrong(key, predictions, outcomes)), key.seed, extend_lease
        )
        if told.is_lacking:
            self._hold(found, datetime.now(UTC) + _LONG_REST)
            return
        self._record(found, submission, self._list_shares(benchmark, key, told), sum(told.n_wrong.values()))

    def _read_outcomes(self, benchmark: Benchmark, key: AnswerKey, evaluation_id: int) -> Outcomes | None:
        """Return what happened to each item, which tells what a judge scored low; None where this key opens nothing."""
        with self._database.read() as transaction:
            sealed = evaluations.find_outcomes(transaction, evaluation_id)
        return None if sealed is None else read_outcomes(benchmark, key, {evaluation_id: sealed}).get(evaluation_id)

    def _record(self, found: Unsorted, submission: SubmissionRecord, shares: list[ScoreRecord], n_wrong: int) -> None:
        """Write shares down, and ask for a new revision of the board that shows them."""
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            if error_sortings.record_sorting(transaction, found.evaluation_id, n_wrong, shares, now) and shares:
                board = BoardKey(submission.benchmark, submission.version, submission.setting)
                boards.touch_board(transaction, board, now)

    def _list_shares(self, benchmark: Benchmark, key: AnswerKey, told: Sorted) -> list[ScoreRecord]:
        """Return the share of every error type in each part; nothing where none was wrong.

        The signature of a scoring does not hold who sorted, so each share says it.
        """
        sorter = sign_sorting(self._judging.model, benchmark.id, self._judging.sort_errors)
        items = benchmark.content(key).items
        clusters = dict(zip((item.id for item in items), benchmark.cluster_items(key).tolist(), strict=True))
        shares = [
            ScoreRecord(
                one.slice, one.metric, one.value, one.n, note=write_note(one, sorter), low=one.low, high=one.high
            )
            for one in count_shares(benchmark.id, told, clusters)
        ]
        return disclose_shares(benchmark, shares)

    def _hold(self, found: Unsorted, until: datetime) -> None:
        with self._database.write() as transaction:
            error_sortings.hold_sorting(transaction, found.evaluation_id, until)
