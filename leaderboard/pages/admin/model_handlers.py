"""Handlers of models on the Admin tab. The service refuses all but maintainers."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.pages.admin.handlers import MAX_ENTRIES
from leaderboard.pages.admin.layout import AdminTab
from leaderboard.pages.admin.markup import render_audit, render_models
from leaderboard.pages.shared.current_user import explain, get_current_user
from leaderboard.pages.shared.status_outputs import say
from leaderboard.services import Services

Update = dict[Any, Any]


class AdminModels:
    """Handlers of the model section."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        self._services = services
        self._tab = tab

    def find_models(self, query: str | None, request: gr.Request) -> Update:
        """Show the models whose names contain a text."""
        try:
            user = get_current_user(request, self._services)
            return {self._tab.models.found: render_models(self._services.model_maintenance.list(user, query or ""))}
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._tab.models.found: explain(error)}

    def join_model(
        self, query: str | None, model: str | None, target: str | None, reason: str | None, request: gr.Request
    ) -> Update:
        """Show a model under another model's name."""

        def apply_change(user: UserRecord) -> None:
            self._services.model_maintenance.join(_read(model), _read(target), user, reason or "")

        return self._change(apply_change, "Merged. Boards update within seconds.", query, request)

    def split_model(self, query: str | None, model: str | None, reason: str | None, request: gr.Request) -> Update:
        """Undo a merge."""

        def apply_change(user: UserRecord) -> None:
            self._services.model_maintenance.split(_read(model), user, reason or "")

        return self._change(apply_change, "Split. Boards update within seconds.", query, request)

    def _change(
        self, apply_change: Callable[[UserRecord], None], done: str, query: str | None, request: gr.Request
    ) -> Update:
        try:
            user = get_current_user(request, self._services)
            apply_change(user)
            entries = self._services.maintenance.list_audit(user, MAX_ENTRIES)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.models.notice: explain(error)}
        shown = self.find_models(query, request)
        return {self._tab.models.notice: say(done), self._tab.audit: render_audit(entries), **shown}


def _read(given: str | None) -> str:
    return (given or "").strip()
