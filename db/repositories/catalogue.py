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

# Placeholder fingerprint: an operator confirmed that the next key is accepted, whichever it is.
ANY_KEY = ""


class KnownKey(NamedTuple):
    """Key that a benchmark version was registered with."""

    content_digest: str
    fingerprint: str | None


def register_benchmark(
    transaction: Transaction,
    record: BenchmarkRecord,
    items: Sequence[ItemRecord],
    now: datetime,
    fingerprint: str | None = None,
) -> None:
    """Register a benchmark version and its items, replacing those of the same name and version.

    `fingerprint` identifies its answer key; None without a key.
    """
    lock_name(transaction, f"benchmark {record.id} {record.version}")
    registered = transaction.get(BenchmarkVersion, (record.id, record.version))
    if registered is not None and registered.content_digest == record.content_digest:
        registered.key_fingerprint = fingerprint
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


def find_known_key(transaction: Transaction, benchmark: str, version: str) -> KnownKey | None:
    """Return the known key of a version; None for a version that was never registered."""
    row = transaction.get(BenchmarkVersion, (benchmark, version))
    return None if row is None else KnownKey(row.content_digest, row.key_fingerprint)


def forget_keys(transaction: Transaction, benchmark: str) -> list[str]:
    """Accept the next key of every version of a benchmark; return the versions."""
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
    """Return a benchmark version's items in order."""
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
    """Return the parts of a benchmark version that have items."""
    query = (
        select(ItemMetadata.part).where(ItemMetadata.benchmark == benchmark, ItemMetadata.version == version).distinct()
    )
    return frozenset(transaction.scalars(query))


def fold_name(name: str) -> str:
    """Fold a name: drop differences in case, letter width and spacing."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def get_or_add_model(transaction: Transaction, name: str, now: datetime) -> int:
    """Return the ID of the model with a name, ignoring case and spacing. Boards show its first spelling."""
    key = fold_name(name)
    query = select(Model.id).where(Model.name_key == key)
    model_id = transaction.scalar(query)
    if model_id is None:
        public_id = f"m-{secrets.token_hex(8)}"
        add_unless_there(transaction, Model(name=name, name_key=key, public_id=public_id, created_at=now))
        model_id = transaction.scalars(query).one()
    return model_id
