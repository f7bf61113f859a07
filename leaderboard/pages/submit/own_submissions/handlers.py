"""Handlers of My submissions. Each looks up the current user, because hidden components can still be called."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import SubmissionRecord, UserRecord
from evaluation.errors import UnknownBenchmarkError
from leaderboard.api.uploads import SUBMISSIONS
from leaderboard.pages.shared.current_user import (
    explain,
    explain_field,
    find_client,
    find_current_user,
    get_current_user,
)
from leaderboard.pages.shared.form_values import read_benchmark, read_key
from leaderboard.pages.shared.status_outputs import say_unchanged, show_status
from leaderboard.pages.submit.layout import SubmitTab
from leaderboard.pages.submit.markup import (
    can_publish,
    can_retry,
    is_moving,
    list_choices,
    render_left,
    render_mine,
    render_refusal,
)
from leaderboard.pages.submit.own_editions.handlers import OwnEditions
from leaderboard.services import Services
from submissions.errors import BadRequestError
from submissions.practice.practice_service import can_attach

Update = dict[Any, Any]

_MAX_SHOWN = 100


class Own:
    """Handlers of the section."""

    def __init__(self, services: Services, tab: SubmitTab, editions: OwnEditions) -> None:
        self._services = services
        self._tab = tab
        self._editions = editions
        self._part = tab.own

    def refresh_submissions(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Show the status of a submission and the remaining ones: our failures give a submission back."""
        user = find_current_user(request, self._services)
        return self.show_submissions(user, chosen, is_held=True) | self.show_left(user, named)

    def show_closed(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Show the user's editions after a change, and their submissions: closing an edition queues its files."""
        user = find_current_user(request, self._services)
        return self._editions.show_editions(user, named) | self.show_submissions(user, chosen, is_held=True)

    def choose(self, chosen: str | None, request: gr.Request) -> Update:
        """Show another submission; clear the key typed for the previous one."""
        user = find_current_user(request, self._services)
        return {self._part.notice: "", **self.show_submissions(user, chosen, keeps_key=False, is_held=True)}

    def publish(self, chosen: str | None, request: gr.Request) -> Update:
        """Publish the selected submission."""
        return self._change(self._services.submissions.publish, chosen, request)

    def withdraw(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Withdraw the selected submission; an unscored one is given back. None is selected after "Cancel"."""
        if chosen is None:
            return {self._part.notice: say_unchanged()}
        changed = self._change(self._services.submissions.withdraw, chosen, request)
        return changed | self._show_counts(named, request)

    def retry(self, chosen: str | None, named: str | None, key: str | None, request: gr.Request) -> Update:
        """Retry the selected submission; an endpoint gets only the questions without a response."""
        retry = self._services.endpoints.retry
        changed = self._change(lambda one, user: retry(one, user, read_key(key)), chosen, request)
        return changed | self._show_counts(named, request)

    async def attach_practice(self, reference: str | None, chosen: str | None, request: gr.Request) -> Update:
        """Attach a file of practice answers to the selected submission."""
        return await SUBMISSIONS.run(find_client(request), self._attach, reference, chosen, request)

    def _attach(self, reference: str | None, chosen: str | None, request: gr.Request) -> Update:
        try:
            user = get_current_user(request, self._services)
            if not reference or not chosen:
                raise BadRequestError("file", "Choose a file of practice answers first.")
            with self._services.page_uploads.open(reference) as file:
                self._services.practice.attach_file(chosen, user, file)
            self._services.page_uploads.remove(reference)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._part.notice: explain(error)}
        cleared = {self._part.notice: "", self._part.practice_file: None}
        return cleared | self.show_submissions(user, chosen)

    def show_submissions(
        self, user: UserRecord | None, chosen: str | None, *, keeps_key: bool = True, is_held: bool = False
    ) -> Update:
        """Return all submissions of a user, and the status of one, by default the newest.

        Args:
            user: Current user.
            chosen: Id of the displayed submission.
            keeps_key: Whether a key that is being typed stays.
            is_held: Whether the list already selects `chosen`; it then stays, because the selection may have changed.
        """
        part = self._part
        if user is None:
            hidden = {part.column: gr.Column(visible=False), part.clock: gr.Timer(active=False)}
            return {**hidden, part.status: "", part.mine: "", part.key: ""}
        found = self._services.submissions.list_mine(user, _MAX_SHOWN + 1)
        mine = {one.id: one for one in found[:_MAX_SHOWN]}
        one = mine.get(chosen or "") or next(iter(mine.values()), None)
        is_waiting = one is not None and self._services.practice.is_queued(one.id)
        named = {} if is_held and one is not None and one.id == chosen else {"value": one.id if one else None}
        return {
            part.column: gr.Column(visible=True),
            part.mine: render_mine([*mine.values()], datetime.now(UTC), has_older=len(found) > len(mine)),
            part.chosen: gr.Dropdown(choices=list_choices([*mine.values()]), **named),
            part.publish: gr.Button(interactive=can_publish(one)),
            part.withdraw: gr.Button(interactive=one is not None and one.state != "withdrawn"),
            part.key: gr.Textbox(visible=self._wants_key(one, user), **({} if keeps_key else {"value": ""})),
            part.retry: gr.Button(visible=can_retry(one)),
            part.practice: gr.Column(visible=one is not None and can_attach(one)),
            part.status: show_status(self._services, one.id, user) if one else "",
            part.clock: gr.Timer(active=is_moving([*mine.values()]) or is_waiting),
        }

    def show_left(self, user: UserRecord | None, named: str | None) -> Update:
        """Return a user's remaining submissions."""
        try:
            benchmark = read_benchmark(named)
        except UnknownBenchmarkError as error:
            return {self._tab.left: render_refusal(str(error))}
        catalogues = self._services.catalogues
        # Files of editions do not count as submissions.
        is_counted = catalogues.find_openness(benchmark).is_open and catalogues.offers_shared_split(benchmark)
        if user is None or not is_counted:
            return {self._tab.left: ""}
        return {self._tab.left: render_left(self._services.submissions.find_quota(user, benchmark), benchmark)}

    def _show_counts(self, named: str | None, request: gr.Request) -> Update:
        user = find_current_user(request, self._services)
        return self.show_left(user, named) | self._editions.show_editions(user, named)

    def _wants_key(self, one: SubmissionRecord | None, user: UserRecord) -> bool:
        if one is None or not can_retry(one):
            return False
        endpoint = self._services.submissions.status(one.id, user).endpoint
        return endpoint is not None and endpoint.wants_key

    def _change(self, act: Callable[[str, UserRecord], None], chosen: str | None, request: gr.Request) -> Update:
        try:
            user = get_current_user(request, self._services)
            if not chosen:
                raise BadRequestError("submission", "Choose a submission first.")
            act(chosen, user)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._part.notice: explain_field(error)}
        return {self._part.notice: "", **self.show_submissions(user, chosen, keeps_key=False)}
