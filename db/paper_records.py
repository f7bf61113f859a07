"""Records of printed rows, and of maintainers' changes to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """Where a paper prints a row.

    Attributes:
        title: Title of the paper.
        authors: Full names, in the paper's order.
        year: When it appeared; None where that is not known.
        url: Its address.
        tables: Its tables and sections that print the row, such as `Table 2`.
        row: How they name the row.
        data_version: Release of the benchmark's questions that the paper used, where it is not the board's version;
            None elsewhere.
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
    """What a maintainer says of a row.

    Attributes:
        id: Number, in the order of time.
        row_key: Key of the row.
        submission_id: Id of the row.
        content: Paper and row, in the form of `assets/published/*.json`.
        actor: Name of the maintainer.
        reason: In his words.
        at: When.
    """

    id: int
    row_key: str
    submission_id: str
    content: Mapping[str, Any]
    actor: str
    reason: str
    at: datetime
