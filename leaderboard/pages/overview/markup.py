"""The Overview before its script has run. Pure: benchmarks in, HTML out."""

from collections.abc import Sequence

from evaluation.benchmarks import Benchmark
from leaderboard.pages.overview.cards import make_card
from leaderboard.templating import Markup, render_macro, render_template


def render_overview(benchmarks: Sequence[Sequence[Benchmark]]) -> Markup:
    """Return the shell, for each benchmark with all its versions."""
    return render_template("pages/overview/overview.html", cards=[make_card(versions) for versions in benchmarks])


def render_place(overview: Markup) -> Markup:
    """Return the place of the shell: inert until the script takes it, which may have drawn it before Gradio came up."""
    return render_macro("pages/overview/notes.html", "place", overview)
