"""Closing of editions: all of their files are queued for scoring, and nothing more is accepted."""

from collections.abc import Sequence
from datetime import datetime

from db.edition_records import EditionRecord, NewEdition
from db.records import NewSubmission, SubmissionRecord
from db.repositories import audit, editions, submissions, users
from db.session import Database, Transaction
from submissions.editions.edition_limits import MAX_FILES, MAX_SUBMISSIONS
from submissions.errors import StateError

WAITING = "awaiting-close"
_NOT_COUNTED = ("withdrawn", "failed")


def count_files(transaction: Transaction, edition_ids: Sequence[str]) -> dict[str, int]:
    """Return edition → number of its files that count."""
    return submissions.count_by_edition(transaction, edition_ids, _NOT_COUNTED)


def require_room(transaction: Transaction, edition_id: str) -> EditionRecord:
    """Return an edition that accepts another file. Before one is added, the transaction must hold its owner's lock.

    Raises:
        StateError: It was closed meanwhile, or has or had as many files as it accepts.
    """
    edition = editions.find_edition(transaction, edition_id)
    if edition is None or edition.state != "open":
        raise StateError(f"Edition {edition_id} was closed meanwhile. Request new test questions and answer those.")
    if count_files(transaction, [edition_id]).get(edition_id, 0) >= MAX_SUBMISSIONS:
        raise StateError(
            f"Edition {edition_id} already has files of {MAX_SUBMISSIONS} models, the maximum. Close it to have them "
            "scored, or withdraw one."
        )
    if submissions.count_by_edition(transaction, [edition_id], ()).get(edition_id, 0) >= MAX_FILES:
        raise StateError(
            f"Edition {edition_id} received {MAX_FILES} files, including withdrawn ones, the maximum. Close it to have "
            "the others scored, and request new test questions."
        )
    return edition


def close(transaction: Transaction, edition: EditionRecord, actor: str, now: datetime) -> list[SubmissionRecord]:
    """Close an edition, and queue its files; return these. The transaction must hold its owner's lock.

    Raises:
        StateError: It is not open, or has no file.
    """
    if not editions.close_edition(transaction, edition.id, "closed", now):
        raise StateError(f"Edition {edition.id} is {edition.state}; only an open edition can be closed.")
    found = submissions.list_of_edition(transaction, edition.id)
    # On PostgreSQL a file may be withdrawn meanwhile: its owner's lock does not hold that up.
    queued = [one for one in found if one.state == WAITING and _queue_file(transaction, one, edition, actor, now)]
    if not queued:
        raise StateError(f"Edition {edition.id} has no files to score. Submit one first.")
    about = {"benchmark": edition.benchmark, "version": edition.version, "submissions": len(queued)}
    audit.append(transaction, actor, "close-edition", edition.id, about, now)
    return queued


def _queue_file(
    transaction: Transaction, waiting: SubmissionRecord, edition: EditionRecord, actor: str, now: datetime
) -> bool:
    """Queue a file; return False if it does not wait any more."""
    if not submissions.join_line(transaction, waiting.id, [WAITING], now):
        return False
    submissions.add_event(
        transaction,
        waiting.id,
        actor=actor,
        from_state=WAITING,
        to_state="queued",
        text=f"Edition {edition.id} is closed. Queued.",
        now=now,
    )
    return True


def add_closed(transaction: Transaction, new: NewSubmission, now: datetime) -> None:
    """Add the edition that a submission answers alone, if it has one: nobody sends files for it."""
    if new.edition is not None:
        own = NewEdition(new.edition, new.benchmark, new.version, new.owner_id, None)
        editions.add_edition(transaction, own, now, is_closed=True)


def end_overdue(database: Database, now: datetime) -> int:
    """Close the editions whose time is over, so that their files are scored; those without a file expire.

    Returns:
        The number of ended editions.
    """
    with database.read() as transaction:
        overdue = editions.list_overdue(transaction, now)
    for edition in overdue:
        with database.write() as transaction:
            users.lock_user(transaction, edition.owner.id)
            current = editions.find_edition(transaction, edition.id)
            if current is None or current.state != "open":
                continue  # its owner, or another evaluator, was faster
            if count_files(transaction, [edition.id]):
                close(transaction, current, "evaluator", now)
            else:
                editions.close_edition(transaction, edition.id, "expired", now)
    return len(overdue)
