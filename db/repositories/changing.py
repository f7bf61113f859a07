"""Helpers for concurrent changes: exactly one transaction wins, and the others notice."""

from typing import Any, cast

from sqlalchemy import CursorResult, Delete, Update, text
from sqlalchemy.exc import IntegrityError

from db.errors import is_duplicate
from db.models import Base
from db.session import Transaction


def count_changed(transaction: Transaction, statement: Update | Delete) -> int:
    """Run an UPDATE or DELETE and return the number of rows that it changed: zero if another transaction was first."""
    result = cast("CursorResult[Any]", transaction.execute(statement))
    return result.rowcount


def add_unless_there(transaction: Transaction, row: Base) -> bool:
    """Add a row; return False if another transaction has added one with the same key meanwhile."""
    try:
        with transaction.begin_nested():
            transaction.add(row)
    except IntegrityError as error:
        if not is_duplicate(error):
            raise
        return False
    return True


def lock_name(transaction: Transaction, name: str) -> None:
    """Lock what a name stands for until the transaction ends. SQLite has a single writer anyway."""
    if is_postgresql(transaction):
        transaction.execute(text("select pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})


def is_postgresql(transaction: Transaction) -> bool:
    """Return whether the database allows concurrent writers."""
    return transaction.get_bind().dialect.name == "postgresql"
