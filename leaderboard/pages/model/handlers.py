"""Handlers of the Model tab. Each looks up the current user, so that owners see their private rows."""

from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.pages.model.cited_rows import describe_citation
from leaderboard.pages.model.layout import ModelTab
from leaderboard.pages.model.markup import Cited, list_row_choices, render_found, render_model, render_unknown
from leaderboard.pages.model.radar import draw_radar, explain_radar, make_radar, tabulate_radar
from leaderboard.pages.model.strengths import list_spokes
from leaderboard.pages.shared.current_user import explain, explain_or_reload, find_current_user
from leaderboard.pages.shared.notes import render_note
from leaderboard.pages.shared.tab_addresses import read_address
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.errors import NotFoundError
from submissions.model_registry.model_pages import ModelRowView, ModelView

WORDS = ("model", "row", "signature")
_SUGGESTED = 12
Update = dict[Any, Any]


class ModelHandlers:
    """Handlers of the tab."""

    def __init__(self, services: Services, tab: ModelTab) -> None:
        self._services = services
        self._tab = tab

    def open_model(self, search: str | None, request: gr.Request) -> Update:
        """Show the model in the address, or suggestions if it names none."""
        try:
            return self._open(read_address(search, WORDS), find_current_user(request, self._services))
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return self._hide_radar() | {self._tab.page: explain_or_reload(error), self._tab.found: ""}

    def search_models(self, typed: str | None, request: gr.Request) -> Update:
        """Suggest models while the user types a name."""
        words = (typed or "").strip()
        try:
            found = self._services.models.suggest(words, find_current_user(request, self._services), _SUGGESTED)
        except Exception as error:  # noqa: BLE001 - the same
            return {self._tab.found: explain(error)}
        return {self._tab.found: render_found(found, words)}

    def choose_row(self, submission: str | None, request: gr.Request) -> Update:
        """Draw the radar of another row."""
        try:
            view = self._services.model_pages.read_row(submission or "", find_current_user(request, self._services))
        except Exception as error:  # noqa: BLE001 - the same
            return self._draw(None) | {self._tab.note: explain(error)}
        return self._draw(view)

    def _open(self, words: dict[str, str], viewer: UserRecord | None) -> Update:
        if "model" not in words:
            return self._show_none("", viewer)
        try:
            return self._show(self._services.model_pages.read(words["model"], viewer, words.get("row")), words, viewer)
        except NotFoundError:
            return self._show_none(render_unknown(), viewer)

    def _show(self, view: ModelView, words: dict[str, str], viewer: UserRecord | None) -> Update:
        cited = self._cite(view, words, viewer)
        drawn = [one for one in view.rows if make_radar(list_spokes(one)) is not None]
        first = next((one for one in drawn if one.row.submission.id == words.get("row")), None)
        chosen = first or next((one for one in drawn if one.people is not None), None) or next(iter(drawn), None)
        tab = self._tab
        return {
            tab.found: "",
            tab.page: render_model(view, datetime.now(UTC), cited),
            tab.part: gr.Column(visible=chosen is not None),
            tab.chosen: gr.Dropdown(
                choices=list_row_choices(drawn), value=chosen.row.submission.id if chosen else None
            ),
            **self._draw(chosen),
        }

    def _cite(self, view: ModelView, words: dict[str, str], viewer: UserRecord | None) -> Cited | None:
        if "row" not in words:
            return None
        row = next((one for one in view.rows if one.row.submission.id == words["row"]), None)
        past = () if row is None else self._services.model_pages.list_past(words["row"], viewer)
        return Cited(words["row"], describe_citation(row, past, words.get("signature", "")))

    def _show_none(self, said: Markup | str, viewer: UserRecord | None) -> Update:
        found = self._services.models.suggest("", viewer, _SUGGESTED)
        return self._hide_radar() | {self._tab.page: said, self._tab.found: render_found(found, "")}

    def _hide_radar(self) -> Update:
        tab = self._tab
        return {tab.part: gr.Column(visible=False), tab.chosen: gr.Dropdown(choices=[], value=None), **self._draw(None)}

    def _draw(self, view: ModelRowView | None) -> Update:
        radar = make_radar(list_spokes(view)) if view is not None else None
        if view is None or radar is None:
            return {self._tab.plot: gr.Plot(value=None, visible=False), self._tab.note: "", self._tab.table: ""}
        submission = view.row.submission
        note = explain_radar(radar, view.people_setting, submission.setting)
        title = f"Abilities on {view.benchmark.title} {view.benchmark.version}, setting {submission.setting}"
        return {
            self._tab.plot: gr.Plot(value=draw_radar(radar), visible=True),
            self._tab.note: render_note(note),
            self._tab.table: tabulate_radar(radar, title),
        }
