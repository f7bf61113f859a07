"""Charts of a board. Only public rows are read, so nobody has to be asked who he is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import gradio as gr

from db.records import BoardRow
from db.repositories import boards, evaluations
from db.repositories.boards import BoardKey, PageQuery
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.charts import Chart, LineChart, MapChart, PointChart
from leaderboard.figures import draw_lines, draw_map, draw_points
from leaderboard.markup import Markup, element
from leaderboard.services import Services
from leaderboard.tabs.benchmark import BenchmarkTab
from leaderboard.views import Entry, chart_table, describe_facts, make_entry, pick_lines, pick_one

_ROWS = 200
_LINES = 8
_NO_ROWS = "Nobody has a public result yet. Charts appear with the first one."
_NO_FIGURES = "None of the chosen rows has these figures."
Update = dict[Any, Any]


class _Board(NamedTuple):
    rows: list[BoardRow]
    choices: list[tuple[str, str]]


class Charts:
    """Handlers of one benchmark's charts."""

    def __init__(self, services: Services, benchmark: Benchmark, tab: BenchmarkTab) -> None:
        """Take what is drawn and where."""
        self._services = services
        self._benchmark = benchmark
        self._tab = tab

    def redraw(self, *chosen: list[str] | str | None) -> Update:
        """Draw everything anew, keeping what was chosen as far as it is still there.

        Args:
            chosen: What the tab's choices hold: rows of several systems, and the row of one, where the tab has them.
        """
        board = self._read_board()
        ids = {row.submission.id for row in board.rows}
        update: Update = {}
        left = list(chosen)
        if self._tab.several is not None:
            lines = left.pop(0) or []
            kept = [one for one in lines if one in ids] or pick_lines(board.rows)
            update[self._tab.several] = gr.Dropdown(choices=board.choices, value=kept)
            update |= self._draw_all(self._read_entries(board.rows, kept), maps=False)
        if self._tab.one is not None:
            one = str(left[0]) if left and left[0] in ids else pick_one(board.rows)
            update[self._tab.one] = gr.Dropdown(choices=board.choices, value=one)
            update |= self._draw_all(self._read_entries(board.rows, [one] if one else []), maps=True)
        return update

    def redraw_several(self, lines: list[str] | None) -> Update:
        """Draw the charts of several systems."""
        return self._draw_all(self._read_entries(self._read_board().rows, (lines or [])[:_LINES]), maps=False)

    def redraw_one(self, chosen: str | None) -> Update:
        """Draw the charts of one system."""
        return self._draw_all(self._read_entries(self._read_board().rows, [chosen] if chosen else []), maps=True)

    def _draw_all(self, entries: Sequence[Entry], *, maps: bool) -> Update:
        """Draw the maps, which show one system, or all other charts, which show several."""
        update: Update = {}
        for chart in self._benchmark.charts:
            if isinstance(chart, MapChart) == maps:
                update |= self._draw(chart, [entry for entry in entries if entry.has_any(chart.figures)], entries)
        return update

    def _draw(self, chart: Chart, drawn: Sequence[Entry], chosen: Sequence[Entry]) -> Update:
        """Draw one chart of the entries that have its figures, or say why there is none."""
        parts = self._tab.charts[chart.id]
        if not drawn:
            absent = chart.absent if isinstance(chart, MapChart) else _NO_FIGURES
            words = _quiet(absent if chosen else _NO_ROWS)
            hidden: Update = dict.fromkeys(parts.plots, gr.Plot(value=None, visible=False))
            return hidden | {parts.note: words, parts.table: words}
        chance = self._benchmark.chance
        match chart:
            case LineChart():
                figures = [draw_lines(chart, panel, drawn, chance) for panel in chart.panels]
                note = ""
            case PointChart():
                figures, note = [draw_points(chart, drawn)], ""
            case MapChart():
                figures, note = [draw_map(chart, drawn[0], chance)], describe_facts(chart, drawn[0], chance)
        plots = {plot: gr.Plot(value=figure, visible=True) for plot, figure in zip(parts.plots, figures, strict=True)}
        return {**plots, parts.note: _quiet(note) if note else "", parts.table: chart_table(chart, drawn)}

    def _read_board(self) -> _Board:
        benchmark = self._benchmark
        key = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
        query = PageQuery(sort=benchmark.headline.key, descending=True, limit=_ROWS)
        with self._services.database.read() as transaction:
            rows = list(boards.read_page(transaction, key, query, [benchmark.headline.key]).rows)
        return _Board(rows, [(make_entry(row, ()).label, row.submission.id) for row in rows])

    def _read_entries(self, rows: Sequence[BoardRow], ids: Sequence[str]) -> list[Entry]:
        """Return rows with all their figures, in the order of the board; ids that are not public are passed over."""
        with self._services.database.read() as transaction:
            return [
                make_entry(row, evaluations.list_scores(transaction, row.evaluation.id))
                for row in rows
                if row.submission.id in ids
            ]


def _quiet(words: str) -> Markup:
    return element("p", words, class_="es-quiet")
