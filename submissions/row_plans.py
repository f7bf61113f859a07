"""Plans of row changes: what a file of published rows would add, correct or leave unchanged."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from db.records import UserRecord
from db.repositories import row_changes, submissions
from db.repositories.catalogue import fold_name
from db.session import Transaction
from evaluation.predictions.problems import Problem
from evaluation.published import PublishedResults
from submissions.printed_rows import list_row_keys, name_row_key
from submissions.row_checks import GivenRow
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

Verdict = Literal["add", "correct", "unchanged"]


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
class RowPlan:
    """A planned row with what is stored for it.

    Attributes:
        shown: What maintainers see.
        key: Key of the row.
        content: Content of the row after the change.
        problems: Why it cannot be done.
    """

    shown: PlannedRow
    key: str
    content: Mapping[str, Any]
    problems: tuple[Problem, ...]


def plan_rows(
    transaction: Transaction,
    given: Sequence[GivenRow],
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> list[RowPlan]:
    """Return what the rows of a file do to the rows that are there."""
    return [_plan_row(transaction, row, published, owner) for row in given]


def digest_plan(content: bytes, rows: Sequence[PlannedRow]) -> str:
    """Return a digest that differs wherever a file or anything that it would change differs."""
    planned = [(row.given.line, row.given.source, row.given.date, row.verdict, row.id, row.changes) for row in rows]
    return hashlib.sha256(content + repr(planned).encode()).hexdigest()


def _plan_row(
    transaction: Transaction,
    given: GivenRow,
    published: tuple[PublishedResults, ...],
    owner: UserRecord | None,
) -> RowPlan:
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
        matches = (submissions.find_by_idempotency_key(transaction, owner.id, name) for name in keys)
        known = next((match for match in matches if match is not None), None)
    after = read_content(content)
    is_shown = known is None or known.visibility != "hidden"
    verdict: Verdict = "add" if before is None and known is None else "correct"
    if says_the_same(before, after) and is_shown:
        verdict = "unchanged"
    shown = PlannedRow(given, verdict, compare_rows(before, after), known.id if known else None)
    return RowPlan(shown, key, content, tuple(find_empty_withdrawals(given, before)))


def _list_keys(transaction: Transaction, printed: Printed) -> list[str]:
    """Return the keys that a row may have: of all names of its model, and of names that fold to one of them."""
    keys = list_row_keys(*printed)
    begin = name_row_key(*printed, "")
    names = {fold_name(key.removeprefix(begin)) for key in keys}
    changed = sorted(row_changes.list_overridden(transaction).difference(keys))
    return [*keys, *(key for key in changed if key.startswith(begin) and fold_name(key.removeprefix(begin)) in names)]
