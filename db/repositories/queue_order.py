"""Order of queued submissions, for claims, shown positions and maintainers.

Files, endpoints and answers that wait for a judge have separate queues (the column `lane`), so that a long endpoint run
never delays a file. Owners take turns within each queue. An owner with many submissions gets one turn after the other,
and a newcomer joins the current turn, so a flood delays others' first submission by at most the one that is running.
See docs/operations.md (The queue).
"""

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, or_, select, tuple_

from db.models import Submission
from db.session import Transaction

Lane = Literal["files", "endpoints", "judge", "held"]
"""What a submission waits for. `held` is not a queue: a maintainer has to release it."""

_WAITING = ("queued", "awaiting-judge")
# Retries are put off by minutes, judging at most to the next day. A later time was written by a clock that was ahead.
_LONGEST_DELAY, _LONGEST_DELAY_OF_JUDGE = timedelta(hours=1), timedelta(hours=25)
# Position of a submission among those that are due.
_PLACE = (Submission.turn, Submission.created_at, Submission.id)


class Waiting(NamedTuple):
    """Number of submissions of one benchmark version ahead of another submission, and their total bytes."""

    benchmark: str
    version: str
    n_submissions: int
    n_bytes: int


def find_lane(source: str) -> Lane:
    """Return the queue in which a submission starts and restarts."""
    return "endpoints" if source == "verified" else "files"


def find_waiting_state(lane: str) -> str:
    """Return the state of submissions that wait in a queue."""
    return "awaiting-judge" if lane == "judge" else "queued"


def find_turn(transaction: Transaction, owner_id: int, lane: str) -> int:
    """Return the turn of an owner's next submission: the current turn, or the one after the owner's last."""
    in_line = Submission.state.in_((find_waiting_state(lane), "running")) & (Submission.lane == lane)
    last = transaction.scalar(select(func.max(Submission.turn)).where(in_line, Submission.owner_id == owner_id))
    # Separate queries, because the minimum for one state is one index lookup. Postponed submissions do not hold the
    # turn back: otherwise newcomers would be placed ahead of earlier submissions.
    is_run, waits = Submission.state == "running", Submission.state == find_waiting_state(lane)
    turns = select(Submission.turn).where(Submission.lane == lane).order_by(Submission.turn).limit(1)
    least = (turns.where(is_run), turns.where(waits, Submission.not_before.is_(None)))
    served = [turn for query in least if (turn := transaction.scalar(query)) is not None]
    return max(min(served, default=0), -1 if last is None else last + 1)


def first_in_line(now: datetime, lane: Lane = "files") -> Select[str]:
    """Return the query for the next submission to run."""
    return select(Submission.id).where(_waits_in(lane), _is_due(now)).order_by(*_PLACE).limit(1)


def count_waiting(transaction: Transaction, now: datetime, lane: Lane = "files") -> int:
    """Return how many submissions could be claimed now."""
    query = select(func.count()).select_from(Submission).where(_waits_in(lane), _is_due(now))
    return transaction.scalar(query) or 0


def count_ahead(transaction: Transaction, submission_id: str, now: datetime) -> int:
    """Return how many submissions in the same queue are running or will run before a waiting one."""
    lane = transaction.scalar(select(Submission.lane).where(Submission.id == submission_id))
    running = select(func.count()).select_from(Submission).where(Submission.state == "running", Submission.lane == lane)
    return (transaction.scalar(running) or 0) + sum(
        group.n_submissions for group in list_ahead(transaction, submission_id, now)
    )


def list_ahead(transaction: Transaction, submission_id: str, now: datetime) -> list[Waiting]:
    """Return the submissions ahead of a waiting one, by benchmark version; empty if it is not waiting."""
    own = select(*_PLACE, Submission.not_before, Submission.lane).where(
        Submission.id == submission_id, Submission.state.in_(_WAITING)
    )
    submission = transaction.execute(own).first()
    if submission is None:
        return []
    n_bytes = func.coalesce(func.sum(Submission.artifact_bytes), 0)
    query = (
        select(Submission.benchmark, Submission.version, func.count(), n_bytes)
        .where(_waits_in(submission.lane), _is_before(submission, now))
        .group_by(Submission.benchmark, Submission.version)
    )
    return [Waiting(*row[:3], int(row[3] or 0)) for row in transaction.execute(query)]


def _is_before(submission: Any, now: datetime) -> ColumnElement[bool]:
    """Return the condition under which a waiting submission runs before another one."""
    position = tuple_(*(literal(value, column.type) for value, column in zip(submission[:3], _PLACE, strict=True)))
    stands_before = tuple_(*_PLACE) < position
    limit = _LONGEST_DELAY_OF_JUDGE if submission.lane == "judge" else _LONGEST_DELAY
    if submission.not_before is None or not now < submission.not_before <= now + limit:
        return and_(_is_due(now), stands_before)
    earlier = or_(
        Submission.not_before < submission.not_before,
        and_(Submission.not_before == submission.not_before, stands_before),
    )
    return or_(_is_due(now), earlier)


def order_of_queue(now: datetime) -> tuple[ColumnElement[Any], ...]:
    """Return the sort order of unfinished submissions: running ones, the queue, then all others."""
    group = case((Submission.state == "running", 0), (Submission.state == "queued", 1), else_=2)
    put_off_until = case((_is_due(now), None), else_=Submission.not_before)
    return group, put_off_until.is_not(None), put_off_until, *(column.expression for column in _PLACE)


def _waits_in(lane: str) -> ColumnElement[bool]:
    return and_(Submission.state == find_waiting_state(lane), Submission.lane == lane)


def _is_due(now: datetime) -> ColumnElement[bool]:
    kind = Submission.not_before.type
    latest, latest_of_judge = (literal(now + delay, kind) for delay in (_LONGEST_DELAY, _LONGEST_DELAY_OF_JUDGE))
    is_too_late = Submission.not_before > case((Submission.lane == "judge", latest_of_judge), else_=latest)
    return or_(Submission.not_before.is_(None), Submission.not_before <= now, is_too_late)
