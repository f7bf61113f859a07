"""Records in, what the charts show out. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from db.records import BoardRow, ScoreRecord
from evaluation.benchmarks.charts import Chart, LineChart, MapChart, PointChart
from leaderboard.markup import Markup, percent, table

_SHOWN_AT_FIRST = 4
_LABEL_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the board with all its figures.

    Attributes:
        id: Submission id.
        model: Name that the model is shown under.
        source: Where its figures come from.
        figures: `<slice>|<metric>` → value, as a fraction.
        sent_as: Name that it was sent under, where that is another model's.
    """

    id: str
    model: str
    source: str
    figures: Mapping[str, float | None]
    sent_as: str | None = None

    @property
    def label(self) -> str:
        """Name and source, short enough for a choice in a list."""
        sent = f" (as {_shorten(self.sent_as)})" if self.sent_as is not None else ""
        return f"{_shorten(self.model)}{sent} · {self.source}"

    def percent(self, key: str | None) -> float | None:
        """Return a figure as a percentage, or None where this row has none."""
        value = self.figures.get(key) if key is not None else None
        return None if value is None else 100 * value

    def has_any(self, keys: Iterable[str]) -> bool:
        """Tell whether this row has any of some figures."""
        return any(self.figures.get(key) is not None for key in keys)


def make_entry(row: BoardRow, scores: Iterable[ScoreRecord]) -> Entry:
    """Return a row together with its figures."""
    figures = {f"{score.slice}|{score.metric}": score.value for score in scores}
    sent = row.submission.model
    renamed = sent.name if sent.id != row.model.id else None
    return Entry(row.submission.id, row.model.name, row.submission.source, figures, renamed)


def _shorten(name: str) -> str:
    return name if len(name) <= _LABEL_CHARACTERS else f"{name[: _LABEL_CHARACTERS - 1]}…"


def pick_lines(rows: Sequence[BoardRow]) -> list[str]:
    """Return the rows that the charts show before anyone chose: people, then the first that do not merely guess."""
    humans = [row.submission.id for row in rows if row.submission.source == "human"]
    others = [row.submission.id for row in rows if row.submission.source not in ("random", "human")]
    return (humans + others)[:_SHOWN_AT_FIRST]


def pick_one(rows: Sequence[BoardRow]) -> str | None:
    """Return the row whose map is shown first: the best that was scored here, else a guessing one, else any."""
    scored = [row for row in rows if row.submission.source in ("verified", "submitted")]
    others = [row for row in rows if row.submission.source == "random" and row.evaluation.signature is not None]
    return next((row.submission.id for row in [*scored, *others, *rows]), None)


def describe_facts(chart: MapChart, entry: Entry, chance: Mapping[str, float]) -> str:
    """Return the figures that are said above a map in one sentence, or nothing where there are none."""
    known = [
        f"{words} {percent(entry.figures[key])} %{_beside(chance.get(key))}"
        for words, key in chart.facts
        if entry.figures.get(key) is not None
    ]
    lead = f"{chart.lead}: " if chart.lead else ""
    return f"{lead}{', '.join(known)}." if known else ""


def _beside(chance: float | None) -> str:
    return "" if chance is None else f" (an even guess: {percent(chance)} %)"


def chart_table(chart: Chart, entries: Sequence[Entry]) -> Markup:
    """Return what a chart shows, as a table of percentages."""
    match chart:
        case LineChart():
            headings = [f"{panel.title.split(':')[0]} {label}" for panel in chart.panels for label in chart.labels]
            return _table_of_entries(chart.title, headings, chart.figures, entries)
        case PointChart():
            return _table_of_entries(chart.title, [chart.x_title, chart.y_title], chart.figures, entries)
        case MapChart():
            rows = (
                [f"{chart.row_title} {name}", *(_cell(entry, key) for key in cells)]
                for entry in entries[:1]
                for name, cells in zip(chart.rows, chart.cells, strict=True)
            )
            headings = ["", *(f"{chart.column_title} {name}" for name in chart.columns)]
            return table(headings, rows, caption=f"{chart.title}, in per cent")


def _table_of_entries(title: str, headings: list[str], keys: Sequence[str], entries: Sequence[Entry]) -> Markup:
    rows = ([entry.label, *(_cell(entry, key) for key in keys)] for entry in entries)
    return table(["model", *headings], rows, caption=f"{title}, in per cent")


def _cell(entry: Entry, key: str | None) -> str:
    return percent(entry.figures.get(key) if key is not None else None)
