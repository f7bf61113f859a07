"""Models: identities, merges and maintainers' descriptions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select, update

from db.model_records import ModelFacts, ModelIdentity, ModelRowRecord
from db.models import Board, Evaluation, Model, Standing, Submission
from db.repositories.board_order import HAS_SCORES, RANKABLE, VISIBLE
from db.repositories.boards import BoardKey, relabel_board, to_standing
from db.repositories.converting import to_model
from db.session import Transaction

_PUBLIC = and_(*VISIBLE)
_SHOWN_AS = func.coalesce(Model.shown_as_id, Model.id)


def lock_all(transaction: Transaction) -> None:
    """Lock merges and splits of models until the transaction ends: two concurrent merges could form a cycle.

    SQLite has a single writer anyway. Submissions can still refer to the models.
    """
    transaction.execute(select(Model.id).order_by(Model.id).with_for_update(key_share=True))


def list_models(transaction: Transaction) -> list[ModelIdentity]:
    """Return every model, including those of private submissions, by name."""
    return [_to_identity(row) for row in transaction.scalars(select(Model).order_by(Model.name_key))]


def list_identities(transaction: Transaction, model_ids: Iterable[int]) -> list[ModelIdentity]:
    """Return some models."""
    query = select(Model).where(Model.id.in_(list(model_ids))).order_by(Model.id)
    return [_to_identity(row) for row in transaction.scalars(query)]


def find_model(transaction: Transaction, public_id: str) -> ModelIdentity | None:
    """Return the model with a public ID."""
    return _find_identity(transaction, Model.public_id == public_id)


def get_shown(transaction: Transaction, model_id: int) -> ModelIdentity:
    """Return the model under whose name a model is shown: itself if it is not merged."""
    shown_as = select(_SHOWN_AS).where(Model.id == model_id).scalar_subquery()
    return _to_identity(transaction.scalars(select(Model).where(Model.id == shown_as)).one())


def find_by_key(transaction: Transaction, name_key: str) -> ModelIdentity | None:
    """Return the model with a folded name."""
    return _find_identity(transaction, Model.name_key == name_key)


def find_other_name(transaction: Transaction, model_id: int) -> ModelIdentity | None:
    """Return the model under whose name a model is shown; None if it is not merged."""
    shown_model = get_shown(transaction, model_id)
    return None if shown_model.id == model_id else shown_model


def list_group(transaction: Transaction, shown_as: int) -> list[ModelIdentity]:
    """Return the models that are shown under one, starting with that one."""
    query = select(Model).where(or_(Model.id == shown_as, Model.shown_as_id == shown_as))
    return [_to_identity(row) for row in transaction.scalars(query.order_by(Model.id != shown_as, Model.name_key))]


def count_public_rows(transaction: Transaction) -> dict[int, int]:
    """Return model → number of its public rows; models without any are missing."""
    query = select(Submission.model_id, func.count()).where(_PUBLIC).group_by(Submission.model_id)
    return {row[0]: row[1] for row in transaction.execute(query)}


def list_evaluated(transaction: Transaction, sources: Iterable[str]) -> frozenset[int]:
    """Return the models with a public row of some sources, except reference systems."""
    query = select(Submission.model_id).where(*RANKABLE, Submission.source.in_(list(sources)))
    return frozenset(transaction.scalars(query.distinct()))


def count_submissions(transaction: Transaction, model_ids: Iterable[int]) -> dict[int, int]:
    """Return model → number of its submissions of any visibility."""
    query = select(Submission.model_id, func.count()).where(Submission.model_id.in_(list(model_ids)))
    return {row[0]: row[1] for row in transaction.execute(query.group_by(Submission.model_id))}


def has_public_row(transaction: Transaction, model_id: int) -> bool:
    """Return whether a model's own name appears on a public row."""
    query = select(Submission.id).where(Submission.model_id == model_id, _PUBLIC).limit(1)
    return transaction.scalar(query) is not None


def list_models_of(transaction: Transaction, owner_id: int) -> frozenset[int]:
    """Return the models that a user has submitted, public or not."""
    return frozenset(transaction.scalars(select(Submission.model_id).where(Submission.owner_id == owner_id).distinct()))


def list_rows(
    transaction: Transaction,
    shown_as: Sequence[int],
    viewer_id: int | None,
    headlines: Iterable[tuple[str, str, str, str]] = (),
    *,
    sees_all: bool = False,
) -> list[ModelRowRecord]:
    """Return the rows of some models that a viewer may see: public ones and their own, reported rows first.

    Args:
        transaction: Transaction to read in.
        shown_as: Models under which the rows are shown.
        viewer_id: The viewer; None for a visitor who is not signed in.
        headlines: (benchmark, version, slice, metric) of the scores to add.
        sees_all: Whether the viewer may see everyone's rows.
    """
    # Filter by model IDs, which are few and indexed: a condition on the joined table would read every submission.
    group = select(Model.id).where(or_(Model.id.in_(shown_as), Model.shown_as_id.in_(shown_as)))
    query = _rows_of(viewer_id, sees_all=sees_all).where(Submission.model_id.in_(list(transaction.scalars(group))))
    headline_scores = _list_headlines(transaction, query, headlines)
    return [
        ModelRowRecord(
            submission=row.id,
            benchmark=row.benchmark,
            version=row.version,
            setting=row.setting,
            source=row.source,
            visibility=row.visibility,
            submitted=to_model(model, row),
            shown_as=model.shown_as_id or model.id,
            created_at=row.created_at,
            signature=signature,
            headline=headline_scores.get(row.id, {}),
            printed_on=row.printed_on,
            hub_pull_request=row.hub_pull_request,
        )
        for row, model, signature in transaction.execute(query)
    ]


def _rows_of(viewer_id: int | None, *, sees_all: bool) -> Select[Submission, Model, str | None]:
    visible: ColumnElement[bool] = _PUBLIC
    if sees_all:
        visible = and_(*HAS_SCORES)
    elif viewer_id is not None:
        visible = or_(_PUBLIC, and_(Submission.owner_id == viewer_id, *HAS_SCORES))
    is_reported = case((Submission.source == "reported", 0), else_=1)
    return (
        select(Submission, Model, Evaluation.signature)
        .select_from(Submission)
        .join(Model, Submission.model_id == Model.id)
        .outerjoin(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .where(visible)
        .order_by(is_reported, Submission.created_at, Submission.id)
    )


def _list_headlines(
    transaction: Transaction,
    rows: Select[Submission, Model, str | None],
    headlines: Iterable[tuple[str, str, str, str]],
) -> dict[str, dict[str, Any]]:
    """Return submission → column → standing. Each benchmark version is queried by its full key, which is indexed."""
    standings: dict[str, dict[str, Any]] = {}
    for benchmark, version, slice_name, metric in headlines:
        query = rows.with_only_columns(*Standing.__table__.columns).order_by(None)
        query = query.join(
            Standing,
            and_(
                Standing.benchmark == benchmark,
                Standing.version == version,
                Standing.setting == Submission.setting,
                Standing.slice == slice_name,
                Standing.metric == metric,
                Standing.submission_id == Submission.id,
            ),
        )
        for row in transaction.execute(query):
            standings.setdefault(row.submission_id, {})[f"{slice_name}|{metric}"] = to_standing(row)
    return standings


def join_model(transaction: Transaction, model_id: int, target_id: int) -> list[int]:
    """Merge a model, and those merged into it, into another one; return the models whose shown name changed.

    The caller ensures that the target is not shown under this model.
    """
    moved = [model.id for model in list_group(transaction, model_id)]
    transaction.execute(update(Model).where(Model.id == model_id).values(joined_to_id=target_id))
    transaction.execute(update(Model).where(Model.id.in_(moved)).values(shown_as_id=target_id))
    return moved


def split_model(transaction: Transaction, model_id: int) -> list[int]:
    """Undo the merge of a model, along with the models merged into it; return the models that moved."""
    pairs = transaction.execute(select(Model.id, Model.joined_to_id))
    moved = _collect_below(model_id, {below: target for below, target in pairs if target is not None})
    transaction.execute(update(Model).where(Model.id.in_(moved)).values(shown_as_id=model_id))
    alone = update(Model).where(Model.id == model_id).values(joined_to_id=None, shown_as_id=None)
    transaction.execute(alone)
    return moved


def _collect_below(model_id: int, joined_to: Mapping[int, int]) -> list[int]:
    """Return a model and all models that were merged into it, directly or indirectly."""
    group = [model_id]
    for model in group:
        group += [below for below, target in joined_to.items() if target == model]
    return group


def describe_model(transaction: Transaction, model_id: int, facts: ModelFacts) -> None:
    """Replace the maintainers' description of a model."""
    values = asdict(facts) | {"links": None if facts.links is None else list(facts.links)}
    transaction.execute(update(Model).where(Model.id == model_id).values(**values))


def relabel_boards(transaction: Transaction, model_ids: Sequence[int], now: datetime) -> list[BoardKey]:
    """Mark the boards on which some models have a public row as relabelled; return them."""
    query = select(Submission.benchmark, Submission.version, Submission.setting)
    rows = transaction.execute(query.where(Submission.model_id.in_(model_ids), _PUBLIC).distinct()).all()
    keys = [BoardKey(*row) for row in sorted(tuple(row) for row in rows)]
    for key in keys:
        relabel_board(transaction, key, now)
    return keys


def count_changes(transaction: Transaction) -> tuple[int, int, int]:
    """Return a triple that changes whenever public data of boards or models change."""
    query = select(func.sum(Board.revision), func.sum(Board.changes), func.sum(Board.relabelled))
    revision, changes, relabelled = transaction.execute(query).one()
    return revision or 0, changes or 0, relabelled or 0


def describe_own(transaction: Transaction, owner_id: int) -> tuple[int, datetime | None]:
    """Return how many submissions a user has, and when one of them last changed."""
    query = select(func.count(), func.max(Submission.updated_at)).where(Submission.owner_id == owner_id)
    number, last = transaction.execute(query).one()
    return number, last


def _find_identity(transaction: Transaction, condition: ColumnElement[bool]) -> ModelIdentity | None:
    row = transaction.scalars(select(Model).where(condition)).first()
    return _to_identity(row) if row else None


def _to_identity(row: Model) -> ModelIdentity:
    links = None if row.links is None else tuple(row.links)
    return ModelIdentity(
        id=row.id,
        public_id=row.public_id,
        name=row.name,
        name_key=row.name_key,
        joined_to=row.joined_to_id,
        shown_as=row.shown_as_id or row.id,
        maintainer_facts=ModelFacts(row.organisation, row.kind, row.size_billions, row.open_weights, links),
    )
