"""Sections of the About tab, some of them with generated content."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.definition_specs import COMMON, Definition
from evaluation.extraction import READER_VERSION
from evaluation.signature import CODE_VERSION, Signature
from leaderboard.http.origin import USUAL_ORIGIN
from leaderboard.rendering.templating import Markup, render_macro
from submissions.ranking.row_sources import ROW_SOURCES

_TEMPLATE = "pages/about/sections.html"
_TEXT = Path(__file__).parents[3] / "assets" / "texts" / "about.md"
# A line that consists of `{name}` is a placeholder; fences delimit code.
_PIECES = re.compile(r"^```\n(?P<code>.*?)^```$|^\{(?P<place>[a-z]+)\}$", re.MULTILINE | re.DOTALL)

# Filled in inside code, whose own syntax uses single braces.
_NAMED = re.compile(r"\{\{([a-z]+)\}\}")

Kind = Literal["prose", "code", "place"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a section: Markdown, literal code, or the name of generated content."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section with a title."""

    title: str
    pieces: tuple[Piece, ...]

    @property
    def anchor(self) -> str:
        """Fragment of links to the section."""
        return f"about-{re.sub('[^a-z]+', '-', self.title.lower()).strip('-')}"


def read_sections(benchmark: Benchmark) -> tuple[Section, ...]:
    """Return the sections in order, with one benchmark as the example."""
    headline = benchmark.headline.key
    words = {
        "address": USUAL_ORIGIN,
        "signature": _example_signature(benchmark),
        "benchmark": benchmark.id,
        "column": quote(headline),
        "headline": headline,
    }
    text = _TEXT.read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return tuple(
        Section(title, tuple(_split(body, words))) for title, body in zip(parts[1::2], parts[2::2], strict=True)
    )


def _split(body: str, words: Mapping[str, str]) -> Iterator[Piece]:
    at = 0
    for found in _PIECES.finditer(body):
        yield from _prose(body[at : found.start()])
        code, place = found["code"], found["place"]
        yield Piece("code", _fill(code, words)) if code is not None else Piece("place", place)
        at = found.end()
    yield from _prose(body[at:])


def _prose(text: str) -> Iterator[Piece]:
    if text.strip():
        yield Piece("prose", text.strip())


def _fill(code: str, words: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda named: words.get(named[1], named[0]), code)


def render_contents(sections: Sequence[Section]) -> Markup:
    """Return links to the sections as complete addresses, because the page's base is another one."""
    return render_macro(_TEMPLATE, "contents", sections)


def render_heading(section: Section) -> Markup:
    """Return a section's heading, the target of links and of the keyboard focus."""
    return render_macro(_TEMPLATE, "heading", section)


def render_code(code: str) -> Markup:
    """Return code in a scrolling box that the keyboard can reach."""
    return render_macro(_TEMPLATE, "code", code)


def render_sources() -> Markup:
    """Return the meaning of each badge."""
    return render_macro(_TEMPLATE, "sources", ROW_SOURCES.values())


def render_metrics(benchmark: Benchmark) -> Markup:
    """Return every metric with its formula and, if it has one, its direction."""
    return render_macro(_TEMPLATE, "metrics", benchmark)


def render_all_metrics(benchmarks: Sequence[Benchmark]) -> Markup:
    """Return the metrics of each benchmark."""
    return render_macro(_TEMPLATE, "all_metrics", benchmarks)


def render_definitions(benchmarks: Sequence[Benchmark]) -> Markup:
    """Return the definitions of names on boards: first those of every board, then each benchmark's own, folded."""
    groups: list[tuple[str, Sequence[Definition]]] = [("All boards", COMMON)]
    for one in benchmarks:
        own = one.definitions
        settings = (Definition(f"Setting {name}", text) for name, text in own.settings.items())
        shown = (Definition(f"Column {column.title}", one.define(column)) for column in one.columns if column.shown)
        groups.append((one.title, (*shown, *own.items, *own.terms, *settings)))
    return render_macro(_TEMPLATE, "definitions", groups)


def render_citations(benchmarks: Sequence[Benchmark]) -> Markup:
    """Return the citation of each benchmark."""
    return render_macro(_TEMPLATE, "citations", benchmarks)


def _example_signature(benchmark: Benchmark) -> str:
    # Only the digests are invented; versions written here would soon be outdated.
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
    return str(signature)
