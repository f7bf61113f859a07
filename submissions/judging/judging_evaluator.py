"""Evaluator with a judge: evaluates submissions that wait for one, from a queue of their own."""

import logging
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from db.judge_records import HoldRecord
from db.lease_records import SubmissionJob
from db.records import SubmissionRecord
from db.repositories import judging as judging_rows
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.judge import EntryJudged, OpenQuestion
from evaluation.metrics import JudgedAnswers
from evaluation.types import Prediction, Report
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.leased_jobs import Checkpoint
from submissions.jobs.queue import SubmissionQueue
from submissions.judging.entry import Judging
from submissions.judging.errors import (
    HeldError,
    JudgeAwayError,
    JudgingError,
    JudgingStoppedError,
    NoVerdictsError,
    SpentError,
    StoppedJudgeError,
    UnreadableJudgeError,
)
from submissions.lifecycle import GiveUp, decide_without_verdicts
from submissions.scoring.evaluator import Evaluator, LeaseKeeper

_LOG = logging.getLogger(__name__)
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(minutes=30)
_OUR_FAULT = " This is our error and does not use up a submission."


class JudgingEvaluator(Evaluator):
    """Evaluates submissions with open answers, one at a time."""

    def __init__(
        self,
        database: Database,
        queue: SubmissionQueue,
        artifacts: ArtifactStore,
        keys_dir: Path,
        judging: Judging,
        checkpoint: Checkpoint = lambda _label: None,
    ) -> None:
        super().__init__(database, queue, artifacts, keys_dir, checkpoint)
        self._judging = judging
        self._pause = FIRST_PAUSE
        self._closed_until = 0.0

    @property
    def judge(self) -> str:
        """Judge and method, for signatures."""
        return self._judging.signature

    @property
    def judging(self) -> Judging:
        """The judge and its configuration."""
        return self._judging

    def without_asking(self) -> "JudgingEvaluator":
        """Return an evaluator that uses cached verdicts only, and raises `UnaskedError` where one is missing."""
        silent = self._judging.with_own_streak(may_ask=False)
        return JudgingEvaluator(self._database, self._queue, self._artifacts, self._keys_dir, silent, self._checkpoint)

    def run_next(self) -> bool:
        """Evaluate the next submission; pause after the judge was unavailable, or while it is stopped."""
        return time.monotonic() >= self._closed_until and not self._is_stopped() and super().run_next()

    def _work(self, job: SubmissionJob) -> None:
        try:
            super()._work(job)  # Without an endpoint to query, no ending is left to record.
            self._pause = FIRST_PAUSE
        except JudgingError as error:
            self._put_aside(job, error)

    def _make_report(
        self, benchmark: Benchmark, key: AnswerKey, submission: SubmissionRecord, lease_keeper: LeaseKeeper
    ) -> Report:
        questions = benchmark.open_questions(key)
        if not questions:
            return super()._make_report(benchmark, key, submission, lease_keeper)
        answers: dict[str, str] = {}
        noted = _note_answers(self._read(submission, key, lease_keeper), questions, answers)
        named = {"setting": submission.setting, "system": submission.model.name}
        report = benchmark.score(key, noted, **named)
        if not report.awaiting_judge:
            return report
        given = {item_id: answers[item_id] for item_id in report.awaiting_judge}
        judged = self._judge(submission, questions, given, key, lease_keeper)
        self._checkpoint("judged")
        return benchmark.score_judged(key, self._read(submission, key, lease_keeper), judged, **named)

    def _judge(
        self,
        submission: SubmissionRecord,
        questions: Mapping[str, OpenQuestion],
        answers: Mapping[str, str],
        key: AnswerKey,
        lease_keeper: LeaseKeeper,
    ) -> JudgedAnswers:
        judged = self._judging.judge(questions, answers, key.seed, lease_keeper.renew_lease)
        if judged.status == "incomplete":
            raise NoVerdictsError(judged)
        if judged.status == "held" and not self._is_released(submission, judged):
            raise HeldError(judged)
        # An answer that could not be probed is as doubtful as one without a verdict.
        sound = {name: found for name, found in judged.judgements.items() if name not in judged.errors}
        return JudgedAnswers(sound, judged.signature, frozenset(judged.errors))

    def _is_stopped(self) -> bool:
        with self._database.read() as transaction:
            return bool(judging_rows.list_stopped(transaction))

    def _is_released(self, submission: SubmissionRecord, judged: EntryJudged) -> bool:
        """Tell whether a maintainer released this submission after seeing all current findings."""
        with self._database.read() as transaction:
            hold = judging_rows.find_hold(transaction, submission.id)
        if hold is None or hold.released_at is None or hold.judging != judged.signature:
            return False
        return {held.id for held in judged.held} <= hold.answers.keys() and set(judged.faults) <= set(hold.faults)

    def _put_aside(self, job: SubmissionJob, error: JudgingError) -> None:
        now = datetime.now(UTC)
        uncounted = {"attempts": job.lease.attempts - 1, "fault": None}
        if isinstance(error, JudgingStoppedError):
            self._leave(job, str(error), state="awaiting-judge", **uncounted)
        elif isinstance(error, SpentError):
            values = {"reason_code": "judge-allowance", "reason": str(error), "not_before": error.resumes_at}
            text = "Postponed until tomorrow: the judge's daily budget."
            self._leave(job, text, state="awaiting-judge", **uncounted, **values)
        elif isinstance(error, JudgeAwayError):
            self._closed_until = time.monotonic() + self._pause.total_seconds()
            values = {"reason_code": "judge-away", "reason": str(error), "not_before": now + self._pause}
            text = f"Postponed by {self._pause // timedelta(minutes=1)} min: judge unavailable."
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            _LOG.warning("%s", error)
            self._leave(job, text, state="awaiting-judge", **uncounted, **values)
        elif isinstance(error, StoppedJudgeError):
            self._leave(job, "Postponed: judging is stopped.", state="awaiting-judge", **uncounted)
        elif isinstance(error, UnreadableJudgeError):
            self._stop_judging(job, error)
        elif isinstance(error, HeldError):
            self._hold(job, error, now)
        elif isinstance(error, NoVerdictsError):
            self._try_again(job, error, now)
        else:
            raise error

    def _stop_judging(self, job: SubmissionJob, error: UnreadableJudgeError) -> None:
        """Hold a submission until a maintainer releases it; without any verdict, all other submissions wait too.

        Verdicts on other answers of the same submission exonerate the judge: then only these answers are in doubt.
        """
        code = judging_rows.UNREADABLE if error.has_verdicts else judging_rows.STOPPED
        values = {"reason_code": code, "reason": str(error)}
        text = "Held: judging stopped at this submission. A maintainer has to check the judge."
        _LOG.error("%s: %s", job.work.id, error)
        self._leave(job, text, state="awaiting-judge", lane="held", attempts=0, fault=None, **values)

    def _try_again(self, job: SubmissionJob, error: NoVerdictsError, now: datetime) -> None:
        """Retry missing verdicts with growing delays; after a few failures the system has failed the submission."""
        decision = decide_without_verdicts(job.lease.attempts, now)
        values: dict[str, object] = {
            "reason_code": judging_rows.UNREADABLE,
            "reason": str(error),
            "fault": "ours",
        }
        text = f"No verdict on {error.answers}. First reason: {error.first_reason}"
        if isinstance(decision, GiveUp) and job.work.current_evaluation_id is not None:
            # The scores of its other parts stay on the board; a maintainer can retry it.
            self._leave(job, text, state="awaiting-judge", lane="held", attempts=0, **values)
        elif isinstance(decision, GiveUp):
            values["reason"] = f"{error}{_OUR_FAULT}"
            self._leave(job, text, state="failed", retryable=decision.retryable, **values)
        else:
            self._leave(job, text, state="awaiting-judge", not_before=decision.at, **values)

    def _hold(self, job: SubmissionJob, error: HeldError, now: datetime) -> None:
        judged = error.judged
        named = {held.id: held.reason for held in judged.held}
        with self._database.write() as transaction:
            hold = HoldRecord(judged.signature, named, judged.faults, now)
            judging_rows.hold_entry(transaction, job.work.id, hold)
            values = {"reason_code": "held", "reason": str(error), "attempts": 0}
            self._leave_running(transaction, job, now, str(error), state="awaiting-judge", lane="held", **values)

    def _leave(self, job: SubmissionJob, text: str, *, state: str, **values: object) -> None:
        with self._database.write() as transaction:
            self._leave_running(transaction, job, datetime.now(UTC), text, state=state, **values)


def _note_answers(
    predictions: Iterator[Prediction], questions: Mapping[str, OpenQuestion], answers: dict[str, str]
) -> Iterator[Prediction]:
    """Yield predictions, and collect the answers to open questions on the way."""
    for prediction in predictions:
        if prediction.id in questions and prediction.response is not None:
            answers[prediction.id] = prediction.response
        yield prediction
