"""Handlers of endpoints that await approval, on the Admin tab. Each looks up the current user."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.pages.admin.handlers import MAX_ENTRIES
from leaderboard.pages.admin.layout import AdminTab
from leaderboard.pages.admin.markup import render_audit
from leaderboard.pages.shared.current_user import explain, get_current_user
from leaderboard.pages.shared.status_outputs import say, show_awaiting
from leaderboard.services import Services
from submissions.errors import BadRequestError

Update = dict[Any, Any]


class Approving:
    """Handlers of the endpoint section."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        self._services = services
        self._tab = tab
        self._part = tab.approval

    def approve_endpoint(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Approve an endpoint."""
        approve = self._services.endpoints.approve
        return self._decide(lambda one, user: approve(one, user, reason or ""), chosen, "Approved", request)

    def reject_endpoint(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Reject an endpoint."""
        reject = self._services.endpoints.reject
        return self._decide(lambda one, user: reject(one, user, reason or ""), chosen, "Rejected", request)

    def _decide(
        self, act: Callable[[str, UserRecord], None], chosen: str | None, done: str, request: gr.Request
    ) -> Update:
        try:
            user = get_current_user(request, self._services)
            self._services.accounts.require_maintainer(user)
            if not chosen:
                raise BadRequestError("submission", "Choose an endpoint from the list first.")
            act(chosen, user)
            fresh = show_awaiting(self._services, self._part, user, keeps_choice=False)
            entries = self._services.maintenance.list_audit(user, MAX_ENTRIES)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._part.notice: explain(error)}
        return {
            **fresh,
            self._part.notice: say(f"{done}: {chosen}."),
            self._part.reason: "",
            self._tab.audit: render_audit(entries),
        }
