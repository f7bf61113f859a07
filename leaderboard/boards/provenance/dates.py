"""Dates of rows: the time of a submission, or the date of a paper, often known only to the year."""

from datetime import datetime
from typing import Any, Protocol

from leaderboard.rendering.formatting import NONE
from leaderboard.rendering.templating import Markup, render_age

_DAY = len("2026-06-07")


class Dated(Protocol):
    """A row of a board, or its known fields."""

    @property
    def created_at(self) -> datetime:
        """When it was submitted; for a reported row, the beginning of the period in `printed_on`."""

    @property
    def printed_on(self) -> str | None:
        """Date of the paper, as precise as known, empty if unknown; None for a row submitted here."""


def find_moment(row: Dated) -> datetime | None:
    """Return when a row was created; None for a paper whose exact day is unknown."""
    return row.created_at if row.printed_on is None or len(row.printed_on) == _DAY else None


def describe_dates(row: Dated) -> dict[str, Any]:
    """Return the date of a row for the API, which omits dates that programs could not parse."""
    return {"date": find_moment(row), "printed_on": row.printed_on or None}


def render_date(row: Dated, now: datetime) -> Markup:
    """Return the displayed date of a row: how long ago it was submitted, or the date of its paper."""
    return render_age(row.created_at, now) if row.printed_on is None else Markup.escape(row.printed_on or NONE)
