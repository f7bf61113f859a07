"""Handlers of listener groups on the Admin tab. The service refuses all but maintainers."""

from typing import Any

import gradio as gr

from leaderboard.pages.admin.handlers import MAX_ENTRIES
from leaderboard.pages.admin.layout import AdminTab
from leaderboard.pages.admin.listener_review.markup import render_listeners
from leaderboard.pages.admin.markup import render_audit
from leaderboard.pages.shared.current_user import explain, find_current_user, get_current_user
from leaderboard.pages.shared.form_values import read_benchmark
from leaderboard.pages.shared.status_outputs import say
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services

Update = dict[Any, Any]


class Listeners:
    """Handlers of the listener section."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        self._services = services
        self._tab = tab

    def open_listeners(self, request: gr.Request) -> Update:
        """Show the groups to maintainers; nothing to others."""
        user = find_current_user(request, self._services)
        if user is None or not self._services.accounts.is_maintainer(user):
            return {self._tab.listeners.listed: Markup("")}
        return {self._tab.listeners.listed: render_listeners(self._services.listening_tests.list_groups(user))}

    def show_group(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Make a group public."""
        return self._change(chosen, reason, request, shown=True)

    def hide_group(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Make a group private."""
        return self._change(chosen, reason, request, shown=False)

    def _change(self, chosen: str | None, reason: str | None, request: gr.Request, *, shown: bool) -> Update:
        tests = self._services.listening_tests
        try:
            user = get_current_user(request, self._services)
            tests.set_shown(user, read_benchmark(chosen), reason or "", shown=shown)
            entries = self._services.maintenance.list_audit(user, MAX_ENTRIES)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.listeners.notice: explain(error)}
        return {
            self._tab.listeners.notice: say(
                "Everyone can see them now." if shown else "Only maintainers can see them now."
            ),
            self._tab.listeners.listed: render_listeners(tests.list_groups(user)),
            self._tab.audit: render_audit(entries),
        }
