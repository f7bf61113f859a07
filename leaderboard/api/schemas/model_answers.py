"""Response schemas of models and comparisons; see `shared_answers`."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from leaderboard.api.schemas.shared_answers import (
    AnswerSchema,
    HubModelSchema,
    IntervalSchema,
    ModelSchema,
    NamedModelSchema,
    ShownModelSchema,
)


class StandingSchema(IntervalSchema):
    """A score as a fraction, with its 95 % confidence interval, standard deviation over runs, and rank."""

    rank: int | None
    rank_low: int | None
    rank_high: int | None


class ModelRowSchema(AnswerSchema):
    """A row of a model on a board."""

    submission: str
    url: str
    benchmark: str
    version: str
    setting: str
    source: str
    visibility: str
    sent_as: str
    signature: str | None
    hub: HubModelSchema | None
    hub_pull_request: str | None
    date: datetime | None
    printed_on: str | None
    headline: dict[str, StandingSchema]


class ModelOnHubSchema(AnswerSchema):
    """Metadata that the `model` field of a submission adopts from a Hub repository."""

    name: str
    organisation: str
    kind: str | None
    size_billions: float | None
    open_weights: bool | None
    url: str
    hub: HubModelSchema


class HubModelAnswer(AnswerSchema):
    """A model's metadata on the Hub; unknown values are null."""

    model: ModelOnHubSchema


class KnownModelSchema(ModelSchema):
    """A model under its name on boards, with its other submitted names and its number of rows."""

    aliases: list[str]
    n_rows: int


class ModelsAnswer(AnswerSchema):
    """Models that match a search, the best match first."""

    models: list[KnownModelSchema]


class WholeModelAnswer(KnownModelSchema):
    """A model with its rows."""

    rows: list[ModelRowSchema]


class SaidSchema(AnswerSchema):
    """A maintainer's description of a model; null means none."""

    organisation: str | None
    kind: str | None
    size_billions: float | None
    open_weights: bool | None
    links: list[str] | None


class AdminModelAnswer(NamedModelSchema):
    """A model as maintainers see it."""

    shown_as: NamedModelSchema | None
    joined_to: NamedModelSchema | None
    aliases: list[NamedModelSchema]
    said: SaidSchema
    n_submissions: int
    n_public: int
    likely_duplicates: list[NamedModelSchema]


class AdminModelsAnswer(AnswerSchema):
    """A page of models, ordered by name."""

    models: list[AdminModelAnswer]
    next_cursor: str | None


class DifferenceSchema(AnswerSchema):
    """A score of two submissions and their paired difference, first minus second, as fractions."""

    figure: str
    slice: str
    metric: str
    title: str
    higher_is_better: bool
    difference: float | None
    low: float | None
    high: float | None
    p_value: Annotated[float | None, Field(description="Two-sided p-value of this score alone")]
    p_adjusted: Annotated[
        float | None, Field(description="p-value adjusted by Holm's method over all scores of this answer")
    ]
    wins: Annotated[int | None, Field(description="Items on which the first is better")]
    losses: int | None
    ties: int | None
    n_items: int | None
    n_clusters: int | None
    note: str | None


class SliceDifferenceSchema(DifferenceSchema):
    """One of the scores that both submissions have."""

    a: float | None
    b: float | None


class SideSchema(AnswerSchema):
    """One of the two submissions."""

    value: float | None
    submission: str
    model: ShownModelSchema
    source: str
    signature: str | None
    runs: int | None
    date: datetime | None
    printed_on: str | None


class MethodSchema(AnswerSchema):
    """How the statistics were computed, so that they can be reproduced."""

    interval: str
    test: str
    clusters: str
    adjustment: str
    tests: int
    rule: str


class ComparisonAnswer(DifferenceSchema):
    """The requested score, then all of them; `paired` is false if a submission has no item-level outcomes."""

    benchmark: str
    version: str
    setting: str
    paired: bool
    reason: str | None
    a: SideSchema
    b: SideSchema
    slices: list[SliceDifferenceSchema]
    method: MethodSchema | None
