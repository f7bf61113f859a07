"""Boards: what is ranked, its revision, and pages of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, delete, insert, select, update

from db.models import Base, BenchmarkVersion, Board, Evaluation, Model, Outcome, Score, Standing, Submission, User
from db.records import (
    BoardRecord,
    BoardRow,
    CandidateRecord,
    EvaluationRecord,
    ModelRecord,
    SealedOutcomes,
    StandingRecord,
    SubmissionRecord,
)
from db.repositories.board_order import SHOWN, SHOWN_AS, VISIBLE, BoardKey, PageQuery, Place, find_places, is_of_board
from db.repositories.changing import add_unless_there, count_changed
from db.repositories.converting import to_evaluation, to_shown_model, to_submission
from db.session import Transaction

__all__ = [
    "BoardKey",
    "BoardTag",
    "Page",
    "PageQuery",
    "find_board",
    "find_tag",
    "list_boards",
    "list_candidates",
    "list_judged",
    "list_outcomes",
    "list_stale_boards",
    "read_page",
    "replace_standings",
    "touch_board",
    "touch_outdated_board",
]
_FIGURE = tuple(field.name for field in fields(StandingRecord))

# With more than these it takes less to read all figures of a row.
_MOST_SLICES_NAMED = 20

# What a page is read with is put together once: for one page that would take as long as reading it.
# Without what no row shows: times and JSON take longest to read.
_UNREAD: dict[type[Base], frozenset[str]] = {
    Submission: frozenset({"idempotency_key", "visibility_before_hiding"}),
    User: frozenset({"created_at"}),
    Evaluation: frozenset({"lease_token", "lease_expires_at", "worker"}),
}


class JudgedRow(NamedTuple):
    """A row of a board with figures that a judge made, and what they are signed with."""

    evaluation_id: int
    signature: str


def _list_read(table: type[Base]) -> tuple[ColumnElement[Any], ...]:
    return tuple(column for column in table.__table__.columns if column.key not in _UNREAD[table])


_OF_MODEL = (Model.id.expression, Model.public_id.expression)
_OF_SHOWN = tuple(
    getattr(SHOWN, name).expression
    for name in ("id", "public_id", "name", "organisation", "kind", "size_billions", "open_weights", "links")
)
_READ = (_list_read(Submission), _list_read(User), _OF_MODEL, _OF_SHOWN, _list_read(Evaluation))
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_ROWS = (
    select(*(column for columns in _READ for column in columns))
    .join_from(Submission, User, Submission.owner_id == User.id)
    .join(Model, Submission.model_id == Model.id)
    .join(SHOWN, SHOWN.id == SHOWN_AS)
    .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
    .where(Submission.id.in_(_IDS))
)
_STANDINGS = select(*(getattr(Standing, name) for name in _FIGURE)).where(Standing.submission_id.in_(_IDS))
_STANDINGS_OF_SLICES = _STANDINGS.where(Standing.slice.in_(bindparam("slices", expanding=True)))
_NOTES = select(Score.evaluation_id, Score.slice, Score.metric, Score.note).where(
    Score.evaluation_id.in_(_IDS), Score.note.is_not(None)
)

_TAG = (
    select(BenchmarkVersion.content_digest, Board.revision, Board.changes, Board.relabelled)
    .join_from(
        Board,
        BenchmarkVersion,
        and_(BenchmarkVersion.id == Board.benchmark, BenchmarkVersion.version == Board.version),
        isouter=True,
    )
    .where(*(getattr(Board, name) == bindparam(name) for name in ("benchmark", "version", "setting")))
)


def _find_parts_of_rows() -> Iterator[tuple[tuple[str, ...], slice]]:
    begin = 0
    for columns in _READ:
        names = tuple(str(column.key) for column in columns)
        yield names, slice(begin, begin + len(names))
        begin += len(names)


_PARTS_OF_ROWS = tuple(_find_parts_of_rows())


class BoardTag(NamedTuple):
    """What a board's pages follow from: the questions, if they are registered, its revision, and both its counts."""

    content_digest: str | None
    revision: int
    changes: int
    relabelled: int


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, and where the next page begins (None at the end)."""

    rows: tuple[BoardRow, ...]
    after: Place | None


def touch_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Ask for a new revision of a board."""
    statement = update(Board).where(*is_of_board(Board, key)).values(changes=Board.changes + 1, updated_at=now)
    if not count_changed(transaction, statement):
        first = Board(**asdict(key), revision=0, changes=1, updated_at=now)
        if not add_unless_there(transaction, first):
            count_changed(transaction, statement)


def touch_outdated_board(transaction: Transaction, key: BoardKey, rule: str, now: datetime) -> bool:
    """Ask for a new revision of a board whose standings were made under another rule; False when they were not."""
    statement = update(Board).where(*is_of_board(Board, key), Board.rule != rule)
    return bool(count_changed(transaction, statement.values(changes=Board.changes + 1, updated_at=now)))


def relabel_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Say that a board shows other names or facts of its models. Its figures stay, and so do its standings."""
    transaction.execute(
        update(Board).where(*is_of_board(Board, key)).values(relabelled=Board.relabelled + 1, updated_at=now)
    )


def find_board(transaction: Transaction, key: BoardKey) -> BoardRecord | None:
    """Return a board's revision."""
    row = transaction.get(Board, (key.benchmark, key.version, key.setting))
    return _to_board(row) if row else None


def find_tag(transaction: Transaction, key: BoardKey) -> BoardTag:
    """Return what tells one state of a board from the next; asked for with every page, so it is one plain statement."""
    found = transaction.connection().execute(_TAG, asdict(key)).first()
    return BoardTag(*found) if found is not None else BoardTag(None, 0, 0, 0)


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
        .where(*is_of_board(Submission, key), *VISIBLE)
    )
    wanted = frozenset(figures)
    rows = (CandidateRecord(*row) for row in transaction.execute(query))
    return [row for row in rows if f"{row.slice}|{row.metric}" in wanted]


def list_judged(transaction: Transaction, key: BoardKey, mark: str) -> list[JudgedRow]:
    """Return the public rows of a board in whose signatures a mark stands, the one scored last at the end."""
    query = (
        select(Evaluation.id, Evaluation.signature)
        .join(Submission, Submission.current_evaluation_id == Evaluation.id)
        .where(*is_of_board(Submission, key), *VISIBLE)
        .where(Evaluation.signature.contains(mark, autoescape=True))
        .order_by(Evaluation.finished_at, Evaluation.id)
    )
    return [JudgedRow(evaluation_id, signature or "") for evaluation_id, signature in transaction.execute(query)]


def list_outcomes(transaction: Transaction, key: BoardKey) -> dict[int, SealedOutcomes]:
    """Return evaluation → what happened to each item, sealed, of every public row of a board that has any."""
    query = (
        select(Outcome.evaluation_id, Outcome.n_items, Outcome.n_runs, Outcome.data)
        .join(Submission, Submission.current_evaluation_id == Outcome.evaluation_id)
        .where(*is_of_board(Submission, key), *VISIBLE)
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
    statement = update(Board).where(*is_of_board(Board, key), Board.revision < seen)
    made = {"revision": seen, "rule": rule, "updated_at": now, "detectable": detectable}
    if not count_changed(transaction, statement.values(made)):
        return False
    transaction.execute(delete(Standing).where(*is_of_board(Standing, key)))
    if standings:
        # Not `asdict`: it copies every value, which takes longer than writing it.
        board = asdict(key)
        values = [board | {name: getattr(one, name) for name in _FIGURE} for one in standings]
        transaction.execute(insert(Standing), values)
    return True


def read_page(transaction: Transaction, key: BoardKey, query: PageQuery, figures: Sequence[str]) -> Page:
    """Return a page of a board with the named figures."""
    found = find_places(transaction, key, query)
    places = found[: query.limit]
    ids = [submission_id for _, submission_id in places]
    rows = _read_rows(transaction, ids)
    standings = _standings_of(transaction, ids, figures)
    notes = _notes_of(transaction, [row.evaluation.id for row in rows.values()], figures)
    page = tuple(
        BoardRow(*row, standings.get(row.submission.id, {}), notes.get(row.evaluation.id, {}))
        for row in (rows[submission_id] for submission_id in ids if submission_id in rows)
    )
    return Page(page, places[-1] if len(found) > query.limit else None)


class _Row(NamedTuple):
    submission: SubmissionRecord
    model: ModelRecord
    evaluation: EvaluationRecord


def _read_rows(transaction: Transaction, submission_ids: Sequence[str]) -> dict[str, _Row]:
    """Return submission → it, its model and its current scoring; no entities: making them takes longer than reading."""
    found = {}
    for row in transaction.connection().execute(_ROWS, {"ids": submission_ids}).all():
        parts = [SimpleNamespace(**dict(zip(names, row[place], strict=True))) for names, place in _PARTS_OF_ROWS]
        submission, owner, model, shown, evaluation = cast(tuple[Submission, User, Model, Model, Evaluation], parts)
        found[submission.id] = _Row(
            to_submission(submission, owner, model), to_shown_model(shown, submission), to_evaluation(evaluation)
        )
    return found


def _standings_of(
    transaction: Transaction, submission_ids: Sequence[str], figures: Sequence[str]
) -> dict[str, dict[str, StandingRecord]]:
    wanted = frozenset(figures)
    slices = list({figure.split("|", 1)[0] for figure in wanted})
    is_narrow = len(slices) <= _MOST_SLICES_NAMED
    values = {"ids": submission_ids, "slices": slices} if is_narrow else {"ids": submission_ids}
    found: dict[str, dict[str, StandingRecord]] = {submission_id: {} for submission_id in submission_ids}
    for row in transaction.connection().execute(_STANDINGS_OF_SLICES if is_narrow else _STANDINGS, values).all():
        name = f"{row[2]}|{row[3]}"
        if name in wanted:
            found[row[0]][name] = StandingRecord(*row)
    return found


def _notes_of(
    transaction: Transaction, evaluation_ids: Sequence[int], figures: Sequence[str]
) -> dict[int, dict[str, str]]:
    wanted = frozenset(figures)
    found: dict[int, dict[str, str]] = {}
    rows = transaction.connection().execute(_NOTES, {"ids": evaluation_ids}).all()
    for evaluation_id, slice_name, metric, note in rows:
        name = f"{slice_name}|{metric}"
        if name in wanted and note:
            found.setdefault(evaluation_id, {})[name] = note
    return found


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
