"""Rows that papers print, as maintainers add, correct and remove them; see docs/decisions/005.

A change is kept beside what the release ships and stands above it until it is undone, so a restart loses nothing.
A removed row is hidden.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from db.paper_records import RowChangeRecord
from db.records import SubmissionRecord, UserRecord
from db.repositories import audit, boards, people, row_changes, submissions
from db.repositories.catalogue import fold_name
from db.session import Database, Transaction
from evaluation.predictions import PredictionFileError
from evaluation.predictions.problems import Problem
from evaluation.published import PublishedResults, read_all_published
from submissions.accounts import SYSTEM_USER, Accounts
from submissions.errors import NotFoundError, StateError
from submissions.maintenance import check_reason
from submissions.printed_rows import list_row_keys, name_row_key, write_row
from submissions.row_checks import MOST_SHOWN, SOURCES, GivenRow, check_rows
from submissions.row_contents import (
    Printed,
    ScoreChange,
    compare_rows,
    find_empty_withdrawals,
    find_shipped,
    merge_row,
    read_content,
    says_the_same,
)
from submissions.service import board_of

PUBLISHED_DIR = Path(__file__).parent.parent / "assets" / "published"
_MOST_AUDITED = 50
_LOG = logging.getLogger(__name__)

Verdict = Literal["add", "correct", "unchanged"]
Origin = Literal["shipped", "corrected", "added"]


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What a row of a file does.

    Attributes:
        given: The row.
        verdict: Whether it adds a row, corrects one, or changes nothing.
        changes: Scores that differ, derived ones too.
        id: Id of the row; None where it is not there yet.
    """

    given: GivenRow
    verdict: Verdict
    changes: tuple[ScoreChange, ...]
    id: str | None


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as maintainers see it.

    Attributes:
        row: The row.
        origin: Whether the release ships it, a maintainer corrected that, or a maintainer added it.
        last_change: The newest change that is not undone; None for a row as it is shipped.
    """

    row: SubmissionRecord
    origin: Origin
    last_change: RowChangeRecord | None

    @property
    def is_removed(self) -> bool:
        """Whether nobody sees it."""
        return self.row.visibility == "hidden"

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo."""
        return self.is_removed or self.last_change is not None


@dataclass(frozen=True, slots=True)
class _Plan:
    shown: PlannedRow
    key: str
    content: Mapping[str, Any]
    problems: tuple[Problem, ...]


class ReportedRows:
    """The acts of maintainers on rows that papers print."""

    def __init__(self, database: Database, accounts: Accounts, published_dir: Path = PUBLISHED_DIR) -> None:
        """Take what it works with; `published_dir` holds what the release ships."""
        self._database = database
        self._accounts = accounts
        self._published_dir = published_dir

    def add(self, actor: UserRecord, content: bytes, reason: str, *, dry_run: bool) -> list[PlannedRow]:
        """Add and correct the rows of a file, all or none; a dry run only tells what would happen.

        Raises:
            NotAllowedError, BadRequestError, PredictionFileError: It cannot be done; faults name lines and remedies.
        """
        self._accounts.require_maintainer(actor)
        text = "" if dry_run else check_reason(reason)
        published = read_all_published(self._published_dir)
        given = check_rows(content, published)
        if dry_run:
            with self._database.read() as transaction:
                owner = people.find_user(transaction, SYSTEM_USER)
                return [plan.shown for plan in _plan_all(transaction, given, published, owner)]
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            owner = people.get_or_add_user(transaction, SYSTEM_USER, now)
            people.lock_user(transaction, owner.id)  # an evaluator may be starting
            plans = _plan_all(transaction, given, published, owner)
            return [_carry_out(transaction, plan, owner, actor, text) for plan in plans]

    def list_rows(self, actor: UserRecord, limit: int, after: str | None = None) -> list[RowView]:
        """Return the rows of papers in the order of their ids, removed ones too; those after an id if one is given.

        Raises:
            NotAllowedError: The actor is no maintainer.
        """
        self._accounts.require_maintainer(actor)
        shipped = _list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            owner = people.find_user(transaction, SYSTEM_USER)
            if owner is None:
                return []
            found = row_changes.list_printed(transaction, owner.id, SOURCES, limit=limit, after=after)
            changes = row_changes.list_changes(transaction, [key for key, _ in found])
        newest = {change.row_key: change for change in reversed(changes)}
        return [_view(key, row, newest.get(key), shipped) for key, row in found]

    def get(self, actor: UserRecord, row_id: str) -> RowView:
        """Return one of them.

        Raises:
            NotAllowedError, NotFoundError: There is none for the actor.
        """
        self._accounts.require_maintainer(actor)
        shipped = _list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            key, row, _ = _find(transaction, row_id)
            newest = row_changes.list_changes(transaction, [key])[:1]
        return _view(key, row, newest[0] if newest else None, shipped)

    def remove(self, actor: UserRecord, row_id: str, reason: str) -> None:
        """Take a row off its board, shipped or added; `undo` brings it back.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            _, row, owner = _find(transaction, row_id)
            people.lock_user(transaction, owner.id)
            if not submissions.hide_submission(transaction, row.id, now):
                raise StateError("This row is removed already.")
            _note(transaction, actor, "Removed", row, text, now)

    def undo(self, actor: UserRecord, row_id: str, reason: str) -> None:
        """Undo the last thing that was done to a row.

        A removed row comes back, a corrected one says what it said before, an added one is removed.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        published = read_all_published(self._published_dir)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            _, _, owner = _find(transaction, row_id)
            people.lock_user(transaction, owner.id)
            key, row, _ = _find(transaction, row_id)
            changes = row_changes.list_changes(transaction, [key])
            before = read_content(changes[1].content) if len(changes) > 1 else _list_shipped(published).get(key)
            if submissions.restore_submission(transaction, row.id, now):
                _note(transaction, actor, "Restored", row, text, now)
            elif not changes:
                raise StateError("This row is as the release ships it. There is nothing to undo.")
            elif before is None:
                submissions.hide_submission(transaction, row.id, now)
                _note(transaction, actor, "Removed", row, text, now)
            else:
                row_changes.undo_change(transaction, changes[0].id, now)
                write_row(transaction, *before, owner, (actor.name, f"Correction undone: {text}"))
                _note(transaction, actor, "Correction undone", row, text, now, is_told=True)


def _list_shipped(published: tuple[PublishedResults, ...]) -> dict[str, Printed]:
    return {key: (results, row) for results in published for row in results.rows for key in list_row_keys(results, row)}


def _plan_all(
    transaction: Transaction,
    given: list[GivenRow],
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> list[_Plan]:
    plans = [_plan(transaction, row, published, owner) for row in given]
    problems = [problem for plan in plans for problem in plan.problems]
    if problems:
        raise PredictionFileError(problems[:MOST_SHOWN], len(problems))
    return plans


def _plan(
    transaction: Transaction,
    given: GivenRow,
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> _Plan:
    """Return what a row of a file does to the row that is there under one of its keys."""
    shipped = find_shipped(published, given)
    content = merge_row(given, shipped, published)
    keys = _list_keys(transaction, shipped or read_content(content))
    changes = row_changes.list_changes(transaction, keys)
    before = read_content(changes[0].content) if changes else shipped
    if changes:
        content = merge_row(given, before, published)
    key = changes[0].row_key if changes else keys[0]
    known = None
    if owner is not None:
        found = (submissions.find_by_idempotency_key(transaction, owner.id, one) for one in keys)
        known = next((one for one in found if one is not None), None)
    after = read_content(content)
    is_shown = known is None or known.visibility != "hidden"
    verdict: Verdict = "add" if before is None and known is None else "correct"
    if says_the_same(before, after) and is_shown:
        verdict = "unchanged"
    shown = PlannedRow(given, verdict, compare_rows(before, after), known.id if known else None)
    return _Plan(shown, key, content, tuple(find_empty_withdrawals(given, before)))


def _list_keys(transaction: Transaction, printed: Printed) -> list[str]:
    """Return the keys that a row may have: of all names of its model, and of those that fold to the same as one."""
    keys = list_row_keys(*printed)
    begin = name_row_key(*printed, "")
    names = {fold_name(key.removeprefix(begin)) for key in keys}
    changed = sorted(row_changes.list_overridden(transaction).difference(keys))
    return [*keys, *(key for key in changed if key.startswith(begin) and fold_name(key.removeprefix(begin)) in names)]


def _carry_out(transaction: Transaction, plan: _Plan, owner: UserRecord, actor: UserRecord, reason: str) -> PlannedRow:
    shown, now = plan.shown, datetime.now(UTC)
    if shown.verdict == "unchanged":
        return shown
    results, row = read_content(plan.content)
    act = "Added" if shown.verdict == "add" else "Corrected"
    written = write_row(transaction, results, row, owner, (actor.name, f"{act}: {reason}"))
    row_id = written or shown.id
    found = submissions.find_submission(transaction, row_id) if row_id else None
    if found is None:  # it was written a moment ago
        raise NotFoundError("The row is not there any more. Try again.")
    submissions.restore_submission(transaction, found.id, now)
    row_changes.add_change(transaction, plan.key, found.id, plan.content, actor=actor.name, reason=reason, now=now)
    _note(transaction, actor, act, found, reason, now, shown.changes, is_told=True)
    return PlannedRow(shown.given, shown.verdict, shown.changes, found.id)


def _find(transaction: Transaction, row_id: str) -> tuple[str, SubmissionRecord, UserRecord]:
    owner = people.find_user(transaction, SYSTEM_USER)
    found = row_changes.find_printed(transaction, owner.id, SOURCES, row_id[:40]) if owner else None
    if found is None or owner is None:
        raise NotFoundError("There is no such reported or human row. Ids are in the list of rows.")
    return (*found, owner)


def _view(
    key: str, row: SubmissionRecord, last_change: RowChangeRecord | None, shipped: Mapping[str, Printed]
) -> RowView:
    if key in shipped:
        return RowView(row, "shipped" if last_change is None else "corrected", last_change)
    return RowView(row, "added", last_change)


def _note(
    transaction: Transaction,
    actor: UserRecord,
    act: str,
    row: SubmissionRecord,
    reason: str,
    now: datetime,
    changes: tuple[ScoreChange, ...] = (),
    *,
    is_told: bool = False,
) -> None:
    """Write an act into the audit log and, unless its history tells it already, into the row's history."""
    if not is_told:
        submissions.add_event(
            transaction,
            row.id,
            actor=actor.name,
            from_state=row.state,
            to_state=row.state,
            text=f"{act}: {reason}",
            now=now,
        )
    boards.touch_board(transaction, board_of(row), now)
    details = {
        "reason": reason,
        "row": f"{row.benchmark} {row.version} {row.setting}: {row.model.name}, {row.source}",
        "scores": [asdict(change) for change in changes[:_MOST_AUDITED]],
        "n_scores": len(changes),
    }
    action = {"Added": "add-row", "Corrected": "correct-row", "Removed": "remove-row", "Restored": "restore-row"}
    audit.append(transaction, actor.name, action.get(act, "undo-correction"), row.id, details, now)
    _LOG.info("%s, by %s: %s", row.id, actor.name, act)
