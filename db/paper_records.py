"""Where papers print rows."""

from dataclasses import dataclass


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
