"""Handlers of Test questions. They only show: a script requests and closes editions through the API."""

from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from evaluation.benchmarks import Benchmark
from evaluation.errors import UnknownBenchmarkError
from leaderboard.pages.shared.current_user import find_current_user
from leaderboard.pages.shared.form_values import read_benchmark
from leaderboard.pages.submit.layout import SubmitTab
from leaderboard.pages.submit.own_editions.markup import is_rendering, render_editions, render_introduction
from leaderboard.services import Services

Update = dict[Any, Any]


class OwnEditions:
    """Handlers of the section."""

    def __init__(self, services: Services, tab: SubmitTab) -> None:
        self._services = services
        self._part = tab.editions

    def refresh_editions(self, named: str | None, request: gr.Request) -> Update:
        """Show the current user's editions again while a pack is rendered."""
        return self.show_editions(find_current_user(request, self._services), named)

    def show_editions(self, user: UserRecord | None, named: str | None) -> Update:
        """Return a user's editions of a version; for visitors what editions are; nothing for versions without them."""
        try:
            benchmark = read_benchmark(named)
        except UnknownBenchmarkError:
            return self._stop_with("")
        is_open = self._services.catalogues.find_openness(benchmark).is_open
        if not benchmark.has_editions or not is_open:
            return self._stop_with("")
        if user is None:
            return self._stop_with(render_introduction())
        return self._show(user, benchmark)

    def _show(self, user: UserRecord, benchmark: Benchmark) -> Update:
        editions = self._services.editions
        version = (benchmark.id, benchmark.version)
        own = [one for one in editions.list_mine(user) if (one.edition.benchmark, one.edition.version) == version]
        quota = editions.find_quota(user, benchmark)
        server = self._services.settings.public_url or ""
        return {
            self._part.questions: render_editions(benchmark, own, quota, server, datetime.now(UTC)),
            self._part.clock: gr.Timer(active=is_rendering(own)),
        }

    def _stop_with(self, html: str) -> Update:
        return {self._part.questions: html, self._part.clock: gr.Timer(active=False)}
