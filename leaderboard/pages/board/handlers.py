"""Chart handlers of a board. They read public rows only, so they need no current user."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, NamedTuple

import gradio as gr
from anyio import CapacityLimiter, to_thread
from gradio.components.plot import PlotData

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.chart_specs import Chart, MapChart, SettingsChart, ShareChart, count_panels
from leaderboard.charts.chart_cache import DrawnCharts, RenderedChart
from leaderboard.charts.chart_data import (
    SHOWN_AT_FIRST,
    ChartData,
    ChartEntry,
    SettingsComparison,
    describe_facts,
    describe_sorting,
    describe_values,
    pick_lines,
    pick_one,
)
from leaderboard.charts.chart_reading import MAX_LINES, ChartBoard, ChartReader, Choice, list_score_keys, read_choice
from leaderboard.charts.chart_tables import chart_table
from leaderboard.charts.figures import draw_chart
from leaderboard.pages.board.layout import BenchmarkTab
from leaderboard.pages.shared.current_user import explain_or_reload
from leaderboard.pages.shared.notes import render_note
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.ranking.best_rows import BASELINES

_NO_ROWS = "No public results in this setting yet. Charts appear with the first one."
_OTHERS = "The selected models have no data here. Showing the top models that do."
_OTHER_SIDES = "The selected models have results in only one setting. Showing models with two or more."
_NOT_DRAWN = "Chart not available; see the message above."
_KEPT_SECONDS = 60
# Drawing takes long; whatever visitors request, threads for everything else stay free.
_THREADS = CapacityLimiter(4)
Update = dict[Any, Any]


class _View(NamedTuple):
    """Input of charts: the board, human baselines, and the selection."""

    board: ChartBoard
    people: list[ChartEntry]
    ids: list[str]


class Charts:
    """Handlers of one benchmark's charts."""

    def __init__(self, services: Services, versions: Sequence[Benchmark], tab: BenchmarkTab) -> None:
        self._reader = ChartReader(services.database)
        self._versions = versions
        self._tab = tab
        self._drawn = DrawnCharts()
        self._maps = [chart for chart in versions[0].charts if isinstance(chart, MapChart)]
        self._lines = [chart for chart in versions[0].charts if not isinstance(chart, MapChart)]

    async def redraw(self, address: str | None, *chosen: list[str] | str | None) -> Update:
        """Draw all charts of the board in the address, keeping the selection as far as it exists.

        Args:
            address: Query of the page's address.
            chosen: Values of the tab's selections: rows of several systems, and the row of one, if the tab has them.
        """
        return await self._try([*self._lines, *self._maps], self._redraw, address, chosen)

    async def redraw_several(self, address: str | None, chosen: list[str] | None) -> Update:
        """Draw the charts of several systems."""
        return await self._try(self._lines, self._redraw_several, address, chosen)

    async def redraw_one(self, address: str | None, chosen: str | None) -> Update:
        """Draw the charts of a single system."""
        return await self._try(self._maps, self._redraw_one, address, chosen)

    async def _try(self, charts: Sequence[Chart], redraw: Callable[..., Update], *asked: Any) -> Update:
        """Redraw charts; say above a chart if it cannot be drawn, because the old one may show another selection."""
        try:
            return await to_thread.run_sync(redraw, *asked, limiter=_THREADS)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            words = [explain_or_reload(error), *(render_note(_NOT_DRAWN) for _ in charts[1:])]
        update: Update = {}
        for chart, note in zip(charts, words, strict=True):
            update |= self._show_drawn(RenderedChart(chart.id, (None,) * count_panels(chart), note, Markup("")))
        return update

    def _redraw(self, address: str | None, chosen: Sequence[list[str] | str | None]) -> Update:
        choice = read_choice(address, self._versions)
        board = self._read_board(choice)
        update: Update = {}
        left = list(chosen)
        if self._tab.several is not None:
            kept = board.filter_known([*choice.models, *(left.pop(0) or [])])[:MAX_LINES] or pick_lines(board.rows)
            update[self._tab.several] = gr.Dropdown(choices=board.choices, value=kept, multiselect=True)
            update |= self._show("several", board, kept, self._draw_several)
        if self._tab.one is not None:
            one = next(iter(board.filter_known([choice.one, *left])), None) or pick_one(board.rows)
            update[self._tab.one] = gr.Dropdown(choices=board.choices, value=one)
            update |= self._show("one", board, [one] if one else [], self._draw_maps)
        return update

    def _redraw_several(self, address: str | None, chosen: list[str] | None) -> Update:
        board = self._read_board(read_choice(address, self._versions))
        return self._show("several", board, board.filter_known(chosen or [])[:MAX_LINES], self._draw_several)

    def _redraw_one(self, address: str | None, chosen: str | None) -> Update:
        board = self._read_board(read_choice(address, self._versions))
        return self._show("one", board, board.filter_known([chosen]), self._draw_maps)

    def _read_board(self, choice: Choice) -> ChartBoard:
        return self._reader.read_board(choice.benchmark, choice.setting)

    def _show(
        self, kind: str, board: ChartBoard, ids: list[str], draw: Callable[[_View], Iterable[RenderedChart]]
    ) -> Update:
        """Return the outputs of the charts of a selection."""
        # Error shares appear without a new revision of their board, so the cache is short-lived.
        minute = int(monotonic() // _KEPT_SECONDS)
        shown = (kind, board.benchmark.version, board.setting, tuple(sorted(ids)), board.state, minute)
        update: Update = {}
        for one in self._drawn.find_or_draw(shown, lambda: tuple(draw(self._view(board, ids)))):
            update |= self._show_drawn(one)
        return update

    def _show_drawn(self, drawn: RenderedChart) -> Update:
        parts = self._tab.charts[drawn.id]
        has_any = any(drawn.plots)
        plots = {
            plot: gr.Plot(value=PlotData(type="plotly", plot=figure) if figure else None, visible=figure is not None)
            for plot, figure in zip(parts.plots, drawn.plots, strict=True)
        }
        folds = {parts.reading: gr.HTML(visible=has_any), parts.fold: gr.Accordion(visible=has_any)}
        return {**plots, **folds, parts.note: drawn.note, parts.table: drawn.table}

    def _view(self, board: ChartBoard, ids: list[str]) -> _View:
        people = [row.submission.id for row in board.people]
        keys = list_score_keys(board.benchmark.charts)
        return _View(board, self._reader.read_entries(board.benchmark, board.people, people, keys), ids)

    def _draw_maps(self, view: _View) -> Iterator[RenderedChart]:
        charts = [chart for chart in view.board.benchmark.charts if isinstance(chart, MapChart)]
        entries = self._reader.read_entries(view.board.benchmark, view.board.rows, view.ids, list_score_keys(charts))
        for chart in charts:
            drawn = [entry for entry in entries if entry.has_any(chart.keys)]
            scene = _set_scene(view, drawn)
            yield _draw(chart, scene, describe_facts(chart, drawn[0], scene.chance) if drawn else "", view)

    def _draw_several(self, view: _View) -> Iterator[RenderedChart]:
        charts = [chart for chart in view.board.benchmark.charts if not isinstance(chart, MapChart)]
        chosen = self._reader.read_entries(view.board.benchmark, view.board.rows, view.ids, list_score_keys(charts))
        lacking = [chart for chart in charts if not any(one.has_any(chart.keys) for one in chosen)]
        others = self._read_others(view.board, lacking)
        for chart in charts:
            if isinstance(chart, SettingsChart):
                yield self._draw_sides(chart, view)
                continue
            # All selected ones, so that each keeps its colour, whichever has scores.
            is_drawn = any(entry.has_any(chart.keys) for entry in chosen)
            instead = [entry for entry in others if entry.has_any(chart.keys)][:SHOWN_AT_FIRST]
            note = _OTHERS if instead and not is_drawn else ""
            drawn = chosen if is_drawn else instead
            if isinstance(chart, ShareChart):
                note = f"{note} {describe_sorting(chart, drawn)}".strip()
            yield _draw(chart, _set_scene(view, drawn), note, view)

    def _read_others(self, board: ChartBoard, charts: Sequence[Chart]) -> list[ChartEntry]:
        """Return the models with the scores of charts that none of the selected rows has."""
        keys = list_score_keys(chart for chart in charts if not isinstance(chart, SettingsChart))
        ids = [row.submission.id for row in board.rows if row.submission.badge not in BASELINES] if keys else []
        return self._reader.read_entries(board.benchmark, board.rows, ids, keys)

    def _draw_sides(self, chart: SettingsChart, view: _View) -> RenderedChart:
        sides = self._reader.read_sides(view.board, chart, view.ids)
        instead = [] if sides else self._reader.read_sides(view.board, chart, ())
        return _draw(chart, _set_scene(view, [], sides or instead), _OTHER_SIDES if instead else "", view)


def _set_scene(view: _View, entries: Sequence[ChartEntry], sides: Sequence[SettingsComparison] = ()) -> ChartData:
    return ChartData(entries, view.people, view.board.benchmark.chance, sides)


def _draw(chart: Chart, scene: ChartData, note: str, view: _View) -> RenderedChart:
    """Return a chart's figures and table, or why there are none."""
    figures = draw_chart(chart, scene)
    plots = tuple(None if figure is None else str(figure.to_json()) for figure in figures)
    if not any(plots):
        return RenderedChart(chart.id, plots, render_note(chart.absent if view.board.rows else _NO_ROWS), Markup(""))
    drawn = [entry for entry in scene.entries if entry.has_any(chart.keys)]
    drawn += [row for side in scene.sides for row in side.rows.values()]
    said = f"{note} {describe_values(drawn)}".strip()
    return RenderedChart(chart.id, plots, render_note(said) if said else Markup(""), chart_table(chart, scene))
