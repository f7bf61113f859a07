"""Comparing two scorings: an evaluator's side of it, since nobody else may open outcomes."""

import logging
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from db.comparison_records import ComparisonLease, OpenComparison
from db.records import EvaluationRecord, ScoreRecord, SealedOutcomes, SubmissionRecord
from db.repositories import comparisons, evaluations, submissions
from db.repositories.evaluations import LeaseLostError
from db.session import Database
from evaluation.answer_keys import find_key
from evaluation.benchmarks import get_benchmark
from evaluation.errors import AnswerKeyError
from evaluation.incidents import log_incident
from submissions.comparisons.differences import ScoreDifference, have_same_judge, subtract_figures, to_result
from submissions.comparisons.paired_differences import PairedDifferences, ScoringOutcomes
from submissions.jobs.worker_names import is_known_dead
from submissions.ranking.rank_ranges import read_outcomes
from submissions.ranking.standings import find_ranking
from submissions.scoring.evaluator import Checkpoint
from submissions.scoring.score_disclosure import disclose_differences

_LOG = logging.getLogger(__name__)
_LEASE = timedelta(seconds=60)
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

_Side = tuple[SubmissionRecord, EvaluationRecord, list[ScoreRecord], SealedOutcomes]


class Comparer:
    """Carries out comparisons, one after the other."""

    def __init__(
        self, database: Database, keys_dir: Path, worker: str, checkpoint: Checkpoint = lambda _label: None
    ) -> None:
        self._database = database
        self._keys_dir = keys_dir
        self._worker = worker
        self._checkpoint = checkpoint

    def run_next(self) -> bool:
        """Make the comparison that has waited longest; False when none waits, or others are at it."""
        lease = self._claim()
        if lease is None:
            return False
        self._checkpoint("comparison-claimed")
        result, explanation = (None, _LOST) if lease.attempts > MAX_ATTEMPTS else self._attempt(lease)
        self._checkpoint("compared")
        try:
            with self._database.write() as transaction:
                now = datetime.now(UTC)
                comparisons.end_comparison(transaction, lease, now, result=result, explanation=explanation)
                comparisons.drop_oldest(transaction, KEPT_RESULTS)
                self._checkpoint("comparison-recording")
        except LeaseLostError as error:
            _LOG.warning("%s", error)
        return True

    def _claim(self) -> ComparisonLease | None:
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            found = comparisons.find_first_open(transaction)
        if found is None or not _is_free(found, now):
            return None
        token = secrets.token_hex(16)
        with self._database.write() as transaction:
            return comparisons.claim(transaction, found, worker=self._worker, token=token, expires_at=now + _LEASE)

    def _attempt(self, lease: ComparisonLease) -> tuple[dict[str, Any] | None, str | None]:
        """Return a result, or why there is none."""
        try:
            differences, reason = self._compare(lease)
        except AnswerKeyError as error:
            _LOG.error("comparison %d: %s", lease.id, error)
            return None, "The answer key is missing or unusable. The evaluator's log has details."
        except Exception as error:  # noqa: BLE001 - the outer edge: whatever happens, the request comes to an end
            incident = log_incident(f"comparison {lease.id} failed", error)
            return None, f"The comparison failed on our side. Reference {incident}."
        return {**to_result(differences), "reason": reason}, None

    def _compare(self, lease: ComparisonLease) -> tuple[list[ScoreDifference], str | None]:
        """Return the differences, and why they are plain ones if they are."""
        first, second = self._read(lease)
        submission = first[0]
        benchmark = get_benchmark(submission.benchmark, submission.version)
        key = find_key(self._keys_dir, benchmark.id, benchmark.version, "test")
        if key is None:
            raise AnswerKeyError(f"No answer key of {benchmark.id} {benchmark.version} in {self._keys_dir}.")
        same_judge = have_same_judge(benchmark, first[1], second[1])
        plain = subtract_figures(benchmark, first[2], second[2], same_judge=same_judge)
        if {one[1].ranking for one in (first, second)} != {find_ranking(benchmark, key, submission.setting)}:
            return plain, OUTDATED
        opened = read_outcomes(benchmark, key, {one[1].id: one[3] for one in (first, second)})
        if len(opened) < 2:
            return plain, UNREADABLE
        pair = PairedDifferences(
            benchmark, key, *(ScoringOutcomes(one[0].id, opened[one[1].id]) for one in (first, second))
        )
        return disclose_differences(benchmark, pair.add_to(plain)), None

    def _read(self, lease: ComparisonLease) -> tuple[_Side, _Side]:
        pair = lease.pair
        wanted = (
            (lease.first_submission_id, pair.first_evaluation_id),
            (lease.second_submission_id, pair.second_evaluation_id),
        )
        sides: list[_Side] = []
        with self._database.read() as transaction:
            for submission_id, evaluation_id in wanted:
                submission = submissions.find_submission(transaction, submission_id)
                evaluation = evaluations.find_evaluation(transaction, evaluation_id)
                sealed = evaluations.find_outcomes(transaction, evaluation_id)
                if submission is None or evaluation is None or sealed is None:
                    raise LookupError(f"Scoring {evaluation_id} of {submission_id} or its outcomes no longer exist.")
                scores = evaluations.list_scores(transaction, evaluation_id)
                sides.append((submission, evaluation, scores, sealed))
        return sides[0], sides[1]


def _is_free(found: OpenComparison, now: datetime) -> bool:
    if found.token is None or found.expires_at is None or found.expires_at < now:
        return True
    return found.worker is not None and is_known_dead(found.worker)
