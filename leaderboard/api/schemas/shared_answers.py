"""Response schemas that several routes share; orjson encodes the responses from plain values.

Tests validate every real response and every example against these.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

_EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def publish_name(kind: type) -> str:
    """Return the name of a schema in the API's description, from which clients generate code."""
    return kind.__name__.removesuffix("Schema")


class AnswerSchema(BaseModel):
    """Base class of responses, which forbids undeclared fields.

    Names of classes for parts of a response end with `Schema`, because the plain names have other meanings elsewhere.
    """

    model_config = ConfigDict(
        extra="forbid",
        model_title_generator=publish_name,
        json_schema_extra=lambda schema: _add_example(schema),
    )


def _add_example(schema: dict[str, Any]) -> None:
    example = _EXAMPLES.get(str(schema["title"]))
    if example is not None:
        schema["example"] = example


class PrintedInSchema(AnswerSchema):
    """Where a paper reports a row."""

    title: str
    authors: list[str]
    year: int | None
    url: str
    tables: Annotated[list[str], Field(description="Tables and sections that print the row")]
    row: Annotated[str, Field(description="The row's name there")]
    data_version: Annotated[
        str | None, Field(description="Release of the questions that the paper used; null for the board's own version")
    ]


class NamedModelSchema(AnswerSchema):
    """A model by its name."""

    id: str
    name: str


class ModelSchema(NamedModelSchema):
    """A system with its metadata; `url` is the first of its links."""

    organisation: str | None
    kind: str | None
    size_billions: float | None
    open_weights: bool | None
    url: str | None
    links: list[str]


class HubModelSchema(AnswerSchema):
    """A model's Hub repository at a revision, as named by a submission."""

    id: str
    revision: str | None
    licence: str | None
    base_models: list[str]
    access: Annotated[str | None, Field(description="`open`, or `gated` if access requires permission or agreement")]
    pipeline_tag: str | None
    created_on: str | None


class ShownModelSchema(ModelSchema):
    """The model that a row is shown under, and the submitted name."""

    sent_as: str


class FaultInPlaceSchema(AnswerSchema):
    """A located error."""

    code: str
    message: str
    line: int | None
    id: str | None


class FaultSchema(FaultInPlaceSchema):
    """An error; if it groups several errors of a file, `details` lists the first of them, at most 50.

    `count` is the number of grouped errors.
    """

    count: int = 1
    details: list[FaultInPlaceSchema] = []


class ReceivedAnswer(AnswerSchema):
    """An accepted submission."""

    id: str
    state: str
    sha256: str
    edition: Annotated[str | None, Field(description="Edition that the file answers")]
    url: str


class EventSchema(AnswerSchema):
    """A state change of a submission; `from` is null for the first."""

    at: datetime
    actor: str
    from_state: Annotated[str | None, Field(alias="from")]
    to: str
    text: str


class IntervalSchema(AnswerSchema):
    """A score as a fraction, with its 95 % confidence interval and its standard deviation over runs."""

    value: float | None
    low: float | None
    high: float | None
    std: float | None


class FigureSchema(AnswerSchema):
    """A score of a submission, with its number of items and its source."""

    value: float | None
    n: int | None
    std: float | None
    note: str | None


class PastHeadlineSchema(AnswerSchema):
    """The headline score of an evaluation."""

    figure: str
    value: float | None


class PastScoringSchema(AnswerSchema):
    """A current or past evaluation."""

    at: datetime
    signature: str | None
    current: bool
    headline: PastHeadlineSchema
    reason: str | None
    requested_by: str | None


class PracticeSchema(AnswerSchema):
    """Answers to the practice questions, and what they show in comparison with the test."""

    state: Annotated[str, Field(description="`queued`, `scored` or `failed`")]
    attached_at: datetime
    figure: Annotated[str | None, Field(description="Score in which practice and test are compared")]
    value: Annotated[float | None, Field(description="That score on the practice questions, a fraction")]
    standard_error: Annotated[float | None, Field(description="Its standard error over recordings")]
    gap: Annotated[float | None, Field(description="Practice − test; null until the test score exists")]
    low: Annotated[float | None, Field(description="Lower end of the gap's 95 % confidence interval")]
    high: Annotated[float | None, Field(description="Upper end of the gap's 95 % confidence interval")]
    signature: str | None
    explanation: Annotated[str | None, Field(description="Why it failed, or why there is no gap or interval")]
    sha256: str | None


class FindingSchema(AnswerSchema):
    """Result of the first check of an endpoint; `ok` is null if it was not tried."""

    check: str
    ok: bool | None
    detail: str


class AskingSchema(AnswerSchema):
    """Progress of querying an endpoint, over all attempts; tokens are as counted by the endpoint."""

    questions: int
    answered: int
    abandoned: int
    calls: int
    per_second: float
    failures: dict[str, int]
    truncated: int
    tokens_in: int
    tokens_out: int


class AskedEndpointSchema(AnswerSchema):
    """An endpoint; its key is never shown."""

    base_url: str
    model_name: str
    needs_key: bool
    concurrency: int
    multi_audio: bool
    audio_form: str
    parts: list[str] | None
    findings: list[FindingSchema]
    asking: AskingSchema | None


class RegisteredAnswer(AnswerSchema):
    """An endpoint that waits for approval."""

    id: str
    state: str
    url: str


class SubmissionAnswer(AnswerSchema):
    """Status of a submission; fields that only its owner may see are empty for others."""

    id: str
    benchmark: str
    version: str
    setting: str
    edition: Annotated[str | None, Field(description="Edition that the file answers")]
    source: str
    model: ModelSchema
    shown_as: Annotated[
        NamedModelSchema | None, Field(description="Model that boards show it as, if it is merged into another")
    ]
    state: str
    visibility: str
    position: int | None
    progress: float | None
    eta: Annotated[float | None, Field(description="Estimated seconds until it is scored")]
    stalled: Annotated[bool, Field(description="True when no progress was made for 15 minutes; operators are alerted")]
    outlook: Annotated[str | None, Field(description="Status and estimate in one sentence")]
    events: list[EventSchema]
    reason_code: str | None
    reason: str | None
    retryable: bool | None
    fault: Annotated[str | None, Field(description="Who can put the failure right: `submitter` or `system`")]
    whose_fault: Annotated[
        str | None,
        Field(deprecated=True, description="The same as `fault` for clients of earlier versions: `yours` or `ours`"),
    ]
    signature: str | None
    parts: list[str]
    runs: int | None
    missing: float | None
    unreadable: float | None
    unreadable_reasons: dict[str, int]
    notes: list[str]
    scores: dict[str, FigureSchema]
    evaluations: list[PastScoringSchema]
    practice: Annotated[PracticeSchema | None, Field(description="Answers to the practice questions; null without")]
    sha256: str | None
    endpoint: AskedEndpointSchema | None
    hub: Annotated[HubModelSchema | None, Field(description="The model's Hub repository")]
    hub_pull_request: Annotated[str | None, Field(description="Pull request that adds the result to the model card")]
    created_at: datetime | None
    printed_on: str | None
    paper: PrintedInSchema | None
    url: str


class SubmissionsAnswer(AnswerSchema):
    """A page of the current user's submissions, newest first."""

    submissions: list[SubmissionAnswer]
    next_cursor: str | None


class SpanSchema(AnswerSchema):
    """A limit on submissions per day, per month or in total."""

    span: str
    limit: int
    used: int
    left: int
    renewed_at: datetime | None


class EditionLimitSchema(AnswerSchema):
    """Editions of a version that may be requested now; null means unlimited."""

    left: int | None
    text: str


class LimitSchema(AnswerSchema):
    """Remaining submissions for a version of a benchmark; null means unlimited.

    `editions` is null for a version without editions. Files of editions do not count as submissions.
    """

    benchmark: str
    version: str
    left: int | None
    text: str
    spans: list[SpanSchema]
    editions: EditionLimitSchema | None


class LimitsAnswer(AnswerSchema):
    """Remaining submissions of the current user."""

    limits: list[LimitSchema]


class TokenSchema(AnswerSchema):
    """A personal token without its secret."""

    id: int
    label: str
    created_at: datetime


class TokensAnswer(AnswerSchema):
    """The current user's valid tokens, oldest first."""

    tokens: list[TokenSchema]


class NewTokenAnswer(TokenSchema):
    """A new token with its secret, which is shown only once."""

    token: str


class LeaseSchema(AnswerSchema):
    """The evaluator that works on a submission, and the end of its lease."""

    worker: str
    expires_at: datetime | None
    began_at: datetime | None


class PlaceSchema(AnswerSchema):
    """An unfinished submission; `position` is the number of submissions ahead of it."""

    id: str
    owner: str
    benchmark: str
    version: str
    setting: str
    model: ModelSchema
    state: str
    position: int | None
    created_at: datetime
    updated_at: datetime
    age_seconds: float
    attempts: int
    not_before: datetime | None
    progress: float | None
    lease: LeaseSchema | None


class QueueAnswer(AnswerSchema):
    """A page of the queue in execution order, with the number of submissions in each state."""

    totals: dict[str, int]
    submissions: list[PlaceSchema]
    next_cursor: str | None


class EntrySchema(AnswerSchema):
    """An entry of the audit log; its digest covers the entry and the previous digest."""

    number: int
    at: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]
    previous: str
    digest: str


class AuditAnswer(AnswerSchema):
    """A page of the audit log, newest first."""

    entries: list[EntrySchema]
    next_cursor: str | None


class NameAnswer(AnswerSchema):
    """The user who is now signed in."""

    name: str | None
