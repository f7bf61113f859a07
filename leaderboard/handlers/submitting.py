"""The Submit tab. Every handler finds out by itself who asks; what is hidden on a page can still be called."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import gradio as gr
from anyio import to_thread

from db.records import NewModel, UserRecord
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import UnknownBenchmarkError
from leaderboard.api.uploads import CHECKS
from leaderboard.handlers.asking import explain, find_asker, get_asker
from leaderboard.handlers.showing import show_status
from leaderboard.markup import element
from leaderboard.services import Services
from leaderboard.submission_markup import (
    can_publish,
    is_moving,
    list_choices,
    render_account,
    render_file_help,
    render_left,
    render_mine,
    render_refusal,
    render_validation,
)
from leaderboard.tabs.submit import SubmitTab
from submissions.errors import AlreadySubmittedError, BadRequestError
from submissions.model_checks import check_model
from submissions.service import Request

Update = dict[Any, Any]
_NO_FILE = "Choose a file first."


class Submitting:
    """Handlers of the Submit tab."""

    def __init__(self, services: Services, tab: SubmitTab) -> None:
        """Take where answers are shown."""
        self._services = services
        self._tab = tab

    def open(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Show who is signed in, what is his, and what he has left for the benchmark that the form names."""
        user = find_asker(request, self._services)
        account = render_account(user, self._services.settings.auth)
        return {self._tab.account: account, **self._show_own(user, chosen), **self._show_left(user, named)}

    def choose_benchmark(self, chosen: str | None, request: gr.Request) -> Update:
        """Show what a file of another benchmark is, its settings, and what is left for it."""
        try:
            benchmark = read_benchmark(chosen)
        except UnknownBenchmarkError as error:
            return {self._tab.help: render_refusal(str(error))}
        settings = list(benchmark.settings)
        setting = self._tab.fields[2]
        return {
            self._tab.help: render_file_help(benchmark),
            setting: gr.Dropdown(choices=settings, value=settings[0]),
            **self._show_left(find_asker(request, self._services), chosen),
        }

    async def check(
        self, reference: str | None, chosen: str | None, allow_missing: bool, setting: str | None
    ) -> Update:
        """Check a file; anybody may, as often as there is a turn."""
        return await to_thread.run_sync(self._check, reference, chosen, allow_missing, setting, limiter=CHECKS)

    def _check(self, reference: str | None, chosen: str | None, allow_missing: bool, setting: str | None) -> Update:
        if not reference:
            return {self._tab.feedback: render_refusal(_NO_FILE)}
        try:
            with self._services.page_uploads.open(reference) as file:
                verdict = self._services.submissions.validate(
                    read_benchmark(chosen), str(setting), file, allow_missing=bool(allow_missing)
                )
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._tab.feedback: explain(error)}
        return {self._tab.feedback: render_validation(verdict)}

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
        publish: bool,
        request: gr.Request,
    ) -> Update:
        """Submit a file."""
        try:
            model = read_model(name, organisation, kind, size, weights, url)
            what = Request(read_benchmark(chosen), str(setting), model, bool(allow_missing), bool(publish))
            return await to_thread.run_sync(self._send, reference, what, request, limiter=CHECKS)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.feedback: explain(error)}

    def _send(self, reference: str | None, what: Request, request: gr.Request) -> Update:
        user = get_asker(request, self._services)
        try:
            submission_id = self._submit(user, reference, what)
        except AlreadySubmittedError as error:
            return {self._tab.feedback: explain(error), **self._show_own(user, error.submission_id)}
        done = element("p", f"Received as {submission_id}.", role="status", data_testid="received")
        cleared = {self._tab.feedback: done, self._tab.file: None}
        named = f"{what.benchmark.id} {what.benchmark.version}"
        return cleared | self._show_own(user, submission_id) | self._show_left(user, named)

    def look(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Show where a submission stands, and what is left: a failure of ours gives a submission back."""
        user = find_asker(request, self._services)
        return self._show_own(user, chosen) | self._show_left(user, named)

    def choose(self, chosen: str | None, request: gr.Request) -> Update:
        """Show another submission."""
        return {self._tab.notice: "", **self._show_own(find_asker(request, self._services), chosen)}

    def publish(self, chosen: str | None, request: gr.Request) -> Update:
        """Publish the chosen submission."""
        return self._change(self._services.submissions.publish, chosen, request)

    def withdraw(self, chosen: str | None, named: str | None, request: gr.Request) -> Update:
        """Withdraw the chosen submission; one that has no score yet is given back."""
        changed = self._change(self._services.submissions.withdraw, chosen, request)
        return changed | self._show_left(find_asker(request, self._services), named)

    def _change(self, act: Callable[[str, UserRecord], None], chosen: str | None, request: gr.Request) -> Update:
        try:
            user = get_asker(request, self._services)
            if not chosen:
                raise BadRequestError("submission", "No submission was chosen, so nothing was changed.")
            act(chosen, user)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.notice: explain(error)}
        return {self._tab.notice: "", **self._show_own(user, chosen)}

    def _submit(self, user: UserRecord, reference: str | None, what: Request) -> str:
        if not reference:
            raise BadRequestError("file", _NO_FILE)
        with self._services.page_uploads.open(reference) as file:
            submission_id = self._services.submissions.submit(user, what, file).id
        self._services.page_uploads.remove(reference)
        return submission_id

    def _show_own(self, user: UserRecord | None, chosen: str | None) -> Update:
        tab = self._tab
        if user is None:
            return {tab.own: gr.Column(visible=False), tab.status: "", tab.mine: "", tab.clock: gr.Timer(active=False)}
        mine = {one.id: one for one in self._services.submissions.list_mine(user)}
        one = mine.get(chosen or "") or next(iter(mine.values()), None)
        return {
            tab.own: gr.Column(visible=True),
            tab.mine: render_mine([*mine.values()], datetime.now(UTC)),
            tab.chosen: gr.Dropdown(choices=list_choices([*mine.values()]), value=one.id if one else None),
            tab.publish: gr.Button(interactive=can_publish(one)),
            tab.withdraw: gr.Button(interactive=one is not None and one.state != "withdrawn"),
            tab.status: show_status(self._services, one.id, user) if one else "",
            tab.clock: gr.Timer(active=is_moving([*mine.values()])),
        }

    def _show_left(self, user: UserRecord | None, named: str | None) -> Update:
        try:
            benchmark = read_benchmark(named)
        except UnknownBenchmarkError as error:
            return {self._tab.left: render_refusal(str(error))}
        if user is None:
            return {self._tab.left: ""}
        return {self._tab.left: render_left(self._services.submissions.find_quota(user, benchmark), benchmark)}


def read_benchmark(chosen: str | None) -> Benchmark:
    """Return the benchmark that a choice of the tab names, `<id> <version>`.

    Raises:
        UnknownBenchmarkError: There is none.
    """
    name, _, version = (chosen or "")[:100].partition(" ")
    return get_benchmark(name, version or None)


def read_model(
    name: str | None, organisation: str | None, kind: str | None, size: str | None, weights: str | None, url: str | None
) -> NewModel:
    """Return the model as its fields describe it; what was left empty is unknown.

    Raises:
        BadRequestError: A field may not be shown like this; the message says why.
    """
    if not (name or "").strip():
        raise BadRequestError("model.name", "Give the model's name: it is what the board shows.")
    return check_model(
        NewModel(
            name=(name or "").strip(),
            organisation=(organisation or "").strip() or None,
            kind=kind or None,
            size_billions=_read_size(size),
            open_weights={"open": True, "closed": False}.get(weights or ""),
            url=(url or "").strip() or None,
        )
    )


def _read_size(size: str | None) -> float | None:
    text = (size or "").strip()
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        raise BadRequestError(
            "model.size_billions", f"The size is `{text}`; give a number in billions of parameters, such as 7 or 0.5."
        ) from None
