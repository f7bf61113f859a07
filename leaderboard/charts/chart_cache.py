"""Keeps charts that were drawn lately: most visitors look at the same ones, and a tab of them takes a second."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

from leaderboard.html_elements import Markup

_MOST = 64
# Drawing takes a second of a core: one choice at a time, so that strangers leave the other cores to others.
_DRAWING = Lock()


class RenderedChart(NamedTuple):
    """A chart as it is sent.

    Attributes:
        id: Name among the benchmark's charts.
        plots: The figure of each panel as JSON; None for one that has none.
        note: What is said above it.
        table: The same as a table.
    """

    id: str
    plots: tuple[str | None, ...]
    note: Markup
    table: Markup


class DrawnCharts:
    """The charts that were drawn last, by what they show."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[RenderedChart, ...]] = OrderedDict()
        self._lock = Lock()

    def find_or_draw(self, shown: Hashable, draw: Callable[[], tuple[RenderedChart, ...]]) -> tuple[RenderedChart, ...]:
        """Return the charts of a choice, drawn now unless they were drawn lately."""
        found = self._find_charts(shown)
        if found is not None:
            return found
        with _DRAWING:
            # Somebody else may have waited for the same.
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
