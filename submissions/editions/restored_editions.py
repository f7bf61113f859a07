"""Editions in a restored database: those that were unused in the backup are over.

Their owners may have closed them after the backup was made, and seen every answer since. The edition would be the same
again, because it is made from its ID and the answer key.
"""

from dataclasses import dataclass
from datetime import datetime

from db.edition_records import NewEdition
from db.repositories import editions, endpoints, submissions
from db.session import Transaction
from evaluation.streams import draw_edition_id
from submissions.accounts.credentials import OPERATOR
from submissions.editions.closing import close, count_files

EXPLANATION = (
    "The server was restored from a backup, in which this edition was not closed yet. It may have been closed since, "
    "and its answers shown, so it accepts no files."
)
_ASKED_AGAIN = "The server was restored from a backup. The endpoint answers new test questions, from the first one."


@dataclass(frozen=True, slots=True)
class EndedEditions:
    """What became of the unused editions of a backup.

    Attributes:
        n_closed: Editions that were closed, because they had files: these were sent before any answer was shown.
        n_expired: Editions without a file.
        n_redrawn: Unscored endpoints that answer another edition.
    """

    n_closed: int
    n_expired: int
    n_redrawn: int


def end_unused_editions(transaction: Transaction, now: datetime) -> EndedEditions:
    """Close or expire every edition that is not closed, and give unscored endpoints another one."""
    n_closed = n_expired = 0
    for edition in editions.list_every_unused(transaction):
        if edition.state == "open" and count_files(transaction, [edition.id]):
            close(transaction, edition, OPERATOR, now)
            n_closed += 1
        else:
            editions.expire_edition(transaction, edition.id, EXPLANATION, now)
            n_expired += 1
    return EndedEditions(n_closed, n_expired, _redraw_endpoint_editions(transaction, now))


def _redraw_endpoint_editions(transaction: Transaction, now: datetime) -> int:
    """Give every endpoint that is not scored and may still be queried a new edition; forget what it answered."""
    unscored = endpoints.list_unscored_of_editions(transaction)
    for submission in unscored:
        new = NewEdition(draw_edition_id(), submission.benchmark, submission.version, submission.owner.id, None)
        editions.add_edition(transaction, new, now, is_closed=True)
        endpoints.restart_with_edition(transaction, submission.id, new.id)
        state = submission.state
        submissions.add_event(
            transaction,
            submission.id,
            actor=OPERATOR,
            from_state=state,
            to_state=state,
            text=_ASKED_AGAIN,
            now=now,
        )
    return len(unscored)
