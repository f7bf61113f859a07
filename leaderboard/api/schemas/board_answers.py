"""What the routes of boards and benchmarks answer, for the description of the API (see `shared_answers`)."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from leaderboard.api.schemas.shared_answers import Answer, NamedModel, PrintedIn, ShownModel


class Column(Answer):
    """A figure that rows have: its key is `<slice>|<metric>`."""

    key: str
    slice: str
    metric: str
    title: str
    group: str
    definition: str
    higher_is_better: bool
    ranked: bool
    judged: Annotated[bool, Field(description="A language model gave it; in reported rows, the one of the paper")]
    shown: bool
    chance: float | None


class Interval(Answer):
    """A figure as a fraction, the ends of its 95 % interval, and its deviation over runs."""

    value: float | None
    low: float | None
    high: float | None
    std: float | None


class Row(Answer):
    """A row of a board; one that a paper prints has the paper's date, as exactly as it is known, in `printed_on`."""

    rank: int | None
    rank_low: int | None
    rank_high: int | None
    model: ShownModel
    source: str
    reference: Annotated[
        bool, Field(description="A reference system of this server: it knows how the sounds were rendered; not ranked")
    ]
    setting: str
    scores: dict[str, Interval]
    ranks: dict[str, int | None]
    parts: list[str]
    runs: Annotated[int | None, Field(description="Runs, or decoding seeds, that were submitted; null for papers")]
    missing: float | None
    unreadable: float | None
    open_pending: Annotated[
        bool, Field(description="Open answers wait for the judge; scores in judged columns are added then")
    ]
    signature: str | None
    submission: str
    date: datetime | None
    printed_on: str | None
    paper: PrintedIn | None
    notes: list[str]
    score_notes: dict[str, str]


class BoardAnswer(Answer):
    """A page of a board."""

    benchmark: str
    revision: int
    metric: str
    columns: list[Column]
    rows: list[Row]
    next_cursor: str | None
    detectable: Annotated[float | None, Field(description="The smallest difference that a board of this size shows")]
    detectable_figure: Annotated[str | None, Field(description="In which figure")]
    opening: Annotated[str, Field(description="`<slice>|<metric>` that the page of the board sorts by first")]


class Offered(Answer):
    """Something that rows say of their models, and how many do."""

    value: str
    rows: int


class FiltersAnswer(Answer):
    """What a board can be filtered by, the most frequent first; at most 200 of each."""

    benchmark: str
    version: str
    setting: str
    kinds: list[Offered]
    organisations: list[Offered]


class ExportAnswer(Answer):
    """A whole board."""

    benchmark: str
    version: str
    setting: str
    rows: list[Row]


class CitationAnswer(Answer):
    """How a row is cited; the last two are for a model's repository on the Hub, and null for people and chance."""

    submission: str
    text: str
    url: str
    signature: str | None
    bibtex: str
    hub_yaml: str | None
    model_index: str | None


class System(Answer):
    """A row by its model, source and figure."""

    model: NamedModel
    source: str
    submission: str
    value: float


class Leader(System):
    """The best evaluated model, else the best one that a paper reports, with the ends of its 95 % interval."""

    low: float | None
    high: float | None
    title: Annotated[str | None, Field(description="Title of its figure, where that is not the headline")]


class IntroducingPaper(Answer):
    """The paper that a benchmark comes from."""

    title: str
    authors: list[str]
    year: int
    url: str


class Summary(Answer):
    """A benchmark at a glance: what it asks, its best model, and how far that is from humans."""

    id: str
    title: str
    summary: str
    paper: IntroducingPaper | None
    version: str
    open_version: Annotated[
        str | None,
        Field(description="This version where it takes submissions, else the first that does; null where none does"),
    ]
    items: Annotated[int | None, Field(description="How many are installed; null until an evaluator has registered")]
    items_of_paper: int | None
    setting: str
    counts: bool
    headline: str
    headline_title: str
    chance: float | None
    human: float | None
    best: System | None
    leader: Leader | None
    gap: float | None


class Cell(Answer):
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


class OverviewRow(Answer):
    """A model, and benchmark → its cell."""

    model: NamedModel
    cells: dict[str, Cell]


class Scale(Answer):
    """A figure from chance to people, and the best systems."""

    benchmark: str
    version: str
    figure: str
    title: str
    chance: float | None
    human: float | None
    systems: list[System]


class NewRow(Answer):
    """A public row that came lately."""

    submission: str
    model: NamedModel
    source: str
    benchmark: str
    title: str
    version: str
    setting: str
    figure: Annotated[str | None, Field(description="What the value is, where it is not the benchmark's headline")]
    value: float | None
    date: datetime


class OverviewAnswer(Answer):
    """All benchmarks at a glance, with the numbers of public models and of submissions that were scored here."""

    models: int
    submissions: int
    benchmarks: list[Summary]
    rows: list[OverviewRow]
    more: bool
    scales: list[Scale]
    newest: list[NewRow]


class Part(Answer):
    """A part of a benchmark, and whether its questions are here."""

    id: str
    title: str
    held: bool


class Metric(Answer):
    """What is measured."""

    id: str
    title: str
    formula: str
    higher_is_better: bool
    ranked: bool
    judged: Annotated[bool, Field(description="A language model gave it; in reported rows, the one of the paper")]


class BaselineAnswer(Answer):
    """A strategy that hears nothing, pinned on the board and never ranked."""

    id: str
    title: str
    description: str
    scores: Annotated[dict[str, float], Field(description="`<slice>|<metric>` → expected score")]


class BenchmarkAnswer(Answer):
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
    parts: list[Part]
    packs: list[str]
    open_version: Annotated[
        str | None,
        Field(description="This version where it takes submissions, else the first that does; null where none does"),
    ]
    needs: Annotated[str | None, Field(description="Which parts take no submissions; null where all of them do")]
    note: str | None
    runs: int
    seeds: Annotated[
        int | None, Field(description="Decoding seeds of a whole submission; null where runs are no repeats")
    ]
    items: int | None
    items_of_paper: Annotated[
        int | None, Field(description="How many there are where an organiser brings all; null where all are made here")
    ]
    clips: int | None
    headline: str
    metrics: list[Metric]
    chance: dict[str, float]
    baselines: list[BaselineAnswer]
    ready: bool


class BenchmarkDefinitions(Answer):
    """What the settings of a benchmark, its sets of items and the terms of its boards mean: name → sentences."""

    settings: dict[str, str]
    items: dict[str, str]
    terms: dict[str, str]


class WholeBenchmarkAnswer(BenchmarkAnswer):
    """A version of a benchmark with its slices and columns."""

    slices: list[str]
    columns: list[Column]
    definitions: BenchmarkDefinitions


class BenchmarksAnswer(Answer):
    """Every version of every benchmark."""

    benchmarks: list[BenchmarkAnswer]
