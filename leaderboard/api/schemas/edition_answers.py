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
    pack: Annotated[str | None, Field(description="Address of the question pack, for its owner")]
    url: str


class EditionsAnswer(AnswerSchema):
    """Your editions, newest first."""

    editions: list[EditionAnswer]
