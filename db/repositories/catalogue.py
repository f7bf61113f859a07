"""Benchmarks, their public items, and models."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session as Transaction

from db.models import BenchmarkVersion, Item, Model
from db.records import BenchmarkRecord, ItemRecord, ModelRecord, NewModel
from db.repositories.converting import to_model


def register_benchmark(
    transaction: Transaction, record: BenchmarkRecord, items: Sequence[ItemRecord], now: datetime
) -> None:
    """Put a benchmark version and its items in place of what was there under the same name and version."""
    known = transaction.get(BenchmarkVersion, (record.id, record.version))
    if known is not None and known.content_digest == record.content_digest:
        return
    transaction.execute(delete(Item).where(Item.benchmark == record.id, Item.version == record.version))
    transaction.merge(
        BenchmarkVersion(
            id=record.id,
            version=record.version,
            content_digest=record.content_digest,
            pack=record.pack,
            n_items=record.n_items,
            n_clips=record.n_clips,
            registered_at=now,
        )
    )
    transaction.add_all(
        Item(
            benchmark=record.id,
            version=record.version,
            id=item.id,
            position=position,
            part=item.part,
            task=item.task,
            answer_format=item.answer_format,
            runs=list(item.runs),
        )
        for position, item in enumerate(items)
    )


def find_benchmark(transaction: Transaction, benchmark: str, version: str) -> BenchmarkRecord | None:
    """Return a registered benchmark version."""
    row = transaction.get(BenchmarkVersion, (benchmark, version))
    if row is None:
        return None
    return BenchmarkRecord(row.id, row.version, row.content_digest, row.pack, row.n_items, row.n_clips)


def list_items(transaction: Transaction, benchmark: str, version: str) -> list[ItemRecord]:
    """Return a benchmark version's items in their order."""
    query = (
        select(Item.id, Item.part, Item.task, Item.answer_format, Item.runs)
        .where(Item.benchmark == benchmark, Item.version == version)
        .order_by(Item.position)
    )
    return [
        ItemRecord(row.id, row.part, row.task, row.answer_format, tuple(row.runs)) for row in transaction.execute(query)
    ]


def get_or_add_model(transaction: Transaction, model: NewModel, now: datetime) -> ModelRecord:
    """Return the model of a name, compared without regard to case; what is known of it is not overwritten."""
    row = transaction.scalar(select(Model).where(func.lower(Model.name) == model.name.lower()))
    if row is None:
        row = Model(
            name=model.name,
            organisation=model.organisation,
            kind=model.kind,
            size_billions=model.size_billions,
            open_weights=model.open_weights,
            url=model.url,
            created_at=now,
        )
        transaction.add(row)
        transaction.flush()
    return to_model(row)
