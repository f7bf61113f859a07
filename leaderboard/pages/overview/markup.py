"""Markup of the Overview before its script has run. Pure."""

from collections.abc import Sequence

from evaluation.benchmarks import Benchmark
from leaderboard.pages.overview.cards import make_card
from leaderboard.rendering.templating import Markup, render_macro, render_template


def render_overview(benchmarks: Sequence[Sequence[Benchmark]]) -> Markup:
    """Return the shell, with all versions of each benchmark."""
    return render_template("pages/overview/overview.html", cards=[make_card(versions) for versions in benchmarks])


def render_place(overview: Markup) -> Markup:
    """Return the placeholder of the shell: inert until the script takes it, which may happen before Gradio loads."""
    return render_macro("pages/shared/notes.html", "overview_place", overview)
