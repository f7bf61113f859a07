"""The only place that binds events.

Every event has `queue=False`: a stranger can stop Gradio's queue for good, and nothing here takes long. `private` only
keeps the events out of Gradio's own API page; each handler checks its caller.
"""

import json
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.charts import MapChart
from leaderboard.handlers.about import About
from leaderboard.handlers.account import Account
from leaderboard.handlers.admin import Admin
from leaderboard.handlers.admin_models import AdminModels
from leaderboard.handlers.approving import Approving
from leaderboard.handlers.charts import Charts
from leaderboard.handlers.naming import Naming
from leaderboard.handlers.own import Own
from leaderboard.handlers.registering import Registering
from leaderboard.handlers.submitting import Submitting
from leaderboard.services import Services
from leaderboard.tabs.about import AboutTab
from leaderboard.tabs.account import AccountTab
from leaderboard.tabs.admin import AdminTab
from leaderboard.tabs.benchmark import BenchmarkTab
from leaderboard.tabs.model_fields import ModelFields
from leaderboard.tabs.submit import SubmitTab
from leaderboard.web import STATIC_PATH

_QUIET: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
_BUSY: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
# The address as it was asked for: by now the first tab may have announced itself and changed it.
_OPEN_TAB = """() => {
  const wanted = new URL(performance.getEntriesByType("navigation")[0].name).searchParams.get("tab");
  const names = %s;
  return { selected: names.includes(wanted) ? wanted : names[0], __type__: "update" };
}"""
_ASK_BEFORE_WITHDRAWING = """(id, benchmark) => [
  window.confirm(`Withdraw ${id}? It leaves the board for good.`) ? id : null, benchmark
]"""

_ASK_BEFORE_HIDING = """(id, reason) => [window.confirm(`Hide ${id}?`) ? id : null, reason]"""
_ASK_BEFORE_REJECTING = """(id, reason) => [window.confirm(`Reject ${id}? It ends for good.`) ? id : null, reason]"""
_ASK_BEFORE_SCORING_ANEW = """(what, id, reason) => [
  window.confirm(`Score anew: ${what}? Boards change at once; earlier scores stay in the history.`) ? what : null,
  id, reason
]"""


def wire_charts(services: Services, benchmark: Benchmark, tab: BenchmarkTab) -> None:
    """Bind the charts: drawn after the table, anew with each revision, and when somebody chooses."""
    handlers = Charts(services, benchmark, tab)
    choices = [choice for choice in (tab.several, tab.one) if choice is not None]
    drawn = {chart.id: [*(parts := tab.charts[chart.id]).plots, parts.note, parts.table] for chart in benchmark.charts}
    maps = [part for chart in benchmark.charts if isinstance(chart, MapChart) for part in drawn[chart.id]]
    lines = [part for parts in drawn.values() for part in parts if part not in maps]
    if choices:
        tab.board.submit(handlers.redraw, choices, [*choices, *lines, *maps], **_QUIET)
    if tab.several is not None:
        tab.several.input(handlers.redraw_several, tab.several, lines, **_QUIET)
    if tab.one is not None:
        tab.one.input(handlers.redraw_one, tab.one, maps, **_QUIET)


def wire_submit(services: Services, tab: SubmitTab, opened: tuple[Any, ...]) -> None:
    """Bind the Submit tab; `opened` are the events on which it is filled."""
    own = Own(services, tab)
    handlers, file, asked = Submitting(services, tab, own), tab.file, tab.asked
    shown, chosen, benchmark = tab.own.shown, tab.own.chosen, tab.benchmark
    for event in (*opened, tab.account.submit):
        event(handlers.open, [chosen, benchmark], [tab.account, tab.left, *shown], **_QUIET)
    offered = [file.help, file.setting, asked.help, asked.setting, asked.parts, tab.left]
    benchmark.input(handlers.choose_benchmark, benchmark, offered, **_QUIET)
    _wire_model_fields(services, tab.model)
    file.check.click(handlers.check, [file.file, benchmark, file.allow_missing, file.setting], file.feedback, **_BUSY)
    sent = [file.file, benchmark, file.allow_missing, file.setting, *tab.model.sent, tab.publish]
    file.send.click(handlers.send, sent, [file.feedback, file.file, tab.left, *shown], **_BUSY)
    _wire_asked(Registering(services, tab, own), tab)
    _wire_own(own, tab)


def _wire_model_fields(services: Services, fields: ModelFields) -> None:
    known = [fields.name, *fields.described, fields.filled]
    # Not `input`, which knows of keys alone: a name may be pasted, or taken over from those that are offered. While one
    # event is on its way, only the last of those that follow is sent.
    once = {**_QUIET, "trigger_mode": "always_last"}
    shown = [fields.naming, fields.filled, *fields.described]
    fields.name.change(Naming(services, fields).recognise, known, shown, **once)


def _wire_asked(handlers: Registering, tab: SubmitTab) -> None:
    form = tab.asked
    offered = [form.parts, form.feedback]
    form.setting.input(handlers.choose_asked_setting, [tab.benchmark, form.setting], offered, **_QUIET)
    sent = [tab.benchmark, *form.sent, *tab.model.sent, tab.publish]
    form.send.click(handlers.register, sent, [form.feedback, form.key, tab.left, *tab.own.shown], **_BUSY)


def _wire_own(own: Own, tab: SubmitTab) -> None:
    part, changed = tab.own, [tab.own.notice, *tab.own.shown]
    part.publish.click(own.publish, part.chosen, changed, **_BUSY)
    named = [part.chosen, tab.benchmark]
    part.withdraw.click(own.withdraw, named, [tab.left, *changed], js=_ASK_BEFORE_WITHDRAWING, **_BUSY)
    part.retry.click(own.retry, [*named, part.key], [tab.left, *changed], **_BUSY)
    part.chosen.input(own.choose, part.chosen, changed, **_QUIET)
    part.clock.tick(own.look, named, [tab.left, *part.shown], **_QUIET)


def wire_account(services: Services, tab: AccountTab, opened: tuple[Any, ...]) -> None:
    """Bind the Account tab; `opened` are the events on which it is filled."""
    handlers = Account(services, tab)
    own = [tab.own, tab.tokens, tab.chosen, tab.revoke]
    for event in opened:
        event(handlers.open_account, None, [tab.who, tab.made, tab.notice, *own], **_QUIET)
    tab.create.click(handlers.create_token, tab.label, [tab.made, tab.label, *own], **_BUSY)
    tab.revoke.click(handlers.revoke_token, tab.chosen, [tab.notice, tab.made, *own], **_BUSY)


def wire_about(services: Services, tab: AboutTab, opened: Any) -> None:
    """Bind the About tab; `opened` is the tab that fills it when it is selected."""
    opened.select(About(services, tab).open_about, None, tab.judge, **_QUIET)


def wire_admin(services: Services, tab: AdminTab, opened: Any) -> None:
    """Bind the Admin tab; `opened` is the tab that fills it when it is selected."""
    handlers, one, anew = Admin(services, tab), tab.submission, tab.anew
    approval = tab.approval
    fresh = [tab.queue, approval.listed, approval.chosen, anew.listed, anew.chosen, anew.result, tab.audit]
    everything = [tab.who, tab.own, *fresh, one.notice, one.status, tab.clock]
    opened.select(handlers.open_admin, anew.chosen, everything, **_QUIET)
    tab.clock.tick(handlers.look_after, anew.chosen, [*fresh, tab.who, tab.clock], **_QUIET)
    anew.chosen.input(handlers.look_after, anew.chosen, [*fresh, tab.who, tab.clock], **_QUIET)
    changed = [one.notice, one.status, tab.queue, tab.audit]
    one.look.click(handlers.look_at, one.id, changed, **_BUSY)
    one.retry.click(handlers.retry_one, one.id, changed, **_BUSY)
    one.hide.click(handlers.hide_one, [one.id, one.reason], changed, js=_ASK_BEFORE_HIDING, **_BUSY)
    one.restore.click(handlers.restore_one, [one.id, one.reason], changed, **_BUSY)
    one.release.click(handlers.release_one, [one.id, one.reason], changed, **_BUSY)
    one.reject.click(handlers.reject_one, [one.id, one.reason], changed, js=_ASK_BEFORE_REJECTING, **_BUSY)
    wish = [anew.scope, one.id, anew.reason]
    anew.dry_run.click(handlers.try_anew, wish, [anew.notice, *fresh], **_BUSY)
    anew.score_anew.click(handlers.score_anew, wish, [anew.notice, *fresh], js=_ASK_BEFORE_SCORING_ANEW, **_BUSY)


def wire_approval(services: Services, tab: AdminTab) -> None:
    """Bind the part of the Admin tab that is about endpoints."""
    handlers, part = Approving(services, tab), tab.approval
    changed = [part.notice, part.listed, part.chosen, part.reason, tab.audit]
    part.approve.click(handlers.approve_endpoint, [part.chosen, part.reason], changed, **_BUSY)
    part.reject.click(handlers.reject_endpoint, [part.chosen, part.reason], changed, **_BUSY)


def wire_admin_models(services: Services, tab: AdminTab) -> None:
    """Bind the part of the Admin tab that is about models."""
    handlers, part = AdminModels(services, tab), tab.models
    part.query.submit(handlers.find_models, part.query, part.found, **_BUSY)
    changed = [part.notice, part.found, tab.audit]
    part.join.click(handlers.join_model, [part.query, part.id, part.target, part.reason], changed, **_BUSY)
    part.split.click(handlers.split_model, [part.query, part.id, part.reason], changed, **_BUSY)


def wire_tabs(page: gr.Blocks, tabs: Any, each: dict[str, Any]) -> None:
    """Keep the open tab in the address bar, in the visitor's browser alone."""
    page.load(None, None, tabs, js=_OPEN_TAB % json.dumps(list(each)), **_QUIET)
    for at, (name, tab) in enumerate(each.items()):
        known = f'"{name}", {"true" if at == 0 else "false"}'
        remember = f'() => {{ import("{STATIC_PATH}/page.js").then((page) => page.rememberTab({known})); return []; }}'
        tab.select(None, None, None, js=remember, **_QUIET)
