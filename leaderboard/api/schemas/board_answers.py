"""Response schemas of boards and benchmarks (see `shared_answers`)."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from leaderboard.api.schemas.shared_answers import (
    AnswerSchema,
    IntervalSchema,
    NamedModelSchema,
    PrintedInSchema,
    ShownModelSchema,
)


class ColumnSchema(AnswerSchema):
    """A column of a board: its key is `<slice>|<metric>`."""

    key: str
    slice: str
    metric: str
    title: str
    group: str
    definition: str
    higher_is_better: bool
    ranked: bool
    judged: Annotated[bool, Field(description="Scored by a language model; for reported rows, by the paper's")]
    shown: bool
    chance: float | None


class RowSchema(AnswerSchema):
    """A row of a board. For reported rows, `printed_on` is the date of the paper, as precise as known."""

    rank: int | None
    rank_low: int | None
    rank_high: int | None
    model: ShownModelSchema
    source: str
    reference: Annotated[
        bool, Field(description="A reference system of this server, which knows how the audio was rendered; not ranked")
    ]
    setting: str
    scores: dict[str, IntervalSchema]
    ranks: dict[str, int | None]
    parts: list[str]
    runs: Annotated[int | None, Field(description="Submitted runs (decoding seeds); null for reported rows")]
    missing: float | None
    unreadable: float | None
    open_pending: Annotated[bool, Field(description="Open answers wait for the judge; scores in judged columns follow")]
    signature: str | None
    submission: str
    date: datetime | None
    printed_on: str | None
    paper: PrintedInSchema | None
    notes: list[str]
    score_notes: dict[str, str]


class BoardAnswer(AnswerSchema):
    """A page of a board."""

    benchmark: str
    revision: int
    metric: str
    columns: list[ColumnSchema]
    rows: list[RowSchema]
    next_cursor: str | None
    detectable: Annotated[
        float | None, Field(description="The smallest difference that a board of this size can detect")
    ]
    detectable_figure: Annotated[str | None, Field(description="Score to which it applies")]
    opening: Annotated[str, Field(description="`<slice>|<metric>` of the page's default sort order")]


class OfferedSchema(AnswerSchema):
    """A value of model metadata, and the number of rows with it."""

    value: str
    rows: int


class BoardFilterSchema(AnswerSchema):
    """How the page offers a filter, and which values are valid."""

    title: str
    form: Annotated[
        Literal["text", "choice", "range"],
        Field(
            description="`word`: any printable word. `choice`: one of `values`. `range`: two numbers such as `10-40`"
        ),
    ]
    values: Annotated[list[str], Field(description="All choices, or the ranges that the page offers")]
    unit: str | None
    pattern: Annotated[str | None, Field(description="Regular expression that a whole range matches")]
    offered_as: Annotated[str | None, Field(description="Field of `/filters` that lists the words of a board's rows")]


class BoardParameterSchema(AnswerSchema):
    """A query parameter of boards."""

    name: str
    description: str
    in_address: Annotated[bool, Field(description="Part of a board's address on the page, in this order")]
    max_characters: int | None
    filter: Annotated[BoardFilterSchema | None, Field(description="Null unless the page has a filter menu for it")]


class RowSourceSchema(AnswerSchema):
    """A source of scores."""

    id: Annotated[str, Field(description='`source` of a row; `reference` for rows with `"reference": true`')]
    label: str
    description: str
    group: Annotated[
        Literal["evaluated", "papers", "baselines", "references"],
        Field(description="Rows of the first two groups have ranks"),
    ]


class ExportFormatSchema(AnswerSchema):
    """A format of `/export`."""

    id: str
    label: str
    description: Annotated[str, Field(description="What the page's link exports")]
    extension: str
    media_type: str
    is_table: Annotated[bool, Field(description="The page's link names the columns shown")]
    all_columns: Annotated[
        bool, Field(description="Contains every score unless `columns` names some; others have the board's columns")
    ]
    models_only: Annotated[bool, Field(description="Omits human, chance and reference rows")]


class BoardOptionsAnswer(AnswerSchema):
    """Options shared by all boards."""

    parameters: list[BoardParameterSchema]
    sources: list[RowSourceSchema]
    formats: list[ExportFormatSchema]


class FiltersAnswer(AnswerSchema):
    """Values that a board can be filtered by, the most frequent first; at most 200 each."""

    benchmark: str
    version: str
    setting: str
    kinds: list[OfferedSchema]
    organisations: list[OfferedSchema]


class ExportAnswer(AnswerSchema):
    """A complete board."""

    benchmark: str
    version: str
    setting: str
    rows: list[RowSchema]


class CitationAnswer(AnswerSchema):
    """Citation of a row; the last two fields are for the model's Hub repository, and null for human and random rows."""

    submission: str
    text: str
    url: str
    signature: str | None
    bibtex: str
    hub_yaml: str | None
    model_index: str | None


class SystemSchema(AnswerSchema):
    """A row with its model, source and score."""

    model: NamedModelSchema
    source: str
    submission: str
    value: float


class LeaderSchema(SystemSchema):
    """The best evaluated model, or else the best reported one, with its 95 % confidence interval."""

    low: float | None
    high: float | None
    title: Annotated[str | None, Field(description="Title of the score, if it is not the headline score")]


class IntroducingPaperSchema(AnswerSchema):
    """The paper that introduced a benchmark."""

    title: str
    authors: list[str]
    year: int
    url: str


class SummarySchema(AnswerSchema):
    """A benchmark at a glance: what it asks, its best model, and the gap to humans."""

    id: str
    title: str
    summary: str
    paper: IntroducingPaperSchema | None
    version: str
    open_version: Annotated[
        str | None,
        Field(description="This version if it accepts submissions, else the first that does; null if none does"),
    ]
    items: Annotated[
        int | None, Field(description="Number of installed questions; null until an evaluator has registered")
    ]
    items_of_paper: int | None
    setting: str
    counts: bool
    headline: str
    headline_title: str
    chance: float | None
    human: float | None
    best: SystemSchema | None
    leader: LeaderSchema | None
    gap: float | None


class CellSchema(AnswerSchema):
    """The best public row of a model on a benchmark."""

    value: float
    normalised: float | None
    above_chance: float | None
    version: str
    counts: bool
    source: str
    submission: str
    low: float | None
    high: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None


class OverviewRowSchema(AnswerSchema):
    """A model, with a cell for each benchmark."""

    model: NamedModelSchema
    cells: dict[str, CellSchema]


class ScaleSchema(AnswerSchema):
    """The scale of a score from chance to human, with the best systems."""

    benchmark: str
    version: str
    figure: str
    title: str
    chance: float | None
    human: float | None
    systems: list[SystemSchema]


class NewRowSchema(AnswerSchema):
    """A recent public row."""

    submission: str
    model: NamedModelSchema
    source: str
    benchmark: str
    title: str
    version: str
    setting: str
    figure: Annotated[str | None, Field(description="What the value is, if it is not the benchmark's headline score")]
    value: float | None
    date: datetime


class OverviewAnswer(AnswerSchema):
    """All benchmarks at a glance, with the numbers of public models and of submissions scored here."""

    models: int
    submissions: int
    benchmarks: list[SummarySchema]
    rows: list[OverviewRowSchema]
    more: bool
    scales: list[ScaleSchema]
    newest: list[NewRowSchema]


class PartSchema(AnswerSchema):
    """A part of a benchmark, and whether its questions are installed."""

    id: str
    title: str
    held: bool


class MetricSchema(AnswerSchema):
    """A metric."""

    id: str
    title: str
    formula: str
    higher_is_better: bool
    ranked: bool
    judged: Annotated[bool, Field(description="Scored by a language model; for reported rows, by the paper's")]


class BaselineAnswer(AnswerSchema):
    """A baseline that ignores the audio, pinned on the board and never ranked."""

    id: str
    title: str
    description: str
    scores: Annotated[dict[str, float], Field(description="`<slice>|<metric>` → expected score")]


class BenchmarkAnswer(AnswerSchema):
    """A version of a benchmark."""

    id: str
    title: str
    version: str
    versions: list[str]
    metric_version: str
    content_digest: str | None
    summary: str
    licence: str
    citation: str
    settings: list[str]
    parts: list[PartSchema]
    packs: Annotated[list[str], Field(description="Splits whose questions are the same for everybody")]
    editions: Annotated[bool, Field(description="Whether you can request test questions of your own")]
    open_version: Annotated[
        str | None,
        Field(description="This version if it accepts submissions, else the first that does; null if none does"),
    ]
    needs: Annotated[
        str | None,
        Field(description="Parts that accept no submissions, and what competition mode means; null without a notice"),
    ]
    competition: Annotated[
        bool,
        Field(description="Whether submissions get scores only if they gain significantly"),
    ]
    note: str | None
    runs: int
    seeds: Annotated[
        int | None, Field(description="Number of decoding seeds in a complete submission; null if runs are not repeats")
    ]
    items: int | None
    items_of_paper: Annotated[
        int | None, Field(description="Number of questions in the complete test set; null if all are rendered here")
    ]
    clips: int | None
    headline: str
    metrics: list[MetricSchema]
    chance: dict[str, float]
    baselines: list[BaselineAnswer]
    ready: bool


class BenchmarkDefinitionsSchema(AnswerSchema):
    """Definitions of a benchmark's settings, sets of items and board terms: name → sentences."""

    settings: dict[str, str]
    items: dict[str, str]
    terms: dict[str, str]


class WholeBenchmarkAnswer(BenchmarkAnswer):
    """A version of a benchmark with its slices and columns."""

    slices: list[str]
    columns: list[ColumnSchema]
    definitions: BenchmarkDefinitionsSchema


class BenchmarksAnswer(AnswerSchema):
    """Every version of every benchmark."""

    benchmarks: list[BenchmarkAnswer]
