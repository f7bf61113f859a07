"""What the routes of boards and benchmarks answer, for the description of the API (see `answers`)."""

from datetime import datetime

from leaderboard.api.answers import Answer, Model


class Column(Answer):
    """A figure that rows have: its key is `<slice>|<metric>`."""

    key: str
    slice: str
    metric: str
    title: str
    group: str
    higher_is_better: bool
    ranked: bool
    shown: bool
    chance: float | None


class Interval(Answer):
    """A figure as a fraction, the ends of its 95 % interval, and its deviation over runs."""

    value: float | None
    low: float | None
    high: float | None
    std: float | None


class ShownModel(Model):
    """The model that a row is shown under, and the name under which it was sent."""

    sent_as: str


class Row(Answer):
    """A row of a board."""

    rank: int | None
    rank_low: int | None
    rank_high: int | None
    model: ShownModel
    source: str
    setting: str
    scores: dict[str, Interval]
    ranks: dict[str, int | None]
    parts: list[str]
    missing: float | None
    unreadable: float | None
    signature: str | None
    submission: str
    date: datetime
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
    detectable: float | None


class ExportAnswer(Answer):
    """A whole board."""

    benchmark: str
    version: str
    setting: str
    rows: list[Row]


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
    needs: str | None
    note: str | None
    runs: int
    items: int | None
    clips: int | None
    headline: str
    metrics: list[Metric]
    chance: dict[str, float]
    ready: bool


class WholeBenchmarkAnswer(BenchmarkAnswer):
    """A version of a benchmark with its slices and columns."""

    slices: list[str]
    columns: list[Column]


class BenchmarksAnswer(Answer):
    """Every version of every benchmark."""

    benchmarks: list[BenchmarkAnswer]
