"""Plans of row changes: what a file of published rows would add, correct or leave unchanged."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from db.records import SubmissionRecord, UserRecord
from db.repositories import row_changes, submissions
from db.repositories.catalogue import fold_name
from db.session import Transaction
from evaluation.predictions.problems import Problem
from evaluation.published import PublishedResults
from submissions.published_rows.printed_rows import list_row_keys, name_row_key
from submissions.published_rows.row_checks import GivenRow
from submissions.published_rows.row_contents import (
    Printed,
    ScoreChange,
    compare_rows,
    find_empty_withdrawals,
    find_shipped,
    merge_row,
    read_content,
    says_the_same,
)

Verdict = Literal["add", "correct", "unchanged"]


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """Planned effect of a file's row.

    Attributes:
        given: The given row.
        verdict: Whether it adds a row, corrects one, or changes nothing.
        changes: Scores that differ, including derived ones.
        id: Id of the row; None if it is new.
    """

    given: GivenRow
    verdict: Verdict
    changes: tuple[ScoreChange, ...]
    id: str | None


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row before a file is applied.

    Attributes:
        key: Key of the row.
        printed: Content of its newest change, otherwise of the release; None for a new row.
        last_change_id: Id of its newest change that is not undone; None for a row without changes.
        id: Id of its submission; None for a row that was never loaded.
        visibility: Visibility of its submission; `hidden` for a removed row.
    """

    key: str
    printed: Printed | None
    last_change_id: int | None
    id: str | None
    visibility: str | None


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A planned row with its stored state.

    Attributes:
        shown: The plan as shown to maintainers.
        before: The row before the change.
        content: Content of the row after the change.
        problems: Why it cannot be applied.
    """

    shown: PlannedRow
    before: StoredRow
    content: Mapping[str, Any]
    problems: tuple[Problem, ...]


def plan_rows(
    transaction: Transaction,
    given: Sequence[GivenRow],
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> list[RowPlan]:
    """Return the effects of a file's rows on the existing rows."""
    return [_plan_row(transaction, row, published, owner) for row in given]


def digest_plans(content: bytes, plans: Sequence[RowPlan]) -> str:
    """Return the SHA-256 of a file and of its rows before and after the change.

    The digest covers whole rows rather than the changes in a preview. Otherwise a file could bring back a row that
    another maintainer removed after the preview, or replace a paper that they corrected.
    """
    rows = [{"before": asdict(plan.before), "after": plan.content} for plan in plans]
    canonical = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(hashlib.sha256(content).digest() + canonical.encode()).hexdigest()


def _plan_row(
    transaction: Transaction,
    given: GivenRow,
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> RowPlan:
    before = _find_stored_row(transaction, given, published, owner)
    content = merge_row(given, before.printed, published)
    after = read_content(content)
    verdict: Verdict = "add" if before.printed is None and before.id is None else "correct"
    if says_the_same(before.printed, after) and before.visibility != "hidden":
        verdict = "unchanged"
    shown = PlannedRow(given, verdict, compare_rows(before.printed, after), before.id)
    return RowPlan(shown, before, content, tuple(find_empty_withdrawals(given, before.printed)))


def _find_stored_row(
    transaction: Transaction,
    given: GivenRow,
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> StoredRow:
    shipped = find_shipped(published, given)
    if shipped is not None:  # other rows of the paper do not belong to this one, nor to its digest
        shipped = (replace(shipped[0], rows=(shipped[1],)), shipped[1])
    keys = _list_keys(transaction, shipped or read_content(merge_row(given, None, published)))
    newest = next(iter(row_changes.list_changes(transaction, keys)), None)
    known = _find_submission(transaction, keys, owner) if owner else None
    return StoredRow(
        key=newest.row_key if newest else keys[0],
        printed=read_content(newest.content) if newest else shipped,
        last_change_id=newest.id if newest else None,
        id=known.id if known else None,
        visibility=known.visibility if known else None,
    )


def _find_submission(transaction: Transaction, keys: Sequence[str], owner: UserRecord) -> SubmissionRecord | None:
    matches = (submissions.find_by_idempotency_key(transaction, owner.id, key) for key in keys)
    return next((match for match in matches if match is not None), None)


def _list_keys(transaction: Transaction, printed: Printed) -> list[str]:
    """Return the keys that a row may have: of all names of its model, and of names that fold to one of them."""
    keys = list_row_keys(*printed)
    begin = name_row_key(*printed, "")
    names = {fold_name(key.removeprefix(begin)) for key in keys}
    changed = sorted(row_changes.list_overridden(transaction).difference(keys))
    return [*keys, *(key for key in changed if key.startswith(begin) and fold_name(key.removeprefix(begin)) in names)]
