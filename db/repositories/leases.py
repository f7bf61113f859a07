"""Leases in SQL: claim, renew, end and revoke, the same for every table of jobs.

Each is one conditional UPDATE. Of two evaluators that claim a job, only one changes the row; a write that presents an
earlier token changes nothing.
"""

from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import InstrumentedAttribute

from db.lease_records import Lease
from db.models.lease_columns import JobColumns, LeaseColumns
from db.repositories.changing import count_changed
from db.session import Transaction

_Row = TypeVar("_Row", bound=LeaseColumns)
_NOBODY = {"lease_token": None, "lease_expires_at": None, "worker": None}


class LeaseLostError(Exception):
    """Another evaluator has taken the job over; the result of this one must not be written."""


class LeaseTable(Generic[_Row]):
    """A table whose rows can be leased until their work is done."""

    def __init__(self, row: type[_Row], row_id: InstrumentedAttribute[int], is_open: ColumnElement[bool]) -> None:
        """Take the table, its primary key, and the condition of rows whose work is not done."""
        self._row = row
        self._id = row_id
        self._is_open = is_open

    def grant(self, transaction: Transaction, lease: Lease, **values: object) -> None:
        """Lease a row regardless of its holder, in a transaction that has locked its job; update other columns, too."""
        transaction.execute(update(self._row).where(self._id == lease.id).values({**values, **_list_columns(lease)}))

    def renew(self, transaction: Transaction, lease: Lease, expires_at: datetime, **values: object) -> None:
        """Renew a lease, and change other columns of its row.

        Raises:
            LeaseLostError: Another evaluator holds the lease now.
        """
        self._change(transaction, lease, {**values, "lease_expires_at": expires_at})

    def end(self, transaction: Transaction, lease: Lease, **values: object) -> None:
        """Return a lease, and store the result of the work in its row.

        Raises:
            LeaseLostError: Another evaluator holds the lease now.
        """
        self._change(transaction, lease, {**_NOBODY, **values})

    def revoke(self, transaction: Transaction, lease: Lease, **values: object) -> bool:
        """Revoke a lease, so that its holder can write nothing; return False if another evaluator holds it now."""
        return self._is_changed(transaction, lease, {**_NOBODY, **values})

    def _change(self, transaction: Transaction, lease: Lease, values: dict[str, object]) -> None:
        if not self._is_changed(transaction, lease, values):
            raise LeaseLostError(f"The lease of {lease.name} was taken over.")

    def _is_changed(
        self, transaction: Transaction, lease: Lease, values: dict[str, object], *more: ColumnElement[bool]
    ) -> bool:
        held = (self._id == lease.id, self._row.lease_token == lease.token, self._is_open, *more)
        return bool(count_changed(transaction, update(self._row).where(*held).values(values)))


class JobTable(LeaseTable[JobColumns]):
    """A table of jobs of one kind."""

    def find_first(self, transaction: Transaction, kind: str, *order: InstrumentedAttribute[Any]) -> Lease | None:
        """Return the lease of the first job that is not done, whether or not an evaluator holds it."""
        row = self._row
        columns = (self._id, row.lease_token, row.worker, row.lease_expires_at, row.attempts)
        first = transaction.execute(select(*columns).where(self._is_open).order_by(*order).limit(1)).first()
        return Lease(first[0], f"{kind} {first[0]}", *first[1:]) if first else None

    def claim(self, transaction: Transaction, current: Lease, lease: Lease, **values: object) -> bool:
        """Lease a job whose lease is still the one that was read; return False if another evaluator was first."""
        values |= {**_list_columns(lease), "attempts": lease.attempts}
        return self._is_changed(transaction, current, values, self._row.attempts == current.attempts)


def _list_columns(lease: Lease) -> dict[str, object]:
    return {"lease_token": lease.token, "lease_expires_at": lease.expires_at, "worker": lease.worker}
