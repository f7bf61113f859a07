"""Binds the Submit tab."""

from typing import Any

from leaderboard.handlers.naming import Naming
from leaderboard.handlers.own import Own
from leaderboard.handlers.registering import Registering
from leaderboard.handlers.submitting import Submitting
from leaderboard.services import Services
from leaderboard.tabs.model_fields import ModelFields
from leaderboard.tabs.submit import SubmitTab
from leaderboard.wiring.events import BUSY, QUIET

_ASK_BEFORE_WITHDRAWING = """(id, benchmark) => [
  window.confirm(`Withdraw ${id}? It leaves the board for good.`) ? id : null, benchmark
]"""


def wire_submit(services: Services, tab: SubmitTab, opened: tuple[Any, ...]) -> None:
    """Bind the Submit tab; `opened` are the events on which it is filled."""
    own = Own(services, tab)
    handlers, file, asked = Submitting(services, tab, own), tab.file, tab.asked
    shown, chosen, benchmark = tab.own.shown, tab.own.chosen, tab.benchmark
    for event in (*opened, tab.account.submit):
        event(handlers.open, [chosen, benchmark], [tab.account, tab.left, *shown], **QUIET)
    offered = [file.help, file.setting, asked.help, asked.setting, asked.parts, tab.left]
    benchmark.input(handlers.choose_benchmark, benchmark, offered, **QUIET)
    _wire_model_fields(services, tab.model)
    file.check.click(handlers.check, [file.file, benchmark, file.allow_missing, file.setting], file.feedback, **BUSY)
    sent = [file.file, benchmark, file.allow_missing, file.setting, *tab.model.sent, tab.publish]
    file.send.click(handlers.send, sent, [file.feedback, file.file, tab.account, tab.left, *shown], **BUSY)
    _wire_asked(Registering(services, tab, own), tab)
    _wire_own(own, tab)


def _wire_model_fields(services: Services, fields: ModelFields) -> None:
    known = [fields.name, *fields.described, fields.filled]
    # Not `input`, which knows of keys alone: a name may be pasted, or taken over from those that are offered. While one
    # event is on its way, only the last of those that follow is sent.
    once = {**QUIET, "trigger_mode": "always_last"}
    shown = [fields.naming, fields.filled, *fields.described]
    fields.name.change(Naming(services, fields).recognise, known, shown, **once)


def _wire_asked(handlers: Registering, tab: SubmitTab) -> None:
    form = tab.asked
    offered = [form.parts, form.feedback]
    form.setting.input(handlers.choose_asked_setting, [tab.benchmark, form.setting], offered, **QUIET)
    sent = [tab.benchmark, *form.sent, *tab.model.sent, tab.publish]
    form.send.click(handlers.register, sent, [form.feedback, form.key, tab.left, *tab.own.shown], **BUSY)


def _wire_own(own: Own, tab: SubmitTab) -> None:
    part, changed = tab.own, [tab.own.notice, *tab.own.shown]
    part.publish.click(own.publish, part.chosen, changed, **BUSY)
    named = [part.chosen, tab.benchmark]
    part.withdraw.click(own.withdraw, named, [tab.left, *changed], js=_ASK_BEFORE_WITHDRAWING, **BUSY)
    part.retry.click(own.retry, [*named, part.key], [tab.left, *changed], **BUSY)
    part.chosen.input(own.choose, part.chosen, changed, **QUIET)
    part.clock.tick(own.look, named, [tab.left, *part.shown], **QUIET)
