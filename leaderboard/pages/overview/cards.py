"""Cards that introduce benchmarks: what one asks, an example, and places for what the script knows of its scores."""

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.benchmarks import Benchmark
from leaderboard.boards.provenance.papers import list_authors
from leaderboard.pages.overview.examples import ExampleQuestion, find_example
from leaderboard.templating import Markup, render_macro

_TEMPLATE = "pages/overview/cards.html"


class BenchmarkCard(NamedTuple):
    """What introduces a benchmark, as its template takes it.

    Attributes:
        benchmark: The version that counts.
        chance: Of its headline.
        authors: Of its paper; empty without one.
        example: A question that visitors can hear.
        language: Of the question; None for English.
        translation: The question in English, where it is in another language.
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
    """Return what a card says, for the head of the benchmark's board, which has the title and the counts already."""
    return render_macro(_TEMPLATE, "introduction", make_card(versions))


def make_card(versions: Sequence[Benchmark]) -> BenchmarkCard:
    """Return what introduces a benchmark, with all its versions."""
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
    """Return the language that screen readers need to know; None for English."""
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in example.question) else None
