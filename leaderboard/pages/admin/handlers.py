"""Handlers of the Admin tab. Each looks up the current user, and the service refuses all but maintainers."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from evaluation.benchmarks import all_benchmarks
from leaderboard.durability import check_durability
from leaderboard.pages.admin.layout import ONE_SUBMISSION, AdminTab
from leaderboard.pages.admin.markup import (
    list_reevaluation_choices,
    render_absent,
    render_audit,
    render_judge,
    render_maintainer,
    render_overview,
    render_queue,
    render_reevaluations,
    render_replica,
    render_result,
)
from leaderboard.pages.shared.current_user import KNOWN_ERRORS, explain, find_current_user, get_current_user
from leaderboard.pages.shared.status_outputs import say, say_unchanged, show_awaiting, show_status
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.endpoints.rejection import reject_submission
from submissions.errors import BadRequestError
from submissions.operations.maintenance import ReevaluationRequest

Update = dict[Any, Any]
_MAX_PLACES = 100
_MAX_REEVALUATIONS = 20
MAX_ENTRIES = 50
_NUMBER = re.compile(r"[0-9]{1,10}")


class Admin:
    """Handlers of the Admin tab."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        self._services = services
        self._tab = tab

    def open_admin(self, chosen: str | None, request: gr.Request) -> Update:
        """Show the tab's content to maintainers; nothing to others."""
        user = find_current_user(request, self._services)
        tab = self._tab
        if user is None or not self._services.accounts.is_maintainer(user):
            texts = (
                tab.queue,
                tab.approval.listed,
                tab.rescoring.listed,
                tab.rescoring.result,
                tab.audit,
                tab.submission.status,
                tab.submission.notice,
            )
            emptied = dict.fromkeys(texts, "")
            shown = {tab.who: render_maintainer(user, is_maintainer=False), tab.own: gr.Column(visible=False)}
            choices = {
                tab.rescoring.chosen: gr.Dropdown(choices=[]),
                tab.approval.chosen: gr.Dropdown(choices=[], value=None),
            }
            return emptied | shown | choices | {tab.clock: gr.Timer(active=False)}
        shown = {tab.who: render_maintainer(user, is_maintainer=True), tab.own: gr.Column(visible=True)}
        return shown | self._show_all(user, chosen, is_held=True) | {tab.clock: gr.Timer(active=True)}

    def look_after(self, chosen: str | None, request: gr.Request) -> Update:
        """Update everything."""
        try:
            return self._show_all(get_current_user(request, self._services), chosen, is_held=True)
        except KNOWN_ERRORS as error:  # any other error propagates: the timer keeps running, and its next tick retries
            return {self._tab.who: explain(error), self._tab.clock: gr.Timer(active=False)}

    def look_at(self, submission_id: str | None, request: gr.Request) -> Update:
        """Show a submission with its events."""
        return self._change(lambda *_: None, submission_id, "", request)

    def retry_one(self, submission_id: str | None, request: gr.Request) -> Update:
        """Requeue a submission."""
        return self._change(self._services.endpoints.retry, submission_id, "Queued for a retry.", request)

    def hide_one(self, submission_id: str | None, reason: str | None, request: gr.Request) -> Update:
        """Hide a submission."""
        if submission_id is None:
            return {self._tab.submission.notice: say_unchanged()}
        hide = self._services.maintenance.hide
        return self._change(lambda one, user: hide(one, user, reason or ""), submission_id, "Hidden.", request)

    def restore_one(self, submission_id: str | None, reason: str | None, request: gr.Request) -> Update:
        """Restore a submission."""
        restore = self._services.maintenance.restore
        return self._change(lambda one, user: restore(one, user, reason or ""), submission_id, "Restored.", request)

    def release_one(self, submission_id: str | None, reason: str | None, request: gr.Request) -> Update:
        """Release a held submission."""
        release = self._services.maintenance.release
        return self._change(lambda one, user: release(one, user, reason or ""), submission_id, "Released.", request)

    def reject_one(self, submission_id: str | None, reason: str | None, request: gr.Request) -> Update:
        """Reject a held submission, or one whose endpoint awaits approval."""
        if submission_id is None:
            return {self._tab.submission.notice: say_unchanged()}
        services = self._services

        def reject(one: str, user: UserRecord) -> None:
            reject_submission(services.maintenance, services.endpoints, one, user, reason or "")

        return self._change(reject, submission_id, "Rejected.", request)

    def preview_rescoring(
        self, scope: str | None, submission_id: str | None, reason: str | None, request: gr.Request
    ) -> Update:
        """Request a dry run of a re-evaluation."""
        return self._ask(read_reevaluation_request(scope, submission_id, reason, dry_run=True), request)

    def start_rescoring(
        self, scope: str | None, submission_id: str | None, reason: str | None, request: gr.Request
    ) -> Update:
        """Request a re-evaluation."""
        if scope is None:
            return {self._tab.rescoring.notice: say_unchanged()}
        return self._ask(read_reevaluation_request(scope, submission_id, reason, dry_run=False), request)

    def _change(
        self, act: Callable[[str, UserRecord], None], submission_id: str | None, done: str, request: gr.Request
    ) -> Update:
        try:
            user = get_current_user(request, self._services)
            self._services.accounts.require_maintainer(user)
            one = (submission_id or "").strip()
            if not one:
                raise BadRequestError("submission", "Enter a submission ID. The queue and the boards show it.")
            act(one, user)
            shown = {
                self._tab.submission.notice: say(done),
                self._tab.submission.status: show_status(self._services, one, user),
            }
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.submission.notice: explain(error)}
        return shown | {self._tab.queue: self._show_queue(user), self._tab.audit: self._show_audit(user)}

    def _ask(self, requested: ReevaluationRequest, request: gr.Request) -> Update:
        try:
            user = get_current_user(request, self._services)
            made = self._services.maintenance.request_reevaluation(user, requested)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.rescoring.notice: explain(error)}
        said = say(f"Requested as {made.id}; the result appears below when an evaluator has finished.")
        return {self._tab.rescoring.notice: said, **self._show_all(user, str(made.id))}

    def _show_all(self, user: UserRecord, chosen: str | None, *, is_held: bool = False) -> Update:
        """Return everything; a selection that the list still contains stays, because it may have changed meanwhile."""
        tab = self._tab
        found = self._services.maintenance.list_reevaluations(user, _MAX_REEVALUATIONS)
        wanted = int(chosen) if chosen and _NUMBER.fullmatch(chosen) else None
        ids = [one.id for one in found]
        shown = wanted if wanted in ids else next(iter(ids), None)
        result = self._services.maintenance.get_reevaluation(user, shown) if shown is not None else None
        named = {} if is_held and shown is not None and shown == wanted else {"value": str(shown) if shown else None}
        return {
            tab.queue: self._show_queue(user),
            **show_awaiting(self._services, tab.approval, user),
            tab.rescoring.listed: render_reevaluations(found, datetime.now(UTC)),
            tab.rescoring.chosen: gr.Dropdown(choices=list_reevaluation_choices(found), **named),
            tab.rescoring.result: render_result(result),
            tab.audit: self._show_audit(user),
        }

    def _show_queue(self, user: UserRecord) -> Markup:
        maintenance = self._services.maintenance
        view = maintenance.view_queue(user, _MAX_PLACES)
        judge = render_judge(maintenance.view_judge(user))
        absent = render_absent(self._services.catalogues.find_openness(benchmark) for benchmark in all_benchmarks())
        queue = render_queue(view, maintenance.list_workers(user), datetime.now(UTC))
        return render_overview(queue, judge, absent, self._show_replica())

    def _show_replica(self) -> Markup:
        """Return the lag of the database replica, if there is one."""
        if self._services.settings.replica_url is None:
            return Markup("")
        return render_replica(check_durability(self._services).lag_seconds)

    def _show_audit(self, user: UserRecord) -> Markup:
        return render_audit(self._services.maintenance.list_audit(user, MAX_ENTRIES))


def read_reevaluation_request(
    scope: str | None, submission_id: str | None, reason: str | None, *, dry_run: bool
) -> ReevaluationRequest:
    """Return the requested scope of a re-evaluation; the service validates it."""
    if scope == ONE_SUBMISSION:
        return ReevaluationRequest((submission_id or "").strip()[:100], None, None, dry_run, reason or "")
    name, _, version = (scope or "")[:100].partition(" ")
    return ReevaluationRequest(None, name, version or None, dry_run, reason or "")
