"""Markup of a board before its script has run: heading, links, and placeholders for the script."""

import json
from functools import lru_cache
from urllib.parse import urlencode

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.pages.board.quick_choices import list_views
from leaderboard.pages.overview.cards import make_card
from leaderboard.pages.shell.opening import UNCOVER
from leaderboard.rendering.templating import Markup, render_template
from submissions.ranking.row_sources import BASELINE_SOURCES, EVALUATED_SOURCES, RANKED_SOURCES

# board.js draws the board; charts.js triggers the component's `submit` event, so that Python draws the charts.
BOARD_SCRIPT = f"""
const name = element.querySelector("template").content.firstElementChild.dataset.board;
Promise.all([{import_script("board.js")}, {import_script("charts.js")}]).then(([board, charts]) => {{
  charts.followBoard(name, () => trigger("submit"));
  board.mount(element);
}}).catch({UNCOVER});
"""
_RANKED = ",".join(RANKED_SOURCES)


@lru_cache(maxsize=16)
def render_board(versions: tuple[Benchmark, ...]) -> Markup:
    """Return the shell of a benchmark's board, which shows one version at a time."""
    benchmark = versions[0]
    practised = next((version for version in versions if "practice" in version.splits), benchmark)
    return render_template(
        "pages/board/board.html",
        benchmark=benchmark,
        card=make_card(versions),
        views=[(version.version, list_views(version)) for version in versions],
        headlines=[benchmark.headline_of(setting).key for setting in benchmark.settings],
        columns=[column.key for column in benchmark.columns if column.shown],
        setting_columns=json.dumps(_list_setting_columns(benchmark)),
        is_made_here=_is_made_here(benchmark),
        is_practice_made_here=_is_made_here(practised),
    )


def _list_setting_columns(benchmark: Benchmark) -> dict[str, list[str]]:
    """Return setting → keys of its default columns, where these differ from the usual ones."""
    usual = benchmark.columns_of(benchmark.settings[0])
    listed = {setting: benchmark.columns_of(setting) for setting in benchmark.settings}
    return {name: [column.key for column in columns] for name, columns in listed.items() if columns != usual}


def list_first_requests(benchmark: Benchmark) -> tuple[str, ...]:
    """Return the API requests of `assets/board-requests.js` for a board without a selection, in its order."""
    board = f"/api/v1/leaderboards/{benchmark.id}"
    asked = {"version": benchmark.version, "setting": benchmark.settings[0]}
    headline = benchmark.headline
    ranked = {"slice": headline.slice, "metric": headline.metric}
    shown = [column.key for column in benchmark.columns if column.shown]
    pinned = shown if headline.key in shown else [*shown, headline.key]
    page = {"sort": headline.key, "order": "desc", "source": _RANKED, "limit": 50, **ranked, "columns": ",".join(shown)}
    people = {"source": ",".join(BASELINE_SOURCES), "limit": 10, **ranked, "columns": ",".join(pinned)}
    best = {"source": _RANKED, "limit": 10, "sort": headline.key, **ranked, "columns": headline.key}
    evaluated = best | {"source": ",".join(EVALUATED_SOURCES)}
    about = f"/api/v1/benchmarks/{benchmark.id}?{urlencode({'version': benchmark.version})}"
    return (*(f"{board}?{urlencode({**asked, **query})}" for query in (page, people, best, evaluated)), about)


def _is_made_here(benchmark: Benchmark) -> bool:
    """Tell whether an installation generates questions from its own seed, so that no paper used the same ones."""
    return bool(benchmark.made_parts) and benchmark.answers_are_secret
