"""Models across boards: which models to show, and the best public row of each on every board."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select

from db.models import Board, Model, Standing, Submission
from db.repositories.board_order import (
    RANKABLE,
    SHOWN,
    SHOWN_AS,
    BoardKey,
    PageQuery,
    find_places,
    is_of_board,
    is_searched,
)
from db.session import Transaction

_LAST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Headline:
    """Headline score of a board.

    Attributes:
        key: The board.
        slice: Slice of the score.
        metric: Metric of the score.
        counts: Whether this is the default version of its benchmark. Other versions are used for models without a row
            there.
    """

    key: BoardKey
    slice: str
    metric: str
    counts: bool


class OverviewModel(NamedTuple):
    """A model as visitors see it."""

    id: int
    public_id: str
    name: str


class BestRow(NamedTuple):
    """The best public row of a model on a board, by the headline score: the columns that the overview's query reads."""

    model_id: int
    benchmark: str
    version: str
    submission: str
    source: str
    value: float
    low: float | None
    high: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None


class BoardState(NamedTuple):
    """State of a board, for detecting changes."""

    benchmark: str
    version: str
    setting: str
    revision: int
    changes: int
    relabelled: int


def list_states(transaction: Transaction) -> list[BoardState]:
    """Return the state of every board, in a fixed order."""
    names = (getattr(Board, name) for name in BoardState._fields)
    query = select(*names).order_by(Board.benchmark, Board.version, Board.setting)
    return [BoardState(*row) for row in transaction.connection().execute(query)]


def find_models(
    transaction: Transaction,
    headlines: Sequence[Headline],
    sources: Sequence[str],
    *,
    sort: str | None,
    descending: bool,
    search: str,
    limit: int,
) -> list[OverviewModel]:
    """Return models that have a headline score on at least one board.

    Args:
        transaction: Transaction to read in.
        headlines: The headline scores.
        sources: Sources of the rows.
        sort: A benchmark ID, or `model` for names. None puts models on the most boards first, among models with one of
            the first `limit` scores of any board.
        descending: Largest first. Models without the score come last either way.
        search: Part of a model's name or organisation.
        limit: Maximum number of models.
    """
    conditions = [_is_one_of(headlines), Standing.value.is_not(None), Submission.source.in_(sources), *RANKABLE]
    if search:
        conditions.append(is_searched(search))
    else:
        # Grouping all rows of large boards takes a second; an index finds those that can be first.
        ids = _walk(transaction, headlines, sources, sort, descending=descending, n_models=limit)
        conditions += [or_(Model.id.in_(ids), Model.shown_as_id.in_(ids)), SHOWN_AS.in_(ids)]
    query = (
        select(SHOWN.id, SHOWN.public_id, SHOWN.name)
        .join_from(Standing, Submission, Submission.id == Standing.submission_id)
        .join(Model, Model.id == Submission.model_id)
        .join(SHOWN, SHOWN.id == SHOWN_AS)
        .where(*conditions)
        .group_by(SHOWN.id, SHOWN.public_id, SHOWN.name, SHOWN.name_key)
        .order_by(*_order(headlines, sort, descending=descending), SHOWN.name_key)
        .limit(limit)
    )
    return [OverviewModel(*row) for row in transaction.connection().execute(query)]


def _walk(
    transaction: Transaction,
    headlines: Sequence[Headline],
    sources: Sequence[str],
    sort: str | None,
    *,
    descending: bool,
    n_models: int,
) -> list[int]:
    """Return candidate models: by name, else by the best (or worst) scores of each board."""
    if sort == "model":
        return _walk_names(transaction, headlines, sources, descending=descending, n_models=n_models)
    model_ids: set[int] = set()
    for headline in headlines:
        # Unranked scores are not comparable with ranked ones, so they come last.
        for has_place in (Standing.rank.is_not(None), Standing.rank.is_(None)):
            more = _walk_scores(transaction, headline, sources, has_place, descending=descending, n_models=n_models)
            model_ids |= more
            if len(more) >= n_models:
                break
    return sorted(model_ids)


def _walk_scores(
    transaction: Transaction,
    headline: Headline,
    sources: Sequence[str],
    condition: ColumnElement[bool],
    *,
    descending: bool,
    n_models: int,
) -> set[int]:
    value, row_id = Standing.value.expression, Standing.submission_id.expression
    ends = (value.desc(), row_id.desc()) if descending else (value.asc(), row_id.asc())
    n_rows = 2 * n_models
    while True:
        query = (
            select(SHOWN_AS)
            .join_from(Standing, Submission, Submission.id == row_id)
            .join(Model, Model.id == Submission.model_id)
            .where(_is_headline(headline), value.is_not(None), condition, Submission.source.in_(sources), *RANKABLE)
            .order_by(*ends)
            .limit(n_rows)
        )
        walked = transaction.connection().scalars(query).all()
        # Models with many rows can fill a walk: continue then.
        if len(walked) < n_rows or len(set(walked)) >= n_models:
            return set(walked)
        n_rows *= 4


def _walk_names(
    transaction: Transaction, headlines: Sequence[Headline], sources: Sequence[str], *, descending: bool, n_models: int
) -> list[int]:
    name = Model.name_key.expression
    matches: list[int] = []
    walked, at_once = 0, 2 * n_models
    while len(matches) < n_models:
        query = select(Model.id).where(Model.shown_as_id.is_(None)).offset(walked).limit(at_once)
        ids = transaction.connection().scalars(query.order_by(name.desc() if descending else name.asc())).all()
        rows = (
            select(SHOWN_AS)
            .join_from(Model, Submission, Submission.model_id == Model.id)
            .join(Standing, Standing.submission_id == Submission.id)
            .where(or_(Model.id.in_(ids), Model.shown_as_id.in_(ids)), _is_one_of(headlines))
            .where(Standing.value.is_not(None), Submission.source.in_(sources), *RANKABLE)
        )
        has_rows = set(transaction.connection().scalars(rows))
        matches += [model_id for model_id in ids if model_id in has_rows]
        if len(ids) < at_once:
            break
        walked, at_once = walked + at_once, 2 * at_once
    return matches[:n_models]


def list_best(
    transaction: Transaction, headlines: Sequence[Headline], sources: Sequence[str], model_ids: Iterable[int]
) -> list[BestRow]:
    """Return the best row of each model on each board, ranked rows first; of equal rows, the first."""
    position = func.row_number().over(
        partition_by=(SHOWN_AS, Standing.benchmark, Standing.version),
        order_by=(Standing.rank.is_(None), Standing.value.desc(), Submission.id),
    )
    columns = (getattr(Standing, name) for name in BestRow._fields[5:])
    ids = list(model_ids)
    ranked = (
        select(
            SHOWN_AS.label("model"),
            Standing.benchmark,
            Standing.version,
            Submission.id,
            Submission.source,
            *columns,
            position.label("place"),
        )
        .join_from(Model, Submission, Submission.model_id == Model.id)
        .join(Standing, Standing.submission_id == Submission.id)
        .where(or_(Model.id.in_(ids), Model.shown_as_id.in_(ids)), SHOWN_AS.in_(ids))
        .where(_is_one_of(headlines), Standing.value.is_not(None), Submission.source.in_(sources), *RANKABLE)
        .subquery()
    )
    query = select(*list(ranked.c)[:-1]).where(ranked.c.place == 1)
    return [BestRow(*row) for row in transaction.connection().execute(query)]


def list_newest(transaction: Transaction, keys: Iterable[BoardKey], sources: Sequence[str], limit: int) -> list[str]:
    """Return the IDs of the newest public rows of some boards, newest first."""
    query = PageQuery(sort="date", descending=True, sources=tuple(sources), limit=limit)
    places: list[Any] = [place for key in keys for place in find_places(transaction, key, query)]
    return [submission_id for _, submission_id in sorted(places, reverse=True)[:limit]]


def _is_one_of(headlines: Iterable[Headline]) -> ColumnElement[bool]:
    return or_(*(_is_headline(headline) for headline in headlines))


def _is_headline(headline: Headline) -> ColumnElement[bool]:
    return and_(
        *is_of_board(Standing, headline.key), Standing.slice == headline.slice, Standing.metric == headline.metric
    )


def _order(headlines: Sequence[Headline], sort: str | None, *, descending: bool) -> tuple[ColumnElement[Any], ...]:
    if sort == "model":
        return (SHOWN.name_key.desc() if descending else SHOWN.name_key.asc(),)
    counting = or_(*(_is_headline(headline) for headline in headlines if headline.counts))
    if sort is None:
        n_boards = func.count(case((counting, Standing.benchmark)).distinct())
        return n_boards.desc(), func.coalesce(func.min(case((counting, Standing.rank))), _LAST)
    # Scores of other versions are not comparable with those of the default version, nor unranked scores with ranked
    # ones, so they come last.
    of_benchmark = Standing.benchmark == sort
    counts = and_(of_benchmark, counting)
    ends = []
    for condition in (and_(counts, Standing.rank.is_not(None)), counts, of_benchmark):
        value = func.max(case((condition, Standing.value)))
        ends += [value.is_(None), value.desc() if descending else value.asc()]
    return tuple(ends)
