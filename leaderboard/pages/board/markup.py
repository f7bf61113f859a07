"""Markup of a board before its script has run: heading, links, and places for the script to fill."""

import json
from functools import lru_cache
from urllib.parse import urlencode

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.html_elements import Markup, element, link_definitions, percent
from leaderboard.pages.board.quick_choices import list_views
from leaderboard.pages.overview.cards import render_introduction
from leaderboard.pages.shell.opening import UNCOVER
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
_FOOT = (
    "Shading shows how far a score is from chance (none) to human level (full), or to 100 % without a human baseline. "
    "Bold: best. Underlined: second best. Ties share a rank. The bar under a score is its 95 % confidence interval on "
    "a 0–100 scale."
)
_REPORTED = "Reported rows come from papers; without item-level answers we cannot compute confidence intervals."
_OTHER_QUESTIONS = "Reported scores used the paper's own test items, so compare them with care. "


@lru_cache(maxsize=16)
def render_board(versions: tuple[Benchmark, ...]) -> Markup:
    """Return the shell of a benchmark's board, of which one version at a time is shown."""
    benchmark = versions[0]
    is_made_here = _is_made_here(benchmark)
    reported = f"{_OTHER_QUESTIONS if is_made_here else ''}{_REPORTED}"
    return element(
        "section",
        _render_head(versions),
        render_introduction(versions),
        element("p", data_place="needs", class_="es-quiet es-reading", data_testid="board-needs"),
        *(_render_views(version, is_shown=version is benchmark) for version in versions),
        element("div", data_place="controls"),
        element("div", data_place="problem", class_="es-problem"),
        element("div", element("p", "Loading the board…", class_="es-quiet"), data_place="table"),
        element("div", class_="es-status", data_place="status", role="status", data_testid="board-status"),
        element(
            "details",
            element("summary", "What the columns mean"),
            element("dl"),
            link_definitions("All definitions"),
            class_="es-definitions",
            data_place="definitions",
            data_testid="board-definitions",
            hidden="",
        ),
        element("p", _FOOT, class_="es-quiet es-reading"),
        element("p", reported, class_="es-quiet es-reading", data_place="reported", hidden=""),
        class_="es-board",
        data_loading="",
        data_board=benchmark.id,
        data_versions=",".join(version.version for version in versions),
        data_settings=",".join(benchmark.settings),
        data_headlines=",".join(benchmark.headline_of(setting).key for setting in benchmark.settings),
        data_columns=",".join(column.key for column in benchmark.columns if column.shown),
        data_setting_columns=json.dumps(_list_setting_columns(benchmark)),
        data_questions="own" if is_made_here else "official",
        data_testid="board",
        aria_label=f"{benchmark.title} leaderboard",
    )


def _list_setting_columns(benchmark: Benchmark) -> dict[str, list[str]]:
    """Return setting → keys of the columns that its board shows at first, where these are not the usual ones."""
    usual = benchmark.columns_of(benchmark.settings[0])
    listed = {setting: benchmark.columns_of(setting) for setting in benchmark.settings}
    return {name: [column.key for column in columns] for name, columns in listed.items() if columns != usual}


def list_first_requests(benchmark: Benchmark) -> tuple[str, ...]:
    """Return what `assets/board-requests.js` asks of the API for a board on which nothing was chosen, in its order."""
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


def _render_views(version: Benchmark, *, is_shown: bool) -> Markup:
    """Render the quick choices of a version; the script binds them."""
    buttons = [
        element(
            "button",
            view.title,
            type="button",
            aria_pressed="false" if view.columns else "true",
            data_view=",".join(view.columns),
            data_order="desc" if view.descending else "asc",
        )
        for view in list_views(version)
    ]
    hidden = {} if is_shown and buttons else {"hidden": ""}
    return element(
        "div",
        *buttons,
        class_="es-views",
        data_views=version.version,
        role="group",
        aria_label="Parts",
        data_testid="board-views",
        **hidden,
    )


def _is_made_here(benchmark: Benchmark) -> bool:
    """Tell whether an installation makes questions from its own seed, so that no paper asked the same."""
    return bool(benchmark.made_parts) and benchmark.answers_are_secret


def _render_head(versions: tuple[Benchmark, ...]) -> Markup:
    benchmark = versions[0]
    practised = next((version for version in versions if "practice" in version.splits), benchmark)
    title = element("h2", benchmark.title, " ", element("small", benchmark.version, data_place="version"))
    facts = element(
        "p",
        element("span", element("span", "–", data_place="items"), " items · ", data_fact=""),
        element("span", "human ", element("span", "–", data_place="human"), " · ", data_fact=""),
        "chance ",
        element("span", percent(benchmark.chance.get(benchmark.headline.key)), data_place="chance"),
        " · best ",
        element("b", "–", data_place="best"),
        class_="es-facts-line",
        data_testid="board-facts",
    )
    packs = _pack(benchmark, "test"), _pack(practised, "practice")
    links = element("div", _submit(benchmark), *packs, _cite(benchmark), class_="es-links")
    return element("div", title, facts, links, class_="es-head")


def _submit(benchmark: Benchmark) -> Markup:
    href = f"/?tab=submit&benchmark={benchmark.id}"
    return element(
        "a", "Submit", class_="es-button", href=href, data_visit="", data_place="submit", data_testid="board-submit"
    )


def _pack(benchmark: Benchmark, split: str) -> Markup:
    title = "Question pack" if split == "test" else "Practice pack"
    hint = "Questions and audio, without answers" if split == "test" else _hint_at_practice(benchmark)
    href = f"/api/v1/benchmarks/{benchmark.id}/pack?split={split}"
    return element("a", title, class_="es-button", href=href, title=hint, data_pack=split, data_testid=f"pack-{split}")


def _hint_at_practice(benchmark: Benchmark) -> str:
    if _is_made_here(benchmark):
        return "Different questions of the same kind, with answers"
    return "The same questions as in the question pack, with answers"


def _cite(benchmark: Benchmark) -> Markup:
    panel = element("div", element("pre", benchmark.citation), class_="es-panel")
    return element("details", element("summary", "Cite"), panel, class_="es-menu", data_testid="cite")
