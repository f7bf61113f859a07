"""Editions: requested by the web process, rendered by an evaluator under a lease, closed by their owner."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select, update

from db.edition_records import EditionRecord, NewEdition, RenderedEdition
from db.lease_records import Lease
from db.models import Edition, User
from db.repositories.changing import count_changed
from db.repositories.converting import to_user
from db.repositories.leases import JobTable
from db.session import Transaction

_IS_WANTED = Edition.pack_wanted_at.is_not(None)
LEASES = JobTable(Edition, Edition.number, _IS_WANTED)
_UNUSED = ("queued", "open")


def add_edition(transaction: Transaction, new: NewEdition, now: datetime, *, is_closed: bool = False) -> None:
    """Store an edition: requested, for an evaluator to find; or closed, because an endpoint answers it."""
    transaction.add(
        Edition(
            id=new.id,
            benchmark=new.benchmark,
            version=new.version,
            owner_id=new.owner_id,
            idempotency_key=new.idempotency_key,
            state="closed" if is_closed else "queued",
            created_at=now,
            closed_at=now if is_closed else None,
            pack_wanted_at=None if is_closed else now,
        )
    )
    transaction.flush()


def find_edition(transaction: Transaction, edition_id: str) -> EditionRecord | None:
    """Return an edition by its ID."""
    return _find_record(transaction, Edition.id == edition_id)


def find_by_key(transaction: Transaction, owner_id: int, idempotency_key: str) -> EditionRecord | None:
    """Return the edition that an owner requested under an idempotency key."""
    return _find_record(transaction, Edition.owner_id == owner_id, Edition.idempotency_key == idempotency_key)


def list_by_owner(transaction: Transaction, owner_id: int, limit: int) -> list[EditionRecord]:
    """Return an owner's editions, newest first."""
    return _list_records(transaction, (Edition.owner_id == owner_id,), limit)


def close_edition(transaction: Transaction, edition_id: str, state: str, now: datetime) -> bool:
    """Close an open edition, or let it expire; return False if it is not open."""
    query = update(Edition).where(Edition.id == edition_id, Edition.state == "open")
    return bool(count_changed(transaction, query.values(state=state, closed_at=now)))


def list_overdue(transaction: Transaction, now: datetime) -> list[EditionRecord]:
    """Return the open editions whose time is over."""
    return _list_records(transaction, (Edition.state == "open", Edition.expires_at <= now), None)


def list_unused(transaction: Transaction, owner_id: int, benchmark: str, version: str) -> list[EditionRecord]:
    """Return an owner's editions of a version that are not closed, newest first."""
    own = (Edition.owner_id == owner_id, Edition.benchmark == benchmark, Edition.version == version)
    return _list_records(transaction, (*own, Edition.state.in_(_UNUSED)), None)


def list_every_unused(transaction: Transaction) -> list[EditionRecord]:
    """Return the editions of all owners that are not closed, newest first."""
    return _list_records(transaction, (Edition.state.in_(_UNUSED),), None)


def expire_edition(transaction: Transaction, edition_id: str, explanation: str, now: datetime) -> bool:
    """Let an edition expire, whether or not its pack is rendered; return False if it is over already."""
    query = update(Edition).where(Edition.id == edition_id, Edition.state.in_(_UNUSED))
    expired = {"state": "expired", "closed_at": now, "pack_wanted_at": None, "progress": 0.0}
    return bool(count_changed(transaction, query.values(**expired, explanation=explanation)))


def list_request_times(
    transaction: Transaction, owner_id: int, benchmark: str, version: str, since: datetime
) -> list[datetime]:
    """Return when an owner requested editions of a version; those of endpoints were not requested."""
    own = (Edition.owner_id == owner_id, Edition.benchmark == benchmark, Edition.version == version)
    requested = or_(Edition.state == "queued", Edition.opened_at.is_not(None))
    return list(transaction.scalars(select(Edition.created_at).where(*own, requested, Edition.created_at >= since)))


def read_items(transaction: Transaction, edition_id: str) -> bytes | None:
    """Return the encoded public items of an edition; None before it is open."""
    return transaction.scalar(select(Edition.items).where(Edition.id == edition_id))


def find_seed(transaction: Transaction, edition_id: str) -> str | None:
    """Return the seed of a closed edition of which a file is scored; None otherwise."""
    return transaction.scalar(select(Edition.seed).where(Edition.id == edition_id))


def find_seeds(transaction: Transaction, edition_ids: Collection[str]) -> dict[str, str]:
    """Return edition → its seed, for those that `find_seed` has one for."""
    rows = transaction.execute(select(Edition.id, Edition.seed).where(Edition.id.in_(edition_ids)))
    return {edition: seed for edition, seed in rows if seed is not None}


def reveal_seed(transaction: Transaction, edition_id: str, seed: str, content_digest: str) -> bool:
    """Store the seed of a closed edition, so that its owner sees every answer; return False if it is not closed.

    An edition that was closed from the start had no pack, so the digest of its questions is stored, too: they must not
    be taken for those that another answer key gives.
    """
    query = update(Edition).where(Edition.id == edition_id, Edition.state == "closed")
    digest = func.coalesce(Edition.content_digest, content_digest)
    return bool(count_changed(transaction, query.values(seed=seed, content_digest=digest)))


def set_public(transaction: Transaction, edition_id: str, *, is_public: bool) -> bool:
    """Publish or hide the gallery of a closed edition; return False if it is not closed."""
    query = update(Edition).where(Edition.id == edition_id, Edition.state == "closed")
    return bool(count_changed(transaction, query.values(is_public=is_public)))


def count_before(transaction: Transaction, edition: EditionRecord) -> int:
    """Return how many packs are rendered before that of an edition that waits for one."""
    own = select(Edition.pack_wanted_at).where(Edition.number == edition.number).scalar_subquery()
    earlier = (Edition.pack_wanted_at < own) | ((Edition.pack_wanted_at == own) & (Edition.number < edition.number))
    return transaction.scalar(select(func.count()).select_from(Edition).where(_IS_WANTED, earlier)) or 0


def want_pack(transaction: Transaction, edition_id: str, now: datetime) -> bool:
    """Request the pack of an edition again; return False if it is already queued."""
    wanted = {"pack_wanted_at": now, "progress": 0.0, "attempts": 0, "explanation": None}
    query = update(Edition).where(Edition.id == edition_id, ~_IS_WANTED).values(wanted)
    return bool(count_changed(transaction, query))


def want_pack_for_visitors(transaction: Transaction, edition_id: str, now: datetime, since: datetime) -> bool:
    """Request the pack of an edition again; return False if it is queued, or visitors caused that since a time."""
    is_due = or_(Edition.visitors_wanted_at.is_(None), Edition.visitors_wanted_at <= since)
    query = update(Edition).where(Edition.id == edition_id, ~_IS_WANTED, is_due)
    wanted = {"pack_wanted_at": now, "progress": 0.0, "attempts": 0, "explanation": None}
    return bool(count_changed(transaction, query.values(**wanted, visitors_wanted_at=now)))


def find_first_wanted(transaction: Transaction) -> Lease | None:
    """Return the lease of the pack to render next: they are rendered in the order of requests."""
    return LEASES.find_first(transaction, "edition", Edition.pack_wanted_at, Edition.number)


def claim_edition(transaction: Transaction, current: Lease, lease: Lease) -> EditionRecord | None:
    """Lease an edition in the state in which it was read; return None if another evaluator has leased it since."""
    if not LEASES.claim(transaction, current, lease, progress=0.0):
        return None
    return _find_record(transaction, Edition.number == current.id)


def record_pack(transaction: Transaction, lease: Lease, rendered: RenderedEdition, now: datetime) -> None:
    """Store that the pack of an edition is ready, and open an edition that waited for it.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    found = {"design": rendered.design, "content_digest": rendered.content_digest, "n_items": rendered.n_items}
    found |= {"items": rendered.items, "pack": rendered.pack}
    LEASES.end(transaction, lease, **found, pack_wanted_at=None, progress=1.0, attempts=0, explanation=None)
    opened = {"state": "open", "opened_at": now, "expires_at": rendered.expires_at}
    transaction.execute(update(Edition).where(Edition.number == lease.id, Edition.state == "queued").values(opened))


def postpone_pack(transaction: Transaction, lease: Lease, until: datetime, explanation: str) -> None:
    """Store why the pack of an edition could not be rendered; until a time, those requested meanwhile come first.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    LEASES.renew(transaction, lease, until, pack_wanted_at=until, explanation=explanation, progress=0.0)


def give_up_pack(transaction: Transaction, lease: Lease, explanation: str) -> None:
    """Store why the pack of an edition is not rendered any more, until someone requests it again.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    LEASES.end(transaction, lease, pack_wanted_at=None, explanation=explanation, progress=0.0)


def _find_record(transaction: Transaction, *conditions: ColumnElement[bool]) -> EditionRecord | None:
    return next(iter(_list_records(transaction, conditions, 1)), None)


def _list_records(
    transaction: Transaction, conditions: Sequence[ColumnElement[bool]], limit: int | None
) -> list[EditionRecord]:
    query = select(Edition, User).join(User, User.id == Edition.owner_id).where(*conditions)
    rows = transaction.execute(query.order_by(Edition.number.desc()).limit(limit))
    return [_to_record(edition, user) for edition, user in rows]


def _to_record(edition: Edition, user: User) -> EditionRecord:
    return EditionRecord(
        number=edition.number,
        id=edition.id,
        benchmark=edition.benchmark,
        version=edition.version,
        owner=to_user(user),
        state=edition.state,
        created_at=edition.created_at,
        opened_at=edition.opened_at,
        expires_at=edition.expires_at,
        closed_at=edition.closed_at,
        design=edition.design,
        content_digest=edition.content_digest,
        n_items=edition.n_items,
        pack=edition.pack,
        is_rendering=edition.pack_wanted_at is not None and edition.lease_token is not None,
        is_pack_wanted=edition.pack_wanted_at is not None,
        progress=edition.progress,
        explanation=edition.explanation,
        is_public=edition.is_public,
        visitors_wanted_at=edition.visitors_wanted_at,
    )
