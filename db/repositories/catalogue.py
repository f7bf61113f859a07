"""Benchmarks, their public items, and models."""

import secrets
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, select

from db.models import BenchmarkVersion, ItemMetadata, Model
from db.records import BenchmarkRecord, ItemRecord
from db.repositories.changing import add_unless_there, lock_name
from db.session import Transaction

# In place of a fingerprint: an operator has confirmed that the next key is accepted, whichever it is.
ANY_KEY = ""


class KnownKey(NamedTuple):
    """What is known of the key that a benchmark version was registered with."""

    content_digest: str
    fingerprint: str | None


def register_benchmark(
    transaction: Transaction,
    record: BenchmarkRecord,
    items: Sequence[ItemRecord],
    now: datetime,
    fingerprint: str | None = None,
) -> None:
    """Put a benchmark version and its items in place of what was there under the same name and version.

    `fingerprint` identifies the key that it is registered with; None where it has none.
    """
    lock_name(transaction, f"benchmark {record.id} {record.version}")
    known = transaction.get(BenchmarkVersion, (record.id, record.version))
    if known is not None and known.content_digest == record.content_digest:
        known.key_fingerprint = fingerprint
        return
    transaction.execute(
        delete(ItemMetadata).where(ItemMetadata.benchmark == record.id, ItemMetadata.version == record.version)
    )
    transaction.merge(
        BenchmarkVersion(
            id=record.id,
            version=record.version,
            content_digest=record.content_digest,
            pack=record.pack,
            n_items=record.n_items,
            n_clips=record.n_clips,
            registered_at=now,
            key_fingerprint=fingerprint,
        )
    )
    transaction.add_all(
        ItemMetadata(
            benchmark=record.id,
            version=record.version,
            id=item.id,
            position=position,
            part=item.part,
            task=item.task,
            answer_format=item.answer_format,
            runs=list(item.runs),
            n_steps=item.n_steps,
        )
        for position, item in enumerate(items)
    )


def find_benchmark(transaction: Transaction, benchmark: str, version: str) -> BenchmarkRecord | None:
    """Return a registered benchmark version."""
    row = transaction.get(BenchmarkVersion, (benchmark, version))
    if row is None:
        return None
    return BenchmarkRecord(row.id, row.version, row.content_digest, row.pack, row.n_items, row.n_clips)


def find_known_key(transaction: Transaction, benchmark: str, version: str) -> KnownKey | None:
    """Return what is known of a version's key; None for a version that was never registered."""
    row = transaction.get(BenchmarkVersion, (benchmark, version))
    return None if row is None else KnownKey(row.content_digest, row.key_fingerprint)


def forget_keys(transaction: Transaction, benchmark: str) -> list[str]:
    """Let the next key of every version of a benchmark be accepted; return the versions."""
    rows = list(transaction.scalars(select(BenchmarkVersion).where(BenchmarkVersion.id == benchmark)))
    for row in rows:
        row.key_fingerprint = ANY_KEY
    return sorted(row.version for row in rows)


def list_registered(transaction: Transaction) -> list[BenchmarkRecord]:
    """Return every registered benchmark version, in a fixed order."""
    query = select(BenchmarkVersion).order_by(BenchmarkVersion.id, BenchmarkVersion.version)
    return [
        BenchmarkRecord(row.id, row.version, row.content_digest, row.pack, row.n_items, row.n_clips)
        for row in transaction.scalars(query)
    ]


def list_items(transaction: Transaction, benchmark: str, version: str) -> list[ItemRecord]:
    """Return a benchmark version's items in their order."""
    query = (
        select(
            ItemMetadata.id,
            ItemMetadata.part,
            ItemMetadata.task,
            ItemMetadata.answer_format,
            ItemMetadata.runs,
            ItemMetadata.n_steps,
        )
        .where(ItemMetadata.benchmark == benchmark, ItemMetadata.version == version)
        .order_by(ItemMetadata.position)
    )
    return [
        ItemRecord(row.id, row.part, row.task, row.answer_format, tuple(row.runs), row.n_steps)
        for row in transaction.execute(query)
    ]


def list_parts(transaction: Transaction, benchmark: str, version: str) -> frozenset[str]:
    """Return the parts of which a benchmark version has items."""
    query = (
        select(ItemMetadata.part).where(ItemMetadata.benchmark == benchmark, ItemMetadata.version == version).distinct()
    )
    return frozenset(transaction.scalars(query))


def fold_name(name: str) -> str:
    """Return a name without what does not tell two models apart: case, width of letters, spacing."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def get_or_add_model(transaction: Transaction, name: str, now: datetime) -> int:
    """Return the id of the model of a name, whatever its case and spacing; boards spell it as it was the first time."""
    key = fold_name(name)
    known = select(Model.id).where(Model.name_key == key)
    model_id = transaction.scalar(known)
    if model_id is None:
        public_id = f"m-{secrets.token_hex(8)}"
        add_unless_there(transaction, Model(name=name, name_key=key, public_id=public_id, created_at=now))
        model_id = transaction.scalars(known).one()
    return model_id
