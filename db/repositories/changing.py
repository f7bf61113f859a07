"""How many rows a change met: zero means that somebody else was there first."""

from typing import Any, cast

from sqlalchemy import CursorResult, Update

from db.session import Transaction


def count_changed(transaction: Transaction, statement: Update) -> int:
    """Run an UPDATE and return the number of rows that its condition met."""
    result = cast("CursorResult[Any]", transaction.execute(statement))
    return result.rowcount
