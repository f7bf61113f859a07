"""Re-evaluation, run by evaluators one step at a time.

A step begins a re-evaluation, scores one submission of it, or ends it. Each is written in one transaction under the
step's lease, so that an evaluator may die anywhere. What is current changes only in the last step, for all at once: a
board goes from the old signature to the new one in a single revision.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from db.admin_records import ReevaluationRecord, ReevaluationRowRecord, Scope
from db.lease_records import Job, Lease
from db.records import CandidateRecord
from db.repositories import audit, boards, editions, evaluations, reevaluations, submissions, workers
from db.repositories.boards import BoardKey
from db.repositories.leases import LeaseLostError
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError
from submissions.competitions.ladder_release import round_released
from submissions.jobs.leased_jobs import LEASE, Checkpoint, RequestedJob, explain_failure
from submissions.judging.errors import (
    HeldError,
    JudgingError,
    JudgingStoppedError,
    NoVerdictsError,
    SpentError,
    UnaskedError,
    UnreadableJudgeError,
)
from submissions.lifecycle import MAX_ATTEMPTS
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.question_keys import LostEditionError
from submissions.ranking.standings import list_judged
from submissions.rescoring.changes import (
    Change,
    RankChange,
    compare_score_records,
    describe_changes,
    find_places,
    list_shown,
)
from submissions.rescoring.eligibility import JUDGE, find_lacking_judge, find_refusal, is_affected
from submissions.rescoring.target_rules import is_on_target, list_edition_rules, list_targets
from submissions.scoring.evaluator import Evaluator, LeaseKeeper, ScoredFile
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import note_waiting, to_result

_LOG = logging.getLogger(__name__)
_JUDGE_REST = timedelta(minutes=5)
_LONG_JUDGE_REST = timedelta(hours=6)
_LOST = f"The evaluator stopped {MAX_ATTEMPTS} times during this re-evaluation. This is our error."
_WITHDRAWN = "The submission was withdrawn."
_JUDGED_MEANWHILE = (
    "Its open answers were judged in the meantime, and these scores are current. Run a new preview: it lists the row "
    "if they carry an old signature."
)
_MOVED = (
    "The answer key, the questions or the rules changed during the re-evaluation. Nothing was changed. Start again "
    "with a dry run."
)


class _MovedTargetError(Exception):
    """Today's signatures differ from those at the beginning."""


class Reevaluator(RequestedJob[ReevaluationRecord, str]):
    """Runs re-evaluations one after the other, a step at a time."""

    leases = reevaluations.LEASES
    max_attempts = MAX_ATTEMPTS
    claimed_label = "step-claimed"

    def __init__(
        self,
        database: Database,
        evaluator: Evaluator,
        worker: str,
        checkpoint: Checkpoint = lambda _label: None,
        dry: Evaluator | None = None,
    ) -> None:
        """Take the evaluator that scores, and the name of the claiming process.

        `dry` scores in dry runs, if those must cost nothing; by default the same one.
        """
        super().__init__(database, worker, checkpoint)
        self._evaluator = evaluator
        self._dry = dry or evaluator

    def _find_next(self, transaction: Transaction, now: datetime) -> Lease | None:
        found = reevaluations.find_first_open(transaction)
        if found is None or self._evaluator.judge:
            return found
        # If an evaluator has a judge, it has to run this, because rows with open answers need it.
        return found if workers.find_judge(transaction, now) is None else None

    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> ReevaluationRecord | None:
        return reevaluations.claim_step(transaction, current, lease)

    def _work(self, job: Job[ReevaluationRecord]) -> None:
        row = self._find_row(job)
        if row is not None:
            self._score(job, row)
        elif job.work.state == "running":
            self._finish(job)
        else:
            self._begin(job)

    def _find_row(self, job: Job[ReevaluationRecord]) -> ReevaluationRowRecord | None:
        if job.work.state != "running":
            return None
        with self._database.read() as transaction:
            return reevaluations.find_waiting_row(transaction, job.work.id)

    def _give_up(self, job: Job[ReevaluationRecord]) -> str | None:
        """End what evaluators keep dying over: one submission if possible, otherwise the whole re-evaluation."""
        row = self._find_row(job)
        if row is None:
            return _LOST
        with self._database.write() as transaction:
            reevaluations.end_row(transaction, job.lease, replace(row, state="failed", reason=_LOST))
        return None

    def _explain(self, job: Job[ReevaluationRecord], error: Exception) -> str:
        return _MOVED if isinstance(error, _MovedTargetError) else explain_failure("re-evaluation", job.lease, error)

    def _end(self, job: Job[ReevaluationRecord], explanation: str, state: str = "failed") -> None:
        """End a re-evaluation without a result."""
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            reevaluations.end_reevaluation(transaction, job.lease, state, now, explanation=explanation)
            reevaluations.drop_new_evaluations(transaction, job.work.id)

    # --- the beginning ----------------------------------------------------------------------------------------------

    def _begin(self, job: Job[ReevaluationRecord]) -> None:
        scope = job.work.scope
        key, target = self._find_target(scope)
        with self._database.read() as transaction:
            scored = reevaluations.list_scored_files(transaction, scope)
            seeds = editions.find_seeds(transaction, {one.submission.edition or "" for one in scored})
            looked_at = reevaluations.list_targets_looked_at(transaction, scope)
        lease_keeper = LeaseKeeper(lambda _progress: self._extend_lease(job))
        benchmark = get_benchmark(scope.benchmark, scope.version)
        rules = target | list_edition_rules(benchmark, key, scored, seeds, lease_keeper.renew_when_due)
        affected = [one for one in scored if is_affected(one, rules)]
        refusal = find_refusal(job.work, scored, affected, has_looked=target in looked_at)
        if refusal is None and not self._evaluator.judge:
            refusal = find_lacking_judge(affected)
        if refusal is not None:
            self._end(job, refusal, "refused")
            return
        with self._database.write() as transaction:
            reevaluations.begin(transaction, job.lease, target, affected, datetime.now(UTC))

    def _find_target(self, scope: Scope) -> tuple[AnswerKey, dict[str, str]]:
        """Return today's key, and the targets of everything scored with it."""
        benchmark = get_benchmark(scope.benchmark, scope.version)
        key = self._evaluator.get_key(scope.benchmark, scope.version)
        target = list_targets(benchmark, key)
        has_judge = bool(self._evaluator.judge and benchmark.open_questions(key))
        return key, target | ({JUDGE: self._evaluator.judge} if has_judge else {})

    # --- one submission ---------------------------------------------------------------------------------------------

    def _score(self, job: Job[ReevaluationRecord], row: ReevaluationRowRecord) -> None:
        started_at = datetime.now(UTC)
        try:
            outcome: ScoredFile | ReevaluationRowRecord | str = self._score_file(job, row)
        except (PredictionFileError, HeldError, LostEditionError, NoVerdictsError) as error:
            outcome = str(error)
        except UnaskedError as error:
            outcome = replace(row, state="unasked", judge_calls=error.usual, most_judge_calls=error.most)
        except JudgingError as error:
            _LOG.warning("%s: %s", job.lease.name, error)
            self._put_off(job, _find_resumption(error))
            return
        except (LeaseLostError, _MovedTargetError):
            raise
        except Exception as error:  # noqa: BLE001 - one file that cannot be scored does not keep the others from it
            incident = log_incident(f"{job.lease.name}, submission {row.submission_id} failed", error)
            outcome = f"Scoring failed on our side. Reference {incident}."
        with self._database.write() as transaction:
            if isinstance(outcome, str):
                reevaluations.end_row(transaction, job.lease, replace(row, state="failed", reason=outcome))
            elif isinstance(outcome, ReevaluationRowRecord):
                reevaluations.end_row(transaction, job.lease, outcome)
            else:
                self._record(transaction, job, row, outcome, started_at)
        self._checkpoint("row-recorded")

    def _put_off(self, job: Job[ReevaluationRecord], until: datetime) -> None:
        """Postpone a step until a time, or until this evaluator ends, without counting an attempt."""
        with self._database.write() as transaction:
            self.leases.renew(transaction, job.lease, until, attempts=job.lease.attempts - 1)

    def _score_file(self, job: Job[ReevaluationRecord], row: ReevaluationRowRecord) -> ScoredFile | str:
        """Return the scored file, or why it cannot be scored."""
        with self._database.read() as transaction:
            submission = submissions.find_submission(transaction, row.submission_id)
        if submission is None or not submission.has_scores:
            return _WITHDRAWN
        if submission.current_evaluation_id != row.old_evaluation_id:
            return _JUDGED_MEANWHILE
        evaluator = self._dry if job.work.dry_run else self._evaluator
        is_pending = submission.is_open_pending
        # Judging open answers for the first time belongs to the judge's queue.
        scored = evaluator.score_file(submission, lambda _progress: self._extend_lease(job), judges_open=not is_pending)
        if not is_on_target(submission, scored.report.signature, job.work.target):
            raise _MovedTargetError
        if scored.report.awaiting_judge and is_pending:
            return scored._replace(report=note_waiting(scored.report))
        if scored.report.awaiting_judge:
            n_answers = len(scored.report.awaiting_judge)
            return f"{n_answers:,} open answers need a judge, but this server has none."
        return scored

    def _record(
        self,
        transaction: Transaction,
        job: Job[ReevaluationRecord],
        row: ReevaluationRowRecord,
        scored: ScoredFile,
        started_at: datetime,
    ) -> None:
        """Store the comparison and, unless it is a dry run, the new evaluation beside the current one."""
        report, key = scored
        benchmark = get_benchmark(key.benchmark, key.version)
        old = evaluations.list_scores(transaction, row.old_evaluation_id)
        submission = submissions.find_submission(transaction, row.submission_id)
        if submission is None:
            raise ValueError(f"submission {row.submission_id} does not exist")
        scores = round_released(transaction, benchmark, key, submission, report)
        changes = compare_score_records(benchmark, old, scores)
        evaluation_id = None
        if not job.work.dry_run:
            evaluation_id = evaluations.add_replacement(
                transaction, row.submission_id, started_at, self._worker, datetime.now(UTC)
            )
            result = to_result(benchmark, report, seal_outcomes(key, evaluation_id, report.outcomes))
            evaluations.fill_replacement(transaction, evaluation_id, replace(result, scores=tuple(scores)))
        self._checkpoint("row-recording")
        done = replace(
            row,
            state="scored",
            new_evaluation_id=evaluation_id,
            signature=str(report.signature),
            ranking=report.signature.ranking,
            figures=changes.shown,
            n_figures=changes.n_figures,
            n_changed=changes.n_changed,
        )
        reevaluations.end_row(transaction, job.lease, done)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _finish(self, job: Job[ReevaluationRecord]) -> None:
        reevaluation = job.work
        key, target = self._find_target(reevaluation.scope)
        if target != reevaluation.target:
            raise _MovedTargetError
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            # First, so that no other evaluator ends it too.
            self.leases.renew(transaction, job.lease, now + LEASE)
            changes = list_changes(transaction, reevaluation, lock=not reevaluation.dry_run)
            if not reevaluation.dry_run:
                changes = [_check_still_scored(change) for change in changes]
            result = _make_result(transaction, get_benchmark(key.benchmark, key.version), key, changes)
            if not reevaluation.dry_run:
                _switch(transaction, reevaluation, changes, now)
            self._checkpoint("switching")
            reevaluations.end_reevaluation(transaction, job.lease, "done", now, result=result)
        self._checkpoint("switched")


def _find_resumption(error: JudgingError) -> datetime:
    """Return until when a step is postponed because its judge is unavailable."""
    now = datetime.now(UTC)
    if isinstance(error, SpentError):
        return error.resumes_at
    if isinstance(error, JudgingStoppedError):
        return now
    return now + (_LONG_JUDGE_REST if isinstance(error, UnreadableJudgeError) else _JUDGE_REST)


def list_changes(transaction: Transaction, reevaluation: ReevaluationRecord, *, lock: bool) -> list[Change]:
    """Return the submissions of a re-evaluation with their old and new evaluations.

    Args:
        transaction: Transaction to read in.
        reevaluation: The re-evaluation.
        lock: Whether the submissions are about to change. Without a lock a judge could claim one on PostgreSQL after
            the result was computed: the result would then report a row as re-scored that was not switched.
    """
    found = []
    for row in reevaluations.list_rows(transaction, reevaluation.id):
        if lock:
            submissions.lock_submission(transaction, row.submission_id)
        submission = submissions.find_submission(transaction, row.submission_id)
        old = evaluations.find_evaluation(transaction, row.old_evaluation_id)
        if submission is not None and old is not None:
            found.append(Change(submission, old, row))
    return found


def _check_still_scored(change: Change) -> Change:
    """Return a change, or none if the submission was withdrawn or judged since it was re-scored."""
    if change.row.state == "failed":
        return change
    if not change.submission.has_scores:
        return replace(change, row=replace(change.row, state="failed", reason=_WITHDRAWN))
    if change.submission.current_evaluation_id != change.old.id:
        return replace(change, row=replace(change.row, state="failed", reason=_JUDGED_MEANWHILE))
    return change


def _make_result(
    transaction: Transaction, benchmark: Benchmark, key: AnswerKey, changes: Sequence[Change]
) -> dict[str, Any]:
    places: dict[str, RankChange] = {}
    names: dict[str, str] = {}
    for setting in sorted({change.submission.setting for change in changes}):
        board = BoardKey(benchmark.id, benchmark.version, setting)
        candidates = _list_candidates(transaction, benchmark, board)
        of_board = [change for change in changes if change.submission.setting == setting]
        judged = list_judged(transaction, benchmark, board)
        found = find_places(benchmark, candidates, of_board, find_rankings(benchmark, key, setting), judged)
        places |= found
        names |= _name_others(transaction, found)
    return describe_changes(benchmark, changes, places, names)


def _list_candidates(transaction: Transaction, benchmark: Benchmark, board: BoardKey) -> list[CandidateRecord]:
    """Return the default scores of the public rows, which include their leading scores."""
    return boards.list_candidates(transaction, board, list_shown(benchmark), benchmark.min_public_items)


def _name_others(transaction: Transaction, places: Mapping[str, RankChange]) -> dict[str, str]:
    moved = (name for name, place in places.items() if place.old != place.new)
    found = (submissions.find_submission(transaction, name) for name in moved)
    return {submission.id: submission.model.name for submission in found if submission is not None}


def _switch(
    transaction: Transaction, reevaluation: ReevaluationRecord, changes: Sequence[Change], now: datetime
) -> None:
    """Make every new evaluation the current one, with an event for its submission, and request new board revisions."""
    for change in changes:
        submission, row = change.submission, change.row
        is_new = row.state == "scored" and row.new_evaluation_id is not None
        current = row.new_evaluation_id if is_new else submission.current_evaluation_id
        text = f"Re-scored: {reevaluation.reason}" if is_new else f"Re-scoring failed: {reevaluation.reason}"
        state = submission.state
        if not submissions.change_state(transaction, submission.id, [state], now, current_evaluation_id=current):
            raise RuntimeError(f"Submission {submission.id} changed while it was locked.")
        submissions.add_event(
            transaction,
            submission.id,
            actor=reevaluation.requested_by,
            from_state=state,
            to_state=state,
            text=text,
            now=now,
        )
    scope = reevaluation.scope
    for setting in sorted({change.submission.setting for change in changes}):
        boards.touch_board(transaction, BoardKey(scope.benchmark, scope.version, setting), now)
    details = {"reason": reevaluation.reason, "re-evaluation": reevaluation.id, "submissions": len(changes)}
    audit.append(transaction, reevaluation.requested_by, "re-evaluate", scope.name, details, now)
