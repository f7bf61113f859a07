"""Handlers of competition mode on the Admin tab. The service refuses all but maintainers."""

from typing import Any

import gradio as gr

from evaluation.benchmarks import all_benchmarks
from leaderboard.pages.admin.handlers import MAX_ENTRIES
from leaderboard.pages.admin.layout import AdminTab
from leaderboard.pages.admin.markup import render_audit
from leaderboard.pages.shared.current_user import explain, find_current_user, get_current_user
from leaderboard.pages.shared.form_values import read_benchmark
from leaderboard.pages.shared.status_outputs import say
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services

Update = dict[Any, Any]


class CompetitionControl:
    """Handlers of the competition section."""

    def __init__(self, services: Services, tab: AdminTab) -> None:
        self._services = services
        self._tab = tab

    def open_competitions(self, request: gr.Request) -> Update:
        """Show to maintainers which versions are in competition mode; nothing to others."""
        user = find_current_user(request, self._services)
        is_maintainer = user is not None and self._services.accounts.is_maintainer(user)
        return {self._tab.competition.listed: self._list_competitions() if is_maintainer else Markup("")}

    def start_competition(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """Start competition mode of a version."""
        return self._change(chosen, reason, request, starts=True)

    def end_competition(self, chosen: str | None, reason: str | None, request: gr.Request) -> Update:
        """End competition mode of a version."""
        return self._change(chosen, reason, request, starts=False)

    def _change(self, chosen: str | None, reason: str | None, request: gr.Request, *, starts: bool) -> Update:
        competitions = self._services.competitions
        try:
            user = get_current_user(request, self._services)
            act = competitions.start_competition if starts else competitions.end_competition
            act(user, read_benchmark(chosen), reason or "")
            entries = self._services.maintenance.list_audit(user, MAX_ENTRIES)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.competition.notice: explain(error)}
        done = "Competition mode started." if starts else "Competition mode ended. Withheld scores stay withheld."
        return {
            self._tab.competition.notice: say(done),
            self._tab.competition.listed: self._list_competitions(),
            self._tab.audit: render_audit(entries),
        }

    def _list_competitions(self) -> Markup:
        found = [
            f"{benchmark.title} {benchmark.version}"
            for benchmark in all_benchmarks()
            if self._services.competitions.find_competition(benchmark) is not None
        ]
        return say(f"In competition mode: {', '.join(found) or 'none'}.")
