"""Response schemas that several routes share; the responses themselves are made by orjson from plain values.

Tests hold every real answer and every example against these.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

_EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def publish_name(kind: type) -> str:
    """Return the name of a schema in the description of the API, which clients generate code from."""
    return kind.__name__.removesuffix("Schema")


class AnswerSchema(BaseModel):
    """Root of the answers: no field more than is written down here.

    A class that describes a part of an answer ends with `Schema`: elsewhere its plain name means something else.
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
    """Where a paper prints a row."""

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
    """A system and what is said of it; `url` is the first of its links."""

    organisation: str | None
    kind: str | None
    size_billions: float | None
    open_weights: bool | None
    url: str | None
    links: list[str]


class HubModelSchema(AnswerSchema):
    """A model's repository on the Hub at a revision, as a submission names it."""

    id: str
    revision: str | None
    licence: str | None
    base_models: list[str]
    access: Annotated[str | None, Field(description="`open`, or `gated` if access requires permission or agreement")]
    pipeline_tag: str | None
    created_on: str | None


class ShownModelSchema(ModelSchema):
    """The model that a row is shown under, and the name under which it was sent."""

    sent_as: str


class FaultInPlaceSchema(AnswerSchema):
    """What is wrong in one place."""

    code: str
    message: str
    line: int | None
    id: str | None


class FaultSchema(FaultInPlaceSchema):
    """What is wrong; where it stands for several faults of a file, `details` are the first of them, at most 50.

    `count` is the number of faults that it stands for.
    """

    count: int = 1
    details: list[FaultInPlaceSchema] = []


class ReceivedAnswer(AnswerSchema):
    """A submission that is kept from now on."""

    id: str
    state: str
    sha256: str
    url: str


class EventSchema(AnswerSchema):
    """One change of a submission; `from` is null for the first."""

    at: datetime
    actor: str
    from_state: Annotated[str | None, Field(alias="from")]
    to: str
    text: str


class FigureSchema(AnswerSchema):
    """A figure of a submission, over how many items, and where it is from."""

    value: float | None
    n: int | None
    std: float | None
    note: str | None


class PastHeadlineSchema(AnswerSchema):
    """The headline figure of a scoring."""

    figure: str
    value: float | None


class PastScoringSchema(AnswerSchema):
    """A scoring that is or was the current one."""

    at: datetime
    signature: str | None
    current: bool
    headline: PastHeadlineSchema
    reason: str | None
    requested_by: str | None


class FindingSchema(AnswerSchema):
    """What the first look at an endpoint found; `ok` is null where it was not tried."""

    check: str
    ok: bool | None
    detail: str


class AskingSchema(AnswerSchema):
    """How far asking an endpoint is, over all attempts; tokens are as the endpoint counts them."""

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
    """Where a model is asked; its key is shown to nobody."""

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
    """Where a submission stands; what only its owner may know is empty for others."""

    id: str
    benchmark: str
    version: str
    setting: str
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
    sha256: str | None
    endpoint: AskedEndpointSchema | None
    hub: Annotated[HubModelSchema | None, Field(description="The model's Hub repository")]
    hub_pull_request: Annotated[str | None, Field(description="Pull request that adds the result to the model card")]
    created_at: datetime | None
    printed_on: str | None
    paper: PrintedInSchema | None
    url: str


class SubmissionsAnswer(AnswerSchema):
    """A page of one's own submissions, newest first."""

    submissions: list[SubmissionAnswer]
    next_cursor: str | None


class SpanSchema(AnswerSchema):
    """How many submissions one has in a day, a month or in all."""

    span: str
    limit: int
    used: int
    left: int
    renewed_at: datetime | None


class LimitSchema(AnswerSchema):
    """How many submissions one has left for a version of a benchmark; null is as many as one likes."""

    benchmark: str
    version: str
    left: int | None
    text: str
    spans: list[SpanSchema]


class LimitsAnswer(AnswerSchema):
    """What one has left."""

    limits: list[LimitSchema]


class TokenSchema(AnswerSchema):
    """A personal token without its secret."""

    id: int
    label: str
    created_at: datetime


class TokensAnswer(AnswerSchema):
    """One's tokens that are valid, oldest first."""

    tokens: list[TokenSchema]


class NewTokenAnswer(TokenSchema):
    """A new token with its secret, which is shown this once."""

    token: str


class LeaseSchema(AnswerSchema):
    """Which evaluator works on a submission, and until when it must have said so again."""

    worker: str
    expires_at: datetime | None
    began_at: datetime | None


class PlaceSchema(AnswerSchema):
    """An unfinished submission; `position` is how many are run before it."""

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
    """A page of the queue in the order in which it is run, and how many there are in each state."""

    totals: dict[str, int]
    submissions: list[PlaceSchema]
    next_cursor: str | None


class EntrySchema(AnswerSchema):
    """An entry of the audit log; its digest covers it and the digest before."""

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


class HealthAnswer(AnswerSchema):
    """The process answers."""

    status: str


class ReadinessAnswer(AnswerSchema):
    """Whether submissions are taken in and scored; 503 has the same fields."""

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


class NameAnswer(AnswerSchema):
    """Who is signed in now."""

    name: str | None
