"""The About tab: what the figures mean and how they are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark, Metric
from evaluation.extraction import READER_VERSION
from evaluation.signature import CODE_VERSION, Signature
from leaderboard.markup import Markup, element, table

_TEXTS = Path(__file__).parent.parent.parent / "assets" / "texts"


@dataclass(frozen=True, slots=True)
class AboutTab:
    """Components of the tab that change: how far the judge of open answers agrees with people."""

    judge: Any


def build_about_tab(benchmarks: Sequence[Benchmark]) -> AboutTab:
    """Lay the tab out."""
    with gr.Column(elem_classes="es-reading", elem_id="about"):
        gr.Markdown(_read("about-reading.md"))
        with gr.Column(elem_id="metrics"):
            for benchmark in benchmarks:
                gr.HTML(render_metrics(benchmark), apply_default_css=False)
        judge = gr.HTML("", apply_default_css=False, elem_id="about-judge")
        gr.Markdown(render_making(benchmarks[0]))
    return AboutTab(judge)


def render_metrics(benchmark: Benchmark) -> Markup:
    """Return every metric with its formula and its direction, where it has one."""
    rows = ([metric.title, metric.formula, _describe_direction(metric)] for metric in benchmark.metrics)
    heading = element("h3", f"Metrics of {benchmark.title} {benchmark.version}")
    return element("div", heading, table(["metric", "formula", "better"], rows, numbers_from=3, caption="Metrics"))


def render_making(benchmark: Benchmark) -> str:
    """Return how figures are made, as Markdown, with one benchmark as the example."""
    # Only the digests are made up: versions that were written down would soon be those of former scores.
    signature = Signature(
        benchmark=benchmark.id,
        version=benchmark.version,
        content_digest="3fd1a9c0",
        key_digest="b2a02a54",
        setting=benchmark.settings[0],
        runs=benchmark.n_runs,
        missing_policy="wrong",
        reader_version=READER_VERSION,
        metric_version=benchmark.metric_version,
        code_version=CODE_VERSION,
    )
    return _read("about-making.md").replace("{signature}", str(signature)).replace("{benchmark}", benchmark.id)


def _describe_direction(metric: Metric) -> str | None:
    if not metric.ranked:
        return None
    return "higher" if metric.higher_is_better else "lower"


def _read(name: str) -> str:
    return (_TEXTS / name).read_text(encoding="utf-8")
