"""Listening rounds, and whether their group is public."""

from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select

from db.listening_records import ListenerRecord, NewListener
from db.models import ListeningGroup, ListeningResult
from db.repositories.changing import lock_name
from db.session import Transaction

MAX_READ = 5_000


def lock_group(transaction: Transaction, benchmark: str, version: str) -> None:
    """Lock the listeners of a version until the transaction ends."""
    lock_name(transaction, f"listening/{benchmark}/{version}")


def count_day(transaction: Transaction, benchmark: str, version: str, day: str) -> int:
    """Return the number of rounds stored on a day."""
    query = select(func.count()).select_from(ListeningResult).where(*_of(benchmark, version))
    return transaction.scalar(query.where(ListeningResult.day == day)) or 0


def add_listener(transaction: Transaction, new: NewListener) -> None:
    """Store a round."""
    transaction.add(
        ListeningResult(
            digest=new.digest,
            benchmark=new.benchmark,
            version=new.version,
            content=new.content,
            day=new.day,
            seconds=new.seconds,
            n_answers=new.counts.n,
            n_right=new.counts.n_right,
            tasks={task: list(counts) for task, counts in new.counts.tasks.items()},
        )
    )


def delete_listener(transaction: Transaction, benchmark: str, version: str, digest: str) -> bool:
    """Delete a round; return False if it does not exist."""
    statement = delete(ListeningResult).where(*_of(benchmark, version), ListeningResult.digest == digest)
    return transaction.scalar(statement.returning(ListeningResult.digest)) is not None


def list_listeners(transaction: Transaction, benchmark: str, version: str, content: str) -> list[ListenerRecord]:
    """Return the rounds on some questions, at most 5,000, latest days first."""
    query = (
        select(ListeningResult.n_right, ListeningResult.n_answers, ListeningResult.tasks)
        .where(*_of(benchmark, version), ListeningResult.content == content)
        .order_by(ListeningResult.day.desc(), ListeningResult.digest)
        .limit(MAX_READ)
    )
    return [
        ListenerRecord(n_right, n, {task: (right, every) for task, (right, every) in tasks.items()})
        for n_right, n, tasks in transaction.execute(query)
    ]


def is_shown(transaction: Transaction, benchmark: str, version: str) -> bool:
    """Return whether the listeners of a version are public."""
    row = transaction.get(ListeningGroup, (benchmark, version))
    return row is not None and row.shown


def set_shown(transaction: Transaction, benchmark: str, version: str, *, shown: bool, now: datetime) -> None:
    """Show or hide the listeners of a version."""
    transaction.merge(ListeningGroup(benchmark=benchmark, version=version, shown=shown, changed_at=now))


def _of(benchmark: str, version: str) -> tuple[ColumnElement[bool], ...]:
    return ListeningResult.benchmark == benchmark, ListeningResult.version == version
