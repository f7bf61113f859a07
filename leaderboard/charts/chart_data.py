"""Chart data: rows of a board with the scores that a chart shows. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from db.records import BoardRow, ScoreRecord, StandingRecord
from evaluation.benchmarks.chart_specs import MapChart, SettingsPanel, ShareChart
from leaderboard.rendering.formatting import write_percent
from submissions.ranking.best_rows import BASELINES
from submissions.ranking.row_sources import EVALUATED_SOURCES

SHOWN_AT_FIRST = 4
_LABEL_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """A row of the board with its scores.

    Attributes:
        id: Submission id.
        model: Name of the model.
        source: Source of the scores; `reference` for a reference system.
        scores: `<slice>|<metric>` → score.
        sent_as: Submitted name, if it belonged to another model.
    """

    id: str
    model: str
    source: str
    scores: Mapping[str, ScoreRecord]
    sent_as: str | None = None

    @property
    def label(self) -> str:
        """Name and source, short enough for a list of choices."""
        sent = f" (as {_shorten(self.sent_as)})" if self.sent_as is not None else ""
        return f"{_shorten(self.model)}{sent} · {self.source}"

    def percent(self, key: str | None) -> float | None:
        """Return a score in percent, or None if this row lacks it."""
        score = self.scores.get(key) if key is not None else None
        return None if score is None or score.value is None else 100 * score.value

    def percent_range(self, key: str) -> tuple[float, float] | None:
        """Return the confidence interval of a score in percent, or None if unknown."""
        score = self.scores.get(key)
        if score is None or score.low is None or score.high is None:
            return None
        return 100 * score.low, 100 * score.high

    def has_any(self, keys: Iterable[str]) -> bool:
        """Tell whether this row has any of the given scores."""
        return any(self.percent(key) is not None for key in keys)


@dataclass(frozen=True, slots=True)
class SettingsComparison:
    """One model under several settings.

    Attributes:
        model: Name of the model.
        rows: Setting → the model's row under it.
    """

    model: str
    rows: Mapping[str, ChartEntry]

    def percent(self, panel: SettingsPanel, setting: str) -> float | None:
        """Return a panel's score under a setting; if only the loss is reported, the default score minus the loss."""
        row = self.rows.get(setting)
        if row is None or row.percent(panel.key) is not None or not panel.drop:
            return row.percent(panel.key) if row is not None else None
        usual = self.rows.get(panel.settings[0][0])
        whole, lost = usual.percent(panel.key) if usual is not None else None, row.percent(panel.drop)
        return None if whole is None or lost is None else whole - lost

    def change(self, panel: SettingsPanel) -> float | None:
        """Return the difference that a panel shows beside the row, in percentage points."""
        if panel.change is None:
            return None
        before, after = (self.percent(panel, setting) for setting in panel.change)
        return None if before is None or after is None else after - before

    def is_beside(self, panel: SettingsPanel) -> bool:
        """Tell whether a panel shows this model under at least two settings."""
        return sum(self.percent(panel, setting) is not None for setting, _ in panel.settings) > 1


@dataclass(frozen=True, slots=True)
class ChartData:
    """What a chart shows.

    Attributes:
        entries: Systems, in the order of the board.
        people: Human baselines.
        chance: `<slice>|<metric>` → expected score of uniform guessing, as a fraction.
        sides: Models under several settings, for charts that compare settings.
    """

    entries: Sequence[ChartEntry]
    people: Sequence[ChartEntry] = ()
    chance: Mapping[str, float] = field(default_factory=dict)
    sides: Sequence[SettingsComparison] = ()

    def guess(self, key: str) -> float | None:
        """Return the expected score of uniform guessing in percent."""
        value = self.chance.get(key)
        return None if value is None else 100 * value


def make_entry(row: BoardRow, scores: Iterable[ScoreRecord]) -> ChartEntry:
    """Return a row with its scores, which take the intervals of their standings."""
    sent = row.submission.model
    return ChartEntry(
        row.submission.id,
        row.model.name,
        row.submission.badge,
        {score.key: _add_interval(score, row.standings.get(score.key)) for score in scores},
        sent.name if sent.id != row.model.id else None,
    )


def _add_interval(score: ScoreRecord, standing: StandingRecord | None) -> ScoreRecord:
    return score if standing is None else replace(score, low=standing.low, high=standing.high)


def _shorten(name: str) -> str:
    return name if len(name) <= _LABEL_CHARACTERS else f"{name[: _LABEL_CHARACTERS - 1]}…"


def pick_lines(rows: Sequence[BoardRow]) -> list[str]:
    """Return the rows that charts show by default: the first models of the board."""
    return [row.submission.id for row in rows if row.submission.badge not in BASELINES][:SHOWN_AT_FIRST]


def pick_one(rows: Sequence[BoardRow]) -> str | None:
    """Return the row whose map is shown by default: the best model scored here, otherwise the first model."""
    models = [row for row in rows if row.submission.badge not in BASELINES]
    scored = [row for row in models if row.submission.source in EVALUATED_SOURCES]
    return next((row.submission.id for row in [*scored, *models]), None)


def describe_facts(chart: MapChart, entry: ChartEntry, chance: Mapping[str, float]) -> str:
    """Return a sentence with the scores above a map; empty if there are none."""
    known = [
        f"{words} {write_percent(entry.scores[key].value)} %{_beside(chance.get(key))}"
        for words, key in chart.facts
        if entry.has_any([key])
    ]
    lead = f"{chart.lead}: " if chart.lead else ""
    return f"{lead}{', '.join(known)}." if known else ""


def describe_values(entries: Sequence[ChartEntry]) -> str:
    """Return where the scores of a chart come from: scored here, or reported in papers."""
    papers = dict.fromkeys(_shorten(entry.model) for entry in entries if entry.source == "reported")
    here = dict.fromkeys(_shorten(entry.model) for entry in entries if entry.source not in ("reported", "random"))
    if papers and here:
        return f"Values: evaluated here ({', '.join(here)}); reported in the paper ({', '.join(papers)})."
    if papers:
        return "Values: reported in the paper."
    return "Values: evaluated here." if here else ""


def describe_sorting(chart: ShareChart, entries: Iterable[ChartEntry]) -> str:
    """Return how many answers each entry's error shares are based on and who classified them, where noted."""
    noted = []
    for entry in entries:
        notes = (entry.scores[key].note for key in chart.keys if key in entry.scores)
        noted.append((entry.model, next(filter(None, notes), None)))
    return " ".join(f"{_shorten(model)}: {note}" for model, note in noted if note)


def _beside(chance: float | None) -> str:
    return "" if chance is None else f" (chance: {write_percent(chance)} %)"
