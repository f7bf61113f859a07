"""Human baselines by level: maintainers import them from a file, and STAR-Bench charts draw their curves."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from db.repositories import users
from db.session import Database
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.chart_specs import LineChart, Panel
from leaderboard.charts.chart_data import ChartData
from leaderboard.charts.chart_reading import ChartReader, list_score_keys
from leaderboard.charts.figures import draw_chart
from leaderboard.charts.figures.style import HUMAN_COLOUR
from submissions.accounts.credentials import Accounts
from submissions.published_rows.reported_rows import ReportedRows
from tests.support.samples.printed_rows import make_csv, make_line

NOW = datetime(2026, 1, 2, tzinfo=UTC)
STAR = get_benchmark("star-bench", "1.0")


def find_panel(chart: str, place: int) -> tuple[LineChart, Panel]:
    found = next(one for one in STAR.charts if one.id == chart)
    assert isinstance(found, LineChart)
    return found, found.panels[place]


def make_lines(panel: Panel, model: str, source: str, values: Iterator[float]) -> Iterator[str]:
    for figure, value in zip(panel.keys, values, strict=False):
        slice_name, metric = figure.split("|")
        yield make_line(
            benchmark="star-bench", model=model, source=source, slice=slice_name, metric=metric, value=f"{value:.2f}"
        )


def draw_people(database: Database, benchmark: Benchmark, chart: LineChart) -> list[list[Any]]:
    """Return the heights of the human curves in a chart, one list per curve."""
    reader = ChartReader(database)
    board = reader.read_board(benchmark, "default")
    figures = list_score_keys(benchmark.charts)
    systems = reader.read_entries(benchmark, board.rows, [row.submission.id for row in board.rows], figures)
    humans = reader.read_entries(benchmark, board.people, [row.submission.id for row in board.people], figures)
    drawn = [
        figure for figure in draw_chart(chart, ChartData(systems, humans, benchmark.chance, ())) if figure is not None
    ]
    traces = [trace for figure in drawn for trace in figure.data]
    return [list(trace.y) for trace in traces if getattr(trace.line, "color", None) == HUMAN_COLOUR]


@pytest.mark.parametrize(("chart", "place"), [("sensitivity", 0), ("hearing", 0)])
def test_human_row_with_scores_by_level_is_drawn_as_a_curve(
    chart: str, place: int, database: Database, tmp_path: Path
) -> None:
    declared, panel = find_panel(chart, place)
    rows = ReportedRows(database, Accounts(database, ("boss",)), tmp_path)
    with database.write() as transaction:
        boss = users.get_or_add_user(transaction, "boss", NOW)
    heights = [0.3 + 0.05 * step for step in range(len(panel.keys))]
    lines = [
        *make_lines(panel, "Twelve listeners", "human", iter(heights)),
        *make_lines(panel, "Some model", "reported", iter(heights[::-1])),
    ]
    rows.add(boss, make_csv(*lines), "Measured in our own study", dry_run=False)
    (curve,) = draw_people(database, STAR, declared)
    assert curve == pytest.approx([100 * height for height in heights])
