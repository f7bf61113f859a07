"""Cache of rendered charts: most visitors look at the same ones, and drawing a tab's charts takes a second."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

from leaderboard.rendering.templating import Markup

_MOST = 64
# Drawing takes a second of processor time: one request at a time, so that visitors cannot occupy every core.
_DRAWING = Lock()


class RenderedChart(NamedTuple):
    """A rendered chart.

    Attributes:
        id: Id of the chart in its benchmark.
        plots: Plotly figure of each panel as JSON; None for a panel without data.
        note: Text above the chart.
        table: The same data as a table.
    """

    id: str
    plots: tuple[str | None, ...]
    note: Markup
    table: Markup


class DrawnCharts:
    """Least-recently-used cache of charts, by content."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[RenderedChart, ...]] = OrderedDict()
        self._lock = Lock()

    def find_or_draw(self, shown: Hashable, draw: Callable[[], tuple[RenderedChart, ...]]) -> tuple[RenderedChart, ...]:
        """Return the charts of a selection from the cache, or draw them."""
        found = self._find_charts(shown)
        if found is not None:
            return found
        with _DRAWING:
            # Another thread may have drawn the same charts while this one waited.
            drawn = self._find_charts(shown) or draw()
            self._store_charts(shown, drawn)
        return drawn

    def _find_charts(self, shown: Hashable) -> tuple[RenderedChart, ...] | None:
        with self._lock:
            if shown in self._kept:
                self._kept.move_to_end(shown)
            return self._kept.get(shown)

    def _store_charts(self, shown: Hashable, drawn: tuple[RenderedChart, ...]) -> None:
        with self._lock:
            self._kept[shown] = drawn
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
