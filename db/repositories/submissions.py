"""Submissions and their events."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, literal, select, tuple_, update

from db.admin_records import QueueEntry
from db.column_types import UtcDateTime
from db.models import Evaluation, Model, Submission, SubmissionEvent, User
from db.paper_records import PrintedRow
from db.records import EventRecord, NewModel, NewSubmission, SubmissionRecord
from db.repositories import endpoints, queue_order, quotas, tickets
from db.repositories.catalogue import fold_name, get_or_add_model
from db.repositories.changing import count_changed
from db.repositories.converting import to_submission
from db.session import Transaction
from db.states import UNRELEASED

_WAITING = "queued"
_ENDS_WITHOUT_SCORE = ("failed", "withdrawn")
# The endpoint is no longer needed.
_DONE_WITH_ENDPOINTS = ("scored", UNRELEASED, "failed", "withdrawn", "awaiting-judge")
# Sort position of rows without a date; never shown.
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


class QueuePosition(NamedTuple):
    """End of a page of the queue: its last submission, and the number that this had."""

    submission_id: str
    number: int


class MomentPlace(NamedTuple):
    """Position of a submission in a list ordered by time."""

    created_at: datetime
    submission_id: str


def add_submission(transaction: Transaction, new: NewSubmission, state: str, now: datetime) -> None:
    """Add a submission in its first state, with a ticket if that is `queued`. The caller adds the event."""
    lane = queue_order.find_lane(new.source)
    transaction.add(
        Submission(
            id=new.id,
            benchmark=new.benchmark,
            version=new.version,
            setting=new.setting,
            source=new.source,
            is_reference=new.is_reference,
            owner_id=new.owner_id,
            model_id=get_or_add_model(transaction, new.model.name, now),
            state=state,
            visibility=new.visibility,
            allow_missing=new.allow_missing,
            lane=lane,
            turn=queue_order.find_turn(transaction, new.owner_id, lane) if state == _WAITING else 0,
            artifact_sha256=new.artifact_sha256,
            artifact_bytes=new.artifact_bytes,
            idempotency_key=new.idempotency_key,
            edition=new.edition,
            created_at=now if new.printed_on is None else _find_begin(new.printed_on),
            printed_on=new.printed_on,
            printed_in=asdict(new.printed_in) if new.printed_in else None,
            updated_at=now,
            model_name=new.model.name,
            **_described(new.model),
        )
    )
    transaction.flush()
    if state == _WAITING:
        tickets.leave_ticket(transaction)


def lock_submission(transaction: Transaction, submission_id: str) -> None:
    """Lock a submission until the transaction ends. SQLite has a single writer anyway."""
    # Other transactions can still write rows that refer to it: they need its key only.
    transaction.execute(select(Submission.id).where(Submission.id == submission_id).with_for_update(key_share=True))


def update_description(
    transaction: Transaction, submission_id: str, model: NewModel, printed_on: str, printed_in: PrintedRow
) -> None:
    """Replace a reported row's description of its model and paper; the model's name stays."""
    printed = {"printed_on": printed_on, "printed_in": asdict(printed_in), "created_at": _find_begin(printed_on)}
    transaction.execute(update(Submission).where(Submission.id == submission_id).values(**_described(model), **printed))


def rename_printed(transaction: Transaction, submission_id: str, name: str, key: str, now: datetime) -> None:
    """Change the model name of a reported row, along with its idempotency key."""
    values = {"model_id": get_or_add_model(transaction, name, now), "model_name": name, "idempotency_key": key}
    transaction.execute(update(Submission).where(Submission.id == submission_id).values(**values))


def _find_begin(printed_on: str) -> datetime:
    """Return the first moment of a partially known date, for sorting; unknown dates come first."""
    return datetime.fromisoformat(f"{printed_on}-01-01"[:10]).replace(tzinfo=UTC) if printed_on else _UNDATED


def _described(model: NewModel) -> dict[str, Any]:
    return {
        "organisation": model.organisation,
        "kind": model.kind,
        "size_billions": model.size_billions,
        "open_weights": model.open_weights,
        "url": model.url,
        "links": list(model.links) or None,
        "hub_model": asdict(model.hub) if model.hub else None,
    }


def add_event(
    transaction: Transaction,
    submission_id: str,
    *,
    actor: str,
    from_state: str | None,
    to_state: str,
    text: str,
    now: datetime,
) -> None:
    """Store one change of a submission."""
    transaction.add(
        SubmissionEvent(
            submission_id=submission_id, at=now, actor=actor, from_state=from_state, to_state=to_state, text=text
        )
    )


def find_submission(transaction: Transaction, submission_id: str) -> SubmissionRecord | None:
    """Return a submission."""
    return _find_one(transaction, _joined().where(Submission.id == submission_id))


def find_of_evaluation(transaction: Transaction, evaluation_id: int) -> SubmissionRecord | None:
    """Return the submission of an evaluation."""
    of_evaluation = select(Evaluation.submission_id).where(Evaluation.id == evaluation_id)
    return _find_one(transaction, _joined().where(Submission.id == of_evaluation.scalar_subquery()))


def find_by_idempotency_key(transaction: Transaction, owner_id: int, key: str) -> SubmissionRecord | None:
    """Return the submission that an owner sent under an idempotency key."""
    return _find_one(transaction, _joined().where(Submission.owner_id == owner_id, Submission.idempotency_key == key))


def find_same(transaction: Transaction, new: NewSubmission, ended: Sequence[str]) -> SubmissionRecord | None:
    """Return the newest submission of the same file, owner, board and model, whatever its file name.

    Args:
        transaction: Transaction to read in.
        new: Submission that is about to be added.
        ended: States in which a submission does not count.
    """
    model_id = select(func.coalesce(Model.shown_as_id, Model.id)).where(Model.name_key == fold_name(new.model.name))
    query = _joined().where(
        Submission.owner_id == new.owner_id,
        Submission.artifact_sha256 == new.artifact_sha256,
        Submission.benchmark == new.benchmark,
        Submission.version == new.version,
        Submission.setting == new.setting,
        Submission.state.not_in(ended),
        func.coalesce(Model.shown_as_id, Model.id) == model_id.scalar_subquery(),
    )
    return _find_one(transaction, query.order_by(Submission.created_at.desc()).limit(1))


def has_unfinished(transaction: Transaction, owner_id: int, source: str) -> bool:
    """Return whether an owner has an unfinished submission of a source."""
    query = select(Submission.id).where(
        Submission.owner_id == owner_id,
        Submission.source == source,
        Submission.state.in_(("received", "awaiting-approval", "queued", "running")),
    )
    return transaction.scalar(query.limit(1)) is not None


def list_by_owner(
    transaction: Transaction, owner_id: int, limit: int = 100, before: MomentPlace | None = None
) -> list[SubmissionRecord]:
    """Return an owner's submissions, newest first; with `before`, only earlier ones."""
    query = _joined().where(Submission.owner_id == owner_id).limit(limit)
    if before is not None:
        query = query.where(tuple_(Submission.created_at, Submission.id) < _as_row(before))
    rows = transaction.execute(query.order_by(Submission.created_at.desc(), Submission.id.desc()))
    return [to_submission(*row) for row in rows]


def _as_row(moment: MomentPlace) -> ColumnElement[Any]:
    return tuple_(literal(moment.created_at, UtcDateTime()), literal(moment.submission_id))


def list_events(transaction: Transaction, submission_id: str) -> list[EventRecord]:
    """Return a submission's events, oldest first."""
    query = select(SubmissionEvent).where(SubmissionEvent.submission_id == submission_id).order_by(SubmissionEvent.id)
    return [
        EventRecord(row.at, row.actor, row.from_state, row.to_state, row.text) for row in transaction.scalars(query)
    ]


def count_by_state(transaction: Transaction) -> dict[str, int]:
    """Return state → number of submissions; reported rows count as scored."""
    query = select(Submission.state, func.count()).group_by(Submission.state)
    return {row[0]: row[1] for row in transaction.execute(query)}


def count_in_lane(transaction: Transaction, state: str, lane: str) -> int:
    """Return how many submissions are in a state within a queue."""
    query = select(func.count()).select_from(Submission).where(Submission.state == state, Submission.lane == lane)
    return transaction.scalar(query) or 0


def change_state(
    transaction: Transaction,
    submission_id: str,
    from_states: Sequence[str],
    now: datetime,
    **values: object,
) -> bool:
    """Change the state of a submission that is in one of some states; return False if another process was first.

    Side effects belong here, so that no caller can forget them: ending without a score refunds the use, finishing with
    an endpoint deletes its key, and queueing leaves a ticket.
    """
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.state.in_(from_states))
        .values(updated_at=now, **values)
    )
    if not count_changed(transaction, statement):
        return False
    if values.get("state") in _ENDS_WITHOUT_SCORE:
        reason = values.get("reason_code") or values["state"]
        quotas.refund_unless_scored(transaction, submission_id, str(reason), now)
    if values.get("state") in _DONE_WITH_ENDPOINTS:
        endpoints.set_key(transaction, submission_id, None)
    if values.get("state") == _WAITING:
        not_before = values.get("not_before")
        tickets.leave_ticket(transaction, not_before if isinstance(not_before, datetime) else None)
    return True


def leave_running(
    transaction: Transaction, submission_id: str, now: datetime, *, actor: str, text: str, state: str, **values: object
) -> bool:
    """Change the state of a running submission, with an event; return False if it was withdrawn in the meantime."""
    if not change_state(transaction, submission_id, ["running"], now, state=state, **values):
        return False
    add_event(transaction, submission_id, actor=actor, from_state="running", to_state=state, text=text, now=now)
    return True


def join_line(
    transaction: Transaction, submission_id: str, from_states: Sequence[str], now: datetime, **values: object
) -> bool:
    """Queue a submission at its owner's next turn; return False if it is no longer in one of some states."""
    query = select(Submission.owner_id, Submission.source).where(Submission.id == submission_id)
    row = transaction.execute(query).first()
    if row is None:
        return False
    lane = queue_order.find_lane(row.source)
    turn = queue_order.find_turn(transaction, row.owner_id, lane)
    return change_state(transaction, submission_id, from_states, now, state=_WAITING, lane=lane, turn=turn, **values)


def restart_attempts(transaction: Transaction, submission_id: str) -> None:
    """Reset the attempt count to 1, because this attempt progressed further than earlier ones."""
    transaction.execute(update(Submission).where(Submission.id == submission_id).values(attempts=1))


def list_received(transaction: Transaction, before: datetime) -> list[str]:
    """Return submissions received before a time that are not queued yet."""
    query = select(Submission.id).where(Submission.state == "received", Submission.updated_at < before)
    return list(transaction.scalars(query))


def list_of_edition(transaction: Transaction, edition: str) -> list[SubmissionRecord]:
    """Return the submissions of an edition, the oldest first."""
    query = _joined().where(Submission.edition == edition).order_by(Submission.created_at, Submission.id)
    return [to_submission(*row) for row in transaction.execute(query)]


def count_by_edition(
    transaction: Transaction, editions: Collection[str], except_states: Collection[str]
) -> dict[str, int]:
    """Return edition → number of its submissions that are not in some states."""
    query = select(Submission.edition, func.count()).where(
        Submission.edition.in_(editions), Submission.state.not_in(except_states)
    )
    return {str(row[0]): row[1] for row in transaction.execute(query.group_by(Submission.edition))}


def is_public(transaction: Transaction, submission_id: str) -> bool:
    """Return whether a submission is public once it is scored."""
    return transaction.scalar(select(Submission.visibility).where(Submission.id == submission_id)) == "public"


def publish_submission(transaction: Transaction, submission_id: str, now: datetime) -> bool:
    """Publish a private submission; return False if it is not private or was withdrawn."""
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.visibility == "private", Submission.state != "withdrawn")
        .values(visibility="public", updated_at=now)
    )
    return bool(count_changed(transaction, statement))


def set_hub_pull_request(transaction: Transaction, submission_id: str, link: str) -> None:
    """Store the pull request that proposes a submission's result to a model card."""
    values = {"hub_pull_request": link}
    transaction.execute(update(Submission).where(Submission.id == submission_id).values(**values))


def hide_submission(transaction: Transaction, submission_id: str, now: datetime) -> bool:
    """Hide a submission and store its visibility; return False if it is hidden already or was withdrawn."""
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.visibility != "hidden", Submission.state != "withdrawn")
        .values(visibility="hidden", visibility_before_hiding=Submission.visibility, updated_at=now)
    )
    return bool(count_changed(transaction, statement))


def restore_submission(transaction: Transaction, submission_id: str, now: datetime) -> bool:
    """Restore the visibility of a hidden submission; return False if it is not hidden."""
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.visibility == "hidden")
        .values(
            visibility=func.coalesce(Submission.visibility_before_hiding, "private"),
            visibility_before_hiding=None,
            updated_at=now,
        )
    )
    return bool(count_changed(transaction, statement))


def list_queue(
    transaction: Transaction, states: Sequence[str], limit: int, now: datetime, after: QueuePosition | None = None
) -> list[QueueEntry]:
    """Return the submissions in some states with their leases: running ones first, then in the order of the queue.

    With `after`, start after the submission that it names, wherever that is by now, or after its number if it is gone.
    """
    order = queue_order.order_of_queue(now)
    position = func.row_number().over(order_by=order).label("place")
    in_lane = func.row_number().over(partition_by=Submission.lane, order_by=order).label("in_lane")
    numbered = select(Submission.id, position, in_lane).where(Submission.state.in_(states)).subquery()
    query = (
        select(numbered.c.place, numbered.c.in_lane, Submission, User, Model, Evaluation)
        .join(numbered, numbered.c.id == Submission.id)
        .join(User, Submission.owner_id == User.id)
        .join(Model, Submission.model_id == Model.id)
        .outerjoin(Evaluation, and_(Evaluation.submission_id == Submission.id, Evaluation.finished_at.is_(None)))
        .order_by(numbered.c.place)
        .limit(limit)
    )
    if after is not None:
        position_now = select(numbered.c.place).where(numbered.c.id == after.submission_id).scalar_subquery()
        query = query.where(numbered.c.place > func.coalesce(position_now, after.number))
    return [
        QueueEntry(number, in_lane, to_submission(submission, owner, model), *_lease_of(open_one))
        for number, in_lane, submission, owner, model, open_one in transaction.execute(query)
    ]


def _lease_of(open_one: Evaluation | None) -> tuple[str | None, datetime | None, datetime | None, float | None]:
    if open_one is None or open_one.lease_token is None:
        return None, None, None, None
    return open_one.worker, open_one.lease_expires_at, open_one.started_at, open_one.progress


def _joined() -> Select[Submission, User, Model]:
    base = select(Submission, User, Model).join(User, Submission.owner_id == User.id)
    return base.join(Model, Submission.model_id == Model.id)


def _find_one(transaction: Transaction, query: Select[Submission, User, Model]) -> SubmissionRecord | None:
    row = transaction.execute(query).first()
    return to_submission(*row) if row else None
