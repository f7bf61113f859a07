"""Board rows read by ID: a submission with its model, evaluation and scores."""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import BindParameter, ColumnElement, bindparam, select

from db.models import Base, Evaluation, Model, Standing, StoredScore, Submission, User
from db.records import BoardRow, EvaluationRecord, ModelRecord, StandingRecord, SubmissionRecord
from db.repositories.board_order import SHOWN, SHOWN_AS
from db.repositories.converting import to_evaluation, to_shown_model, to_submission
from db.session import Transaction

FIGURE = StandingRecord._fields

# Above this number, reading all scores of a row is faster.
_MAX_SLICES_NAMED = 20

# The query for a page is built once: building it takes as long as reading one page.
# Omits columns that no row shows: timestamps and JSON are the slowest to read.
_UNREAD: dict[type[Base], frozenset[str]] = {
    Submission: frozenset({"idempotency_key", "visibility_before_hiding"}),
    User: frozenset({"created_at"}),
    Evaluation: frozenset({"lease_token", "lease_expires_at", "worker"}),
}


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
_STANDINGS = select(*(getattr(Standing, name) for name in FIGURE)).where(Standing.submission_id.in_(_IDS))
_STANDINGS_OF_SLICES = _STANDINGS.where(Standing.slice.in_(bindparam("slices", expanding=True)))
_NOTES = select(StoredScore.evaluation_id, StoredScore.slice, StoredScore.metric, StoredScore.note).where(
    StoredScore.evaluation_id.in_(_IDS), StoredScore.note.is_not(None)
)


def _find_parts_of_rows() -> Iterator[tuple[Callable[[Sequence[Any]], Any], slice]]:
    begin = 0
    for columns in _READ:
        # Stands in for an entity: the same attributes, at a fraction of the cost.
        part = namedtuple("part", [str(column.key) for column in columns])  # type: ignore[misc]
        yield part._make, slice(begin, begin + len(columns))
        begin += len(columns)


_PARTS_OF_ROWS = tuple(_find_parts_of_rows())


class _Row(NamedTuple):
    submission: SubmissionRecord
    model: ModelRecord
    evaluation: EvaluationRecord


def read_rows(transaction: Transaction, ids: Sequence[str], score_keys: Sequence[str]) -> tuple[BoardRow, ...]:
    """Return submissions as rows with their current evaluation, in the order of the given IDs.

    The scores are those of the board, which may still belong to the previous evaluation. Each score names its own.
    """
    return _put_together(
        transaction, ids, score_keys, _read_rows(transaction, ids), _standings_of(transaction, ids, score_keys)
    )


def read_shown_rows(transaction: Transaction, ids: Sequence[str], score_keys: Sequence[str]) -> tuple[BoardRow, ...]:
    """Return submissions as the board shows them: each with the evaluation of its shown scores."""
    standings = _standings_of(transaction, ids, score_keys)
    rows = _keep_ranked_scorings(transaction, _read_rows(transaction, ids), standings)
    return _put_together(transaction, ids, score_keys, rows, standings)


def _put_together(
    transaction: Transaction,
    ids: Sequence[str],
    score_keys: Sequence[str],
    rows: Mapping[str, _Row],
    standings: Mapping[str, dict[str, StandingRecord]],
) -> tuple[BoardRow, ...]:
    notes = _notes_of(transaction, [row.evaluation.id for row in rows.values()], score_keys)
    return tuple(
        BoardRow(*row, standings.get(row.submission.id, {}), notes.get(row.evaluation.id, {}))
        for row in (rows[submission_id] for submission_id in ids if submission_id in rows)
    )


def _read_rows(transaction: Transaction, submission_ids: Sequence[str]) -> dict[str, _Row]:
    """Return submission ID → row, without entities: creating them takes longer than reading."""
    rows = {}
    for row in transaction.connection().execute(_ROWS, {"ids": submission_ids}).all():
        parts = [make(row[place]) for make, place in _PARTS_OF_ROWS]
        submission, owner, model, shown, evaluation = cast(tuple[Submission, User, Model, Model, Evaluation], parts)
        rows[submission.id] = _Row(
            to_submission(submission, owner, model), to_shown_model(shown, submission), to_evaluation(evaluation)
        )
    return rows


def _keep_ranked_scorings(
    transaction: Transaction, rows: dict[str, _Row], standings: dict[str, dict[str, StandingRecord]]
) -> dict[str, _Row]:
    """Replace the evaluation of each row by the one that its scores belong to.

    After re-scoring, the current evaluation changes before the board is rebuilt, and a score must never appear with the
    signature of another evaluation.
    """
    ranked = {row_id: next(iter(scores.values())).evaluation_id for row_id, scores in standings.items() if scores}
    before = {
        row_id: evaluation
        for row_id, evaluation in ranked.items()
        if row_id in rows and rows[row_id].evaluation.id != evaluation
    }
    if not before:
        return rows
    query = select(Evaluation).where(Evaluation.id.in_(before.values()))
    scorings = {evaluation.id: to_evaluation(evaluation) for evaluation in transaction.scalars(query)}
    updated = {
        row_id: rows[row_id]._replace(evaluation=scorings[evaluation])
        for row_id, evaluation in before.items()
        if evaluation in scorings
    }
    return rows | updated


def _standings_of(
    transaction: Transaction, submission_ids: Sequence[str], score_keys: Sequence[str]
) -> dict[str, dict[str, StandingRecord]]:
    names = frozenset(score_keys)
    slices = list({name.split("|", 1)[0] for name in names})
    is_narrow = len(slices) <= _MAX_SLICES_NAMED
    values = {"ids": submission_ids, "slices": slices} if is_narrow else {"ids": submission_ids}
    found: dict[str, dict[str, StandingRecord]] = {submission_id: {} for submission_id in submission_ids}
    for row in transaction.connection().execute(_STANDINGS_OF_SLICES if is_narrow else _STANDINGS, values).all():
        name = f"{row[2]}|{row[3]}"
        if name in names:
            found[row[0]][name] = StandingRecord._make(row)
    return found


def _notes_of(
    transaction: Transaction, evaluation_ids: Sequence[int], score_keys: Sequence[str]
) -> dict[int, dict[str, str]]:
    names = frozenset(score_keys)
    notes: dict[int, dict[str, str]] = {}
    rows = transaction.connection().execute(_NOTES, {"ids": evaluation_ids}).all()
    for evaluation_id, slice_name, metric, note in rows:
        name = f"{slice_name}|{metric}"
        if name in names and note:
            notes.setdefault(evaluation_id, {})[name] = note
    return notes
