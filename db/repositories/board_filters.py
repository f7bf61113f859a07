"""Filters of boards by what is known of the models: kind, weights, size, organisation, as a board shows them.

What a row shows was sent with it, unless a maintainer said otherwise of the model it is shown under. So every condition
has two sides: rows that say it, of models of which nothing else was said, and rows of models of which it was said. Both
sides have an index. Models that a maintainer described are few, so their side costs nothing.
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
    """What is asked of the models of a board; nothing unless said.

    A row of which a fact is not known is found by no filter of that fact.

    Attributes:
        kind: Exactly this kind, whatever the case of its letters.
        organisation: Exactly this organisation, likewise.
        open_weights: Whether the weights are open.
        size: Billions of parameters: from the first number on, and below the second where there is one.
    """

    kind: str = ""
    organisation: str = ""
    open_weights: bool | None = None
    size: tuple[float, float | None] | None = None

    def __bool__(self) -> bool:
        """Tell whether anything is asked."""
        return bool(self.kind or self.organisation or self.size) or self.open_weights is not None

    @property
    def has_free_words(self) -> bool:
        """Whether a stranger's own words or numbers are among them, of which there are as many as he likes."""
        return bool(self.kind or self.organisation or self.size)


def list_conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """Return what is to be true of a submission, for testing rows that were found otherwise.

    The columns are hidden from their indexes: a database that does not count would leave the order of a walk for them.
    """
    return [_is_shown(name, _hide(column), filters) for name, column in _list_filtered_columns(filters)]


def is_one_of(column: Any, values: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a column has one of some values; with one value an equality, as indexes want it."""
    found: ColumnElement[bool] = column == values[0] if len(values) == 1 else column.in_(values)
    return found


def find_along_index(filters: Filters, board: Mapping[Any, Sequence[str]], *tested: ColumnElement[bool]) -> Select[str]:
    """Return the query of the submissions that filters find, along the index of the fact that is likely the rarest.

    Args:
        filters: At least one is asked.
        board: Column of a submission → what it may have on the board, of those with which the index begins.
        tested: What is true of the submissions besides.
    """
    (name, column), *others = _list_filtered_columns(filters)
    besides = [*tested, *(_is_shown(other, _hide(one), filters) for other, one in others)]
    sent = select(Submission.id).where(
        *(is_one_of(one, values) for one, values in board.items()),
        _is(name, column, filters),
        Submission.model_id.not_in(_select_stated(name)),
        *besides,
    )
    # Found by their models, of which few were described: the board is no way in.
    said = select(Submission.id).where(
        Submission.model_id.in_(_select_stated(name, filters)),
        *(is_one_of(_hide(one.expression), values) for one, values in board.items()),
        *besides,
    )
    found = sent.union_all(said).subquery()
    return select(found.c.id)


def count_facts(transaction: Transaction, *rows: ColumnElement[bool]) -> list[tuple[str | None, str | None, int]]:
    """Return kind, organisation and number of rows of everything that some rows show of their models.

    This reads all of the rows: what it returns is to be kept as long as the board does not change.
    """
    facts = [
        func.coalesce(getattr(_DESCRIBED, name).expression, getattr(Submission, name).expression)
        for name in ("kind", "organisation")
    ]
    shown = func.coalesce(Model.shown_as_id, Model.id)
    query = select(*facts, func.count()).join_from(Submission, Model, Model.id == Submission.model_id)
    query = query.join(_DESCRIBED, _DESCRIBED.id == shown).where(*rows).group_by(*facts)
    return [(row[0], row[1], row[2]) for row in transaction.execute(query)]


def _list_filtered_columns(filters: Filters) -> Iterator[tuple[str, ColumnElement[Any]]]:
    """Yield the facts that are asked for, likely the rarest first."""
    if filters.organisation:
        yield "organisation", Submission.organisation.expression
    if filters.size is not None:
        yield "size_billions", Submission.size_billions.expression
    if filters.kind:
        yield "kind", Submission.kind.expression
    if filters.open_weights is not None:
        yield "open_weights", Submission.open_weights.expression


def _is_shown(name: str, column: ColumnElement[Any], filters: Filters) -> ColumnElement[bool]:
    sent = and_(_is(name, column, filters), Submission.model_id.not_in(_select_stated(name)))
    return or_(sent, Submission.model_id.in_(_select_stated(name, filters)))


def _is(name: str, column: ColumnElement[Any], filters: Filters) -> ColumnElement[bool]:
    if name == "open_weights":
        return column == filters.open_weights
    if name in ("kind", "organisation"):
        return func.lower(column) == func.lower(getattr(filters, name))
    low, high = filters.size or (0.0, None)
    return column >= low if high is None else and_(column >= low, column < high)


def _select_stated(name: str, filters: Filters | None = None) -> Any:
    """Return the query of the models of which a fact was said, or of those of which what is asked for was said."""
    column = getattr(_DESCRIBED, name).expression
    # What was said of a model that is joined to another rests. Most are not joined: that is no way in.
    said = [column.is_not(None), _hide(_DESCRIBED.shown_as_id.expression).is_(None)]
    if filters is not None:
        said.append(_is(name, column, filters))
    own = select(_DESCRIBED.id).where(*said)
    joined = select(Model.id).join(_DESCRIBED, Model.shown_as_id == _DESCRIBED.id).where(*said)
    return own.union_all(joined)


def _hide(column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(column, null())
