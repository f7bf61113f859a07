"""Reported rows, as maintainers add, correct and remove them; see docs/methods.md (Reported rows).

A change is stored beside the shipped rows and overrides them until it is undone, so that a restart loses nothing.
A removed row is hidden.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from db.records import SubmissionRecord, UserRecord
from db.repositories import audit, boards, row_changes, submissions, users
from db.session import Database, Transaction
from evaluation.predictions import PredictionFileError
from evaluation.predictions.problems import Problem
from evaluation.published import read_all_published
from submissions.accounts.credentials import SYSTEM_USER, Accounts
from submissions.errors import NotFoundError, StateError
from submissions.operations.maintenance import check_reason
from submissions.published_rows.printed_rows import write_row
from submissions.published_rows.row_checks import MAX_SHOWN, SOURCES, check_rows, require_sound
from submissions.published_rows.row_contents import ScoreChange, read_content
from submissions.published_rows.row_files import NO_DEFAULTS
from submissions.published_rows.row_lists import (
    REMOVAL,
    ChangedRow,
    PublishedRowView,
    list_changed,
    list_score_fields,
    list_shipped,
    list_views,
    view_row,
)
from submissions.published_rows.row_plans import PlannedRow, RowPlan, digest_plans, plan_rows
from submissions.service import board_of

PUBLISHED_DIR = Path(__file__).parents[2] / "assets" / "published"
_MAX_AUDITED = 50
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RowsPreview:
    """Preview of a file of rows.

    Attributes:
        rows: Rows without problems, with the effect of each.
        problems: The first 100 problems of the file; a file with problems cannot be applied.
        n_problems: Number of all problems.
        digest: Digest of the file and of its rows before and after it; pass it to `add` to apply exactly this preview.
    """

    rows: tuple[PlannedRow, ...]
    problems: tuple[Problem, ...]
    n_problems: int
    digest: str


class ReportedRows:
    """Maintainers' changes to reported rows."""

    def __init__(self, database: Database, accounts: Accounts, published_dir: Path = PUBLISHED_DIR) -> None:
        """Take the services; `published_dir` holds the shipped rows."""
        self._database = database
        self._accounts = accounts
        self._published_dir = published_dir

    def preview(self, actor: UserRecord, content: bytes, defaults: Mapping[str, str] = NO_DEFAULTS) -> RowsPreview:
        """Return the effects of a file's rows, and the problems of the others.

        Args:
            actor: Current user.
            content: The file.
            defaults: `source` and `date` for scores that leave them out.

        Raises:
            NotAllowedError, BadRequestError, PredictionFileError: The file cannot be read as a whole.
        """
        self._accounts.require_maintainer(actor)
        published = read_all_published(self._published_dir)
        checked = check_rows(content, published, defaults)
        with self._database.read() as transaction:
            owner = users.find_user(transaction, SYSTEM_USER)
            plans = plan_rows(transaction, checked.rows, published, owner)
        sound = [plan for plan in plans if not plan.problems]
        problems = [*checked.problems, *(problem for plan in plans for problem in plan.problems)]
        problems.sort(key=lambda problem: problem.line or 0)
        rows = tuple(plan.shown for plan in sound)
        return RowsPreview(rows, tuple(problems[:MAX_SHOWN]), len(problems), digest_plans(content, sound))

    def add(
        self,
        actor: UserRecord,
        content: bytes,
        reason: str,
        *,
        dry_run: bool,
        defaults: Mapping[str, str] = NO_DEFAULTS,
        digest: str | None = None,
    ) -> list[PlannedRow]:
        """Add and correct the rows of a file, all or none.

        Args:
            actor: Current user.
            content: The file.
            reason: Reason for the audit log; a dry run needs none.
            dry_run: Whether only to return the effects.
            defaults: `source` and `date` for scores that leave them out.
            digest: Digest of a preview; if the file or one of its rows changed since then, nothing is applied.

        Raises:
            NotAllowedError, BadRequestError, PredictionFileError: The file is not valid; problems name lines and fixes.
            StateError: The file or one of its rows changed after the preview.
        """
        self._accounts.require_maintainer(actor)
        text = "" if dry_run else check_reason(reason)
        published = read_all_published(self._published_dir)
        given = require_sound(check_rows(content, published, defaults))
        if dry_run:
            with self._database.read() as transaction:
                owner = users.find_user(transaction, SYSTEM_USER)
                return [plan.shown for plan in _require_possible(plan_rows(transaction, given, published, owner))]
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            owner = users.get_or_add_user(transaction, SYSTEM_USER, now)
            users.lock_user(transaction, owner.id)  # an evaluator may be starting
            plans = _require_possible(plan_rows(transaction, given, published, owner))
            if digest is not None and digest != digest_plans(content, plans):
                raise StateError("The rows or the file changed after the preview. Preview the changes again.")
            return [_carry_out(transaction, plan, owner, actor, text) for plan in plans]

    def list_changed(self, actor: UserRecord) -> list[ChangedRow]:
        """Return the rows that maintainers added, corrected or removed, the latest change first.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        shipped = list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            owner = users.find_user(transaction, SYSTEM_USER)
            return [] if owner is None else list_changed(transaction, owner, shipped)

    def list_score_fields(self, actor: UserRecord) -> list[dict[str, object]]:
        """Return the scores of the rows on boards as the fields of a file that `add` accepts.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        shipped = list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            owner = users.find_user(transaction, SYSTEM_USER)
            return [] if owner is None else list(list_score_fields(transaction, owner, shipped))

    def list_rows(self, actor: UserRecord, limit: int, after: str | None = None) -> list[PublishedRowView]:
        """Return the reported rows in the order of their ids, including removed ones; only those after an id if given.

        Raises:
            NotAllowedError: The actor is not a maintainer.
        """
        self._accounts.require_maintainer(actor)
        shipped = list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            owner = users.find_user(transaction, SYSTEM_USER)
            return [] if owner is None else list_views(transaction, owner, shipped, limit, after)

    def get(self, actor: UserRecord, row_id: str) -> PublishedRowView:
        """Return a reported row.

        Raises:
            NotAllowedError, NotFoundError: The actor may not see it, or it does not exist.
        """
        self._accounts.require_maintainer(actor)
        shipped = list_shipped(read_all_published(self._published_dir))
        with self._database.read() as transaction:
            key, row, _ = _find_row(transaction, row_id)
            newest = row_changes.list_changes(transaction, [key])[:1]
        return view_row(key, row, newest[0] if newest else None, shipped)

    def remove(self, actor: UserRecord, row_id: str, reason: str) -> None:
        """Remove a row, shipped or added, from its board; `undo` restores it.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: The row cannot be removed.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            _, row, owner = _find_row(transaction, row_id)
            users.lock_user(transaction, owner.id)
            if not submissions.hide_submission(transaction, row.id, now):
                raise StateError("This row is already removed.")
            _note(transaction, actor, REMOVAL, row, text, now)

    def undo(self, actor: UserRecord, row_id: str, reason: str) -> None:
        """Undo the last change of a row.

        A removed row is restored, a corrected one reverts to its previous content, an added one is removed.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: The change cannot be undone.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        published = read_all_published(self._published_dir)
        with self._database.write() as transaction:
            now = datetime.now(UTC)
            _, _, owner = _find_row(transaction, row_id)
            users.lock_user(transaction, owner.id)
            key, row, _ = _find_row(transaction, row_id)
            changes = row_changes.list_changes(transaction, [key])
            before = read_content(changes[1].content) if len(changes) > 1 else list_shipped(published).get(key)
            if submissions.restore_submission(transaction, row.id, now):
                _note(transaction, actor, "Restored", row, text, now)
            elif not changes:
                raise StateError("This row is unchanged since the release, so there is nothing to undo.")
            elif before is None:
                submissions.hide_submission(transaction, row.id, now)
                _note(transaction, actor, REMOVAL, row, text, now)
            else:
                row_changes.undo_change(transaction, changes[0].id, now)
                write_row(transaction, *before, owner, (actor.name, f"Correction undone: {text}"))
                _note(transaction, actor, "Correction undone", row, text, now, is_told=True)


def _require_possible(plans: list[RowPlan]) -> list[RowPlan]:
    problems = [problem for plan in plans for problem in plan.problems]
    if problems:
        raise PredictionFileError(problems[:MAX_SHOWN], len(problems))
    return plans


def _carry_out(
    transaction: Transaction, plan: RowPlan, owner: UserRecord, actor: UserRecord, reason: str
) -> PlannedRow:
    shown, now = plan.shown, datetime.now(UTC)
    if shown.verdict == "unchanged":
        return shown
    results, row = read_content(plan.content)
    act = "Added" if shown.verdict == "add" else "Corrected"
    written = write_row(transaction, results, row, owner, (actor.name, f"{act}: {reason}"))
    row_id = written or shown.id
    found = submissions.find_submission(transaction, row_id) if row_id else None
    if found is None:  # it has just been written
        raise NotFoundError("The row no longer exists. Try again.")
    submissions.restore_submission(transaction, found.id, now)
    row_changes.add_change(
        transaction, plan.before.key, found.id, plan.content, actor=actor.name, reason=reason, now=now
    )
    _note(transaction, actor, act, found, reason, now, shown.changes, is_told=True)
    return PlannedRow(shown.given, shown.verdict, shown.changes, found.id)


def _find_row(transaction: Transaction, row_id: str) -> tuple[str, SubmissionRecord, UserRecord]:
    owner = users.find_user(transaction, SYSTEM_USER)
    found = row_changes.find_printed(transaction, owner.id, SOURCES, row_id[:40]) if owner else None
    if found is None or owner is None:
        raise NotFoundError("Unknown reported or human row. Take its ID from the list of rows.")
    return (*found, owner)


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
    """Write an action into the audit log and, unless recorded there already, into the row's history."""
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
        "scores": [asdict(change) for change in changes[:_MAX_AUDITED]],
        "n_scores": len(changes),
    }
    action = {"Added": "add-row", "Corrected": "correct-row", "Removed": "remove-row", "Restored": "restore-row"}
    audit.append(transaction, actor.name, action.get(act, "undo-correction"), row.id, details, now)
    _LOG.info("%s, by %s: %s", row.id, actor.name, act)
