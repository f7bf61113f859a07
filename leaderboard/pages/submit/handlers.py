"""Handlers of the file form. Each looks up the current user, because hidden components can still be called."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gradio as gr

from db.records import SubmissionRecord, UserRecord
from evaluation.errors import SettingError, UnknownBenchmarkError
from leaderboard.api.uploads import CHECKS, SUBMISSIONS
from leaderboard.pages.shared.current_user import explain, find_client, find_current_user, get_current_user
from leaderboard.pages.shared.form_values import read_benchmark, read_hub_model, read_model
from leaderboard.pages.shell.sign_in_markup import render_account
from leaderboard.pages.submit.endpoint_form.handlers import show_endpoint
from leaderboard.pages.submit.layout import SubmitTab
from leaderboard.pages.submit.markup import (
    render_closed,
    render_file_help,
    render_received,
    render_refusal,
    render_validation,
)
from leaderboard.pages.submit.own_editions.handlers import OwnEditions
from leaderboard.pages.submit.own_submissions.handlers import Own
from leaderboard.pages.submit.ways.handlers import show_steps, show_tool_steps
from leaderboard.pages.submit.ways.markup import render_next_headings
from leaderboard.services import Services
from submissions.errors import AlreadySubmittedError, BadRequestError
from submissions.intake.openness import Openness
from submissions.service import Request

Update = dict[Any, Any]
_NO_FILE = "Choose a file first."


class Submitting:
    """Handlers of the file form, and of the fields it shares with the endpoint form."""

    def __init__(self, services: Services, tab: SubmitTab, own: Own, editions: OwnEditions) -> None:
        self._services = services
        self._tab = tab
        self._file = tab.file
        self._own = own
        self._editions = editions

    def open(self, chosen: str | None, named: str | None, held: str | None, request: gr.Request) -> Update:
        """Show the current user, their submissions, and what is left for a benchmark.

        Args:
            chosen: Displayed submission.
            named: Benchmark in the address; by default, that of the form.
            held: Benchmark of the form, which is replaced by the one in the address.
            request: Request of the current user.
        """
        user = find_current_user(request, self._services)
        account = render_account(user, self._services.settings)
        shown = {self._tab.account: account, **self._own.show_submissions(user, chosen, is_held=True)}
        if named == held:
            return shown | self._show_forms(user, named) | self._show_counts(user, named)
        return shown | self.choose_open_version(named, request)

    def choose_open_version(self, named: str | None, request: gr.Request) -> Update:
        """Select a benchmark; instead of a closed version, the open one of the same benchmark."""
        try:
            version = self._services.catalogues.find_openness(read_benchmark(named)).open_version
        except UnknownBenchmarkError as error:
            return {self._tab.steps.help: render_refusal(str(error))}
        chosen = f"{version.id} {version.version}" if version is not None else named
        return {self._tab.benchmark: gr.Dropdown(value=chosen), **self.choose_benchmark(chosen, request)}

    def choose_benchmark(self, chosen: str | None, request: gr.Request) -> Update:
        """Show the file format of another benchmark, the settings of both forms, and the remaining submissions."""
        try:
            benchmark = read_benchmark(chosen)
        except UnknownBenchmarkError as error:
            return {self._tab.steps.help: render_refusal(str(error))}
        openness = self._services.catalogues.find_openness(benchmark)
        user, steps = find_current_user(request, self._services), self._tab.steps
        return {
            self._tab.closed: render_closed(openness),
            self._tab.choose_open: _offer_open_version(openness),
            self._tab.ways: gr.Column(visible=openness.is_open),
            steps.column: gr.Column(visible=openness.is_open),
            **self._show_forms(user, chosen),
            steps.help: render_file_help(
                benchmark,
                openness.notice,
                has_shared_split=self._services.catalogues.offers_shared_split(benchmark),
            ),
            steps.setting: _offer_settings(benchmark.settings),
            steps.asked_setting: _offer_settings(benchmark.endpoint_settings),
            **show_steps(self._services, steps, benchmark, request),
            **show_endpoint(self._services, self._tab.asked, benchmark),
            **self._show_counts(user, chosen),
        }

    def choose_task_setting(self, chosen: str | None, setting: str | None, request: gr.Request) -> Update:
        """Show the commands that write tasks in another setting."""
        try:
            benchmark = read_benchmark(chosen)
            return show_tool_steps(self._services, self._tab.steps, benchmark, str(setting), request)
        except (UnknownBenchmarkError, SettingError) as error:
            return {self._file.feedback: render_refusal(str(error))}

    def _show_forms(self, user: UserRecord | None, chosen: str | None) -> Update:
        """Show the forms that require an account to signed-in users; checking a file requires none."""
        try:
            benchmark = read_benchmark(chosen)
        except UnknownBenchmarkError:
            return {}
        is_open = self._services.catalogues.find_openness(benchmark).is_open
        # Local sign-in takes only a name, and its form is above.
        can_submit = user is not None or self._services.settings.auth == "local"
        return {
            self._tab.described: gr.Column(visible=is_open and can_submit),
            self._file.close: gr.Checkbox(visible=can_submit and benchmark.has_editions),
            self._file.send: gr.Button(visible=can_submit),
            self._tab.asked_way: gr.Column(visible=can_submit),
            self._tab.headings: render_next_headings(can_submit=can_submit) if is_open else "",
        }

    def _show_counts(self, user: UserRecord | None, chosen: str | None) -> Update:
        return self._own.show_left(user, chosen) | self._editions.show_editions(user, chosen)

    async def check(
        self, reference: str | None, chosen: str | None, allow_missing: bool, setting: str | None, request: gr.Request
    ) -> Update:
        """Check a file; anyone may do so, as capacity permits."""
        return await CHECKS.run(find_client(request), self._check, reference, chosen, allow_missing, setting, request)

    def _check(
        self, reference: str | None, chosen: str | None, allow_missing: bool, setting: str | None, request: gr.Request
    ) -> Update:
        if not reference:
            return {self._file.feedback: render_refusal(_NO_FILE)}
        try:
            user = find_current_user(request, self._services)
            with self._services.page_uploads.open(reference) as file:
                verdict = self._services.submissions.validate(
                    read_benchmark(chosen), str(setting), file, user, allow_missing=bool(allow_missing)
                )
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._file.feedback: explain(error)}
        return {self._file.feedback: render_validation(verdict)}

    async def send(
        self,
        reference: str | None,
        chosen: str | None,
        allow_missing: bool,
        setting: str | None,
        name: str | None,
        organisation: str | None,
        kind: str | None,
        size: str | None,
        weights: str | None,
        url: str | None,
        hub_id: str | None,
        hub_filled: str | None,
        publish: bool,
        close: bool,
        request: gr.Request,
    ) -> Update:
        """Submit a file."""
        try:
            model = read_model(name, organisation, kind, size, weights, url, read_hub_model(hub_id, hub_filled))
            what = Request(
                benchmark=read_benchmark(chosen),
                setting=str(setting),
                model=model,
                allow_missing=bool(allow_missing),
                publish=bool(publish),
                close=bool(close),
            )
            return await SUBMISSIONS.run(find_client(request), self._send, reference, what, request)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._file.feedback: explain(error)}

    def _send(self, reference: str | None, what: Request, request: gr.Request) -> Update:
        user = get_current_user(request, self._services)
        try:
            submission = self._submit(user, reference, what)
        except AlreadySubmittedError as error:
            return {self._file.feedback: explain(error), **self._show_who(user, error.submission_id)}
        cleared = {self._file.feedback: render_received(submission), self._file.file: None}
        named = f"{what.benchmark.id} {what.benchmark.version}"
        return cleared | self._show_who(user, submission.id) | self._show_counts(user, named)

    def _show_who(self, user: UserRecord, submission_id: str) -> Update:
        """Show the owner of the submission: another tab of the browser may have signed in someone else meanwhile."""
        account = render_account(user, self._services.settings)
        return {self._tab.account: account, **self._own.show_submissions(user, submission_id)}

    def _submit(self, user: UserRecord, reference: str | None, what: Request) -> SubmissionRecord:
        if not reference:
            raise BadRequestError("file", _NO_FILE)
        # A file is used for one submission: a double click sends it twice.
        once = replace(what, idempotency_key=reference)
        try:
            file = self._services.page_uploads.open(reference)
        except BadRequestError:
            earlier = self._services.submissions.find_by_key(user, reference)
            if earlier is None:
                raise
            return earlier
        with file:
            submission = self._services.submissions.submit(user, once, file)
        self._services.page_uploads.remove(reference)
        return submission


def _offer_open_version(openness: Openness) -> Any:
    if openness.is_open or openness.open_version is None:
        return gr.Button(visible=False)
    return gr.Button(f"Submit to {openness.open_version.title} {openness.open_version.version}", visible=True)


def _offer_settings(settings: Sequence[str]) -> Any:
    return gr.Dropdown(choices=list(settings), value=settings[0])
