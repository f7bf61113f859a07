"""Lists of published rows for maintainers: all rows, changed rows, and the current rows as fields of a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from db.paper_records import RowChangeRecord
from db.records import SubmissionRecord, UserRecord
from db.repositories import row_changes
from db.session import Transaction
from evaluation.published import PublishedResults, PublishedRow, PublishedScore
from submissions.operations.maintenance import HIDING
from submissions.published_rows.printed_rows import list_row_keys
from submissions.published_rows.row_checks import SOURCES
from submissions.published_rows.row_contents import Printed, read_content

REMOVAL = "Removed"
Origin = Literal["shipped", "corrected", "added"]
# More rows than any board has, because the query needs a limit.
_MAX_ROWS = 100_000
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PublishedRowView:
    """A row in the maintainers' list.

    Attributes:
        row: The row.
        origin: Whether the row is shipped, corrected by a maintainer, or added by one.
        last_change: Newest change that is not undone; None for an unchanged shipped row.
    """

    row: SubmissionRecord
    origin: Origin
    last_change: RowChangeRecord | None

    @property
    def is_removed(self) -> bool:
        """Whether the row is hidden."""
        return self.row.visibility == "hidden"

    @property
    def can_be_undone(self) -> bool:
        """Whether there is a change to undo."""
        return self.is_removed or self.last_change is not None


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row that differs from the shipped one, with its last change.

    Attributes:
        row: The row.
        state: Kind of the change.
        actor: Name of the maintainer; None if no event names one.
        reason: Reason of the change.
        at: Time of the change.
    """

    row: SubmissionRecord
    state: Literal["added", "corrected", "removed"]
    actor: str | None
    reason: str | None
    at: datetime | None


def list_shipped(published: Sequence[PublishedResults]) -> dict[str, Printed]:
    """Return key → row of all shipped rows, under all names of their models."""
    return {key: (results, row) for results in published for row in results.rows for key in list_row_keys(results, row)}


def view_row(
    key: str, row: SubmissionRecord, last_change: RowChangeRecord | None, shipped: Mapping[str, Printed]
) -> PublishedRowView:
    """Return a row with its origin."""
    if key in shipped:
        return PublishedRowView(row, "shipped" if last_change is None else "corrected", last_change)
    return PublishedRowView(row, "added", last_change)


def list_views(
    transaction: Transaction, owner: UserRecord, shipped: Mapping[str, Printed], limit: int, after: str | None = None
) -> list[PublishedRowView]:
    """Return rows in the order of their ids, only those after an id if given."""
    found = row_changes.list_printed(transaction, owner.id, SOURCES, limit=limit, after=after)
    newest = _find_newest_changes(transaction, [key for key, _ in found])
    return [view_row(key, row, newest.get(key), shipped) for key, row in found]


def list_changed(transaction: Transaction, owner: UserRecord, shipped: Mapping[str, Printed]) -> list[ChangedRow]:
    """Return the rows that maintainers added, corrected or removed, the latest change first."""
    views = [view for view in list_views(transaction, owner, shipped, _MAX_ROWS) if view.can_be_undone]
    removed = [view.row.id for view in views if view.is_removed]
    hidings = row_changes.list_last_events(transaction, removed, (f"{REMOVAL}: ", f"{HIDING}: "))
    changed = [_describe_change(view, hidings) for view in views]
    return sorted(changed, key=lambda row: (row.at or _EARLIEST, row.row.id), reverse=True)


def _describe_change(view: PublishedRowView, hidings: Mapping[str, tuple[datetime, str, str]]) -> ChangedRow:
    if view.is_removed:
        at, actor, text = hidings.get(view.row.id, (None, None, ""))
        return ChangedRow(view.row, "removed", actor, text.partition(": ")[2] or None, at)
    change = view.last_change
    state: Literal["added", "corrected"] = "added" if view.origin == "added" else "corrected"
    return ChangedRow(view.row, state, *((change.actor, change.reason, change.at) if change else (None, None, None)))


def list_score_fields(
    transaction: Transaction, owner: UserRecord, shipped: Mapping[str, Printed]
) -> Iterator[dict[str, object]]:
    """Yield the scores of all rows on boards as fields of a file that `check_rows` accepts, without derived scores.

    Rows that are neither shipped nor changed by a maintainer are left out: their scores exist only on boards.
    """
    found = row_changes.list_printed(transaction, owner.id, SOURCES, limit=_MAX_ROWS)
    newest = _find_newest_changes(transaction, [key for key, _ in found])
    for key, record in found:
        change = newest.get(key)
        printed = read_content(change.content) if change else shipped.get(key)
        if record.visibility == "hidden" or printed is None:
            continue
        results, row = printed
        around = _describe_row(results, row)
        for score in row.scores:
            if score.formula is None and score.value is not None:
                yield around | _describe_score(score)


def _find_newest_changes(transaction: Transaction, keys: Sequence[str]) -> dict[str, RowChangeRecord]:
    return {change.row_key: change for change in reversed(row_changes.list_changes(transaction, keys))}


def _describe_row(results: PublishedResults, row: PublishedRow) -> dict[str, object]:
    model = row.model
    return {
        "benchmark": results.benchmark,
        "version": results.version,
        "setting": row.setting,
        "source": row.source,
        "model": model.name,
        "paper": results.citation_title,
        "url": results.citation_url,
        "date": results.citation_date,
        "authors": "; ".join(results.citation_authors),
        "row": row.label,
        "organisation": model.organisation,
        "kind": model.kind,
        "size_billions": model.size_billions,
        "open_weights": None if model.open_weights is None else str(model.open_weights).lower(),
        "notes": "\n".join(row.notes),
        "data_version": results.data_version,
    }


def _describe_score(score: PublishedScore) -> dict[str, object]:
    return {
        "slice": score.slice,
        "metric": score.metric,
        "value": score.value,
        "std": score.std,
        "table": score.table,
        "note": score.note,
    }
