"""Board filters on model facts: kind, open weights, size and organisation.

A row shows the facts of its submission unless a maintainer described its model. Every condition therefore has two
branches: rows that state the fact, of models without a maintainer's description, and rows of models whose description
states it. Both branches use an index. Few models have a maintainer's description, so the second branch is cheap.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, null, or_, select
from sqlalchemy.orm import aliased

from db.models import Model, Submission
from db.session import Transaction

_DESCRIBED = aliased(Model, name="described")


@dataclass(frozen=True, slots=True)
class Filters:
    """Requested model facts; unset fields match every row.

    A filter never matches rows for which its fact is unknown.

    Attributes:
        kind: Exact kind, ignoring case.
        organisation: Exact organisation, ignoring case.
        open_weights: Whether the weights are open.
        size: Billions of parameters: at least the first number and, if given, less than the second.
    """

    kind: str = ""
    organisation: str = ""
    open_weights: bool | None = None
    size: tuple[float, float | None] | None = None

    def __bool__(self) -> bool:
        """Return whether any filter is set."""
        return bool(self.kind or self.organisation or self.size) or self.open_weights is not None

    @property
    def has_free_words(self) -> bool:
        """Whether a filter takes free text or numbers, so that the number of distinct queries is unbounded."""
        return bool(self.kind or self.organisation or self.size)


def list_conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """Return conditions that test submissions found in another way.

    The columns are hidden from their indexes: a database without statistics would otherwise use those instead of the
    walk's own index.
    """
    return [_is_shown(fact, _hide(column), filters) for fact, column in _list_filtered_columns(filters)]


def is_one_of(column: Any, values: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a column has one of some values, as an equality where indexes need one."""
    condition: ColumnElement[bool] = column == values[0] if len(values) == 1 else column.in_(values)
    return condition


def find_along_index(filters: Filters, board: Mapping[Any, Sequence[str]], *tested: ColumnElement[bool]) -> Select[str]:
    """Return the query for the submissions that match filters, using the index of the likely most selective fact.

    Args:
        filters: Filters, at least one of them set.
        board: Submission column → allowed values on the board, for the leading columns of the index.
        tested: Further conditions on the submissions.
    """
    (name, column), *other_facts = _list_filtered_columns(filters)
    besides = [*tested, *(_is_shown(fact, _hide(fact_column), filters) for fact, fact_column in other_facts)]
    submitted = select(Submission.id).where(
        *(is_one_of(board_column, values) for board_column, values in board.items()),
        _is(name, column, filters),
        Submission.model_id.not_in(_select_stated(name)),
        *besides,
    )
    # Start from the described models, which are few, and not from the board.
    described = select(Submission.id).where(
        Submission.model_id.in_(_select_stated(name, filters)),
        *(is_one_of(_hide(board_column.expression), values) for board_column, values in board.items()),
        *besides,
    )
    matches = submitted.union_all(described).subquery()
    return select(matches.c.id)


def count_facts(transaction: Transaction, *rows: ColumnElement[bool]) -> list[tuple[str | None, str | None, int]]:
    """Return the distinct pairs of kind and organisation that rows show, with their numbers of rows.

    This reads all rows: cache the result until the board changes.
    """
    facts = [
        func.coalesce(getattr(_DESCRIBED, name).expression, getattr(Submission, name).expression)
        for name in ("kind", "organisation")
    ]
    shown_as = func.coalesce(Model.shown_as_id, Model.id)
    query = select(*facts, func.count()).join_from(Submission, Model, Model.id == Submission.model_id)
    query = query.join(_DESCRIBED, _DESCRIBED.id == shown_as).where(*rows).group_by(*facts)
    return [(row[0], row[1], row[2]) for row in transaction.execute(query)]


def _list_filtered_columns(filters: Filters) -> Iterator[tuple[str, ColumnElement[Any]]]:
    """Yield the filtered facts, likely the most selective first."""
    if filters.organisation:
        yield "organisation", Submission.organisation.expression
    if filters.size is not None:
        yield "size_billions", Submission.size_billions.expression
    if filters.kind:
        yield "kind", Submission.kind.expression
    if filters.open_weights is not None:
        yield "open_weights", Submission.open_weights.expression


def _is_shown(name: str, column: ColumnElement[Any], filters: Filters) -> ColumnElement[bool]:
    submitted = and_(_is(name, column, filters), Submission.model_id.not_in(_select_stated(name)))
    return or_(submitted, Submission.model_id.in_(_select_stated(name, filters)))


def _is(name: str, column: ColumnElement[Any], filters: Filters) -> ColumnElement[bool]:
    if name == "open_weights":
        return column == filters.open_weights
    if name in ("kind", "organisation"):
        return func.lower(column) == func.lower(getattr(filters, name))
    low, high = filters.size or (0.0, None)
    return column >= low if high is None else and_(column >= low, column < high)


def _select_stated(name: str, filters: Filters | None = None) -> Any:
    """Return the query for models whose description states a fact or, with a value, states that value."""
    column = getattr(_DESCRIBED, name).expression
    # Descriptions of merged models do not apply. Most models are not merged, so that condition must not drive the
    # query.
    conditions = [column.is_not(None), _hide(_DESCRIBED.shown_as_id.expression).is_(None)]
    if filters is not None:
        conditions.append(_is(name, column, filters))
    own = select(_DESCRIBED.id).where(*conditions)
    joined = select(Model.id).join(_DESCRIBED, Model.shown_as_id == _DESCRIBED.id).where(*conditions)
    return own.union_all(joined)


def _hide(column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(column, null())
