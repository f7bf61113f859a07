"""Handlers of published rows on the Admin tab. Each requires the maintainer role, and so does the service."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.api.uploads import SUBMISSIONS
from leaderboard.pages.admin.handlers import MAX_ENTRIES
from leaderboard.pages.admin.layout import AdminTab
from leaderboard.pages.admin.markup import render_audit
from leaderboard.pages.admin.row_editor.layout import SOURCE_OF_FILE
from leaderboard.pages.admin.row_editor.markup import (
    list_changed_choices,
    render_applied,
    render_changed_rows,
    render_preview,
)
from leaderboard.pages.shared.current_user import explain, find_client, find_current_user, get_current_user
from leaderboard.pages.shared.status_outputs import say, say_unchanged
from leaderboard.services import Services
from submissions.errors import BadRequestError
from submissions.published_rows.row_files import LARGEST_BYTES

Update = dict[Any, Any]


class AdminRows:
    """Handlers of the Published rows section."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        """Use the services of the app and the components of the tab."""
        self._services = services
        self._tab = tab
        self._part = tab.rows

    def open_rows(self, request: gr.Request) -> Update:
        """List the changed rows for maintainers; show nothing to others."""
        user = find_current_user(request, self._services)
        if user is None or not self._services.accounts.is_maintainer(user):
            return {self._part.listed: "", self._part.chosen: gr.Dropdown(choices=[], value=None)}
        return self._show_changed(user, keeps_choice=True)

    async def preview_rows(
        self, reference: str | None, source: str | None, date: str | None, request: gr.Request
    ) -> Update:
        """Preview the changes of a file."""
        return await SUBMISSIONS.run(find_client(request), self._preview, reference, source, date, request)

    async def apply_rows(
        self,
        reference: str | None,
        source: str | None,
        date: str | None,
        digest: str | None,
        reason: str | None,
        request: gr.Request,
    ) -> Update:
        """Apply the changes of the last preview."""
        options = (reference, _read_defaults(source, date), digest, reason or "")
        return await SUBMISSIONS.run(find_client(request), self._apply, *options, request)

    def undo_row(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Undo the last change of a row."""
        undo = self._services.reported_rows.undo
        missing = "Choose a changed row first."
        return self._change(lambda user, one: undo(user, one, reason or ""), chosen, missing, "Undone.", request)

    def remove_row(self, row_id: str | None, reason: str | None, request: gr.Request) -> Update:
        """Remove a row from its board; None if the maintainer cancelled."""
        if row_id is None:
            return {self._part.notice: say_unchanged()}
        remove = self._services.reported_rows.remove
        missing = "Enter the ID of a reported or human row. Its details on the board show it."
        return self._change(lambda user, one: remove(user, one, reason or ""), row_id, missing, "Removed.", request)

    def _preview(self, reference: str | None, source: str | None, date: str | None, request: gr.Request) -> Update:
        part = self._part
        try:
            user = self._require_maintainer(request)
            content = self._read(reference)
            preview = self._services.reported_rows.preview(user, content, _read_defaults(source, date))
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {part.result: explain(error), part.digest: ""}
        return {part.result: render_preview(preview), part.digest: "" if preview.problems else preview.digest}

    def _apply(
        self, reference: str | None, defaults: dict[str, str], digest: str | None, reason: str, request: gr.Request
    ) -> Update:
        rows, part = self._services.reported_rows, self._part
        try:
            user = self._require_maintainer(request)
            content = self._read(reference)
            if not digest:
                raise BadRequestError("file", "Preview the changes first. A file with problems cannot be applied.")
            done = rows.add(user, content, reason, dry_run=False, defaults=defaults, digest=digest)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {part.result: explain(error)}
        self._services.page_uploads.remove(str(reference))
        cleared = {part.file: None, part.digest: "", part.reason: ""}
        return {part.result: render_applied(done), **cleared, **self._show_changed(user), **self._show_audit(user)}

    def _change(
        self,
        act: Callable[[UserRecord, str], None],
        row_id: str | None,
        missing: str,
        done: str,
        request: gr.Request,
    ) -> Update:
        part = self._part
        try:
            user = self._require_maintainer(request)
            if not (row_id or "").strip():
                raise BadRequestError("row", missing)
            act(user, (row_id or "").strip())
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {part.notice: explain(error)}
        cleared = {part.row_id: "", part.row_reason: ""}
        return {part.notice: say(done), **cleared, **self._show_changed(user), **self._show_audit(user)}

    def _require_maintainer(self, request: gr.Request) -> UserRecord:
        user = get_current_user(request, self._services)
        self._services.accounts.require_maintainer(user)
        return user

    def _read(self, reference: str | None) -> bytes:
        if not reference:
            raise BadRequestError("file", "Choose a file first.")
        with self._services.page_uploads.open(reference) as file:
            return file.read(LARGEST_BYTES + 1)

    def _show_changed(self, user: UserRecord, *, keeps_choice: bool = False) -> Update:
        changed = self._services.reported_rows.list_changed(user)
        choice = {} if keeps_choice else {"value": None}
        return {
            self._part.listed: render_changed_rows(changed, datetime.now(UTC)),
            self._part.chosen: gr.Dropdown(choices=list_changed_choices(changed), **choice),
        }

    def _show_audit(self, user: UserRecord) -> Update:
        return {self._tab.audit: render_audit(self._services.maintenance.list_audit(user, MAX_ENTRIES))}


def _read_defaults(source: str | None, date: str | None) -> dict[str, str]:
    """Return the defaults for scores that omit the fields."""
    return {"source": "" if source == SOURCE_OF_FILE else source or "", "date": date or ""}
