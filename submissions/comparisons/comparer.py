"""Comparison of two evaluations, run by evaluators, because nobody else can open outcomes."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from db.comparison_records import ComparisonRecord
from db.lease_records import Job, Lease
from db.records import EvaluationRecord, ScoreRecord, SealedOutcomes, SubmissionRecord
from db.repositories import comparisons, editions, evaluations, submissions
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, find_key
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import AnswerKeyError
from submissions.comparisons.differences import ComparisonResult, have_same_judge, subtract_scores, to_result
from submissions.comparisons.independent_differences import ScoredQuestions, make_item_differences
from submissions.jobs.leased_jobs import Checkpoint, RequestedJob, explain_failure
from submissions.ranking.board_outcomes import read_outcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.question_keys import find_question_key
from submissions.scoring.score_disclosure import disclose_differences

MAX_ATTEMPTS = 3
KEPT_RESULTS = 1_000
_LOST = f"The evaluator stopped {MAX_ATTEMPTS} times during this comparison. This is our error."
OUTDATED = (
    "These scores use an earlier answer key or earlier scoring rules, so we can only show the plain difference of "
    "the scores."
)
UNREADABLE = (
    "The item-level outcomes of these scores are no longer readable, so we can only show the plain difference of the "
    "scores."
)

_Side = tuple[SubmissionRecord, EvaluationRecord, list[ScoreRecord], SealedOutcomes, str | None]
# A result, or why there is none.
_Ending = tuple[dict[str, Any] | None, str | None]


class Comparer(RequestedJob[ComparisonRecord, _Ending]):
    """Runs comparisons, the oldest request first."""

    leases = comparisons.LEASES
    max_attempts = MAX_ATTEMPTS
    claimed_label = "comparison-claimed"

    def __init__(
        self, database: Database, keys_dir: Path, worker: str, checkpoint: Checkpoint = lambda _label: None
    ) -> None:
        super().__init__(database, worker, checkpoint)
        self._keys_dir = keys_dir

    def _find_next(self, transaction: Transaction, _now: datetime) -> Lease | None:
        return comparisons.find_first_open(transaction)

    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> ComparisonRecord | None:
        return comparisons.claim_comparison(transaction, current, lease)

    def _work(self, job: Job[ComparisonRecord]) -> _Ending:
        compared = self._compare(job.work)
        result = to_result(compared.differences)
        return {**result, "reason": compared.reason, "independent": compared.is_independent}, None

    def _give_up(self, _job: Job[ComparisonRecord]) -> _Ending:
        return None, _LOST

    def _explain(self, job: Job[ComparisonRecord], error: Exception) -> _Ending:
        return None, explain_failure("comparison", job.lease, error)

    def _end(self, job: Job[ComparisonRecord], ending: _Ending) -> None:
        self._checkpoint("compared")
        with self._database.write() as transaction:
            comparisons.end_comparison(transaction, job.lease, datetime.now(UTC), *ending)
            comparisons.drop_oldest(transaction, KEPT_RESULTS)
            self._checkpoint("comparison-recording")

    def _compare(self, comparison: ComparisonRecord) -> ComparisonResult:
        """Return the differences, and why only scores are subtracted if so."""
        first, second = self._read(comparison)
        submission = first[0]
        benchmark = get_benchmark(submission.benchmark, submission.version)
        key = find_key(self._keys_dir, benchmark.id, benchmark.version, "test")
        if key is None:
            raise AnswerKeyError(f"No answer key of {benchmark.id} {benchmark.version} in {self._keys_dir}.")
        same_judge = have_same_judge(benchmark, first[1], second[1])
        plain = subtract_scores(benchmark, first[2], second[2], same_judge=same_judge)
        rankings = find_rankings(benchmark, key, submission.setting)
        if any(one[1].ranking not in rankings for one in (first, second)):
            return ComparisonResult(plain, OUTDATED)
        opened = _open_outcomes(benchmark, key, first), _open_outcomes(benchmark, key, second)
        if opened[0] is None or opened[1] is None:
            return ComparisonResult(plain, UNREADABLE)
        differences = make_item_differences(benchmark, opened[0], opened[1]).add_to(plain)
        is_independent = first[0].edition != second[0].edition
        return ComparisonResult(disclose_differences(benchmark, differences), None, is_independent)

    def _read(self, comparison: ComparisonRecord) -> tuple[_Side, _Side]:
        pair = comparison.pair
        wanted = (
            (comparison.first_submission_id, pair.first_evaluation_id),
            (comparison.second_submission_id, pair.second_evaluation_id),
        )
        sides: list[_Side] = []
        with self._database.read() as transaction:
            for submission_id, evaluation_id in wanted:
                submission = submissions.find_submission(transaction, submission_id)
                evaluation = evaluations.find_evaluation(transaction, evaluation_id)
                sealed = evaluations.find_outcomes(transaction, evaluation_id)
                if submission is None or evaluation is None or sealed is None:
                    raise LookupError(f"Evaluation {evaluation_id} of {submission_id} or its outcomes no longer exist.")
                scores = evaluations.list_scores(transaction, evaluation_id)
                seed = editions.find_seed(transaction, submission.edition) if submission.edition else None
                sides.append((submission, evaluation, scores, sealed, seed))
        return sides[0], sides[1]


def _open_outcomes(benchmark: Benchmark, key: AnswerKey, side: _Side) -> ScoredQuestions | None:
    """Return the outcomes of an evaluation with the key of its questions; None if they are unreadable."""
    submission, evaluation, _, sealed, seed = side
    own = find_question_key(benchmark, key, submission.edition, seed)
    outcomes = read_outcomes(benchmark, own, {evaluation.id: sealed}).get(evaluation.id)
    return None if outcomes is None else ScoredQuestions(own, outcomes)
