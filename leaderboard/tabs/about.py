"""The About tab: what the figures mean and how they are made."""

from collections.abc import Sequence
from pathlib import Path

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.markup import Markup, element, table

_TEXTS = Path(__file__).parent.parent.parent / "assets" / "texts"


def build_about_tab(benchmarks: Sequence[Benchmark]) -> None:
    """Lay the tab out; nothing on it changes."""
    with gr.Column(elem_classes="es-reading", elem_id="about"):
        gr.Markdown(_read("about-reading.md"))
        with gr.Column(elem_id="metrics"):
            for benchmark in benchmarks:
                gr.HTML(render_metrics(benchmark), apply_default_css=False)
        gr.Markdown(_read("about-making.md").replace("{benchmark}", benchmarks[0].id))


def render_metrics(benchmark: Benchmark) -> Markup:
    """Return every metric with its formula and its value under chance."""
    rows = (
        [metric.title, metric.formula, "higher" if metric.higher_is_better else "lower"] for metric in benchmark.metrics
    )
    heading = element("h3", f"Metrics of {benchmark.title} {benchmark.version}")
    return element("div", heading, table(["metric", "formula", "better"], rows, numbers_from=3, caption="Metrics"))


def _read(name: str) -> str:
    return (_TEXTS / name).read_text(encoding="utf-8")
