"""Scoring of practice answers and of the gap to the test score, run by evaluators under a lease.

Only evaluators can open the outcomes of the test score, which the interval of the gap needs.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from db.lease_records import Job, Lease
from db.practice_records import PracticeResult, PracticeWork
from db.records import EvaluationRecord, ScoreRecord, SealedOutcomes, SubmissionRecord
from db.repositories import boards, evaluations, practice_results, submissions
from db.session import Database, Transaction
from evaluation.answer_keys import find_key
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.disclosure_rule import round_down, round_up
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from evaluation.benchmarks.practice_figures import find_practice_figure
from evaluation.errors import AnswerKeyError, UnknownBenchmarkError
from evaluation.metrics import practice_gap
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.types import Score
from submissions.comparisons.independent_differences import (
    IndependentDifferences,
    ScoredQuestions,
    estimate_score_error,
)
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.leased_jobs import Checkpoint, RequestedJob, explain_failure, utc_now
from submissions.ranking.board_outcomes import read_outcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.gap_intervals import find_gap_interval
from submissions.ranking.question_keys import LostEditionError, read_question_key
from submissions.scoring.evaluator import LeaseKeeper
from submissions.service import board_of

_LOG = logging.getLogger(__name__)
MAX_ATTEMPTS = 5
_PAUSE = timedelta(minutes=1)
LOST = f"Scoring these answers failed {MAX_ATTEMPTS} times. This is our error; attach them again."
NOT_SCORED = "The practice file does not cover {}, so there is no gap."
NOT_TESTED = "The test file has no score for {}, so there is no gap."
OUTDATED = (
    "The test score uses an earlier answer key or earlier scoring rules, so there is no gap until it is re-scored."
)
SHARED = (
    "The test questions are shared and secret. An interval would tell more about their answers than the score does, so "
    "there is none."
)
UNREADABLE = "The item-level outcomes of the test score are no longer readable, so the gap has no confidence interval."
NOT_THE_SAME = "The stored outcomes do not reproduce the gap closely enough, so it has no confidence interval."
_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class _Failed:
    """The file could not be scored."""

    explanation: str


@dataclass(frozen=True, slots=True)
class _Later:
    """An error that may pass, such as of a storage: the file is scored again after a pause."""


class _Practice(NamedTuple):
    """Scored practice answers: the score that is compared, what it follows from, and its signature."""

    score: Score
    questions: ScoredQuestions
    signature: str


class _Test(NamedTuple):
    """The current evaluation on the test questions, with its scores and sealed outcomes."""

    evaluation: EvaluationRecord
    scores: list[ScoreRecord]
    sealed: SealedOutcomes | None


class _Scored(NamedTuple):
    """A result, and the stored test score that it was compared with.

    The difference of two numbers does not give back either of them to the last digit.
    """

    result: PracticeResult
    tested: float | None = None


_Ending = _Scored | _Failed | _Later


class PracticeScorer(RequestedJob[PracticeWork, _Ending]):
    """Scores practice answers, the oldest first, and compares them with the current test score of their submission.

    A submission that is scored or re-scored later is compared again.
    """

    leases = practice_results.LEASES
    max_attempts = MAX_ATTEMPTS
    claimed_label = "practice-claimed"

    def __init__(
        self,
        database: Database,
        artifacts: ArtifactStore,
        keys_dir: Path,
        worker: str,
        checkpoint: Checkpoint = lambda _label: None,
    ) -> None:
        super().__init__(database, worker, checkpoint)
        self._artifacts = artifacts
        self._keys_dir = keys_dir

    def _find_next(self, transaction: Transaction, _now: datetime) -> Lease | None:
        return practice_results.find_first_open(transaction)

    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> PracticeWork | None:
        return practice_results.claim_practice(transaction, current, lease)

    def _work(self, job: Job[PracticeWork]) -> _Ending:
        submission = job.work.submission
        benchmark = get_benchmark(submission.benchmark, submission.version)
        figure = find_practice_figure(benchmark, submission.setting)
        if figure is None:
            return _Failed(f"{benchmark.title} {benchmark.version} has no practice questions in this setting.")
        # Before scoring: a newer evaluation is noticed after it, because this one is recorded.
        test = self._read_test(submission)
        practice = self._score_file(job, benchmark, figure.key)
        self._checkpoint("practice-scored")
        error = estimate_score_error(benchmark, practice.questions, figure.key)
        found = PracticeResult(
            evaluation_id=None if test is None else test.evaluation.id,
            signature=practice.signature,
            figure=figure.key,
            value=practice.score.value,
            standard_error=error,
        )
        if practice.score.value is None:
            return _Scored(replace(found, explanation=NOT_SCORED.format(figure.full_title)))
        if test is None:
            return _Scored(found)
        tested = _find_score(test, figure.key)
        return _Scored(self._add_gap(found, benchmark, submission, practice, test), tested.value)

    def _score_file(self, job: Job[PracticeWork], benchmark: Benchmark, figure: str) -> _Practice:
        """Score the practice answers by today's rules."""
        submission, practice = job.work.submission, job.work.practice
        key = benchmark.make_key("practice")
        known = catalogue_of(benchmark, key, submission.setting)
        lease_keeper = LeaseKeeper(lambda _progress: self._extend_lease(job))
        with self._artifacts.open(practice.artifact_sha256, lease_keeper.renew_when_due) as file:
            predictions = read_checked_predictions(file, known, allow_missing=submission.allow_missing)
            report = benchmark.score(key, predictions, setting=submission.setting, system=submission.model.name)
        scores = {f"{slice_name}|{metric}": score for slice_name, metric, score in report.list_scores()}
        score = scores.get(figure, Score(None, 0))
        return _Practice(score, ScoredQuestions(key, report.outcomes), str(report.signature))

    def _read_test(self, submission: SubmissionRecord) -> _Test | None:
        with self._database.read() as transaction:
            current = submissions.find_submission(transaction, submission.id)
            if current is None or current.current_evaluation_id is None:
                return None
            evaluation = evaluations.find_evaluation(transaction, current.current_evaluation_id)
            if evaluation is None:
                return None
            scores = evaluations.list_scores(transaction, evaluation.id)
            return _Test(evaluation, scores, evaluations.find_outcomes(transaction, evaluation.id))

    def _add_gap(
        self,
        found: PracticeResult,
        benchmark: Benchmark,
        submission: SubmissionRecord,
        practice: _Practice,
        test: _Test,
    ) -> PracticeResult:
        """Return a result with the gap to the test score, and with its interval if both have enough recordings."""
        figure = found.figure or ""
        shared = find_key(self._keys_dir, benchmark.id, benchmark.version, "test")
        if shared is None:
            raise AnswerKeyError(f"No answer key of {benchmark.id} {benchmark.version} in {self._keys_dir}.")
        if test.evaluation.ranking not in find_rankings(benchmark, shared, submission.setting):
            return replace(found, explanation=OUTDATED)
        gap = practice_gap(practice.score, _find_score(test, figure))
        if gap.value is None:
            title = next((column.full_title for column in benchmark.columns if column.key == figure), figure)
            return replace(found, explanation=NOT_TESTED.format(title))
        found = replace(found, gap=round(gap.value, _DECIMALS), n_items=gap.n)
        if submission.edition is None and benchmark.answers_are_secret:
            return replace(found, explanation=SHARED)
        try:
            with self._database.read() as transaction:
                key = read_question_key(transaction, benchmark, shared, submission.edition)
        except LostEditionError:
            return replace(found, explanation=UNREADABLE)
        sealed = {} if test.sealed is None else {test.evaluation.id: test.sealed}
        outcomes = read_outcomes(benchmark, key, sealed).get(test.evaluation.id)
        if outcomes is None:
            return replace(found, explanation=UNREADABLE)
        pair = IndependentDifferences(benchmark, practice.questions, ScoredQuestions(key, outcomes))
        return _add_interval(found, pair, figure, gap.value)

    def _give_up(self, _job: Job[PracticeWork]) -> _Ending:
        return _Failed(LOST)

    def _explain(self, job: Job[PracticeWork], error: Exception) -> _Ending:
        if isinstance(error, PredictionFileError):
            return _Failed(str(error))
        if isinstance(error, UnknownBenchmarkError):
            gone = f"{job.work.submission.benchmark} {job.work.submission.version}"
            _LOG.error("%s needs %s, which this evaluator does not have", job.lease.name, gone)
            return _Failed(f"This server no longer has {gone}.")
        explain_failure("scoring of practice answers", job.lease, error)  # logs it
        return _Later()

    def _end(self, job: Job[PracticeWork], ending: _Ending) -> None:
        now, submission = utc_now(), job.work.submission
        with self._database.write() as transaction:
            submissions.lock_submission(transaction, submission.id)
            if isinstance(ending, _Later):
                # The lease stays until then, and its attempts count.
                self.leases.renew(transaction, job.lease, now + _PAUSE)
                return
            if isinstance(ending, _Failed):
                practice_results.record_failure(transaction, job.lease, ending.explanation, now)
                return
            gap = _to_score(ending)
            practice_results.record_result(transaction, job.lease, ending.result, gap, now)
            self._checkpoint("practice-recording")
            if gap is not None and submissions.is_public(transaction, submission.id):
                boards.touch_board(transaction, board_of(submission), now)


def _add_interval(found: PracticeResult, pair: IndependentDifferences, figure: str, gap: float) -> PracticeResult:
    """Return a result with the interval of its gap, in the decimals that boards show; or with why there is none."""
    refusal = pair.find_refusal(figure)
    if refusal is not None:
        return replace(found, explanation=refusal)
    ends = find_gap_interval(pair, figure, gap)
    if ends is None:
        has_ends = pair.compare_figures([figure])[0].low is not None
        return replace(found, explanation=NOT_THE_SAME if has_ends else pair.few_telling)
    return replace(found, low=round_down(ends[0]), high=round_up(ends[1]))


def _find_score(test: _Test, figure: str) -> Score:
    stored = next((one for one in test.scores if one.key == figure), None)
    return Score(None, 0) if stored is None else Score(stored.value, stored.n or 0)


def _to_score(scored: _Scored) -> ScoreRecord | None:
    """Return the gap as a score of the evaluation that it belongs to; its note states what was subtracted."""
    result, tested = scored
    if result.gap is None or result.value is None or tested is None:
        return None
    error = "" if result.standard_error is None else f" ± {100 * result.standard_error:.1f}"
    note = f"Practice {100 * result.value:.1f}{error} %, test {100 * tested:.1f} %."
    note += f" {result.explanation}" if result.explanation else ""
    # A row states the signature of its test score, which stays the same when the practice file is replaced.
    note += f" Practice signature: {result.signature}."
    column = PRACTICE_COLUMN
    return ScoreRecord(
        column.slice, column.metric, result.gap, result.n_items, note=note, low=result.low, high=result.high
    )
