"""Which rows a page of a board holds, and in which order: ids alone, found by walking an index for the page's length.

A page costs the same on a board of a hundred rows and of a hundred thousand. What narrows a board to few rows (a
source, a search, a filter) turns the walk round: then the few are found first and sorted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, and_, exists, func, literal, or_, select, tuple_
from sqlalchemy.orm import aliased

from db.column_types import UtcDateTime
from db.models import Model, Standing, Submission
from db.repositories.board_filters import Filters, find_along_index, is_one_of, list_conditions
from db.session import Transaction
from db.states import JUDGE_LANES, SCORED_STATES

# Scored, or scored but for open answers that wait for a judge: see docs/judge.md.
HAS_SCORES = (
    Submission.state.in_(SCORED_STATES),
    or_(
        Submission.state == SCORED_STATES[0],
        and_(Submission.current_evaluation_id.is_not(None), Submission.lane.in_(JUDGE_LANES)),
    ),
)
VISIBLE = (Submission.visibility == "public", *HAS_SCORES)
# What is compared with each other: not the product's own reference systems.
RANKABLE = (*VISIBLE, Submission.is_reference.is_(False))
# With this many rows or fewer, sorting them costs less than looking for them along an index of all.
FEW_ROWS = 1_000

# The model that a row is shown under: its own, or the one that a maintainer joined that one to.
SHOWN = aliased(Model, name="shown")
SHOWN_AS = func.coalesce(Model.shown_as_id, Model.id)

References = Literal["false", "true", "only"]
Place = tuple[float | str | datetime | None, str]
_Places = Select[Any, str]


@dataclass(frozen=True, slots=True)
class BoardKey:
    """Which board."""

    benchmark: str
    version: str
    setting: str


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Which rows of a board, and in which order.

    Attributes:
        sort: `<slice>|<metric>`, `model` or `date`.
        descending: Largest first. Rows without the figure come last either way. Equal rows are in the order of their
            ids, in the same direction, as the index has them.
        sources: Sources to show; all when empty.
        search: Part of a model's name, of the name it was sent under, or of an organisation's.
        filters: What is to be known of the models.
        references: Whether to return reference systems too, whatever the sources: `false`, `true`, or `only` them.
        limit: Number of rows.
        after: (sort value, submission id) of the last row of the page before; None for the first page.
        states: States in which rows are shown; `find_places` keeps those that the board has.
    """

    sort: str
    descending: bool
    sources: tuple[str, ...] = ()
    search: str = ""
    filters: Filters = field(default_factory=Filters)
    references: References = "false"
    limit: int = 50
    after: Place | None = None
    states: tuple[str, ...] = SCORED_STATES

    @property
    def has_free_words(self) -> bool:
        """Whether a stranger's own words are in it, so that there are as many such queries as he likes."""
        return bool(self.search) or self.filters.has_free_words


def is_of_board(table: Any, key: BoardKey) -> tuple[ColumnElement[bool], ...]:
    """Return what makes a row of a table one of a board."""
    return (table.benchmark == key.benchmark, table.version == key.version, table.setting == key.setting)


def find_places(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    """Return sort value and id of the rows of a page and, where there is one, of the row after it."""
    query = replace(query, states=_find_states(transaction, key))
    few = _find_few(transaction, key, query)
    if "|" not in query.sort:
        walk = _walk_dates if query.sort == "date" else _walk_names
        return walk(transaction, key, query) if few is None else _sort(_list_texts(transaction, few, query), query)
    found: list[Place] = []
    if query.after is None or query.after[0] is not None:
        found = _walk_figures(transaction, key, query) if few is None else _list_figures(transaction, few, query)
    left = query.limit + 1 - len(found)
    return found + _list_without(transaction, key, query, few, left) if left else found


def _find_states(transaction: Transaction, key: BoardKey) -> tuple[str, ...]:
    """Return the states of rows that a board shows: `scored` alone, unless open answers of some wait for a judge."""
    # Found by their state, as few rows run or wait; the indexes of the board are hidden.
    own = (Submission.benchmark, Submission.version, Submission.setting, Submission.visibility)
    named = (key.benchmark, key.version, key.setting, "public")
    is_here = (column.concat("") == value for column, value in zip(own, named, strict=True))
    query = select(Submission.id).where(Submission.state.in_(SCORED_STATES[1:]), *HAS_SCORES[1:], *is_here).limit(1)
    return SCORED_STATES[:1] if transaction.scalar(query) is None else SCORED_STATES


def _list_visible(query: PageQuery) -> tuple[ColumnElement[bool], ...]:
    """Return what makes a row visible: with one state an equality, which leaves an index in its order."""
    if len(query.states) > 1:
        return VISIBLE
    return Submission.visibility == "public", Submission.state == query.states[0]


def _find_few(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[str] | None:
    """Return the ids of all rows where they are few; None where they are many, or nothing makes them few."""
    is_narrow = query.sources or query.search or query.filters or query.references == "only"
    if not is_narrow and query.sort != "model":
        return None
    asked = [query]
    if query.sources and query.references == "true":
        # Each has its own index; with `or`, the index of the whole board would be read.
        asked = [replace(query, references="false"), replace(query, references="only", sources=())]
    # A walk that tests what is known of models takes longer than one that tests sources, so it has to be worth more.
    few = 2 * FEW_ROWS if query.filters else FEW_ROWS
    statements = (_select_ids(key, one).limit(few + 1) for one in asked)
    ids = [found for statement in statements for found in transaction.connection().scalars(statement)]
    return ids if len(ids) <= few else None


def _select_ids(key: BoardKey, query: PageQuery) -> Select[str]:
    """Return the query of the ids of all rows that are asked for."""
    tested = [*_list_references(query), *_list_scored(query), *([is_searched(query.search)] if query.search else [])]
    if query.filters:
        # Beside a filter the source is no way in: most rows are of one of those that are asked for.
        tested += [Submission.source.concat("").in_(query.sources)] if query.sources else []
        return find_along_index(query.filters, _of_board(key, query), *tested)
    tested += [Submission.source.in_(query.sources)] if query.sources else []
    of_board = (is_one_of(column, values) for column, values in _of_board(key, query).items())
    return select(Submission.id).where(*of_board, *tested)


def _list_scored(query: PageQuery) -> tuple[ColumnElement[bool], ...]:
    return HAS_SCORES[1:] if len(query.states) > 1 else ()


def _of_board(key: BoardKey, query: PageQuery) -> dict[Any, Sequence[str]]:
    """Return column of a submission → what it may have on a board that anybody may see, as the indexes begin."""
    own = (Submission.benchmark, Submission.version, Submission.setting, Submission.visibility, Submission.state)
    found = ([key.benchmark], [key.version], [key.setting], ["public"], query.states)
    return dict(zip(own, found, strict=True))


# --- few rows: found by their ids and sorted here -------------------------------------------------------------------
# Neither the board nor an order is named: a database would walk the index of all rows, for it does not count them.


def _list_figures(transaction: Transaction, few: list[str], query: PageQuery) -> list[Place]:
    statement: _Places = select(Standing.value, Standing.submission_id).where(Standing.submission_id.in_(few))
    found = _to_places(transaction, statement.where(*_is_sorted(query)))
    return _sort([place for place in found if place[0] is not None], query)


def _list_texts(transaction: Transaction, few: list[str], query: PageQuery) -> list[Place]:
    value = Submission.created_at.expression if query.sort == "date" else SHOWN.name_key.expression
    statement: _Places = select(value, Submission.id).join(Model, Model.id == Submission.model_id)
    statement = statement.join(SHOWN, SHOWN.id == SHOWN_AS)
    return _to_places(transaction, statement.where(Submission.id.in_(few)))


def _sort(places: list[Place], query: PageQuery) -> list[Place]:
    """Return the first of some rows that are on this page, whose values are all of one kind."""
    last: Any = query.after
    left = [one for one in places if last is None or (one < last if query.descending else one > last)]
    return sorted(left, reverse=query.descending)[: query.limit + 1]


# --- many rows: found by walking an index from where the page before ended ------------------------------------------


def _walk_figures(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    value, row_id = Standing.value.expression, Standing.submission_id.expression
    statement: _Places = select(value, row_id).join(Submission, Submission.id == row_id)
    # A standing is of its submission's board, so only one of the two is asked for it.
    statement = statement.where(
        *is_of_board(Standing, key), *_is_sorted(query), value.is_not(None), *_list_visible(query)
    )
    return _to_places(transaction, _in_order(_narrow(statement, query), value, row_id, query))


def _walk_dates(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    value, row_id = Submission.created_at.expression, Submission.id.expression
    statement: _Places = select(value, row_id).where(*is_of_board(Submission, key), *_list_visible(query))
    return _to_places(transaction, _in_order(_narrow(statement, query), value, row_id, query))


def _walk_names(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    """Walk the names that models are shown under, some at a time, and take those that have rows here."""
    found: list[Place] = []
    name: ColumnElement[Any] = Model.name_key.expression
    begin, n_models = query.after and query.after[0], query.limit + 1
    while len(found) <= query.limit:
        statement = select(Model.id, name, Model.shown_as_id).limit(n_models)
        statement = statement.order_by(name.desc() if query.descending else name.asc())
        if begin is not None:
            # The model at which the walk goes on is looked at again: not all of its rows need be on the page before.
            statement = statement.where(name <= begin if query.descending else name >= begin)
        walked = transaction.execute(statement).all()
        # Asked in the statement, this would make SQLite walk the index of joined models and sort.
        names: dict[int, str] = {row.id: row.name_key for row in walked if row.shown_as_id is None}
        shown = _find_shown(transaction, names)
        rows = transaction.execute(_rows_of_models(key, query, shown))
        going_on = replace(query, after=found[-1] if found else query.after)
        found += _sort([(names[shown[model_id]], submission_id) for model_id, submission_id in rows], going_on)
        if len(walked) < n_models:
            break
        begin, n_models = walked[-1].name_key, 2 * n_models
    return found[: query.limit + 1]


def _find_shown(transaction: Transaction, model_ids: Iterable[int]) -> dict[int, int]:
    """Return model → the one it is shown as, of those shown as some."""
    wanted = list(model_ids)
    query = select(Model.id, SHOWN_AS).where(or_(Model.id.in_(wanted), Model.shown_as_id.in_(wanted)))
    return {row[0]: row[1] for row in transaction.execute(query)}


def _rows_of_models(key: BoardKey, query: PageQuery, model_ids: Iterable[int]) -> _Places:
    # The columns are hidden from the index of the board, which would be walked for the rows of a few models.
    of_board = _of_board(key, query).items()
    conditions = (is_one_of(column.concat(""), values) for column, values in of_board)
    statement: _Places = select(Submission.model_id, Submission.id).where(
        Submission.model_id.in_(model_ids), *_list_scored(query), *conditions
    )
    return _narrow(statement, query)


def _list_without(
    transaction: Transaction, key: BoardKey, query: PageQuery, few: list[str] | None, limit: int
) -> list[Place]:
    """Return rows that lack the figure, in the order of their ids."""
    of_row = (*is_of_board(Standing, key), *_is_sorted(query), Standing.submission_id == Submission.id)
    statement: _Places = select(literal(None), Submission.id).where(
        ~exists().where(*of_row, Standing.value.is_not(None))
    )
    if few is None:
        statement = _narrow(statement.where(*is_of_board(Submission, key), *_list_visible(query)), query)
    else:
        statement = statement.where(Submission.id.in_(few))
    if query.after is not None and query.after[0] is None:
        statement = statement.where(Submission.id > query.after[1])
    return _to_places(transaction, statement.order_by(Submission.id).limit(limit))


def _in_order(statement: _Places, value: ColumnElement[Any], row_id: ColumnElement[str], query: PageQuery) -> _Places:
    if query.after is not None:
        last, last_id = query.after
        here = tuple_(value, row_id)
        there = tuple_(literal(last, UtcDateTime() if query.sort == "date" else None), literal(last_id))
        statement = statement.where(here < there if query.descending else here > there)
    ends = (value.desc(), row_id.desc()) if query.descending else (value.asc(), row_id.asc())
    return statement.order_by(*ends).limit(query.limit + 1)


def _narrow(statement: _Places, query: PageQuery) -> _Places:
    """Test the rows of a walk one by one."""
    statement = statement.where(*_list_references(query))
    if query.sources:
        is_asked = Submission.source.in_(query.sources)
        also = [Submission.is_reference.is_(True)] if query.references == "true" else []
        statement = statement.where(or_(is_asked, *also))
    if query.search:
        statement = statement.where(is_searched(query.search))
    return statement.where(*list_conditions(query.filters))


def _list_references(query: PageQuery) -> list[ColumnElement[bool]]:
    """Return the condition for reference systems, if there is one."""
    return [] if query.references == "true" else [Submission.is_reference.is_(query.references == "only")]


def is_searched(search: str) -> ColumnElement[bool]:
    """Return whether a row shows a text, or was sent under a name that holds it; what is said of a model goes first."""
    models = select(Model.id).join(SHOWN, SHOWN.id == SHOWN_AS)
    named = or_(*(_is_like(column.expression, search) for column in (SHOWN.name, SHOWN.organisation)))
    organised = models.where(SHOWN.organisation.is_not(None))
    return or_(
        Submission.model_id.in_(models.where(named)),
        _is_like(Submission.model_name.expression, search),
        and_(_is_like(Submission.organisation.expression, search), Submission.model_id.not_in(organised)),
    )


def _is_like(column: ColumnElement[Any], search: str) -> ColumnElement[bool]:
    return column.icontains(search, autoescape=True)


def _is_sorted(query: PageQuery) -> tuple[ColumnElement[bool], ...]:
    slice_name, metric = query.sort.split("|", 1)
    return Standing.slice == slice_name, Standing.metric == metric


def _to_places(transaction: Transaction, statement: _Places) -> list[Place]:
    return [(value, submission_id) for value, submission_id in transaction.connection().execute(statement)]
