"""Boards: candidates for ranking, revisions, and pages."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update

from db.models import BenchmarkVersion, Board, Evaluation, Model, Outcome, Standing, StoredScore, Submission
from db.records import (
    BoardRecord,
    BoardRow,
    CandidateRecord,
    SealedOutcomes,
    StandingRecord,
)
from db.repositories.board_filters import Filters, count_facts
from db.repositories.board_order import RANKABLE, VISIBLE, BoardKey, PageQuery, Place, find_places, is_of_board
from db.repositories.board_rows import FIGURE, read_shown_rows
from db.repositories.changing import add_unless_there, count_changed
from db.session import Transaction

__all__ = [
    "BoardKey",
    "BoardTag",
    "Filters",
    "Page",
    "PageQuery",
    "count_shown_facts",
    "count_tied",
    "find_board",
    "find_row",
    "find_tag",
    "list_boards",
    "list_candidates",
    "list_editions",
    "list_judged",
    "list_model_names",
    "list_outcomes",
    "list_stale_boards",
    "read_page",
    "replace_standings",
    "touch_board",
    "touch_outdated_board",
]


class JudgedRow(NamedTuple):
    """A board row with judged scores, and their signature."""

    evaluation_id: int
    signature: str


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


class BoardTag(NamedTuple):
    """State that a board's pages depend on: its questions (if registered), its revision and both of its counters."""

    content_digest: str | None
    revision: int
    changes: int
    relabelled: int


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of one page, and where the next page begins (None at the end)."""

    rows: tuple[BoardRow, ...]
    after: Place | None


def touch_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Request a new revision of a board."""
    statement = update(Board).where(*is_of_board(Board, key)).values(changes=Board.changes + 1, updated_at=now)
    if not count_changed(transaction, statement):
        first = Board(**asdict(key), revision=0, changes=1, updated_at=now)
        if not add_unless_there(transaction, first):
            count_changed(transaction, statement)


def touch_outdated_board(transaction: Transaction, key: BoardKey, rule: str, now: datetime) -> bool:
    """Request a new revision of a board that was ranked under another rule; return False if the rule is unchanged."""
    statement = update(Board).where(*is_of_board(Board, key), Board.rule != rule)
    return bool(count_changed(transaction, statement.values(changes=Board.changes + 1, updated_at=now)))


def relabel_board(transaction: Transaction, key: BoardKey, now: datetime) -> None:
    """Record that model names or facts on a board changed. Its scores and standings stay."""
    transaction.execute(
        update(Board).where(*is_of_board(Board, key)).values(relabelled=Board.relabelled + 1, updated_at=now)
    )


def find_board(transaction: Transaction, key: BoardKey) -> BoardRecord | None:
    """Return a board's revision."""
    row = transaction.get(Board, (key.benchmark, key.version, key.setting))
    return _to_board(row) if row else None


def find_tag(transaction: Transaction, key: BoardKey) -> BoardTag:
    """Return a tag that identifies a board's state. Every page asks for it, so it is one plain statement."""
    row = transaction.connection().execute(_TAG, asdict(key)).first()
    return BoardTag(*row) if row is not None else BoardTag(None, 0, 0, 0)


def list_boards(transaction: Transaction) -> list[BoardRecord]:
    """Return every board that ever had a row."""
    return [_to_board(row) for row in transaction.scalars(select(Board).order_by(Board.benchmark, Board.setting))]


def list_stale_boards(transaction: Transaction) -> list[BoardRecord]:
    """Return the boards whose standings are outdated."""
    return [_to_board(row) for row in transaction.scalars(select(Board).where(Board.changes > Board.revision))]


def list_candidates(
    transaction: Transaction, key: BoardKey, score_keys: Iterable[str], least: int
) -> list[CandidateRecord]:
    """Return the scores of every public row of a board in the columns named `<slice>|<metric>`.

    Scores over fewer than `least` items are left out; reported scores have no number of items.
    """
    query = (
        select(
            Submission.id,
            Evaluation.id,
            StoredScore.slice,
            StoredScore.metric,
            StoredScore.value,
            StoredScore.std,
            StoredScore.low,
            StoredScore.high,
            Submission.source,
            Evaluation.ranking,
            Submission.is_reference,
        )
        .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .join(StoredScore, StoredScore.evaluation_id == Evaluation.id)
        .where(*is_of_board(Submission, key), *VISIBLE, or_(StoredScore.n.is_(None), StoredScore.n >= least))
    )
    names = frozenset(score_keys)
    rows = (tuple[Any, ...](row) for row in transaction.execute(query))
    candidates = (CandidateRecord(StandingRecord(*row[:-3]), *row[-3:]) for row in rows)
    return [candidate for candidate in candidates if candidate.standing.key in names]


def list_judged(transaction: Transaction, key: BoardKey, mark: str) -> list[JudgedRow]:
    """Return the public rows of a board whose signatures contain a mark, in the order of scoring."""
    query = (
        select(Evaluation.id, Evaluation.signature)
        .join(Submission, Submission.current_evaluation_id == Evaluation.id)
        .where(*is_of_board(Submission, key), *RANKABLE)
        .where(Evaluation.signature.contains(mark, autoescape=True))
        .order_by(Evaluation.finished_at, Evaluation.id)
    )
    return [JudgedRow(evaluation_id, signature or "") for evaluation_id, signature in transaction.execute(query)]


def list_outcomes(transaction: Transaction, key: BoardKey) -> dict[int, SealedOutcomes]:
    """Return evaluation → encrypted outcomes of every public row of a board that has any."""
    query = (
        select(Outcome.evaluation_id, Outcome.n_items, Outcome.n_runs, Outcome.data)
        .join(Submission, Submission.current_evaluation_id == Outcome.evaluation_id)
        .where(*is_of_board(Submission, key), *VISIBLE)
    )
    rows = transaction.execute(query)
    return {evaluation_id: SealedOutcomes(n_items, n_runs, data) for evaluation_id, n_items, n_runs, data in rows}


def list_editions(transaction: Transaction, key: BoardKey) -> dict[int, str]:
    """Return evaluation → edition of every public row of a board that answered one."""
    query = select(Submission.current_evaluation_id, Submission.edition).where(
        *is_of_board(Submission, key), *VISIBLE, Submission.edition.is_not(None)
    )
    return {row[0]: row[1] for row in transaction.execute(query) if row[0] is not None and row[1] is not None}


def list_model_names(transaction: Transaction, key: BoardKey) -> dict[int, str]:
    """Return evaluation → submitted model name of every public row of a board."""
    query = (
        select(Submission.current_evaluation_id, Model.name)
        .join(Model, Model.id == Submission.model_id)
        .where(*is_of_board(Submission, key), *VISIBLE)
    )
    return {row[0]: row[1] for row in transaction.execute(query) if row[0] is not None}


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
    """Write a board's new revision, computed at change `seen`; return False if a newer one exists."""
    statement = update(Board).where(*is_of_board(Board, key), Board.revision < seen)
    changes = {"revision": seen, "rule": rule, "updated_at": now, "detectable": detectable}
    if not count_changed(transaction, statement.values(changes)):
        return False
    transaction.execute(delete(Standing).where(*is_of_board(Standing, key)))
    if standings:
        # Not `asdict`: it copies every value, which takes longer than writing it.
        board = asdict(key)
        values = [board | {name: getattr(standing, name) for name in FIGURE} for standing in standings]
        transaction.execute(insert(Standing), values)
    return True


def read_page(transaction: Transaction, key: BoardKey, query: PageQuery, score_keys: Sequence[str]) -> Page:
    """Return a page of a board with the named scores."""
    matches = find_places(transaction, key, query)
    places = matches[: query.limit]
    rows = read_shown_rows(transaction, [submission_id for _, submission_id in places], score_keys)
    return Page(rows, places[-1] if len(matches) > query.limit else None)


def list_best(
    transaction: Transaction, key: BoardKey, score_key: str, sources: Sequence[str], limit: int
) -> tuple[BoardRow, ...]:
    """Return the rows of some sources with the highest scores in one column, each with this score only.

    If any row has a rank in the column, unranked rows are left out: rows scored with another key or judge are not
    comparable.
    """
    slice_name, metric = score_key.split("|", 1)
    query = (
        select(Standing.submission_id)
        .join(Submission, Submission.id == Standing.submission_id)
        .where(*is_of_board(Standing, key), Standing.slice == slice_name, Standing.metric == metric)
        .where(Standing.value.is_not(None), Submission.source.in_(list(sources)), *RANKABLE)
        .order_by(Standing.value.desc(), Standing.submission_id.desc())
        .limit(limit)
    )
    for has_place in (Standing.rank.is_not(None), Standing.rank.is_(None)):
        ids = list(transaction.connection().scalars(query.where(has_place)))
        if ids:
            return read_shown_rows(transaction, ids, [score_key])
    return ()


def has_evaluated(transaction: Transaction, key: BoardKey, score_key: str) -> bool:
    """Return whether a row scored by Earshot has a rank in a column of a board."""
    slice_name, metric = score_key.split("|", 1)
    query = (
        select(Standing.submission_id)
        .join(Submission, Submission.id == Standing.submission_id)
        .where(*is_of_board(Standing, key), Standing.slice == slice_name, Standing.metric == metric)
        .where(Standing.rank.is_not(None), Submission.source.in_(("verified", "submitted")), *RANKABLE)
        .limit(1)
    )
    return transaction.scalar(query) is not None


def find_row(transaction: Transaction, key: BoardKey, submission_id: str, score_keys: Sequence[str]) -> BoardRow | None:
    """Return a board row with the named scores; None if it is not public on that board."""
    query = select(Submission.id).where(Submission.id == submission_id, *is_of_board(Submission, key), *VISIBLE)
    rows = read_shown_rows(transaction, list(transaction.scalars(query)), score_keys)
    return rows[0] if rows else None


def count_tied(transaction: Transaction, key: BoardKey, score_key: str) -> dict[tuple[int, int], int]:
    """Return rank range → number of rows of a board that have it in a column."""
    slice_name, metric = score_key.split("|", 1)
    query = (
        select(Standing.rank_low, Standing.rank_high, func.count())
        .where(*is_of_board(Standing, key), Standing.slice == slice_name, Standing.metric == metric)
        .where(Standing.rank_low.is_not(None))
        .group_by(Standing.rank_low, Standing.rank_high)
    )
    return {(low, high): n for low, high, n in transaction.execute(query) if low is not None and high is not None}


def count_shown_facts(
    transaction: Transaction, key: BoardKey, sources: Sequence[str]
) -> list[tuple[str | None, str | None, int]]:
    """Return the distinct pairs of kind and organisation on a board with their numbers of rows, for some sources."""
    return count_facts(transaction, *is_of_board(Submission, key), *RANKABLE, Submission.source.in_(sources))


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
    """Return a standing from the columns of `standings`."""
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
