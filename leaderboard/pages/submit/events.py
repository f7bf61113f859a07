"""Event bindings of the Submit tab."""

import json
from typing import Any

from leaderboard.assets import import_script
from leaderboard.pages.shared.bindings import BUSY, LATEST, QUIET, bind_choice
from leaderboard.pages.submit.endpoint_form.handlers import Registering
from leaderboard.pages.submit.handlers import Submitting
from leaderboard.pages.submit.layout import SubmitTab
from leaderboard.pages.submit.model_form.hub_fill import Filling
from leaderboard.pages.submit.model_form.layout import ModelForm
from leaderboard.pages.submit.model_form.name_suggestions import Naming
from leaderboard.pages.submit.own_editions.handlers import OwnEditions
from leaderboard.pages.submit.own_submissions.handlers import Own
from leaderboard.services import Services

# A board's link names its benchmark, and a choice changes the address.
_READ = f"""async (chosen, named, held) => {{
  const {{ readBenchmark }} = await {import_script("submit.js")};
  return [chosen, readBenchmark(%s, held), held];
}}"""
_KEEP = f"""async (benchmark) => {{
  const {{ keepBenchmark }} = await {import_script("submit.js")};
  keepBenchmark(benchmark);
  return [];
}}"""
_START = f"""async (benchmark) => {{
  const {{ startChoice }} = await {import_script("submit.js")};
  return startChoice(benchmark);
}}"""
_FORGET = f"""async (benchmark) => {{
  const {{ forgetChoice }} = await {import_script("submit.js")};
  forgetChoice();
  return [benchmark];
}}"""
_RESTORE = f"""async (benchmark) => {{
  const {{ restoreChoice }} = await {import_script("submit.js")};
  return restoreChoice(benchmark);
}}"""
_ASK_BEFORE_WITHDRAWING = """(id, benchmark) => [
  window.confirm(`Withdraw ${id}? This permanently removes it from the board.`) ? id : null, benchmark
]"""


def wire_submit(services: Services, tab: SubmitTab, opened: tuple[Any, ...], changed: tuple[Any, ...]) -> None:
    """Bind the Submit tab; `opened` are the events that fill it, `changed` those of signing in or out."""
    editions = OwnEditions(services, tab)
    own = Own(services, tab, editions)
    handlers, file, asked, steps = Submitting(services, tab, own, editions), tab.file, tab.asked, tab.steps
    shown, chosen, benchmark = tab.own.shown, tab.own.chosen, tab.benchmark
    forms = [tab.closed, tab.choose_open, tab.described, tab.ways, file.send, tab.asked_way, file.close]
    described = [steps.column, steps.help, steps.setting, steps.asked_setting, steps.run, steps.tool, tab.headings]
    offered = [*forms, *described, asked.help, asked.parts, tab.left, *tab.editions.shown]
    known, filled = [chosen, benchmark, benchmark], [tab.account, *shown, benchmark, *offered]
    read = _READ % json.dumps([value for _, value in benchmark.choices])
    replaced = [event(handlers.open, known, filled, js=read, **LATEST) for event in opened]
    # Signing in keeps the selection.
    for event in changed:
        event(handlers.open, known, filled, **LATEST)
    # At once, although the next event waits for the responses of earlier ones.
    benchmark.input(None, benchmark, None, js=_KEEP, **QUIET)
    benchmark.input(handlers.choose_benchmark, benchmark, offered, js=_START, **LATEST)
    newest = [benchmark, *offered]
    replaced.append(tab.choose_open.click(handlers.choose_open_version, benchmark, newest, js=_FORGET, **LATEST))
    for event in replaced:
        event.then(None, benchmark, benchmark, js=_RESTORE, **QUIET)
    _wire_model_fields(services, tab.model)
    named = [benchmark, steps.setting]
    bind_choice(steps.setting, handlers.choose_task_setting, named, [file.feedback, steps.tool])
    file.check.click(handlers.check, [file.file, benchmark, file.allow_missing, steps.setting], file.feedback, **BUSY)
    inputs = [file.file, benchmark, file.allow_missing, steps.setting, *tab.model.inputs, tab.publish, file.close]
    changed_by_file = [file.feedback, file.file, tab.account, tab.left, *tab.editions.shown, *shown]
    file.send.click(handlers.send, inputs, changed_by_file, **BUSY)
    _bind_endpoint_form(Registering(services, tab, own), tab)
    _wire_own(own, tab)
    tab.editions.questions.submit(own.show_closed, [chosen, benchmark], [*tab.editions.shown, *shown], **LATEST)
    tab.editions.clock.tick(editions.refresh_editions, benchmark, tab.editions.shown, **QUIET)


def _wire_model_fields(services: Services, fields: ModelForm) -> None:
    known = [fields.name, *fields.described, fields.filled]
    # Not `input`, which reacts to keys only: a name may be pasted, or taken from the suggestions.
    shown = [fields.naming, fields.filled, *fields.described]
    named = [fields.hub_id, fields.name, *fields.described, fields.url]
    taken = [fields.hub_notice, fields.hub_filled, fields.name, *fields.described, fields.url]
    filling = Filling(services, fields)
    for event in (fields.fill.click, fields.hub_id.submit):
        event(filling.fill, named, taken, **BUSY)
    fields.name.change(Naming(services, fields).recognise, known, shown, **LATEST)


def _bind_endpoint_form(handlers: Registering, tab: SubmitTab) -> None:
    form = tab.asked
    setting, offered = tab.steps.asked_setting, [form.parts, form.feedback, tab.steps.run]
    bind_choice(setting, handlers.choose_endpoint_setting, [tab.benchmark, setting], offered)
    inputs = [tab.benchmark, setting, *form.inputs, *tab.model.inputs, tab.publish]
    form.send.click(handlers.register, inputs, [form.feedback, form.key, tab.left, *tab.own.shown], **BUSY)


def _wire_own(own: Own, tab: SubmitTab) -> None:
    part, changed = tab.own, [tab.own.notice, *tab.own.shown]
    counted = [*changed, tab.left, *tab.editions.shown]
    part.publish.click(own.publish, part.chosen, changed, **BUSY)
    named = [part.chosen, tab.benchmark]
    part.withdraw.click(own.withdraw, named, counted, js=_ASK_BEFORE_WITHDRAWING, **BUSY)
    part.retry.click(own.retry, [*named, part.key], counted, **BUSY)
    attached = [*changed, part.practice_file]
    part.attach.click(own.attach_practice, [part.practice_file, part.chosen], attached, **BUSY)
    bind_choice(part.chosen, own.choose, [part.chosen], changed)
    part.clock.tick(own.refresh_submissions, named, [tab.left, *part.shown], **QUIET)
