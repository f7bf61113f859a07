"""The Overview before its script has run: what Earshot is, three actions, and a card for each benchmark."""

from collections.abc import Sequence

from evaluation.benchmarks import Benchmark
from leaderboard.html_elements import LOADING, Markup, element
from leaderboard.pages.overview.cards import render_card

_WHAT = (
    "Earshot tests how well AI models understand sound: they answer questions about recordings, and we score the "
    "answers against chance and humans."
)
_ACTIONS = (
    ("Submit a model", "submit", "es-button es-primary"),
    ("Try 10 questions", "listen", "es-button"),
    ("How scoring works", "about", "es-button"),
)


def render_overview(benchmarks: Sequence[Sequence[Benchmark]]) -> Markup:
    """Return the shell, for each benchmark with all its versions."""
    cards = element("div", *map(render_card, benchmarks), class_="es-intros", data_testid="cards")
    intro = element("div", _render_hero(len(benchmarks)), cards, data_intro="")
    return element("section", intro, LOADING, class_="es-overview", aria_label="Overview")


def _render_hero(n_benchmarks: int) -> Markup:
    links = (
        element("a", title, class_=kind, href=f"/?tab={tab}", data_visit="", data_testid=f"hero-{tab}")
        for title, tab, kind in _ACTIONS
    )
    counts = f"{n_benchmarks} benchmark{'' if n_benchmarks == 1 else 's'}"
    return element(
        "div",
        element("p", _WHAT, class_="es-hero-what"),
        element("p", counts, class_="es-quiet", data_place="counts", data_testid="counts"),
        element("p", *links, class_="es-hero-actions"),
        class_="es-hero",
        data_testid="hero",
    )
