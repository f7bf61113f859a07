"""Service of competition mode: maintainers start and end it for a benchmark version with fixed questions."""

import logging
from datetime import UTC, datetime

from db.admin_records import CompetitionRecord
from db.records import UserRecord
from db.repositories import audit, competitions
from db.session import Database
from evaluation.benchmarks import Benchmark
from submissions.accounts.credentials import Accounts
from submissions.errors import StateError
from submissions.intake.catalogues import Catalogues
from submissions.operations.maintenance import check_reason

_LOG = logging.getLogger(__name__)


class Competitions:
    """Actions of maintainers, which everyone can read about. The evaluator decides what is released."""

    def __init__(self, database: Database, catalogues: Catalogues, accounts: Accounts) -> None:
        self._database = database
        self._catalogues = catalogues
        self._accounts = accounts

    def start_competition(self, actor: UserRecord, benchmark: Benchmark, reason: str) -> CompetitionRecord:
        """Start competition mode: it applies to submissions that are scored from now on.

        Raises:
            NotAllowedError: The actor is not a maintainer.
            BadRequestError: The reason is invalid.
            ClosedVersionError: The version accepts no submissions.
            StateError: Its questions are rendered for every submitter, or it is in competition mode already.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        self._catalogues.find_openness(benchmark).require()
        if self._catalogues.can_redraw(benchmark):
            raise StateError(
                f"{_name(benchmark)} renders new questions for every submitter, so it needs no competition mode."
            )
        now = datetime.now(UTC)
        competition = CompetitionRecord(benchmark.id, benchmark.version, actor.name, now, text)
        with self._database.write() as transaction:
            if not competitions.add_competition(transaction, competition):
                raise StateError(f"{_name(benchmark)} is already in competition mode.")
            audit.append(transaction, actor.name, "start-competition", _name_version(benchmark), {"reason": text}, now)
        _LOG.info("%s in competition mode, by %s: %s", _name_version(benchmark), actor.name, text)
        return competition

    def end_competition(self, actor: UserRecord, benchmark: Benchmark, reason: str) -> None:
        """End competition mode. Decisions that were made stay.

        Raises:
            NotAllowedError: The actor is not a maintainer.
            BadRequestError: The reason is invalid.
            StateError: The version is not in competition mode.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            if not competitions.delete_competition(transaction, benchmark.id, benchmark.version):
                raise StateError(f"{_name(benchmark)} is not in competition mode.")
            audit.append(transaction, actor.name, "end-competition", _name_version(benchmark), {"reason": text}, now)
        _LOG.info("%s no longer in competition mode, by %s: %s", _name_version(benchmark), actor.name, text)

    def find_competition(self, benchmark: Benchmark) -> CompetitionRecord | None:
        """Return the competition of a benchmark version; None if it is not in competition mode."""
        with self._database.read() as transaction:
            return competitions.find_competition(transaction, benchmark.id, benchmark.version)


def _name(benchmark: Benchmark) -> str:
    return f"{benchmark.title} {benchmark.version}"


def _name_version(benchmark: Benchmark) -> str:
    return f"{benchmark.id} {benchmark.version}"
