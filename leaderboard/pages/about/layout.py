"""Layout of the About tab: what the scores mean and how they are computed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.pages.about.sections import (
    read_sections,
    render_all_metrics,
    render_citations,
    render_code,
    render_contents,
    render_definitions,
    render_heading,
    render_sources,
)


@dataclass(frozen=True, slots=True)
class AboutTab:
    """Components of the tab that change: how well the judge of open answers agrees with humans."""

    judge: Any


def build_about_tab(benchmarks: Sequence[Benchmark]) -> AboutTab:
    """Build the tab: the sections of the text, with generated content in its placeholders."""
    sections = read_sections(benchmarks[0])
    made: dict[str, Any] = {}
    with gr.Column(elem_classes="es-reading", elem_id="about"):
        gr.HTML(render_contents(sections), apply_default_css=False)
        for section in sections:
            gr.HTML(render_heading(section), apply_default_css=False)
            for piece in section.pieces:
                if piece.kind == "prose":
                    gr.Markdown(piece.text)
                elif piece.kind == "code":
                    gr.HTML(render_code(piece.text), apply_default_css=False)
                else:
                    made[piece.text] = _build_place(piece.text, benchmarks)
    return AboutTab(made["judge"])


def _build_place(name: str, benchmarks: Sequence[Benchmark]) -> Any:
    contents: dict[str, Callable[[], str]] = {
        "sources": render_sources,
        "metrics": lambda: render_all_metrics(benchmarks),
        "definitions": lambda: render_definitions(benchmarks),
        "citations": lambda: render_citations(benchmarks),
        "judge": lambda: "",
    }
    return gr.HTML(contents[name](), apply_default_css=False, elem_id=f"about-place-{name}")
