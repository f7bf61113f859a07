"""The only place that binds events.

Every event has `queue=False`: a stranger can stop Gradio's queue for good, and nothing here takes long. `private` only
keeps the events out of Gradio's own API page; each handler checks its caller.
"""

from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.handlers.charts import Charts
from leaderboard.handlers.submitting import Submitting
from leaderboard.services import Services
from leaderboard.tabs.benchmark import BenchmarkTab
from leaderboard.tabs.submit import SubmitTab
from leaderboard.web import STATIC_PATH

_QUIET: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
_BUSY: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
# The address as it was asked for: by now the first tab may have announced itself and changed it.
_OPEN_TAB = """() => {
  const wanted = new URL(performance.getEntriesByType("navigation")[0].name).searchParams.get("tab");
  return { selected: ["submit", "about"].includes(wanted) ? wanted : "board", __type__: "update" };
}"""
_ASK_BEFORE_WITHDRAWING = """(id) => [
  window.confirm(`Withdraw ${id}? It leaves the board for good.`) ? id : null
]"""


def wire_charts(services: Services, benchmark: Benchmark, tab: BenchmarkTab) -> None:
    """Bind the charts: drawn after the table, anew with each revision, and when somebody chooses."""
    handlers = Charts(services, benchmark, tab)
    lines = [*tab.snr.values(), tab.snr_table, tab.true_false, tab.true_false_table]
    one = [tab.directions, tab.directions_note, tab.directions_table]
    tab.board.submit(handlers.redraw, [tab.lines, tab.chosen], [tab.lines, tab.chosen, *lines, *one], **_QUIET)
    tab.lines.input(handlers.redraw_lines, tab.lines, lines, **_QUIET)
    tab.chosen.input(handlers.redraw_map, tab.chosen, one, **_QUIET)


def wire_submit(services: Services, benchmark: Benchmark, tab: SubmitTab, opened: tuple[Any, ...]) -> None:
    """Bind the Submit tab; `opened` are the events on which it is filled."""
    handlers = Submitting(services, benchmark, tab)
    own = [tab.own, tab.mine, tab.chosen, tab.publish, tab.withdraw, tab.status, tab.clock]
    for event in (*opened, tab.account.submit):
        event(handlers.open, tab.chosen, [tab.account, *own], **_QUIET)
    allow_missing, setting, *_ = tab.fields
    tab.check.click(handlers.check, [tab.file, allow_missing, setting], tab.feedback, **_BUSY)
    tab.send.click(handlers.send, [tab.file, *tab.fields], [tab.feedback, tab.file, *own], **_BUSY)
    tab.publish.click(handlers.publish, tab.chosen, [tab.notice, *own], **_BUSY)
    tab.withdraw.click(handlers.withdraw, tab.chosen, [tab.notice, *own], js=_ASK_BEFORE_WITHDRAWING, **_BUSY)
    tab.chosen.input(handlers.choose, tab.chosen, [tab.notice, *own], **_QUIET)
    tab.clock.tick(handlers.look, tab.chosen, own, **_QUIET)


def wire_tabs(page: gr.Blocks, tabs: Any, each: dict[str, Any]) -> None:
    """Keep the open tab in the address bar, in the visitor's browser alone."""
    page.load(None, None, tabs, js=_OPEN_TAB, **_QUIET)
    for name, tab in each.items():
        remember = f'() => {{ import("{STATIC_PATH}/page.js").then((page) => page.rememberTab("{name}")); return []; }}'
        tab.select(None, None, None, js=remember, **_QUIET)
