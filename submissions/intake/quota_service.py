"""Quota service: decides and records in one transaction whether a user may submit once more."""

from datetime import UTC, datetime

from db.records import SubmissionRecord, UserRecord
from db.repositories import quotas
from db.session import Database, Transaction
from evaluation.benchmarks import Benchmark
from submissions.accounts.credentials import Accounts
from submissions.intake.submission_limits import (
    NO_LIMITS,
    UNLIMITED,
    Quota,
    SubmissionLimits,
    count_quota,
    require_left,
)

# What papers report and what the installation sends itself is nobody's submission.
_COUNTED_SOURCES = ("submitted", "verified")


class Quotas:
    """Counts the submissions of people. Maintainers are not limited, and what they do costs nobody anything.

    A use is given back where a submission ends without a score: see `db.repositories.submissions.change_state`.
    """

    def __init__(self, database: Database, limits: SubmissionLimits, accounts: Accounts) -> None:
        self._database = database
        self._limits = limits
        self._accounts = accounts

    def find_quota(self, user: UserRecord, benchmark: Benchmark, source: str = "submitted") -> Quota:
        """Return what somebody has left for a version of a benchmark, all its settings together."""
        if source not in _COUNTED_SOURCES or self._accounts.is_maintainer(user):
            return UNLIMITED
        with self._database.read() as transaction:
            return self._count(transaction, user, benchmark.id, benchmark.version, datetime.now(UTC))

    def charge(
        self, transaction: Transaction, submission: SubmissionRecord, actor: UserRecord, title: str, now: datetime
    ) -> None:
        """Count a submission that was added or is queued again, unless it counts already.

        The transaction must hold the lock of the owner (`people.lock_user`), or two at once would take one place.

        Raises:
            LimitError: Its owner has nothing left; the transaction must leave no trace.
        """
        if submission.source not in _COUNTED_SOURCES or self._accounts.is_maintainer(actor):
            return
        if quotas.is_used(transaction, submission.id):
            return
        quota = self._count(transaction, submission.owner, submission.benchmark, submission.version, now)
        require_left(quota, title, now)
        quotas.add_use(transaction, submission, now)

    def _count(self, transaction: Transaction, user: UserRecord, benchmark: str, version: str, now: datetime) -> Quota:
        if self._limits == NO_LIMITS:
            return UNLIMITED
        return count_quota(quotas.list_uses(transaction, user.id, benchmark, version), self._limits, now)
