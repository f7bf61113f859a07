"""Comparison requests: the web process's part, which opens no outcomes.

What is not stored yet is requested from an evaluator. The number of open requests is limited, in total and per client;
pairs of files that one user may compare are counted, because each comparison of two of their own files is another
query to the answer key. See docs/methods.md (Comparisons).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from db.comparison_records import ComparisonRecord, NewComparison, PairKey
from db.errors import DuplicateError
from db.model_records import ModelIdentity
from db.records import EvaluationRecord, SubmissionRecord, UserRecord
from db.repositories import comparisons, evaluations, models, users, workers
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.signature import drop_questions
from submissions.accounts.credentials import SYSTEM_USER, Accounts
from submissions.comparisons.differences import (
    RULE,
    ComparisonResult,
    from_result,
    have_same_judge,
    subtract_scores,
    turn_around,
)
from submissions.errors import BadRequestError, NotReadyError, StateError, TooManyWaitingError
from submissions.service import SubmissionService

MAX_WAITING = 24
MAX_WAITING_OF_VISITORS = 12
MAX_WAITING_OF_ONE = 4
# The same as the submission limit for a version of a benchmark; docs/methods.md has the reason.
MAX_CHARGED_PAIRS = 60
_VISITORS = "visitors"
_TRY_AGAIN_AFTER = timedelta(seconds=60)
REPORTED = (
    "Reported and human rows have no item-level outcomes, so we can only show the plain difference of the scores."
)
NO_OUTCOMES = "Not both rows have item-level outcomes, so we can only show the plain difference of the scores."
SPENT = (
    f"You have compared {MAX_CHARGED_PAIRS} pairs of your submissions on this version, which is the maximum: more "
    "would reveal the answer key. We can only show the plain difference of the scores."
)


class ComparedSubmission(NamedTuple):
    """One side: a submission, its current evaluation, and the model it is shown under if that is another one."""

    submission: SubmissionRecord
    evaluation: EvaluationRecord
    shown_as: ModelIdentity | None = None

    @property
    def name(self) -> str:
        """Name of its model on boards."""
        return self.shown_as.name if self.shown_as else self.submission.model.name


@dataclass(frozen=True, slots=True)
class SubmissionPair:
    """Two comparable submissions that a user may see.

    Attributes:
        benchmark: Benchmark version of both.
        a: The first in the request.
        b: The other.
        plain_reason: Why only their scores can be subtracted; None if they are compared by items.
    """

    benchmark: Benchmark
    a: ComparedSubmission
    b: ComparedSubmission
    plain_reason: str | None

    @property
    def is_turned(self) -> bool:
        """Whether the stored comparison, which is ordered by id, is reversed."""
        return self.a.submission.id > self.b.submission.id

    @property
    def is_public(self) -> bool:
        """Whether both are public."""
        return all(side.submission.visibility == "public" for side in (self.a, self.b))


class Comparisons:
    """Finds stored comparisons, and requests missing ones."""

    def __init__(self, database: Database, service: SubmissionService, accounts: Accounts) -> None:
        self._database = database
        self._service = service
        self._accounts = accounts

    def find_pair(self, benchmark: str, a: str, b: str, viewer: UserRecord | None) -> SubmissionPair:
        """Return two comparable submissions.

        Raises:
            NotFoundError: One does not exist, or the viewer may not see it.
            BadRequestError, StateError: They cannot be compared.
        """
        sides = [self._find_side(name, viewer) for name in (a, b)]
        if a == b:
            raise BadRequestError("b", "a and b are the same submission. Choose two submissions of one board.")
        _require_same_board(benchmark, sides)
        reason = _find_plain_reason(sides)
        if reason is None:
            _require_same_rules(*sides)
        submission = sides[0].submission
        return SubmissionPair(get_benchmark(submission.benchmark, submission.version), sides[0], sides[1], reason)

    def find_or_ask(self, pair: SubmissionPair, viewer: UserRecord | None) -> ComparisonResult | None:
        """Return the answer; None if it has been requested from an evaluator.

        Raises:
            NotReadyError: No evaluator is active, or the comparison failed a moment ago.
            TooManyWaitingError: Too many comparisons are queued.
        """
        if pair.plain_reason is not None:
            with self._database.read() as transaction:
                return _subtract(transaction, pair, pair.plain_reason)
        found = self._find_comparison(pair)
        if found is not None and found.state == "done":
            return _read(pair, found)
        if found is not None and found.state in ("queued", "running"):
            self._require_evaluator()
            return None
        if found is not None and found.state == "failed" and _is_recent(found):
            raise NotReadyError(found.explanation or "The comparison failed. Try again in a minute.")
        return self._subtract_without_outcomes(pair) or self._ask(pair, viewer)

    def find_result(self, pair: SubmissionPair) -> ComparisonResult | None:
        """Return the answer if it exists by now.

        Raises:
            NotReadyError: The comparison failed.
        """
        found = self._find_comparison(pair)
        if found is not None and found.state == "failed":
            raise NotReadyError(found.explanation or "The comparison failed. Try again in a minute.")
        return _read(pair, found) if found is not None and found.state == "done" else None

    def _find_side(self, submission_id: str, viewer: UserRecord | None) -> ComparedSubmission:
        submission = self._service.get_visible(submission_id, viewer)
        with self._database.read() as transaction:
            current = submission.current_evaluation_id
            evaluation = None if current is None else evaluations.find_evaluation(transaction, current)
            if not submission.has_scores or evaluation is None:
                raise StateError(f"{submission.id} is {submission.state}. Choose a scored submission.")
            return ComparedSubmission(submission, evaluation, models.find_other_name(transaction, submission.model.id))

    def _find_comparison(self, pair: SubmissionPair) -> ComparisonRecord | None:
        with self._database.read() as transaction:
            return comparisons.find_comparison(transaction, _key_of(pair))

    def _require_evaluator(self) -> None:
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            seen = workers.list_workers(transaction, now)
        if not seen or not seen[0].is_active(now):
            raise NotReadyError("No evaluator is running, so nothing can be compared. Try again later.")

    def _subtract_without_outcomes(self, pair: SubmissionPair) -> ComparisonResult | None:
        ids = pair.a.evaluation.id, pair.b.evaluation.id
        with self._database.read() as transaction:
            if len(comparisons.list_with_outcomes(transaction, ids)) == len(ids):
                return None
            return _subtract(transaction, pair, NO_OUTCOMES)

    def _ask(self, pair: SubmissionPair, viewer: UserRecord | None) -> ComparisonResult | None:
        self._require_evaluator()
        asked_by = _VISITORS if viewer is None else f"person {viewer.id}"
        first, second = _in_order(pair)
        charge = self._find_charge(pair, viewer)
        new = NewComparison(_key_of(pair), first.submission.id, second.submission.id, asked_by, charge)
        try:
            with self._database.write(acknowledged=False) as transaction:
                return self._write_down(transaction, pair, new)
        except DuplicateError:
            return None  # Two concurrent requests: the other one was first.

    def _write_down(
        self, transaction: Transaction, pair: SubmissionPair, new: NewComparison
    ) -> ComparisonResult | None:
        now = datetime.now(UTC)
        # Lock the owners whose allowance is used, or two pairs could take the last place; always in the same order,
        # so that two requests never deadlock.
        for owner in sorted({side.submission.owner.id for side in (pair.a, pair.b)}) if new.charge is not None else ():
            users.lock_user(transaction, owner)
        found = comparisons.find_comparison(transaction, new.pair)
        if found is not None and found.state in ("queued", "running", "done"):
            return None
        if new.charge is not None and _is_spent(transaction, new, new.charge):
            return _subtract(transaction, pair, SPENT)
        comparisons.lock_queue(transaction)
        _require_room(comparisons.count_waiting(transaction), new.asked_by)
        if found is None:
            comparisons.add_comparison(transaction, new, now)
        else:
            comparisons.queue_again(transaction, new.pair, new.asked_by, now)
        return None

    def _find_charge(self, pair: SubmissionPair, viewer: UserRecord | None) -> str | None:
        """Return the allowance that a pair counts against, or None.

        Only its owner can compare a private file, which counts against the owner's queries. Two published files of one
        owner count against a separate allowance, whoever requests it, so that visitors cannot use up the first.
        """
        if not pair.benchmark.answers_are_secret or self._accounts.is_maintainer(viewer):
            return None
        version = f"{pair.benchmark.id}|{pair.benchmark.version}"
        owners = {side.submission.owner for side in (pair.a, pair.b)}
        if not pair.is_public:
            return f"private|{viewer.id if viewer is not None else 0}|{version}"
        owner = next(iter(owners))
        return f"public|{owner.id}|{version}" if len(owners) == 1 and owner.name != SYSTEM_USER else None


def _require_same_board(benchmark: str, sides: Sequence[ComparedSubmission]) -> None:
    for name, side in zip("ab", sides, strict=True):
        if side.submission.benchmark != benchmark:
            found = side.submission.benchmark
            raise StateError(f"{name} belongs to {found}, not to {benchmark[:60]}. Send benchmark={found}.")
    one, other = (side.submission for side in sides)
    if (one.version, one.setting) != (other.version, other.setting):
        raise StateError(
            f"a belongs to version {one.version}, setting {one.setting}; b belongs to version {other.version}, "
            f"setting {other.setting}. Choose two rows of one board."
        )


def _require_same_rules(a: ComparedSubmission, b: ComparedSubmission) -> None:
    one, other = a.evaluation.ranking, b.evaluation.ranking
    if (a.submission.edition is None) != (b.submission.edition is None):
        # Only an evaluator can tell whether the shared questions are of the design of the edition.
        one, other = (drop_questions(ranking) for ranking in (one, other))
    if one and other and one != other:
        raise StateError(
            f"The scores of a and b use different rules ({_name_changes(one, other)}), so they cannot be compared. "
            "Ask a maintainer to re-score the older one."
        )


def _name_changes(one: str, other: str) -> str:
    """Return the fields in which two signatures differ, such as `key`."""
    fields = {part.partition(":")[0] for part in set(one.split("|")) ^ set(other.split("|"))}
    return ", ".join(sorted(fields))


def _find_plain_reason(sides: Sequence[ComparedSubmission]) -> str | None:
    return REPORTED if any(side.submission.source in ("reported", "human") for side in sides) else None


def _is_recent(found: ComparisonRecord) -> bool:
    return found.finished_at is not None and found.finished_at > datetime.now(UTC) - _TRY_AGAIN_AFTER


def _is_spent(transaction: Transaction, new: NewComparison, charge: str) -> bool:
    n_charged = comparisons.count_charged(transaction, charge)
    return n_charged >= MAX_CHARGED_PAIRS and not comparisons.is_charged(transaction, new)


def _require_room(waiting: dict[str, int], asked_by: str) -> None:
    most = MAX_WAITING_OF_VISITORS if asked_by == _VISITORS else MAX_WAITING_OF_ONE
    if waiting.get(asked_by, 0) >= most:
        who = "visitors" if asked_by == _VISITORS else "you"
        raise TooManyWaitingError(f"{most} comparisons for {who} are already queued. Try again in a few seconds.")
    if sum(waiting.values()) >= MAX_WAITING:
        raise TooManyWaitingError(f"{MAX_WAITING} comparisons are already queued. Try again in a few seconds.")


def _in_order(pair: SubmissionPair) -> tuple[ComparedSubmission, ComparedSubmission]:
    return (pair.b, pair.a) if pair.is_turned else (pair.a, pair.b)


def _key_of(pair: SubmissionPair) -> PairKey:
    first, second = _in_order(pair)
    return PairKey(first.evaluation.id, second.evaluation.id, RULE)


def _subtract(transaction: Transaction, pair: SubmissionPair, reason: str) -> ComparisonResult:
    a, b = (evaluations.list_scores(transaction, side.evaluation.id) for side in (pair.a, pair.b))
    same_judge = have_same_judge(pair.benchmark, pair.a.evaluation, pair.b.evaluation)
    return ComparisonResult(subtract_scores(pair.benchmark, a, b, same_judge=same_judge), reason)


def _read(pair: SubmissionPair, found: ComparisonRecord) -> ComparisonResult:
    result = found.result or {"differences": [], "reason": None}
    differences = from_result(result)
    if pair.is_turned:
        differences = [turn_around(one) for one in differences]
    return ComparisonResult(differences, result["reason"], result.get("independent", False))
