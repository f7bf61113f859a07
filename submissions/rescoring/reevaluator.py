"""Scoring anew what is scored already: an evaluator's side of it, one step at a time.

A step begins a re-evaluation, scores one submission of it, or ends it. Each is written in one transaction under the
lease of that step, so that an evaluator may die anywhere. What is current changes in the last step alone, for all at
once: a board goes from the old signature to the new one in a single revision.
"""

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from db.admin_records import (
    OpenReevaluation,
    ReevaluationLease,
    ReevaluationRecord,
    ReevaluationRowRecord,
    Scope,
)
from db.records import CandidateRecord
from db.repositories import audit, boards, evaluations, reevaluations, submissions, workers
from db.repositories.boards import BoardKey
from db.repositories.leases import LeaseLostError
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import AnswerKeyError
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError
from submissions.jobs.worker_names import SEEN_WITHIN, is_known_dead
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
from submissions.ranking.standings import find_ranking, list_judged
from submissions.rescoring.changes import Change, RankChange, compare_figures, describe_changes, find_places, list_shown
from submissions.rescoring.eligibility import JUDGE, find_lacking_judge, find_refusal, is_affected
from submissions.scoring.evaluator import Checkpoint, Evaluator, ScoredFile
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import note_waiting, to_result
from submissions.scoring.score_disclosure import list_disclosed

_LOG = logging.getLogger(__name__)
_LEASE = timedelta(seconds=60)
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
    """Today's signatures are no longer those at the beginning."""


class Reevaluator:
    """Carries out re-evaluations, one after the other."""

    def __init__(
        self,
        database: Database,
        evaluator: Evaluator,
        worker: str,
        checkpoint: Checkpoint = lambda _label: None,
        dry: Evaluator | None = None,
    ) -> None:
        """Take the evaluator that scores, and the name under which this process claims.

        `dry` scores in dry runs, where that must cost nothing; the same one unless given.
        """
        self._database = database
        self._evaluator = evaluator
        self._dry = dry or evaluator
        self._worker = worker
        self._checkpoint = checkpoint

    def run_step(self) -> bool:
        """Do the next step of the first re-evaluation that is open; False when there is none, or others are at it."""
        lease = self._claim()
        if lease is None:
            return False
        self._checkpoint("step-claimed")
        try:
            self._attempt(lease)
        except LeaseLostError as error:
            _LOG.warning("%s", error)
        return True

    def _claim(self) -> ReevaluationLease | None:
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            found = reevaluations.find_first_open(transaction)
            has_judge = bool(self._evaluator.judge) or workers.find_judge(transaction, now - SEEN_WITHIN) is None
        # Where an evaluator has a judge, it does this: rows with open answers need it.
        if found is None or not has_judge or not _is_free(found, now):
            return None
        token = secrets.token_hex(16)
        with self._database.write() as transaction:
            return reevaluations.claim_step(
                transaction, found, worker=self._worker, token=token, expires_at=now + _LEASE
            )

    def _attempt(self, lease: ReevaluationLease) -> None:
        try:
            self._take_step(lease)
        except LeaseLostError:
            raise
        except _MovedTargetError:
            self._abandon(lease, _MOVED)
        except AnswerKeyError as error:
            _LOG.error("re-evaluation %d: %s", lease.reevaluation.id, error)
            self._abandon(lease, "The answer key is missing or unusable. The evaluator's log has details.")
        except Exception as error:  # noqa: BLE001 - the outer edge: whatever happens, the request comes to an end
            incident = log_incident(f"re-evaluation {lease.reevaluation.id} failed", error)
            self._abandon(lease, f"The re-evaluation failed on our side. Reference {incident}.")

    def _take_step(self, lease: ReevaluationLease) -> None:
        row = None
        if lease.reevaluation.state == "running":
            with self._database.read() as transaction:
                row = reevaluations.find_waiting_row(transaction, lease.reevaluation.id)
        if lease.attempts > MAX_ATTEMPTS:
            self._give_up(lease, row)
        elif row is not None:
            self._score(lease, row)
        elif lease.reevaluation.state == "running":
            self._end(lease)
        else:
            self._begin(lease)

    def _give_up(self, lease: ReevaluationLease, row: ReevaluationRowRecord | None) -> None:
        """End what evaluators keep dying over: one submission where it was one, the whole otherwise."""
        if row is None:
            self._abandon(lease, _LOST)
            return
        with self._database.write() as transaction:
            reevaluations.end_row(transaction, lease, replace(row, state="failed", reason=_LOST))

    def _abandon(self, lease: ReevaluationLease, explanation: str, state: str = "failed") -> None:
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            reevaluations.end_reevaluation(transaction, lease, state, now, explanation=explanation)
            reevaluations.drop_new_evaluations(transaction, lease.reevaluation.id)

    # --- the beginning ----------------------------------------------------------------------------------------------

    def _begin(self, lease: ReevaluationLease) -> None:
        scope = lease.reevaluation.scope
        _, target = self._find_target(scope)
        with self._database.read() as transaction:
            scored = reevaluations.list_scored_files(transaction, scope)
            looked_at = reevaluations.list_targets_looked_at(transaction, scope)
        affected = [one for one in scored if is_affected(one, target)]
        refusal = find_refusal(lease.reevaluation, scored, affected, has_looked=target in looked_at)
        if refusal is None and not self._evaluator.judge:
            refusal = find_lacking_judge(affected)
        if refusal is not None:
            self._abandon(lease, refusal, "refused")
            return
        with self._database.write() as transaction:
            reevaluations.begin(transaction, lease, target, affected, datetime.now(UTC))

    def _find_target(self, scope: Scope) -> tuple[AnswerKey, dict[str, str]]:
        """Return today's key, and setting → the signature of everything that is scored with it, with 0 runs."""
        benchmark = get_benchmark(scope.benchmark, scope.version)
        key = self._evaluator.get_key(scope.benchmark, scope.version)
        target = {setting: benchmark.sign(key, setting=setting, runs=0).rules for setting in benchmark.settings}
        has_judge = bool(self._evaluator.judge and benchmark.open_questions(key))
        return key, target | ({JUDGE: self._evaluator.judge} if has_judge else {})

    # --- one submission ---------------------------------------------------------------------------------------------

    def _score(self, lease: ReevaluationLease, row: ReevaluationRowRecord) -> None:
        started_at = datetime.now(UTC)
        try:
            found: ScoredFile | ReevaluationRowRecord | str = self._score_file(lease, row)
        except (PredictionFileError, HeldError, NoVerdictsError) as error:
            found = str(error)
        except UnaskedError as error:
            found = replace(row, state="unasked", judge_calls=error.usual, most_judge_calls=error.most)
        except JudgingError as error:
            self._put_off(lease, error)
            return
        except (LeaseLostError, _MovedTargetError):
            raise
        except Exception as error:  # noqa: BLE001 - one file that cannot be scored does not keep the others from it
            what = f"re-evaluation {lease.reevaluation.id}, submission {row.submission_id} failed"
            found = f"Scoring failed on our side. Reference {log_incident(what, error)}."
        with self._database.write() as transaction:
            if isinstance(found, str):
                reevaluations.end_row(transaction, lease, replace(row, state="failed", reason=found))
            elif isinstance(found, ReevaluationRowRecord):
                reevaluations.end_row(transaction, lease, found)
            else:
                self._record(transaction, lease, row, found, started_at)
        self._checkpoint("row-recorded")

    def _score_file(self, lease: ReevaluationLease, row: ReevaluationRowRecord) -> ScoredFile | str:
        """Return what a file comes to, or why it comes to nothing."""
        with self._database.read() as transaction:
            submission = submissions.find_submission(transaction, row.submission_id)
        if submission is None or not submission.has_scores:
            return _WITHDRAWN
        if submission.current_evaluation_id != row.old_evaluation_id:
            return _JUDGED_MEANWHILE
        evaluator = self._dry if lease.reevaluation.dry_run else self._evaluator
        is_pending = submission.is_open_pending
        # Judging open answers for the first time is the business of the queue for the judge.
        scored = evaluator.score_file(
            submission, lambda _progress: self._extend_lease(lease), judges_open=not is_pending
        )
        if scored.report.signature.rules != lease.reevaluation.target.get(submission.setting):
            raise _MovedTargetError
        if scored.report.awaiting_judge and is_pending:
            return scored._replace(report=note_waiting(scored.report))
        if scored.report.awaiting_judge:
            n_answers = len(scored.report.awaiting_judge)
            return f"{n_answers:,} open answers need a judge, but this server has none."
        return scored

    def _put_off(self, lease: ReevaluationLease, error: JudgingError) -> None:
        """Let a step rest while its judge cannot be asked; when this evaluator ends, it is free at once."""
        now = datetime.now(UTC)
        until = error.resumes_at if isinstance(error, SpentError) else now + _JUDGE_REST
        if isinstance(error, JudgingStoppedError):
            until = now
        elif isinstance(error, UnreadableJudgeError):
            until = now + _LONG_JUDGE_REST
        _LOG.warning("re-evaluation %d: %s", lease.reevaluation.id, error)
        with self._database.write() as transaction:
            reevaluations.put_off_step(transaction, lease, until)

    def _extend_lease(self, lease: ReevaluationLease) -> None:
        with self._database.write() as transaction:
            reevaluations.keep_step(transaction, lease, datetime.now(UTC) + _LEASE)

    def _record(
        self,
        transaction: Transaction,
        lease: ReevaluationLease,
        row: ReevaluationRowRecord,
        scored: ScoredFile,
        started_at: datetime,
    ) -> None:
        """Write the comparison, and in a real run the new scoring beside the current one."""
        report, key = scored
        benchmark = get_benchmark(key.benchmark, key.version)
        old = evaluations.list_scores(transaction, row.old_evaluation_id)
        changes = compare_figures(benchmark, old, list_disclosed(benchmark, report))
        evaluation_id = None
        if not lease.reevaluation.dry_run:
            evaluation_id = evaluations.add_replacement(
                transaction, row.submission_id, started_at, self._worker, datetime.now(UTC)
            )
            result = to_result(benchmark, report, seal_outcomes(key, evaluation_id, report.outcomes))
            evaluations.fill_replacement(transaction, evaluation_id, result)
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
        reevaluations.end_row(transaction, lease, done)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _end(self, lease: ReevaluationLease) -> None:
        asked = lease.reevaluation
        key, target = self._find_target(asked.scope)
        if target != asked.target:
            raise _MovedTargetError
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            # First, so that nobody else is at the same end.
            reevaluations.keep_step(transaction, lease, now + _LEASE)
            changes = list_changes(transaction, asked, lock=not asked.dry_run)
            if not asked.dry_run:
                changes = [_check_still_scored(change) for change in changes]
            result = _make_result(transaction, get_benchmark(key.benchmark, key.version), key, changes)
            if not asked.dry_run:
                _switch(transaction, asked, changes, now)
            self._checkpoint("switching")
            reevaluations.end_reevaluation(transaction, lease, "done", now, result=result)
        self._checkpoint("switched")


def _is_free(found: OpenReevaluation, now: datetime) -> bool:
    if found.token is None or found.expires_at is None or found.expires_at < now:
        return True
    return found.worker is not None and is_known_dead(found.worker)


def list_changes(transaction: Transaction, asked: ReevaluationRecord, *, lock: bool) -> list[Change]:
    """Return the submissions of a re-evaluation with their old and new scorings.

    Args:
        transaction: Where to read.
        asked: The re-evaluation.
        lock: Whether the submissions are about to change. Without a lock a judge could claim one on PostgreSQL after
            the result was computed: the result would then report a row as re-scored that was not switched.
    """
    found = []
    for row in reevaluations.list_rows(transaction, asked.id):
        if lock:
            submissions.lock_submission(transaction, row.submission_id)
        submission = submissions.find_submission(transaction, row.submission_id)
        old = evaluations.find_evaluation(transaction, row.old_evaluation_id)
        if submission is not None and old is not None:
            found.append(Change(submission, old, row))
    return found


def _check_still_scored(change: Change) -> Change:
    """Return a change, or that there is none where the submission was withdrawn or judged since it was re-scored."""
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
        found = find_places(benchmark, candidates, of_board, find_ranking(benchmark, key, setting), judged)
        places |= found
        names |= _name_others(transaction, found)
    return describe_changes(benchmark, changes, places, names)


def _list_candidates(transaction: Transaction, benchmark: Benchmark, board: BoardKey) -> list[CandidateRecord]:
    """Return the figures first shown of the public rows: a row of some parts alone is known by one of them."""
    candidates = boards.list_candidates(transaction, board, list_shown(benchmark))
    return [one for one in candidates if one.n is None or one.n >= benchmark.min_public_items]


def _name_others(transaction: Transaction, places: Mapping[str, RankChange]) -> dict[str, str]:
    moved = (name for name, place in places.items() if place.old != place.new)
    found = (submissions.find_submission(transaction, name) for name in moved)
    return {submission.id: submission.model.name for submission in found if submission is not None}


def _switch(transaction: Transaction, asked: ReevaluationRecord, changes: Sequence[Change], now: datetime) -> None:
    """Make every new scoring the current one, with an event of its submission, and ask for new boards."""
    for change in changes:
        submission, row = change.submission, change.row
        is_new = row.state == "scored" and row.new_evaluation_id is not None
        current = row.new_evaluation_id if is_new else submission.current_evaluation_id
        text = f"Re-scored: {asked.reason}" if is_new else f"Re-scoring failed: {asked.reason}"
        state = submission.state
        if not submissions.change_state(transaction, submission.id, [state], now, current_evaluation_id=current):
            raise RuntimeError(f"Submission {submission.id} changed while it was locked.")
        submissions.add_event(
            transaction,
            submission.id,
            actor=asked.requested_by,
            from_state=state,
            to_state=state,
            text=text,
            now=now,
        )
    for setting in sorted({change.submission.setting for change in changes}):
        boards.touch_board(transaction, BoardKey(asked.scope.benchmark, asked.scope.version, setting), now)
    details = {"reason": asked.reason, "re-evaluation": asked.id, "submissions": len(changes)}
    audit.append(transaction, asked.requested_by, "re-evaluate", asked.scope.name, details, now)
