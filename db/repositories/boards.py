"""Boards: what is ranked, its revision, and pages of it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.orm import aliased

from db.models import Board, Evaluation, Model, Outcome, Score, Standing, Submission, User
from db.records import BoardRecord, BoardRow, CandidateRecord, SealedOutcomes, StandingRecord
from db.repositories.changing import add_unless_there, count_changed
from db.repositories.converting import to_evaluation, to_shown_model, to_submission
from db.session import Transaction

_FIGURE = tuple(field.name for field in fields(StandingRecord))
# The model that a row is shown under: its own, or the one that a maintainer joined that one to.
_SHOWN = aliased(Model, name="shown")
_VISIBLE = (Submission.visibility == "public", Submission.state == "scored")


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
        descending: Largest first. Rows without the figure come last either way.
        sources: Sources to show; all when empty.
        search: Part of a model's name, of the name it was sent under, or of an organisation's.
        limit: Number of rows.
        after: (sort value, submission id) of the last row of the page before; None for the first page.
    """

    sort: str
    descending: bool
    sources: tuple[str, ...] = ()
    search: str = ""
    limit: int = 50
    after: tuple[float | str | None, str] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, and where the next page begins (None at the end)."""

    rows: tuple[BoardRow, ...]
    after: tuple[float | str | None, str] | None


def touch_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Ask for a new revision of a board."""
    statement = update(Board).where(*_is(Board, key)).values(changes=Board.changes + 1, updated_at=now)
    if not count_changed(transaction, statement):
        first = Board(**asdict(key), revision=0, changes=1, updated_at=now)
        if not add_unless_there(transaction, first):
            count_changed(transaction, statement)


def touch_outdated_board(transaction: Transaction, key: BoardKey, rule: str, now: datetime) -> bool:
    """Ask for a new revision of a board whose standings were made under another rule; False when they were not."""
    statement = update(Board).where(*_is(Board, key), Board.rule != rule)
    return bool(count_changed(transaction, statement.values(changes=Board.changes + 1, updated_at=now)))


def relabel_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Say that a board shows other names or facts of its models. Its figures stay, and so do its standings."""
    transaction.execute(update(Board).where(*_is(Board, key)).values(relabelled=Board.relabelled + 1, updated_at=now))


def find_board(transaction: Transaction, key: BoardKey) -> BoardRecord | None:
    """Return a board's revision."""
    row = transaction.get(Board, (key.benchmark, key.version, key.setting))
    return _to_board(row) if row else None


def list_boards(transaction: Transaction) -> list[BoardRecord]:
    """Return every board that has ever had a row."""
    return [_to_board(row) for row in transaction.scalars(select(Board).order_by(Board.benchmark, Board.setting))]


def list_stale_boards(transaction: Transaction) -> list[BoardRecord]:
    """Return the boards whose standings are behind."""
    return [_to_board(row) for row in transaction.scalars(select(Board).where(Board.changes > Board.revision))]


def list_candidates(transaction: Transaction, key: BoardKey, figures: Iterable[str]) -> list[CandidateRecord]:
    """Return the figures of every public row of a board, those named `<slice>|<metric>` only."""
    query = (
        select(
            Submission.id,
            Evaluation.id,
            Submission.source,
            Evaluation.ranking,
            Score.slice,
            Score.metric,
            Score.value,
            Score.std,
            Score.n,
        )
        .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .join(Score, Score.evaluation_id == Evaluation.id)
        .where(*_is(Submission, key), *_VISIBLE)
    )
    wanted = frozenset(figures)
    rows = (CandidateRecord(*row) for row in transaction.execute(query))
    return [row for row in rows if f"{row.slice}|{row.metric}" in wanted]


def list_outcomes(transaction: Transaction, key: BoardKey) -> dict[int, SealedOutcomes]:
    """Return evaluation → what happened to each item, sealed, of every public row of a board that has any."""
    query = (
        select(Outcome.evaluation_id, Outcome.n_items, Outcome.n_runs, Outcome.data)
        .join(Submission, Submission.current_evaluation_id == Outcome.evaluation_id)
        .where(*_is(Submission, key), *_VISIBLE)
    )
    rows = transaction.execute(query)
    return {evaluation_id: SealedOutcomes(n_items, n_runs, data) for evaluation_id, n_items, n_runs, data in rows}


def replace_standings(
    transaction: Transaction,
    key: BoardKey,
    standings: Sequence[StandingRecord],
    *,
    seen: int,
    rule: str,
    now: datetime,
    detectable: float | None = None,
) -> bool:
    """Write a board's new revision, made from what was there at change `seen`; False when a newer one is there."""
    statement = update(Board).where(*_is(Board, key), Board.revision < seen)
    made = {"revision": seen, "rule": rule, "updated_at": now, "detectable": detectable}
    if not count_changed(transaction, statement.values(made)):
        return False
    transaction.execute(delete(Standing).where(*_is(Standing, key)))
    if standings:
        # Not `asdict`: it copies every value, which takes longer than writing it.
        board = asdict(key)
        values = [board | {name: getattr(one, name) for name in _FIGURE} for one in standings]
        transaction.execute(insert(Standing), values)
    return True


def read_page(transaction: Transaction, key: BoardKey, query: PageQuery, figures: Sequence[str]) -> Page:
    """Return a page of a board with the named figures."""
    statement = _ordered(key, query)
    found = transaction.execute(statement.limit(query.limit + 1)).all()
    rows = found[: query.limit]
    standings = _standings_of(transaction, key, [row[0].id for row in rows], figures)
    notes = _notes_of(transaction, [row[4].id for row in rows], figures)
    page = tuple(
        BoardRow(
            to_submission(submission, owner, model),
            to_shown_model(shown, submission),
            to_evaluation(evaluation),
            standings.get(submission.id, {}),
            notes.get(evaluation.id, {}),
        )
        for submission, owner, model, shown, evaluation, _ in rows
    )
    after = (rows[-1][5], rows[-1][0].id) if len(found) > query.limit else None
    return Page(page, after)


def _ordered(key: BoardKey, query: PageQuery) -> Select[Any]:
    value = _sort_value(query.sort)
    statement = (
        select(Submission, User, Model, _SHOWN, Evaluation, value)
        .join(User, Submission.owner_id == User.id)
        .join(Model, Submission.model_id == Model.id)
        .join(_SHOWN, _SHOWN.id == func.coalesce(Model.shown_as_id, Model.id))
        .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .where(*_is(Submission, key), *_VISIBLE)
    )
    if "|" in query.sort:
        statement = statement.outerjoin(Standing, _standing_of_sort(key, query.sort))
    if query.sources:
        statement = statement.where(Submission.source.in_(query.sources))
    if query.search:
        organisation = func.coalesce(_SHOWN.organisation, Submission.organisation)
        searched = (_SHOWN.name, Submission.model_name, organisation)
        matches = (column.icontains(query.search, autoescape=True) for column in searched)
        statement = statement.where(or_(*matches))
    if query.after is not None:
        statement = statement.where(_after(value, query))
    direction = value.desc() if query.descending else value.asc()
    return statement.order_by(value.is_(None), direction, Submission.id)


def _sort_value(sort: str) -> ColumnElement[Any]:
    if sort == "model":
        return func.lower(_SHOWN.name)
    return Submission.created_at.expression if sort == "date" else Standing.value.expression


def _standing_of_sort(key: BoardKey, sort: str) -> ColumnElement[bool]:
    slice_name, metric = sort.split("|", 1)
    return and_(
        *_is(Standing, key),
        Standing.submission_id == Submission.id,
        Standing.slice == slice_name,
        Standing.metric == metric,
    )


def _after(value: ColumnElement[Any], query: PageQuery) -> ColumnElement[bool]:
    last, last_id = query.after or (None, "")
    if last is None:
        return and_(value.is_(None), Submission.id > last_id)
    further = value < last if query.descending else value > last
    return or_(value.is_(None), further, and_(value == last, Submission.id > last_id))


def _standings_of(
    transaction: Transaction, key: BoardKey, submission_ids: Sequence[str], figures: Sequence[str]
) -> dict[str, dict[str, StandingRecord]]:
    # Columns, not entities: a page of 50 rows has thousands of figures.
    query = select(*Standing.__table__.columns).where(*_is(Standing, key), Standing.submission_id.in_(submission_ids))
    slices = {figure.split("|", 1)[0] for figure in figures}
    wanted = frozenset(figures)
    found: dict[str, dict[str, StandingRecord]] = {}
    for row in transaction.execute(query.where(Standing.slice.in_(slices))):
        name = f"{row.slice}|{row.metric}"
        if name in wanted:
            found.setdefault(row.submission_id, {})[name] = to_standing(row)
    return found


def _notes_of(
    transaction: Transaction, evaluation_ids: Sequence[int], figures: Sequence[str]
) -> dict[int, dict[str, str]]:
    query = select(Score.evaluation_id, Score.slice, Score.metric, Score.note).where(
        Score.evaluation_id.in_(evaluation_ids), Score.note.is_not(None)
    )
    wanted = frozenset(figures)
    found: dict[int, dict[str, str]] = {}
    for evaluation_id, slice_name, metric, note in transaction.execute(query):
        name = f"{slice_name}|{metric}"
        if name in wanted and note:
            found.setdefault(evaluation_id, {})[name] = note
    return found


def _is(table: Any, key: BoardKey) -> tuple[ColumnElement[bool], ...]:
    return (table.benchmark == key.benchmark, table.version == key.version, table.setting == key.setting)


def _to_board(row: Board) -> BoardRecord:
    return BoardRecord(
        row.benchmark,
        row.version,
        row.setting,
        row.revision,
        row.changes,
        row.updated_at,
        row.rule,
        row.detectable,
        row.relabelled,
    )


def to_standing(row: Any) -> StandingRecord:
    """Return a figure with its place, from the columns of `standings`."""
    return StandingRecord(
        submission_id=row.submission_id,
        evaluation_id=row.evaluation_id,
        slice=row.slice,
        metric=row.metric,
        value=row.value,
        std=row.std,
        low=row.low,
        high=row.high,
        rank=row.rank,
        rank_low=row.rank_low,
        rank_high=row.rank_high,
    )
