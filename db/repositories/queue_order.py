"""Lines of waiting submissions: one order for the claim, for the position that is shown, and for maintainers.

Files, endpoints and answers that wait for a judge stand in lanes of their own: a model that is asked for hours holds up
no file. In each lane owners take turns. Whoever submits many gets one turn after the other; whoever comes later joins
at the turn that is being served, so that a flood delays nobody else's first submission by more than the one that runs.
See docs/operations.md (The queue).
"""

from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, or_, select, tuple_

from db.models import Submission
from db.session import Transaction

Lane = Literal["files", "endpoints", "judge", "held"]
"""What a submission waits for; `held` is no line: a maintainer has to let it go on."""

_WAITING = ("queued", "awaiting-judge")
# Where a submission stands among those that are due.
_PLACE = (Submission.turn, Submission.created_at, Submission.id)


class Waiting(NamedTuple):
    """Submissions of one benchmark version that are run before another: how many, and their bytes together."""

    benchmark: str
    version: str
    n_submissions: int
    n_bytes: int


def find_lane(source: str) -> Lane:
    """Return the lane in which a submission begins, and begins again."""
    return "endpoints" if source == "verified" else "files"


def find_waiting_state(lane: str) -> str:
    """Return the state of whatever waits in a lane."""
    return "awaiting-judge" if lane == "judge" else "queued"


def find_turn(transaction: Transaction, owner_id: int, lane: str) -> int:
    """Return the turn of an owner's next submission: the one being served, or the one after his last."""
    in_line = Submission.state.in_((find_waiting_state(lane), "running")) & (Submission.lane == lane)
    last = transaction.scalar(select(func.max(Submission.turn)).where(in_line, Submission.owner_id == owner_id))
    # Apart, because the least value under one state is one look into the index. What is put off for minutes does not
    # hold the turn back: everybody who came meanwhile would stand before those who came earlier.
    is_run, waits = Submission.state == "running", Submission.state == find_waiting_state(lane)
    turns = select(Submission.turn).where(Submission.lane == lane).order_by(Submission.turn).limit(1)
    least = (turns.where(is_run), turns.where(waits, Submission.not_before.is_(None)))
    served = [turn for query in least if (turn := transaction.scalar(query)) is not None]
    return max(min(served, default=0), -1 if last is None else last + 1)


def first_in_line(now: datetime, lane: Lane = "files") -> Select[str]:
    """Return the query for the submission that is run next."""
    return select(Submission.id).where(_waits_in(lane), _is_due(now)).order_by(*_PLACE).limit(1)


def count_waiting(transaction: Transaction, now: datetime, lane: Lane = "files") -> int:
    """Return how many submissions could be claimed."""
    due = select(func.count()).select_from(Submission).where(_waits_in(lane), _is_due(now))
    return transaction.scalar(due) or 0


def count_ahead(transaction: Transaction, submission_id: str, now: datetime) -> int:
    """Return how many submissions are run, or will be, before one that waits, in its lane."""
    lane = transaction.scalar(select(Submission.lane).where(Submission.id == submission_id))
    running = select(func.count()).select_from(Submission).where(Submission.state == "running", Submission.lane == lane)
    return (transaction.scalar(running) or 0) + sum(
        group.n_submissions for group in list_ahead(transaction, submission_id, now)
    )


def list_ahead(transaction: Transaction, submission_id: str, now: datetime) -> list[Waiting]:
    """Return what waits before a submission, by benchmark version; nothing where it does not wait itself."""
    own = select(*_PLACE, Submission.not_before, Submission.lane).where(
        Submission.id == submission_id, Submission.state.in_(_WAITING)
    )
    found = transaction.execute(own).first()
    if found is None:
        return []
    n_bytes = func.coalesce(func.sum(Submission.artifact_bytes), 0)
    query = (
        select(Submission.benchmark, Submission.version, func.count(), n_bytes)
        .where(_waits_in(found.lane), _is_before(found, now))
        .group_by(Submission.benchmark, Submission.version)
    )
    return [Waiting(*row[:3], int(row[3] or 0)) for row in transaction.execute(query)]


def _is_before(found: Any, now: datetime) -> ColumnElement[bool]:
    """Return the condition under which a waiting submission is run before another."""
    place = tuple_(*(literal(value, column.type) for value, column in zip(found[:3], _PLACE, strict=True)))
    stands_before = tuple_(*_PLACE) < place
    if found.not_before is None or found.not_before <= now:
        return and_(_is_due(now), stands_before)
    earlier = or_(
        Submission.not_before < found.not_before, and_(Submission.not_before == found.not_before, stands_before)
    )
    return or_(_is_due(now), earlier)


def order_of_queue(now: datetime) -> tuple[ColumnElement[Any], ...]:
    """Return what unfinished submissions are sorted by: those that run, then the line, then whatever is not in it.

    One that is put off stands behind all that are due, for as long as it is.
    """
    group = case((Submission.state == "running", 0), (Submission.state == "queued", 1), else_=2)
    put_off_until = case((_is_due(now), None), else_=Submission.not_before)
    return group, put_off_until.is_not(None), put_off_until, *(column.expression for column in _PLACE)


def _waits_in(lane: str) -> ColumnElement[bool]:
    return and_(Submission.state == find_waiting_state(lane), Submission.lane == lane)


def _is_due(now: datetime) -> ColumnElement[bool]:
    return or_(Submission.not_before.is_(None), Submission.not_before <= now)
