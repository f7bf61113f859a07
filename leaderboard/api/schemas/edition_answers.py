"""Response schemas of editions."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from leaderboard.api.schemas.shared_answers import AnswerSchema


class EditionAnswer(AnswerSchema):
    """A test split that is rendered for one submitter and used once."""

    id: str
    state: Literal["queued", "making", "open", "closed", "expired"]
    benchmark: str
    version: str
    design: Annotated[str | None, Field(description="Digest of what all editions share; null before it is open")]
    items: Annotated[int | None, Field(description="Number of items; null before it is open")]
    submissions: Annotated[int, Field(description="Number of files that are not withdrawn or failed")]
    position: Annotated[int | None, Field(description="Place of its pack in the queue; null if it is not waited for")]
    progress: Annotated[float | None, Field(description="Rendered fraction of the pack that is waited for")]
    explanation: Annotated[str | None, Field(description="Why the pack could not be rendered")]
    created: datetime
    opened: datetime | None
    expires: Annotated[datetime | None, Field(description="When it closes by itself, or expires without files")]
    closed: datetime | None
    gallery: Annotated[str | None, Field(description="Page with every item and answer, once it is closed")]
    gallery_is_public: bool
    pack: Annotated[str | None, Field(description="Address of the question pack, for its owner")]
    url: str


class AnsweredRunSchema(AnswerSchema):
    """One run: what was shown and right, and what the model answered."""

    run: int
    options: Annotated[list[str], Field(description="Options as shown in this run")]
    right: Annotated[str, Field(description="Right answer: letters, True or False, or the erroneous steps")]
    response: str | None
    parsed: Annotated[str | None, Field(description="Parsed answer in the form of `right`")]
    outcome: Literal["correct", "wrong", "unreadable", "missing"]
    reason: Annotated[str | None, Field(description="Why no answer was parsed")]


class AnsweredItemSchema(AnswerSchema):
    """An item with the answers to its runs."""

    id: str
    part: str
    task: str
    question: str
    answer_format: str
    clips: Annotated[list[str], Field(description="Addresses of its clips, for the owner")]
    runs: list[AnsweredRunSchema]


class AnsweringModelSchema(AnswerSchema):
    """A scored submission of the edition."""

    id: str
    model: str


class EditionItemsAnswer(AnswerSchema):
    """A page of the items of a closed edition."""

    edition: str
    benchmark: str
    version: str
    submission: str
    submissions: list[AnsweringModelSchema]
    outcomes: Annotated[dict[str, int], Field(description="Outcome → number of runs, without filters")]
    reasons: Annotated[dict[str, int], Field(description="Reason → number of unreadable runs, without filters")]
    tasks: list[str]
    total: Annotated[int, Field(description="Number of items that the filters admit")]
    items: list[AnsweredItemSchema]
    next_cursor: str | None


class EditionsAnswer(AnswerSchema):
    """Your editions, newest first."""

    editions: list[EditionAnswer]
