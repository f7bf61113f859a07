"""Columns of the tables whose rows are leases."""

from datetime import datetime

from sqlalchemy import Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from db.column_types import UtcDateTime


class LeaseColumns:
    """A row that one evaluator at a time may work on."""

    lease_token: Mapped[str | None] = mapped_column(String(40))
    lease_expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    worker: Mapped[str | None] = mapped_column(String(200))


class JobColumns(LeaseColumns):
    """A row that is a job of its own, with the number of attempts at it."""

    attempts: Mapped[int] = mapped_column(Integer, default=0)
