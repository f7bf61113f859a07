"""Charts of a board. Only public rows are read, so nobody has to be asked who he is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import gradio as gr

from db.records import BoardRow
from db.repositories import boards, evaluations
from db.repositories.boards import BoardKey, PageQuery
from evaluation.benchmarks import Benchmark
from leaderboard.figures import draw_directions, draw_snr, draw_true_false
from leaderboard.markup import Markup, element
from leaderboard.services import Services
from leaderboard.tabs.benchmark import BenchmarkTab
from leaderboard.views import (
    VARIANTS,
    Entry,
    describe_confusions,
    direction_table,
    make_entry,
    pick_lines,
    pick_map,
    snr_table,
    true_false_table,
)

_ROWS = 200
_LINES = 8
_NO_ROWS = "Nobody has a public result yet. Charts appear with the first one."
_NO_DIRECTIONS = "Nothing is reported by direction: papers print no such figures. Choose a model that was scored here."
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

    def redraw(self, lines: list[str] | None, chosen: str | None) -> Update:
        """Draw everything anew, keeping what was chosen as far as it is still there."""
        board = self._read_board()
        ids = {row.submission.id for row in board.rows}
        kept = [one for one in lines or [] if one in ids] or pick_lines(board.rows)
        one = chosen if chosen in ids else pick_map(board.rows)
        return {
            self._tab.lines: gr.Dropdown(choices=board.choices, value=kept),
            self._tab.chosen: gr.Dropdown(choices=board.choices, value=one),
            **self._draw_lines(self._read_entries(board.rows, kept)),
            **self._draw_map(self._read_entries(board.rows, [one] if one else [])),
        }

    def redraw_lines(self, lines: list[str] | None) -> Update:
        """Draw the charts of several models."""
        return self._draw_lines(self._read_entries(self._read_board().rows, (lines or [])[:_LINES]))

    def redraw_map(self, chosen: str | None) -> Update:
        """Draw the chart of one model."""
        return self._draw_map(self._read_entries(self._read_board().rows, [chosen] if chosen else []))

    def _draw_lines(self, entries: Sequence[Entry]) -> Update:
        tab = self._tab
        if not entries:
            empty: Update = dict.fromkeys([*tab.snr.values(), tab.true_false], gr.Plot(value=None, visible=False))
            return empty | {tab.snr_table: _quiet(_NO_ROWS), tab.true_false_table: _quiet(_NO_ROWS)}
        return {
            **{tab.snr[name]: gr.Plot(value=draw_snr(entries, name), visible=True) for name in VARIANTS},
            tab.true_false: gr.Plot(value=draw_true_false(entries), visible=True),
            tab.snr_table: snr_table(entries),
            tab.true_false_table: true_false_table(entries),
        }

    def _draw_map(self, entries: Sequence[Entry]) -> Update:
        tab = self._tab
        if not entries or not entries[0].has("direction/"):
            note = _NO_DIRECTIONS if entries else _NO_ROWS
            hidden = gr.Plot(value=None, visible=False)
            return {tab.directions: hidden, tab.directions_note: _quiet(note), tab.directions_table: _quiet(note)}
        return {
            tab.directions: gr.Plot(value=draw_directions(entries[0]), visible=True),
            tab.directions_note: _quiet(describe_confusions(entries[0])),
            tab.directions_table: direction_table(entries[0]),
        }

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
