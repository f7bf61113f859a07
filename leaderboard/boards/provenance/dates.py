"""Dates of rows: the moment of a submission, or the date of a paper, often known only to the year."""

from datetime import datetime
from typing import Any, Protocol

from leaderboard.html_elements import Markup, since, text

_DAY = len("2026-06-07")


class Dated(Protocol):
    """A row of a board, or what is known of it."""

    @property
    def created_at(self) -> datetime:
        """When it was sent; of a row that a paper prints, when the time begins that `printed_on` names."""

    @property
    def printed_on(self) -> str | None:
        """The paper's date as exactly as it is known, empty where it is not; None for what was sent here."""


def find_moment(row: Dated) -> datetime | None:
    """Return when a row was made; None where a paper prints it whose day is not known."""
    return row.created_at if row.printed_on is None or len(row.printed_on) == _DAY else None


def describe_dates(row: Dated) -> dict[str, Any]:
    """Return when a row was made as the API names it: a moment that is not known is none that programs could read."""
    return {"date": find_moment(row), "printed_on": row.printed_on or None}


def render_date(row: Dated, now: datetime) -> Markup:
    """Return when a row was made: how long ago it was sent, or the date of its paper."""
    return since(row.created_at, now) if row.printed_on is None else text(row.printed_on or None)
