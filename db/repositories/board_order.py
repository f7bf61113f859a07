"""Row IDs of a board page in order, found by walking an index for the length of the page.

A page costs the same on a board of 100 rows and of 100,000. If a source, search or filter leaves few rows, the order is
reversed: those rows are found first and then sorted.
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

# Scored, or scored except for open answers that wait for a judge: see docs/judge.md.
HAS_SCORES = (
    Submission.state.in_(SCORED_STATES),
    or_(
        Submission.state == SCORED_STATES[0],
        and_(Submission.current_evaluation_id.is_not(None), Submission.lane.in_(JUDGE_LANES)),
    ),
)
VISIBLE = (Submission.visibility == "public", *HAS_SCORES)
# Rows that are compared with each other, so no reference systems.
RANKABLE = (*VISIBLE, Submission.is_reference.is_(False))
# Up to this many rows, sorting is cheaper than finding them along an index of all rows.
FEW_ROWS = 1_000

# The model that a row is shown under: its own, or the one that a maintainer merged that into.
SHOWN = aliased(Model, name="shown")
SHOWN_AS = func.coalesce(Model.shown_as_id, Model.id)

References = Literal["false", "true", "only"]
Place = tuple[float | str | datetime | None, str]
_Places = Select[Any, str]


@dataclass(frozen=True, slots=True)
class BoardKey:
    """Key of a board: benchmark, version and setting."""

    benchmark: str
    version: str
    setting: str


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Selection and order of board rows.

    Attributes:
        sort: `<slice>|<metric>`, `model` or `date`.
        descending: Largest first. Rows without the score come last either way. Ties are ordered by ID, in the same
            direction as the index.
        sources: Sources to show; empty for all.
        search: Part of a model's shown name, submitted name or organisation.
        filters: Filters on model facts.
        references: Whether to include reference systems, regardless of the sources: `false`, `true`, or `only` them.
        limit: Number of rows.
        after: (sort value, submission ID) of the last row of the previous page; None for the first page.
        states: States in which rows are shown; `find_places` drops those that the board does not have.
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
        """Whether the query contains free text, so that the number of distinct queries is unbounded."""
        return bool(self.search) or self.filters.has_free_words


def is_of_board(table: Any, key: BoardKey) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions under which a table's row belongs to a board."""
    return (table.benchmark == key.benchmark, table.version == key.version, table.setting == key.setting)


def find_places(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    """Return sort value and ID of the rows of a page and, if there is one, of the next row."""
    query = replace(query, states=_find_states(transaction, key))
    few = _find_few(transaction, key, query)
    if "|" not in query.sort:
        walk = _walk_dates if query.sort == "date" else _walk_names
        return (
            walk(transaction, key, query) if few is None else _sort_places(_list_texts(transaction, few, query), query)
        )
    places: list[Place] = []
    if query.after is None or query.after[0] is not None:
        places = _walk_scores(transaction, key, query) if few is None else _list_scores(transaction, few, query)
    n_missing = query.limit + 1 - len(places)
    return places + _list_without(transaction, key, query, few, n_missing) if n_missing else places


def _find_states(transaction: Transaction, key: BoardKey) -> tuple[str, ...]:
    """Return the states of rows that a board shows: `scored`, and `awaiting-judge` if the board has any."""
    # Look up rows by state, as few are running or waiting; the indexes of the board are hidden.
    own = (Submission.benchmark, Submission.version, Submission.setting, Submission.visibility)
    values = (key.benchmark, key.version, key.setting, "public")
    is_of_key = (column.concat("") == value for column, value in zip(own, values, strict=True))
    query = select(Submission.id).where(Submission.state.in_(SCORED_STATES[1:]), *HAS_SCORES[1:], *is_of_key).limit(1)
    return SCORED_STATES[:1] if transaction.scalar(query) is None else SCORED_STATES


def _list_visible(query: PageQuery) -> tuple[ColumnElement[bool], ...]:
    """Return the visibility conditions. A single state gives an equality, which keeps the order of an index."""
    if len(query.states) > 1:
        return VISIBLE
    return Submission.visibility == "public", Submission.state == query.states[0]


def _find_few(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[str] | None:
    """Return the IDs of all matching rows if they are few; None if they are many, or if nothing narrows them."""
    is_narrow = query.sources or query.search or query.filters or query.references == "only"
    if not is_narrow and query.sort != "model":
        return None
    queries = [query]
    if query.sources and query.references == "true":
        # Each has its own index; an `or` would read the index of the whole board.
        queries = [replace(query, references="false"), replace(query, references="only", sources=())]
    # Testing model facts in a walk takes longer than testing sources, so it pays off only for more rows.
    few = 2 * FEW_ROWS if query.filters else FEW_ROWS
    statements = (_select_ids(key, subquery).limit(few + 1) for subquery in queries)
    ids = [row_id for statement in statements for row_id in transaction.connection().scalars(statement)]
    return ids if len(ids) <= few else None


def _select_ids(key: BoardKey, query: PageQuery) -> Select[str]:
    """Return the query for the IDs of all matching rows."""
    tested = [*_list_references(query), *_list_scored(query), *([is_searched(query.search)] if query.search else [])]
    if query.filters:
        # With a filter, do not use the source index: most rows have one of the requested sources.
        tested += [Submission.source.concat("").in_(query.sources)] if query.sources else []
        return find_along_index(query.filters, _of_board(key, query), *tested)
    tested += [Submission.source.in_(query.sources)] if query.sources else []
    of_board = (is_one_of(column, values) for column, values in _of_board(key, query).items())
    return select(Submission.id).where(*of_board, *tested)


def _list_scored(query: PageQuery) -> tuple[ColumnElement[bool], ...]:
    return HAS_SCORES[1:] if len(query.states) > 1 else ()


def _of_board(key: BoardKey, query: PageQuery) -> dict[Any, Sequence[str]]:
    """Return submission column → allowed values for public rows of a board, in the order of the indexes."""
    own = (Submission.benchmark, Submission.version, Submission.setting, Submission.visibility, Submission.state)
    allowed = ([key.benchmark], [key.version], [key.setting], ["public"], query.states)
    return dict(zip(own, allowed, strict=True))


# --- few rows: found by ID and sorted here --------------------------------------------------------------------------
# Do not name the board or an order: a database without statistics would walk the index of all rows.


def _list_scores(transaction: Transaction, few: list[str], query: PageQuery) -> list[Place]:
    statement: _Places = select(Standing.value, Standing.submission_id).where(Standing.submission_id.in_(few))
    places = _to_places(transaction, statement.where(*_is_sorted(query)))
    return _sort_places([place for place in places if place[0] is not None], query)


def _list_texts(transaction: Transaction, few: list[str], query: PageQuery) -> list[Place]:
    value = Submission.created_at.expression if query.sort == "date" else SHOWN.name_key.expression
    statement: _Places = select(value, Submission.id).join(Model, Model.id == Submission.model_id)
    statement = statement.join(SHOWN, SHOWN.id == SHOWN_AS)
    return _to_places(transaction, statement.where(Submission.id.in_(few)))


def _sort_places(places: list[Place], query: PageQuery) -> list[Place]:
    """Sort rows and return those of this page. Their sort values all have one type."""
    last: Any = query.after
    remaining = [place for place in places if last is None or (place < last if query.descending else place > last)]
    return sorted(remaining, reverse=query.descending)[: query.limit + 1]


# --- many rows: found by walking an index from the end of the previous page -----------------------------------------


def _walk_scores(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    value, row_id = Standing.value.expression, Standing.submission_id.expression
    statement: _Places = select(value, row_id).join(Submission, Submission.id == row_id)
    # A standing belongs to its submission's board, so one of the two conditions is enough.
    statement = statement.where(
        *is_of_board(Standing, key), *_is_sorted(query), value.is_not(None), *_list_visible(query)
    )
    return _to_places(transaction, _in_order(_narrow(statement, query), value, row_id, query))


def _walk_dates(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    value, row_id = Submission.created_at.expression, Submission.id.expression
    statement: _Places = select(value, row_id).where(*is_of_board(Submission, key), *_list_visible(query))
    return _to_places(transaction, _in_order(_narrow(statement, query), value, row_id, query))


def _walk_names(transaction: Transaction, key: BoardKey, query: PageQuery) -> list[Place]:
    """Walk shown model names in batches, and collect those with rows on the board."""
    places: list[Place] = []
    name: ColumnElement[Any] = Model.name_key.expression
    begin, n_models = query.after and query.after[0], query.limit + 1
    while len(places) <= query.limit:
        statement = select(Model.id, name, Model.shown_as_id).limit(n_models)
        statement = statement.order_by(name.desc() if query.descending else name.asc())
        if begin is not None:
            # Read the last model of the previous page again: not all of its rows may have fitted.
            statement = statement.where(name <= begin if query.descending else name >= begin)
        walked = transaction.execute(statement).all()
        # As a subquery, this would make SQLite walk the index of merged models and sort.
        names: dict[int, str] = {row.id: row.name_key for row in walked if row.shown_as_id is None}
        shown_names = _find_shown(transaction, names)
        rows = transaction.execute(_rows_of_models(key, query, shown_names))
        going_on = replace(query, after=places[-1] if places else query.after)
        places += _sort_places(
            [(names[shown_names[model_id]], submission_id) for model_id, submission_id in rows], going_on
        )
        if len(walked) < n_models:
            break
        begin, n_models = walked[-1].name_key, 2 * n_models
    return places[: query.limit + 1]


def _find_shown(transaction: Transaction, model_ids: Iterable[int]) -> dict[int, int]:
    """Return model → the model it is shown as, for the models shown under some others."""
    ids = list(model_ids)
    query = select(Model.id, SHOWN_AS).where(or_(Model.id.in_(ids), Model.shown_as_id.in_(ids)))
    return {row[0]: row[1] for row in transaction.execute(query)}


def _rows_of_models(key: BoardKey, query: PageQuery, model_ids: Iterable[int]) -> _Places:
    # The columns are hidden from the board's index, which would otherwise be walked for the rows of a few models.
    of_board = _of_board(key, query).items()
    conditions = (is_one_of(column.concat(""), values) for column, values in of_board)
    statement: _Places = select(Submission.model_id, Submission.id).where(
        Submission.model_id.in_(model_ids), *_list_scored(query), *conditions
    )
    return _narrow(statement, query)


def _list_without(
    transaction: Transaction, key: BoardKey, query: PageQuery, few: list[str] | None, limit: int
) -> list[Place]:
    """Return rows without the score, in the order of their IDs."""
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
        position = tuple_(value, row_id)
        last_position = tuple_(literal(last, UtcDateTime() if query.sort == "date" else None), literal(last_id))
        statement = statement.where(position < last_position if query.descending else position > last_position)
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
    """Return the condition on reference systems, if there is one."""
    return [] if query.references == "true" else [Submission.is_reference.is_(query.references == "only")]


def is_searched(search: str) -> ColumnElement[bool]:
    """Return the condition that a row's shown name, submitted name or organisation contains a text."""
    models = select(Model.id).join(SHOWN, SHOWN.id == SHOWN_AS)
    is_named = or_(*(_is_like(column.expression, search) for column in (SHOWN.name, SHOWN.organisation)))
    organised = models.where(SHOWN.organisation.is_not(None))
    return or_(
        Submission.model_id.in_(models.where(is_named)),
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
