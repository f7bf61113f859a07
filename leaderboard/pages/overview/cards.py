"""Benchmark cards: what a benchmark asks, an example, and placeholders for the script's scores."""

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.benchmarks import Benchmark
from leaderboard.boards.provenance.papers import list_authors
from leaderboard.pages.overview.examples import ExampleQuestion, find_example
from leaderboard.rendering.templating import Markup, render_macro

_TEMPLATE = "pages/overview/cards.html"


class BenchmarkCard(NamedTuple):
    """Introduction of a benchmark, as its template takes it.

    Attributes:
        benchmark: Current version.
        chance: Chance of its headline.
        authors: Authors of its paper; empty without one.
        example: A question that visitors can play.
        language: Language of the question; None for English.
        translation: The question in English, if it is in another language.
        options: The options, each with its translation.
    """

    benchmark: Benchmark
    chance: float | None
    authors: str
    example: ExampleQuestion | None
    language: str | None
    translation: str
    options: list[tuple[str, str]]


def render_card(versions: Sequence[Benchmark]) -> Markup:
    """Return the card of a benchmark on the Overview."""
    return render_macro(_TEMPLATE, "benchmark_card", make_card(versions))


def render_introduction(versions: Sequence[Benchmark]) -> Markup:
    """Return the content of a card for the head of the benchmark's board, which already has title and counts."""
    return render_macro(_TEMPLATE, "introduction", make_card(versions))


def make_card(versions: Sequence[Benchmark]) -> BenchmarkCard:
    """Return the introduction of a benchmark with all its versions."""
    benchmark, example = versions[0], find_example(tuple(versions))
    translation, *translated = (example.translation if example else ()) or ("",)
    options = example.options if example else ()
    return BenchmarkCard(
        benchmark=benchmark,
        chance=benchmark.chance.get(benchmark.headline.key),
        authors=list_authors(benchmark.paper.authors) if benchmark.paper else "",
        example=example,
        language=_find_language(example) if example else None,
        translation=translation,
        options=list(zip(options, translated or [""] * len(options), strict=True)),
    )


def _find_language(example: ExampleQuestion) -> str | None:
    """Return the language for screen readers; None for English."""
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in example.question) else None
