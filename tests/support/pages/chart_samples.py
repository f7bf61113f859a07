"""One chart of each kind, entries with scores for it, and the texts of the resulting figures."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from db.records import ScoreRecord
from evaluation.benchmarks.chart_specs import (
    DotChart,
    DotPanel,
    DotRow,
    GridChart,
    Guide,
    LineChart,
    MapChart,
    Panel,
    PointChart,
    ScorePair,
    SettingsChart,
    SettingsPanel,
    ShareChart,
    ShareSegment,
    list_keys,
)
from leaderboard.charts.chart_data import ChartData, ChartEntry, SettingsComparison

LABELS = ("clean", "35", "25", "15")
STEPS = tuple(f"steady/{label}|accuracy" for label in LABELS)
PANEL = Panel("Steady: a tone", LABELS, STEPS, "dB SNR", "steady|accuracy")
DEEP = Panel("By level", LABELS, STEPS, "dB HL", "steady|accuracy", downward=True)
LINES = LineChart(id="noise", title="Noise", reading="Read it.", panels=(PANEL, DEEP))
POINTS = PointChart(
    id="points",
    title="Points",
    reading="Read it.",
    x_title="TNR",
    y_title="TPR",
    pairs=(ScorePair("", "all|tnr", "all|tpr"),),
    guide=Guide((0, 1, 1, 0), "guessing", is_chance=True),
)
DOTS = DotChart(
    id="dots",
    title="Dots",
    reading="Read it.",
    panels=(DotPanel("Kinds", (DotRow("Scenes", "su|accuracy"), DotRow("Letters", "su|share", even=0.2))),),
)
SETTINGS = SettingsChart(
    id="settings",
    title="Settings",
    reading="Read it.",
    panels=(
        SettingsPanel(
            "Main",
            "main|accuracy",
            (("default", "audio"), ("noise", "white noise"), ("caption", "caption")),
            ("noise", "default"),
            "main|drop",
        ),
    ),
    change_title="gain",
)
SHARES = ShareChart(
    id="errors",
    title="Errors",
    reading="Read it.",
    segments=(
        ShareSegment("perception", ("errors/perception|share", "main|perception_share")),
        ShareSegment("reasoning", ("errors/reasoning|share",)),
    ),
    whole="wrong answers",
)
GRID = GridChart(
    id="grid",
    title="Grid",
    reading="Read it.",
    row_title="critic",
    column_title="of",
    columns=(("Alder", "generator/alder|aei"), ("Model 1", "generator/one|aei")),
    gap=("own gap", "step|gap"),
    is_own=lambda critic, column: critic == column,
)
MAP = MapChart(
    id="map",
    title="Map",
    reading="Read it.",
    row_title="from",
    rows=("↑ N", "→ E"),
    column_title="to",
    columns=("↑ N", "→ E"),
    cells=((None, "way/N-E|accuracy"), ("way/E-N|accuracy", None)),
    row_totals=("way/N|accuracy", "way/E|accuracy"),
    column_totals=("to/N|accuracy", "to/E|accuracy"),
    facts=(("mirrored", "all|mirror"), ("reversed", "all|reversal")),
    lead="Mistaken for",
    has_compass=True,
)
KINDS = (LINES, POINTS, DOTS, SETTINGS, SHARES, GRID, MAP)
CHANCE = {key: 0.4 for chart in KINDS if chart is not SHARES for key in list_keys(chart)}


def make_scores(values: Mapping[str, float | None], **fields: Any) -> dict[str, ScoreRecord]:
    """Return scores with these values."""
    return {
        key: ScoreRecord(slice_name, metric, value, **fields)
        for key, value in values.items()
        for slice_name, metric in (key.split("|"),)
    }


def make(
    at: int = 0,
    figures: Mapping[str, float] | None = None,
    *,
    name: str | None = None,
    source: str = "submitted",
) -> ChartEntry:
    """Return an entry with a score for every figure of every chart: 0.41, 0.42 … in order."""
    keys = dict.fromkeys(key for chart in KINDS for key in list_keys(chart))
    known = {key: 0.41 + 0.01 * place + 0.001 * at for place, key in enumerate(keys)}
    return ChartEntry(f"s-{at}", name or f"Model {at}", source, make_scores(known | dict(figures or {})))


def sparse(*keys: str, name: str = "Sparse") -> ChartEntry:
    """Return an entry that has only some scores."""
    return ChartEntry("s-sparse", name, "reported", make_scores(dict.fromkeys(keys, 0.5)))


def side(name: str = "Model 0", **by_setting: float) -> SettingsComparison:
    """Return a model with a main accuracy under several settings."""
    rows = {
        key: ChartEntry(key, name, "submitted", make_scores({"main|accuracy": value}))
        for key, value in by_setting.items()
    }
    return SettingsComparison(name, rows)


def stage(
    *entries: ChartEntry,
    people: Sequence[ChartEntry] = (),
    chance: Mapping[str, float] = CHANCE,
    sides: Sequence[SettingsComparison] | None = None,
) -> ChartData:
    """Return a scene that has the same models under two settings."""
    rows = [side(entry.model, default=0.6, noise=0.45) for entry in entries] if sides is None else sides
    return ChartData(entries, people, chance, rows)


def texts_of(figure: Any) -> str:
    """Return all text that a figure passes to Plotly."""
    return json.dumps(figure.to_plotly_json(), default=str, ensure_ascii=False)
