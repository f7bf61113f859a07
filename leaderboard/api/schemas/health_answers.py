"""Response schemas of the health routes."""

from typing import Annotated

from pydantic import Field

from leaderboard.api.schemas.shared_answers import AnswerSchema


class HealthAnswer(AnswerSchema):
    """The process responds."""

    status: str


class ReadinessAnswer(AnswerSchema):
    """Whether submissions are accepted and scored; 503 has the same fields."""

    ready: bool
    database: str
    evaluator_seen_seconds: float | None
    keys: dict[str, str]
    judge: Annotated[bool, Field(description="Whether a running evaluator has a judge of open answers")]
    problem: Annotated[str | None, Field(description="Why the evaluator cannot work, and what to do")]
    durable: Annotated[bool, Field(description="Whether acknowledged changes survive a restart of the machine")]
    replica_lag_seconds: Annotated[
        float | None, Field(description="How far the replica lags behind the database; null without a replica")
    ]
