"""Cards that introduce benchmarks: what one asks, an example, and places for what the script knows of its scores."""

from collections.abc import Iterator, Sequence

from evaluation.benchmarks import Benchmark
from leaderboard.boards.provenance.papers import list_authors
from leaderboard.html_elements import Markup, element, percent
from leaderboard.pages.overview.examples import ExampleQuestion, find_example


def render_card(versions: Sequence[Benchmark]) -> Markup:
    """Return the card of a benchmark on the Overview."""
    benchmark = versions[0]
    href = f"/?tab={benchmark.id}"
    heading = element(
        "h3",
        element("a", benchmark.title, href=href, data_visit=""),
        " ",
        element("small", benchmark.version, data_place="version"),
    )
    links = element("p", element("a", "Leaderboard", href=href, data_visit=""), *_render_paper(benchmark))
    return element(
        "article",
        element("div", heading, _render_open(), class_="es-intro-head"),
        _render_question(benchmark),
        _render_example(versions),
        _render_facts(benchmark),
        _render_leader(),
        element("div", links, class_="es-intro-links"),
        class_="es-intro",
        data_card=benchmark.id,
        data_testid=f"card-{benchmark.id}",
        aria_label=benchmark.title,
    )


def render_introduction(versions: Sequence[Benchmark]) -> Markup:
    """Return what a card says, for the head of the benchmark's board, which has the title and the counts already."""
    benchmark = versions[0]
    about = element("p", _render_open(), *_render_reference(benchmark), class_="es-intro-links")
    words = element("div", _render_question(benchmark), _render_leader(), about)
    return element("div", words, _render_example(versions), class_="es-intro es-intro-wide", data_testid="board-intro")


def _render_question(benchmark: Benchmark) -> Markup:
    return element("p", benchmark.summary, class_="es-intro-question", data_testid="question")


def _render_open() -> Markup:
    return element("span", class_="es-intro-open", data_place="open", data_testid="open")


def _render_leader() -> Markup:
    return element("p", "–", class_="es-intro-leader", data_place="leader", data_testid="leader")


def _render_paper(benchmark: Benchmark) -> Iterator[Markup]:
    if benchmark.paper is not None:
        paper = benchmark.paper
        words = f"Paper ({paper.year})"
        yield element("a", words, href=paper.url, title=paper.title, target="_blank", rel="noopener")


def _render_reference(benchmark: Benchmark) -> Iterator[Markup]:
    """Yield the paper with its authors."""
    if benchmark.paper is not None:
        paper = benchmark.paper
        link = element("a", paper.title, href=paper.url, target="_blank", rel="noopener")
        named = element("span", f"{list_authors(paper.authors)}, {paper.year}", class_="es-quiet")
        yield element("span", link, " ", named, data_testid="paper")


def _render_facts(benchmark: Benchmark) -> Markup:
    chance = percent(benchmark.chance.get(benchmark.headline.key))
    facts = (("Items", "items", "–"), ("Chance (%)", "chance", chance), ("Human (%)", "human", "–"))
    pairs = (
        element("div", element("dt", name), element("dd", value, data_place=place)) for name, place, value in facts
    )
    return element("dl", *pairs, class_="es-intro-facts")


def _render_example(versions: Sequence[Benchmark]) -> Markup:
    example = find_example(tuple(versions))
    if example is None:
        return Markup("")
    question, *options = example.translation or ("",)
    return element(
        "figure",
        element("figcaption", "Example question", class_="es-quiet"),
        *_render_sounds(example, versions[0].title),
        element("p", example.question, lang=_find_language(example), class_="es-example-question"),
        element("p", question, class_="es-quiet") if question else "",
        _render_options(example, options),
        *_render_steps(example),
        class_="es-example",
        data_testid="example",
    )


def _render_sounds(example: ExampleQuestion, title: str) -> Iterator[Markup]:
    """Yield a button for each clip. Nothing is fetched before it is pressed."""
    for at, address in enumerate(example.sounds, start=1):
        name = f"clip {at}" if len(example.sounds) > 1 else "clip"
        yield element(
            "div",
            element(
                "button",
                f"Play {name}",
                type="button",
                class_="es-button es-play",
                data_play=name,
                data_testid="play-example",
                aria_label=f"Play {name} of the {title} example",
            ),
            element("audio", preload="none", src=address),
            element("span", role="status", class_="es-quiet"),
            class_="es-example-sound",
        )


def _render_options(example: ExampleQuestion, translated: Sequence[str]) -> Markup:
    language = _find_language(example)
    pairs = zip(example.options, translated or [""] * len(example.options), strict=True)
    items = (
        element("li", element("span", option, lang=language), element("small", f" {words}") if words else "")
        for option, words in pairs
    )
    # Questions about a model's reasoning have short options, which share a line.
    kind = "es-example-options es-example-line" if example.steps else "es-example-options"
    return element("ol", *items, class_=kind)


def _render_steps(example: ExampleQuestion) -> Iterator[Markup]:
    if example.steps:
        yield element("p", "A model reasons step by step. Which steps are wrong?", class_="es-example-question")
        yield element("ol", *(element("li", step) for step in example.steps), class_="es-example-steps")


def _find_language(example: ExampleQuestion) -> str | None:
    """Return the language that screen readers need to know; None for English."""
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in example.question) else None
