"""Response schemas of reported rows, for maintainers."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from leaderboard.api.schemas.shared_answers import AnswerSchema, PrintedInSchema


class RowChangeAnswer(AnswerSchema):
    """The last change of a row that has not been undone."""

    by: str
    at: datetime
    reason: str


class ReportedRowAnswer(AnswerSchema):
    """A reported or human row as maintainers see it."""

    id: str
    benchmark: str
    version: str
    setting: str
    source: Literal["reported", "human"]
    model: str
    date: Annotated[str | None, Field(description="Date of the paper: 2026-06-07, 2026-06 or 2026")]
    paper: PrintedInSchema | None
    origin: Annotated[Literal["shipped", "corrected", "added"], Field(description="Author of the row's current values")]
    removed: bool
    can_be_undone: bool
    last_change: RowChangeAnswer | None


class ReportedRowsAnswer(AnswerSchema):
    """A page of rows."""

    rows: list[ReportedRowAnswer]
    next_cursor: str | None


class ScoreChangeAnswer(AnswerSchema):
    """A score before and after a change; null if absent."""

    slice: str
    metric: str
    old: float | None
    new: float | None


class PlannedRowAnswer(AnswerSchema):
    """Effect of a row in a file."""

    id: Annotated[str | None, Field(description="ID of the row; null for new rows in a dry run")]
    line: Annotated[int, Field(description="Line of its first score")]
    benchmark: str
    version: str
    setting: str
    source: str
    model: str
    verdict: Literal["add", "correct", "unchanged"]
    changes: Annotated[list[ScoreChangeAnswer], Field(description="Changed scores, derived ones included")]


class PlannedRowsAnswer(AnswerSchema):
    """Effects of a file, applied or previewed."""

    dry_run: bool
    rows: list[PlannedRowAnswer]
