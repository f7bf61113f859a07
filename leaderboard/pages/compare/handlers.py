"""Handlers of the Compare tab. Each looks up the current user; evaluators compute comparisons, and no handler waits."""

from collections.abc import Collection
from typing import Any, NamedTuple

import gradio as gr

from db.records import UserRecord
from evaluation.benchmarks import Benchmark, Column, all_benchmarks
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import parse_column
from leaderboard.pages.compare.comparison_chart import choose_drawn, draw_differences
from leaderboard.pages.compare.layout import CompareTab
from leaderboard.pages.compare.markup import (
    Compared,
    name_own,
    name_row,
    render_again,
    render_comparison,
    render_differences,
    render_invitation,
    render_waiting,
)
from leaderboard.pages.shared.current_user import KNOWN_ERRORS, explain, find_current_user
from leaderboard.pages.shared.tab_addresses import read_address
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.comparisons.differences import ComparisonResult
from submissions.errors import NotFoundError, NotReadyError, TooManyWaitingError
from submissions.ranking.best_rows import find_lead_on, list_comparable

WORDS = ("benchmark", "version", "setting", "a", "b", "slice", "metric")
_ROWS = 300
_OWN = 100
Update = dict[Any, Any]


class _Board(NamedTuple):
    benchmark: Benchmark
    setting: str

    @property
    def name(self) -> str:
        return f"{self.benchmark.id} {self.benchmark.version} {self.setting}"


def choose_column(benchmark: Benchmark, answer: ComparisonResult) -> Column:
    """Return the score that comes first by default: the headline, otherwise the first that both have."""
    found = {one.figure for one in answer.differences}
    return next(
        (column for column in (benchmark.headline, *benchmark.columns) if column.key in found), benchmark.headline
    )


class Compare:
    """Handlers of the tab."""

    def __init__(self, services: Services, tab: CompareTab) -> None:
        self._services = services
        self._tab = tab

    def open_comparison(self, search: str | None, request: gr.Request) -> Update:
        """Show what the address names: a board to choose from, and two of its rows if it names two."""
        words = read_address(search, WORDS)
        tab = self._tab
        try:
            viewer = find_current_user(request, self._services)
            board = self._find_board(words, viewer)
            choices = self._list_choices(board, viewer, {words.get("a", ""), words.get("b", "")})
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return self._refuse(error)
        chosen = {
            tab.board: gr.Dropdown(value=board.name),
            tab.a: gr.Dropdown(choices=choices, value=words.get("a")),
            tab.b: gr.Dropdown(choices=choices, value=words.get("b")),
            tab.asked: search or "",
        }
        if "a" not in words or "b" not in words:
            return chosen | self._say(render_invitation(board.benchmark.id, choices))
        return chosen | self._compare(board, words, viewer)

    def look_again(self, asked: str | None, request: gr.Request) -> Update:
        """Check whether the evaluator has finished."""
        words = read_address(asked, WORDS)
        try:
            viewer = find_current_user(request, self._services)
            board = self._find_board(words, viewer)
        except Exception as error:  # noqa: BLE001 - the same
            return self._refuse(error)
        return self._compare(board, words, viewer)

    def _compare(self, board: _Board, words: dict[str, str], viewer: UserRecord | None) -> Update:
        comparisons = self._services.comparisons
        try:
            named = words.get("benchmark", board.benchmark.id)
            pair = comparisons.find_pair(named, words.get("a", ""), words.get("b", ""), viewer)
            column = parse_column(pair.benchmark, BoardRequest(slice=words.get("slice"), metric=words.get("metric")))
            answer = comparisons.find_or_ask(pair, viewer)
        except Exception as error:  # noqa: BLE001 - the same
            return self._refuse(error)
        if answer is None:
            return self._say(render_waiting(pair), is_waiting=True)
        if "slice" not in words and "metric" not in words:
            column = choose_column(pair.benchmark, answer)
        return self._show(Compared(pair, answer, column))

    def _show(self, found: Compared) -> Update:
        tab = self._tab
        drawn = choose_drawn(found.pair.benchmark, found.answer.differences)
        plot = gr.Plot(value=draw_differences(drawn), visible=True) if drawn else gr.Plot(value=None, visible=False)
        return {
            tab.result: render_comparison(found),
            tab.part: gr.Column(visible=bool(found.answer.differences)),
            tab.plot: plot,
            tab.table: render_differences(found),
            tab.clock: gr.Timer(active=False),
        }

    def _refuse(self, error: Exception) -> Update:
        """Return why there is no result, with a retry button if another attempt may help."""
        passes = not isinstance(error, KNOWN_ERRORS) or isinstance(error, NotReadyError | TooManyWaitingError)
        return self._say(render_again(explain(error)) if passes else explain(error))

    def _say(self, words: Markup, *, is_waiting: bool = False) -> Update:
        tab = self._tab
        return {
            tab.result: words,
            tab.part: gr.Column(visible=False),
            tab.plot: gr.Plot(value=None, visible=False),
            tab.table: "",
            tab.clock: gr.Timer(active=is_waiting),
        }

    def _find_board(self, words: dict[str, str], viewer: UserRecord | None) -> _Board:
        """Return the board of the first named row that exists, otherwise the named board, otherwise the first."""
        every = all_benchmarks()
        for name in ("a", "b"):
            try:
                row = self._services.submissions.get_visible(words.get(name, ""), viewer)
            except NotFoundError:
                continue
            for one in every:
                if (one.id, one.version) == (row.benchmark, row.version) and row.setting in one.settings:
                    return _Board(one, row.setting)
        named = [one for one in every if one.id == words.get("benchmark")] or every
        benchmark = next((one for one in named if one.version == words.get("version")), named[0])
        setting = words.get("setting", "")
        return _Board(benchmark, setting if setting in benchmark.settings else benchmark.settings[0])

    def _list_choices(self, board: _Board, viewer: UserRecord | None, named: Collection[str]) -> list[tuple[str, str]]:
        """Return (label, submission) of a board's public rows and of the user's private rows."""
        benchmark, setting = board.benchmark, board.setting
        with self._services.database.read() as transaction:
            rows = list_comparable(transaction, benchmark, setting, _ROWS, named)
        mine = self._services.submissions.list_mine(viewer)[:_OWN] if viewer is not None else []
        of_board = (benchmark.id, benchmark.version, setting)
        own = [
            (name_own(one), one.id)
            for one in mine
            if one.has_scores and one.visibility != "public" and (one.benchmark, one.version, one.setting) == of_board
        ]
        public = [(name_row(row, find_lead_on(benchmark, setting, row), benchmark), row.submission.id) for row in rows]
        return [*public, *own]
