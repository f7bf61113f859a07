"""Event bindings of the Admin tab."""

from typing import Any

from leaderboard.pages.admin.access import Admission
from leaderboard.pages.admin.approvals import Approving
from leaderboard.pages.admin.competition_control.handlers import CompetitionControl
from leaderboard.pages.admin.handlers import Admin
from leaderboard.pages.admin.layout import AdminTab, Door
from leaderboard.pages.admin.listener_review.handlers import Listeners
from leaderboard.pages.admin.model_handlers import AdminModels
from leaderboard.pages.admin.row_editor.handlers import AdminRows
from leaderboard.pages.shared.bindings import BUSY, QUIET, bind_choice
from leaderboard.services import Services

# An action without a target is refused without a question.
_ASK_BEFORE_HIDING = """(id, reason) => [!id || window.confirm(`Hide ${id}?`) ? id ?? "" : null, reason]"""
_ASK_BEFORE_REJECTING = """(id, reason) => [
  !id || window.confirm(`Reject ${id}? This cannot be undone.`) ? id ?? "" : null, reason
]"""
_ASK_BEFORE_RESCORING = """(what, id, reason) => [
  window.confirm(`Re-score ${what}? Boards change immediately; earlier scores stay in the history.`) ? what : null,
  id, reason
]"""

_CONFIRM_REMOVAL = (
    """(id, reason) => [!id || window.confirm(`Remove ${id} from its board?`) ? id ?? "" : null, reason]"""
)
# A preview applies to one file and its options; another file starts without one.
_FORGET_PREVIEW = '() => ["", ""]'

# The requested address: by now the first tab may have changed it.
_ASKED = """() => {
  const asked = new URL(performance.getEntriesByType("navigation")[0].name);
  return [asked.searchParams.get("tab") === "admin" ? "admin" : ""];
}"""
_NOT_ASKED = '() => [""]'


def wire_admission(services: Services, door: Door, opened: Any, changed: tuple[Any, ...]) -> None:
    """Bind the masthead and the visibility of the Admin tab; `changed` are the events of signing in or out."""
    handlers, shown = Admission(services, door), [door.notice, door.tab, door.tabs, door.masthead]
    opened(handlers.admit, door.notice, shown, js=_ASKED, **QUIET)
    for event in changed:
        event(handlers.admit, door.notice, shown, js=_NOT_ASKED, **QUIET)


def wire_admin(services: Services, tab: AdminTab, opened: Any) -> None:
    """Bind the Admin tab; `opened` is the tab component, which fills it when it is selected."""
    handlers, one, rescoring = Admin(services, tab), tab.submission, tab.rescoring
    approval = tab.approval
    fresh = [
        tab.queue,
        approval.listed,
        approval.chosen,
        rescoring.listed,
        rescoring.chosen,
        rescoring.result,
        tab.audit,
    ]
    everything = [tab.who, tab.own, *fresh, one.notice, one.status, tab.clock]
    opened.select(handlers.open_admin, rescoring.chosen, everything, **QUIET)
    tab.clock.tick(handlers.look_after, rescoring.chosen, [*fresh, tab.who, tab.clock], **QUIET)
    bind_choice(rescoring.chosen, handlers.look_after, [rescoring.chosen], [*fresh, tab.who, tab.clock])
    changed = [one.notice, one.status, tab.queue, tab.audit]
    one.look.click(handlers.look_at, one.id, changed, **BUSY)
    one.retry.click(handlers.retry_one, one.id, changed, **BUSY)
    one.hide.click(handlers.hide_one, [one.id, one.reason], changed, js=_ASK_BEFORE_HIDING, **BUSY)
    one.restore.click(handlers.restore_one, [one.id, one.reason], changed, **BUSY)
    one.release.click(handlers.release_one, [one.id, one.reason], changed, **BUSY)
    one.reject.click(handlers.reject_one, [one.id, one.reason], changed, js=_ASK_BEFORE_REJECTING, **BUSY)
    inputs = [rescoring.scope, one.id, rescoring.reason]
    rescoring.dry_run.click(handlers.preview_rescoring, inputs, [rescoring.notice, *fresh], **BUSY)
    rescoring.start_rescoring.click(
        handlers.start_rescoring, inputs, [rescoring.notice, *fresh], js=_ASK_BEFORE_RESCORING, **BUSY
    )


def wire_approval(services: Services, tab: AdminTab) -> None:
    """Bind the endpoint section of the Admin tab."""
    handlers, part = Approving(services, tab), tab.approval
    changed = [part.notice, part.listed, part.chosen, part.reason, tab.audit]
    part.approve.click(handlers.approve_endpoint, [part.chosen, part.reason], changed, **BUSY)
    part.reject.click(handlers.reject_endpoint, [part.chosen, part.reason], changed, **BUSY)


def wire_admin_models(services: Services, tab: AdminTab) -> None:
    """Bind the model section of the Admin tab."""
    handlers, part = AdminModels(services, tab), tab.models
    part.query.submit(handlers.find_models, part.query, part.found, **BUSY)
    changed = [part.notice, part.found, tab.audit]
    part.join.click(handlers.join_model, [part.query, part.id, part.target, part.reason], changed, **BUSY)
    part.split.click(handlers.split_model, [part.query, part.id, part.reason], changed, **BUSY)


def wire_admin_rows(services: Services, tab: AdminTab, opened: Any) -> None:
    """Bind the Published rows section of the Admin tab; `opened` fills it when it is selected."""
    handlers, part = AdminRows(services, tab), tab.rows
    opened.select(handlers.open_rows, None, [part.listed, part.chosen], **QUIET)
    # Not `change`, which also fires when a handler empties the field after the file was applied.
    for event in (part.file.upload, part.file.clear):
        event(None, None, [part.result, part.digest], js=_FORGET_PREVIEW, **QUIET)
    options = [part.file, part.source, part.date]
    part.preview.click(handlers.preview_rows, options, [part.result, part.digest], **BUSY)
    listed = [part.listed, part.chosen, tab.audit]
    applied = [part.result, part.file, part.digest, part.reason, *listed]
    part.apply.click(handlers.apply_rows, [*options, part.digest, part.reason], applied, **BUSY)
    changed = [part.notice, part.row_id, part.row_reason, *listed]
    part.undo.click(handlers.undo_row, [part.chosen, part.row_reason], changed, **BUSY)
    part.remove.click(handlers.remove_row, [part.row_id, part.row_reason], changed, js=_CONFIRM_REMOVAL, **BUSY)


def wire_listeners(services: Services, tab: AdminTab, opened: Any) -> None:
    """Bind the listener section of the Admin tab; `opened` fills it when it is selected."""
    handlers, part = Listeners(services, tab), tab.listeners
    opened.select(handlers.open_listeners, None, part.listed, **QUIET)
    changed = [part.notice, part.listed, tab.audit]
    part.show.click(handlers.show_group, [part.chosen, part.reason], changed, **BUSY)
    part.hide.click(handlers.hide_group, [part.chosen, part.reason], changed, **BUSY)


def wire_competitions(services: Services, tab: AdminTab, opened: Any) -> None:
    """Bind the competition section of the Admin tab; `opened` fills it when it is selected."""
    handlers, part = CompetitionControl(services, tab), tab.competition
    opened.select(handlers.open_competitions, None, part.listed, **QUIET)
    changed = [part.notice, part.listed, tab.audit]
    part.start.click(handlers.start_competition, [part.chosen, part.reason], changed, **BUSY)
    part.end.click(handlers.end_competition, [part.chosen, part.reason], changed, **BUSY)
