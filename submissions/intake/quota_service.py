"""Quota service: checks and records in one transaction whether a user may submit again."""

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
from submissions.ranking.row_sources import EVALUATED_SOURCES


class Quotas:
    """Counts users' submissions. Maintainers have no limit, and their actions never count against a user's limit.

    Reported rows have no quota. A submission that ends without a score is given back: see
    `db.repositories.submissions.change_state`.
    """

    def __init__(self, database: Database, limits: SubmissionLimits, accounts: Accounts) -> None:
        self._database = database
        self._limits = limits
        self._accounts = accounts

    def find_quota(self, user: UserRecord, benchmark: Benchmark, source: str = "submitted") -> Quota:
        """Return a user's remaining submissions for a version of a benchmark, all settings together."""
        if source not in EVALUATED_SOURCES or self._accounts.is_maintainer(user):
            return UNLIMITED
        with self._database.read() as transaction:
            return self._count(transaction, user, benchmark.id, benchmark.version, datetime.now(UTC))

    def charge(
        self, transaction: Transaction, submission: SubmissionRecord, actor: UserRecord, title: str, now: datetime
    ) -> None:
        """Count a new or requeued submission, unless it is already counted.

        The transaction must hold the owner's lock (`users.lock_user`); otherwise concurrent submissions could exceed
        the limit.

        Raises:
            LimitError: The owner's limit is reached; the caller must roll back.
        """
        if submission.source not in EVALUATED_SOURCES or self._accounts.is_maintainer(actor):
            return
        if submission.edition is not None:  # an edition is used once, so its scores say nothing about other questions
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
