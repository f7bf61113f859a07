"""Leases in SQL: claim, renew, put off, end and take away, the same for every table of jobs.

Each is one conditional UPDATE. Of two evaluators that claim a job, one changes the row; a write that presents an
earlier token changes nothing.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import InstrumentedAttribute

from db.lease_records import Lease
from db.models.lease_columns import JobColumns, LeaseColumns
from db.repositories.changing import count_changed
from db.session import Transaction

_NOBODY = {"lease_token": None, "lease_expires_at": None, "worker": None}


class LeaseLostError(Exception):
    """Another evaluator has taken the job over; what this one found must not be written."""


class LeaseTable:
    """A table whose rows hold leases until their work is done."""

    def __init__(
        self, row: type[LeaseColumns], row_id: InstrumentedAttribute[int], is_open: ColumnElement[bool]
    ) -> None:
        """Take the table, its primary key, and the condition under which the work of a row is not done."""
        self._row = row
        self._id = row_id
        self._is_open = is_open

    def renew(self, transaction: Transaction, lease: Lease, expires_at: datetime, **values: object) -> None:
        """Say that the work goes on, and change other columns with that.

        Raises:
            LeaseLostError: Another evaluator has it now.
        """
        self._change(transaction, lease, {**values, "lease_expires_at": expires_at})

    def end(self, transaction: Transaction, lease: Lease, **values: object) -> None:
        """Give a lease back, and write with that what came of the work.

        Raises:
            LeaseLostError: Another evaluator has it now.
        """
        self._change(transaction, lease, {**_NOBODY, **values})

    def take_away(self, transaction: Transaction, lease: Lease, **values: object) -> bool:
        """Free a row, so that its holder can write nothing any more; False when it has changed hands."""
        return self._is_changed(transaction, lease, {**_NOBODY, **values})

    def _change(self, transaction: Transaction, lease: Lease, values: dict[str, object]) -> None:
        if not self._is_changed(transaction, lease, values):
            raise LeaseLostError(f"The lease of {lease.name} was taken over.")

    def _is_changed(
        self, transaction: Transaction, lease: Lease, values: dict[str, object], *more: ColumnElement[bool]
    ) -> bool:
        held = (self._id == lease.id, self._row.lease_token == lease.token, self._is_open, *more)
        return bool(count_changed(transaction, update(self._row).where(*held).values(values)))


class JobTable(LeaseTable):
    """A table whose rows are jobs of one kind."""

    def __init__(
        self, row: type[JobColumns], row_id: InstrumentedAttribute[int], is_open: ColumnElement[bool], kind: str
    ) -> None:
        """Take the table, its primary key, the condition under which a job is not done, and what one is called."""
        super().__init__(row, row_id, is_open)
        self._attempts = row.attempts
        self._kind = kind

    def find_first(self, transaction: Transaction, *order: InstrumentedAttribute[datetime | int]) -> Lease | None:
        """Return the lease of the open job that comes first, whoever has it."""
        columns = (self._id, self._row.lease_token, self._row.worker, self._row.lease_expires_at, self._attempts)
        row = transaction.execute(select(*columns).where(self._is_open).order_by(*order).limit(1)).first()
        return Lease(row[0], f"{self._kind} {row[0]}", *row[1:]) if row else None

    def claim(self, transaction: Transaction, found: Lease, lease: Lease, **values: object) -> bool:
        """Take a job as it was found, and change other columns with that; False when somebody else was first."""
        values |= {
            "lease_token": lease.token,
            "lease_expires_at": lease.expires_at,
            "worker": lease.worker,
            "attempts": lease.attempts,
        }
        return self._is_changed(transaction, found, values, self._attempts == found.attempts)

    def put_off(self, transaction: Transaction, lease: Lease, until: datetime) -> None:
        """Let a job rest until a time, or until its evaluator ends; that was no attempt.

        Raises:
            LeaseLostError: Another evaluator has it now.
        """
        self.renew(transaction, lease, until, attempts=lease.attempts - 1)
