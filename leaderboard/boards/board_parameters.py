"""Query parameters of a board: the one list that API routes, links to boards and the page's script follow.

To add a filter, add a field to `BoardRequest` and apply it in `board_query._parse_filters`.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import Any, Literal

from leaderboard.http.parameters import MAX_LIMIT, MAX_SEARCH_CHARACTERS
from submissions.ranking.row_sources import SOURCES


class ParameterGroup(IntEnum):
    """What a parameter chooses. Addresses of boards name the groups in this order."""

    BOARD = 1
    RANKING = 2
    ORDER = 3
    ROWS = 4
    DISPLAY = 5
    PAGING = 6


# An address is that of a board, not of one page; it names the score that ranks by `sort`.
_GROUPS_OF_ADDRESSES = (ParameterGroup.BOARD, ParameterGroup.ORDER, ParameterGroup.ROWS, ParameterGroup.DISPLAY)


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """How the page offers a filter, and which values are valid; an empty value does not filter.

    Attributes:
        title: Label on the page.
        form: `text` takes any printable text, `choice` one of `values`, `range` two numbers such as `10-40`.
        values: All choices, or the ranges that the page offers.
        unit: Unit of the numbers of a range.
        offered_as: Field of the `/filters` answer that lists the words of a board's rows.
    """

    title: str
    form: Literal["text", "choice", "range"]
    values: tuple[str, ...] = ()
    unit: str | None = None
    offered_as: str | None = None

    @property
    def pattern(self) -> str | None:
        """Regular expression that a whole range matches, in the common syntax of Python and JavaScript."""
        return _RANGE if self.form == "range" else None


_RANGE = r"(\d{1,6}(?:\.\d{1,6})?)?-(\d{1,6}(?:\.\d{1,6})?)?"


@dataclass(frozen=True, slots=True)
class BoardParameter:
    """A query parameter of a board.

    Attributes:
        name: As addresses and requests have it.
        description: For the API's documentation.
        type_: Type of its value.
        default: Value where a request does not name it.
        group: What it chooses.
        max_length: Most characters of a value as it was sent; the API's documentation states it.
        max_characters: Most characters of a word without the spaces around it.
        filter: How the page offers it, where it is a filter with a menu.
    """

    name: str
    description: str
    type_: Any
    default: int | None
    group: ParameterGroup
    max_length: int | None
    max_characters: int | None
    filter: BoardFilter | None

    @property
    def is_in_address(self) -> bool:
        """Whether the address of a board states it."""
        return self.group in _GROUPS_OF_ADDRESSES


def _parameter(
    group: ParameterGroup,
    description: str,
    *,
    default: int | None = None,
    max_length: int | None = None,
    max_characters: int | None = None,
    filter: BoardFilter | None = None,  # noqa: A002, RUF100 - the attribute's name
) -> Any:
    """Declare a field of `BoardRequest`, see `BoardParameter`."""
    limits = {"max_length": max_length, "max_characters": max_characters}
    about = {"description": description, "group": group, "default": default, "filter": filter, **limits}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """Query parameters of a request as it sent them, None where it did not; each field declares one.

    The words of filters may be as long as in a submission.
    """

    version: str | None = _parameter(ParameterGroup.BOARD, "Benchmark version; the current one by default")
    slice: str | None = _parameter(ParameterGroup.RANKING, "Slice to rank by")
    metric: str | None = _parameter(ParameterGroup.RANKING, "Metric to rank by")
    setting: str | None = _parameter(ParameterGroup.BOARD, "Setting; the benchmark's first one by default")
    source: str | None = _parameter(ParameterGroup.ROWS, f"Comma-separated: {', '.join(SOURCES)}")
    q: str | None = _parameter(
        ParameterGroup.ROWS, "Part of a model's or organisation's name", max_characters=MAX_SEARCH_CHARACTERS
    )
    sort: str | None = _parameter(ParameterGroup.ORDER, "`<slice>|<metric>`, `model` or `date`")
    order: str | None = _parameter(ParameterGroup.ORDER, "asc or desc; best score first by default")
    limit: int = _parameter(ParameterGroup.PAGING, f"1 to {MAX_LIMIT}", default=50)
    cursor: str | None = _parameter(ParameterGroup.PAGING, "next_cursor of the previous page", max_length=1_000)
    columns: str | None = _parameter(ParameterGroup.DISPLAY, "Comma-separated `<slice>|<metric>` names, or all")
    kind: str | None = _parameter(
        ParameterGroup.ROWS,
        "Kind of model, such as LALM; case-insensitive",
        max_characters=40,
        filter=BoardFilter("Kind", "text", offered_as="kinds"),
    )
    weights: str | None = _parameter(
        ParameterGroup.ROWS, "open or closed", filter=BoardFilter("Weights", "choice", values=("open", "closed"))
    )
    size: str | None = _parameter(
        ParameterGroup.ROWS,
        "Billions of parameters: `10-40` means at least 10 and less than 40",
        # No common size of a model is the end of a range.
        filter=BoardFilter("Size", "range", values=("-10", "10-40", "40-"), unit="B"),
    )
    organisation: str | None = _parameter(
        ParameterGroup.ROWS,
        "Organisation, full name; case-insensitive",
        max_characters=120,
        filter=BoardFilter("Organisation", "text", offered_as="organisations"),
    )
    references: str | None = _parameter(
        ParameterGroup.DISPLAY,
        "Set to `true` to include this server's reference systems, regardless of `source`. They are never ranked. "
        "Default: `false`",
    )


# In the order of the API's documentation.
BOARD_PARAMETERS: Mapping[str, BoardParameter] = {
    one.name: BoardParameter(name=one.name, type_=one.type, **one.metadata) for one in fields(BoardRequest)
}
MAX_CHARACTERS: Mapping[str, int] = {
    name: parameter.max_characters
    for name, parameter in BOARD_PARAMETERS.items()
    if parameter.max_characters is not None
}
FILTERS: Mapping[str, BoardFilter] = {
    name: parameter.filter for name, parameter in BOARD_PARAMETERS.items() if parameter.filter is not None
}


def list_parameters(groups: Container[ParameterGroup]) -> list[BoardParameter]:
    """Return the parameters of some groups, group by group as addresses have them."""
    chosen = (parameter for parameter in BOARD_PARAMETERS.values() if parameter.group in groups)
    return sorted(chosen, key=lambda parameter: parameter.group)


def list_address_parameters() -> list[BoardParameter]:
    """Return the parameters that the address of a board states, in their order."""
    return list_parameters(_GROUPS_OF_ADDRESSES)


def read_address_values(request: BoardRequest) -> dict[str, str | None]:
    """Return what the address of a board states of a request: name → value."""
    return {parameter.name: getattr(request, parameter.name) for parameter in list_address_parameters()}


def read_narrowing_values(request: BoardRequest) -> dict[str, str | None]:
    """Return what leaves rows of the board out: name → value."""
    return {parameter.name: getattr(request, parameter.name) for parameter in list_parameters((ParameterGroup.ROWS,))}


def split_range(text: str) -> tuple[float, float | None] | None:
    """Return where a range begins and where it ends; None where the text is no range.

    >>> split_range("10-40"), split_range("-10"), split_range("40-"), split_range("40-10")
    ((10.0, 40.0), (0.0, 10.0), (40.0, None), None)
    """
    match = re.fullmatch(_RANGE, text)
    low, high = (match[1], match[2]) if match else (None, None)
    if (low is None and high is None) or (high is not None and float(high) <= float(low or 0)):
        return None
    return float(low or 0), None if high is None else float(high)
