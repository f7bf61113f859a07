"""Handlers of the endpoint form. Each looks up the current user."""

from collections.abc import Collection
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.errors import SettingError, UnknownBenchmarkError
from leaderboard.pages.shared.current_user import explain, explain_field, get_current_user
from leaderboard.pages.shared.form_values import (
    read_audio_form,
    read_benchmark,
    read_concurrency,
    read_hub_model,
    read_key,
    read_model,
)
from leaderboard.pages.submit.endpoint_form.layout import EndpointForm
from leaderboard.pages.submit.endpoint_form.markup import list_part_choices, render_endpoint_help
from leaderboard.pages.submit.layout import SubmitTab
from leaderboard.pages.submit.markup import render_refusal, render_registered
from leaderboard.pages.submit.own_submissions.handlers import Own
from leaderboard.pages.submit.ways.handlers import show_run_steps
from leaderboard.services import Services
from submissions.endpoints.endpoint_service import EndpointRequest
from submissions.errors import AlreadySubmittedError, BadRequestError, NotReadyError

Update = dict[Any, Any]


class Registering:
    """Handlers of the form."""

    def __init__(self, services: Services, tab: SubmitTab, own: Own) -> None:
        self._services = services
        self._tab = tab
        self._form = tab.asked
        self._own = own

    def choose_endpoint_setting(self, chosen: str | None, setting: str | None, request: gr.Request) -> Update:
        """Show the parts available under another setting, and the commands for it."""
        try:
            benchmark = read_benchmark(chosen)
            return {
                self._form.parts: _offer_parts(self._services, benchmark, str(setting)),
                **show_run_steps(self._services, self._tab.steps, benchmark, str(setting), request),
            }
        except (UnknownBenchmarkError, SettingError) as error:
            return {self._form.feedback: render_refusal(str(error))}

    def register(
        self,
        chosen: str | None,
        setting: str | None,
        parts: list[str] | None,
        base_url: str | None,
        model_name: str | None,
        key: str | None,
        concurrency: str | None,
        audio_form: str | None,
        multi_audio: bool,
        allow_missing: bool,
        name: str | None,
        organisation: str | None,
        kind: str | None,
        size: str | None,
        weights: str | None,
        url: str | None,
        hub_id: str | None,
        hub_filled: str | None,
        publish: bool,
        request: gr.Request,
    ) -> Update:
        """Register an endpoint; if it is refused, all input stays, including the key."""
        try:
            user = get_current_user(request, self._services)
            benchmark = read_benchmark(chosen)
            wanted = EndpointRequest(
                benchmark=benchmark,
                setting=str(setting),
                model=read_model(name, organisation, kind, size, weights, url, read_hub_model(hub_id, hub_filled)),
                base_url=_require(base_url, "base_url"),
                model_name=_require(model_name, "model_name"),
                api_key=read_key(key),
                concurrency=read_concurrency(concurrency),
                multi_audio=bool(multi_audio),
                audio_form=read_audio_form(audio_form),
                parts=self._read_parts(benchmark, str(setting), parts),
                allow_missing=bool(allow_missing),
                publish=bool(publish),
            )
            added = self._services.endpoints.register(user, wanted)
        except AlreadySubmittedError as error:
            return {
                self._form.feedback: explain(error),
                self._form.key: "",
                **self._own.show_submissions(user, error.submission_id),
            }
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._form.feedback: explain_field(error)}
        cleared = {self._form.feedback: render_registered(added.id), self._form.key: ""}
        return cleared | self._own.show_submissions(user, added.id) | self._own.show_left(user, chosen)

    def _read_parts(self, benchmark: Benchmark, setting: str, chosen: list[str] | None) -> tuple[str, ...] | None:
        """Return the selected parts; None for all, whatever a later release adds."""
        offered = [part for _, part in _list_parts(self._services, benchmark, setting)]
        wanted = tuple(part for part in offered if part in (chosen or ()))
        return None if len(wanted) == len(offered) else wanted


def show_endpoint(services: Services, form: EndpointForm, benchmark: Benchmark) -> Update:
    """Return texts and choices of the form for a benchmark in its default setting."""
    return {
        form.help: render_endpoint_help(benchmark, services.catalogues.find_openness(benchmark).notice),
        form.parts: _offer_parts(services, benchmark, benchmark.endpoint_settings[0]),
    }


def _offer_parts(services: Services, benchmark: Benchmark, setting: str) -> Any:
    choices = _list_parts(services, benchmark, setting)
    return gr.CheckboxGroup(choices=choices, value=[part for _, part in choices], visible=len(choices) > 1)


def _list_parts(services: Services, benchmark: Benchmark, setting: str) -> list[tuple[str, str]]:
    held: Collection[str] | None
    try:
        held = services.catalogues.list_parts(benchmark)
    except NotReadyError:
        held = None
    return list_part_choices(benchmark, setting, held)


def _require(typed: str | None, field: str) -> str:
    text = (typed or "").strip()
    if not text:
        raise BadRequestError(field, "This field is required.")
    return text
