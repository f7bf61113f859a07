"""Records of reported rows and of maintainers' changes to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """The source of a reported row: its paper and tables.

    Attributes:
        title: Title of the paper.
        authors: Full names, in the paper's order.
        year: Year of publication; None if unknown.
        url: URL of the paper.
        tables: Tables and sections that contain the row, such as `Table 2`.
        row: The row's name in those tables.
        data_version: Release of the benchmark's questions that the paper used, if it differs from the board's version;
            None otherwise.
    """

    title: str
    authors: tuple[str, ...]
    year: int | None
    url: str
    tables: tuple[str, ...]
    row: str
    data_version: str | None = None


@dataclass(frozen=True, slots=True)
class RowChangeRecord:
    """A maintainer's change to a reported row.

    Attributes:
        id: Number, in the order of time.
        row_key: Key of the row.
        submission_id: ID of the row.
        content: Paper and row, in the format of `assets/published/*.json`.
        actor: Name of the maintainer.
        reason: Reason that the maintainer gave.
        at: Time of the change.
    """

    id: int
    row_key: str
    submission_id: str
    content: Mapping[str, Any]
    actor: str
    reason: str
    at: datetime
