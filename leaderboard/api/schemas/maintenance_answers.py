"""Answers to maintainers: the judge, re-evaluations and competition mode."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from evaluation.judge.mistakes import SAMPLE_SIZE
from leaderboard.api.schemas.shared_answers import AnswerSchema


class SpendSchema(AnswerSchema):
    """Usage of a judge: calls, and tokens as counted by its server."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


class EstimateSchema(SpendSchema):
    """Estimated usage of a judge."""

    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices")]


class JudgeAnswer(AnswerSchema):
    """The judge of open answers; its fields are null while no judge is active."""

    model: str | None
    judging: Annotated[str | None, Field(description="Judge and protocol, as in signatures")]
    max_calls_per_day: int | None
    calls_left: int | None
    max_cost_per_day: float | None
    cost_today: float | None
    sort_errors: Annotated[
        int | None, Field(description="Maximum number of wrong answers classified per submission; 0 turns this off")
    ]
    sorting_stopped: bool | None
    queue_estimate: Annotated[EstimateSchema, Field(description="Calls to judge all queued submissions")]
    sorting_estimate: Annotated[
        EstimateSchema,
        Field(
            description="To sort wrong answers of scored submissions, at most and without retries after server errors; "
            f"while sorting is off, as with {SAMPLE_SIZE} answers per submission"
        ),
    ]
    stopped: Annotated[
        list[str], Field(description="Submissions at which judging stopped; release one to resume judging")
    ]
    stop_reason: str | None
    today: SpendSchema
    last_30_days: SpendSchema
    waiting: Annotated[int, Field(description="Submissions in the judge's queue")]
    held: Annotated[int, Field(description="Submissions that await a maintainer")]


class ReevaluationAnswer(AnswerSchema):
    """State of a re-evaluation; `result` compares scores, ranks and signatures once it is done."""

    id: int
    submission: str | None
    benchmark: str | None
    version: str | None
    dry_run: bool
    requested_by: str
    reason: str
    state: str
    explanation: str | None
    progress: float
    n_submissions: int
    result: dict[str, Any] | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    url: str


class ReevaluationsAnswer(AnswerSchema):
    """A page of re-evaluations without their results, newest first."""

    reevaluations: list[ReevaluationAnswer]
    next_cursor: int | None


class CompetitionAnswer(AnswerSchema):
    """Whether a benchmark version is in competition mode; the last three fields are null if it is not."""

    benchmark: str
    version: str
    competition: bool
    notice: Annotated[str | None, Field(description="What it means, as shown on the board")]
    started_by: str | None
    started_at: datetime | None
