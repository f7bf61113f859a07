"""Markup of the Model tab: a model's facts, its results, and links to other models. Pure: records in, HTML out."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from db.model_records import ModelFacts
from db.paper_records import PrintedRow
from db.records import StandingRecord
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.error_shares import is_error_share
from leaderboard.boards.provenance.dates import render_date
from leaderboard.boards.provenance.papers import cite_briefly, name_place
from leaderboard.exports import FORMATS
from leaderboard.html_elements import Markup, element, link_definitions, percent, write_interval, write_rank
from leaderboard.pages.model.strengths import describe_losses, describe_strengths
from leaderboard.pages.shared.error_type_markup import render_error_types
from leaderboard.pages.shared.hub_markup import render_hub_model
from submissions.model_registry.directory import ModelSummary
from submissions.model_registry.model_pages import ModelRowView, ModelView, ScoreInterval
from submissions.ranking.row_sources import ROW_SOURCES

_NUMBERS = ("no other", "one other", "two others", "three others", "four others", "five others", "six others")
# Files of one row; its citation has BibTeX.
_FORMATS_OF_ROWS = ("hub", "model-index", "latex", "json", "eee")
_N_COLUMNS = 6


class Cited(NamedTuple):
    """The row that a link cites, and what became of it."""

    submission: str
    words: Markup


def render_found(found: Sequence[ModelSummary], words: str) -> Markup:
    """Return models as links: those that some words may mean or, without words, those with the most rows."""
    if not found:
        told = "No public model matches. Try a part of the name, or search on a benchmark's board."
        return element("p", told, class_="es-quiet", data_testid="no-models")
    lead = "Matching models" if words else "Most evaluated models"
    items = (element("li", _link_to(one.public_id, one.name), _count(one)) for one in found)
    title = element("p", lead, class_="es-quiet")
    return element("div", title, element("ul", *items, class_="es-models"), data_testid="found-models")


def render_unknown() -> Markup:
    """Return what is said where an address names a model that is not there."""
    words = "Unknown model, or none of its results are public. Search for its name above or on a board."
    return element("p", words, class_="es-error", role="alert", data_testid="no-model")


def render_model(view: ModelView, now: datetime, cited: Cited | None = None) -> Markup:
    """Return everything about a model but its radar."""
    parts = [_render_head(view), cited.words if cited else ""]
    parts.append(_render_table(view, now, cited.submission if cited else None))
    if len(view.rows) < view.n_rows:
        left = view.n_rows - len(view.rows)
        parts.append(element("p", f"{left:,} more results: search for its name on the boards.", class_="es-quiet"))
    parts.append(element("p", link_definitions(), class_="es-quiet"))
    return element("article", *parts, class_="es-model-page", data_testid="model", data_model=view.summary.public_id)


def list_row_choices(views: Sequence[ModelRowView]) -> list[tuple[str, str]]:
    """Return (label, submission) of rows, for a list to choose from."""
    return [
        (f"{_name_version(one.benchmark)} · {one.row.submission.setting} · {one.row.submission.badge}", _id(one))
        for one in views
    ]


def link_safely(url: str) -> Markup:
    """Return a stranger's link, which leads somewhere only where it is one of the web."""
    try:
        parts = urlsplit(url)
        is_safe = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_safe = False
    if not is_safe or not url.isprintable():
        return element("span", url)
    return element("a", url, href=url, rel="nofollow ugc noopener", target="_blank")


def describe_rank(standing: StandingRecord | None, n_tied: int) -> str | None:
    """Return a rank with its range, such as `3–6, tied with two others`; None without a rank."""
    if standing is None:
        return None
    rank = write_rank(standing.rank, standing.rank_low, standing.rank_high)
    if rank is None or standing.rank_low == standing.rank_high or not n_tied:
        return rank
    others = _NUMBERS[n_tied] if n_tied < len(_NUMBERS) else f"{n_tied} others"
    return f"{rank}, tied with {others}"


def _render_head(view: ModelView) -> Markup:
    one = view.summary
    facts = [(name, value) for name, value in _list_facts(one.facts) if value]
    if one.aliases:
        facts.insert(0, ("Also submitted as", ", ".join(one.aliases)))
    pairs = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    title = element("h2", one.name, data_testid="model-name")
    return element("header", title, element("dl", *pairs, class_="es-model-facts") if facts else "")


def _list_facts(facts: ModelFacts) -> list[tuple[str, object]]:
    size = f"{facts.size_billions:g} B parameters" if facts.size_billions is not None else None
    links = [link_safely(url) for url in facts.links or ()]
    return [
        ("Organisation", facts.organisation),
        ("Kind", facts.kind),
        ("Size", size),
        (
            "Weights",
            {True: "open", False: "closed"}.get(facts.open_weights) if facts.open_weights is not None else None,
        ),
        ("Links", Markup(", ".join(links)) if links else None),
    ]


def _render_table(view: ModelView, now: datetime, cited: str | None) -> Markup:
    headings = ("Setting", "Source", "Score (%)", "", "Rank", "Date")
    cells = (
        element("th", name, scope="col", class_="es-number" if at == 2 else "es-minor" if at in (3, 5) else None)
        for at, name in enumerate(headings)
    )
    groups = (
        element(
            "tbody",
            _render_group(benchmark, rows := list(found)),
            *(part for one in rows for part in _render_row(one, now, is_cited=_id(one) == cited)),
        )
        for benchmark, found in groupby(view.rows, key=lambda one: one.benchmark)
    )
    caption = element("caption", f"Results of {view.summary.name}", class_="es-hidden")
    return element("table", caption, element("thead", element("tr", *cells)), *groups, class_="es-model-rows")


def _render_group(benchmark: Benchmark, rows: Sequence[ModelRowView]) -> Markup:
    key = benchmark.headline.key
    board = _visit(f"/?{urlencode({'tab': benchmark.id, 'version': benchmark.version})}", _name_version(benchmark))
    people = next((one.people[key] for one in rows if one.people and key in one.people), None)
    beside = {"human": people, "chance": benchmark.chance.get(key)}
    words = [benchmark.headline.title, *(f"{name} {percent(at)}" for name, at in beside.items() if at is not None)]
    about = element("span", " · ".join(words), class_="es-quiet")
    return element("tr", element("th", element("b", board), " ", about, colspan=_N_COLUMNS, scope="rowgroup"))


def _render_row(one: ModelRowView, now: datetime, *, is_cited: bool) -> list[Markup]:
    submission, lead = one.row.submission, one.lead
    figure = one.figures.get(lead.key)
    alone = element("small", f"{lead.title} ") if lead != one.benchmark.headline else ""
    source = ROW_SOURCES[submission.badge]
    badge = element("span", source.label, class_=f"es-badge es-badge-{source.id}", title=source.description)
    is_public = submission.visibility == "public"
    private = "" if is_public else element("span", submission.visibility, class_="es-private", data_testid="private")
    rank = describe_rank(one.row.standings.get(lead.key), one.n_tied)
    kind = " es-cited-row" if is_cited else ""
    row = element(
        "tr",
        element("th", submission.setting, scope="row"),
        element("td", badge, " ", private),
        element("td", alone, *_render_value(figure), class_="es-number", title=one.benchmark.define(one.lead)),
        element("td", _render_strip(one, figure), class_="es-minor"),
        element("td", rank),
        element("td", render_date(submission, now), class_="es-minor"),
        id=f"row-{_id(one)}",
        class_=f"es-model-row{kind}",
        data_testid="model-row",
        data_cited="" if is_cited else None,
    )
    more = element("td", *_render_more(one), colspan=_N_COLUMNS)
    return [row, element("tr", more, class_=f"es-model-more{kind}")]


def _render_value(figure: ScoreInterval | None) -> list[object]:
    """Return a figure and, for screens with no room for more, its interval."""
    if figure is None:
        return [None]
    return [percent(figure.value), element("span", write_interval(figure.low, figure.high), class_="es-narrow-ends")]


def _render_strip(one: ModelRowView, figure: ScoreInterval | None) -> Markup:
    """Return a figure with its interval as a dot on a line from 0 to 100, beside chance and people."""
    if figure is None:
        return Markup("")
    key = one.lead.key
    marks = {
        "chance": one.benchmark.chance.get(key),
        "human": (one.people or {}).get(key),
        "value": figure.value,
    }
    drawn = [
        element("i", class_=f"es-mark-{name}", style=f"left: {100 * min(max(value, 0.0), 1.0):.2f}%")
        for name, value in marks.items()
        if value is not None
    ]
    if figure.low is not None and figure.high is not None:
        style = f"left: {100 * figure.low:.2f}%; width: {100 * (figure.high - figure.low):.2f}%"
        drawn.insert(0, element("i", class_="es-mark-interval", style=style))
    words = element("span", write_interval(figure.low, figure.high), class_="es-ends")
    return element("span", element("span", *drawn, class_="es-strip", aria_hidden="true"), words, class_="es-stripped")


def _render_more(one: ModelRowView) -> list[object]:
    losses = [f"{words}." for words in describe_losses(one)]
    said = " ".join([*describe_strengths(one), *losses])
    sent = one.row.submission.model
    renamed = f"Submitted as {sent.name}. " if sent.id != one.row.model.id else ""
    titles = [part.title.split(" · ")[0] for part in one.benchmark.parts if part.id in one.row.evaluation.parts]
    alone = f"Only {' and '.join(titles)}. " if 0 < len(titles) < len(one.benchmark.parts) else ""
    notes = _list_notes(one)
    listed = element("ul", *(element("li", note) for note in notes), class_="es-notes") if notes else ""
    reported = _render_printed(one.row.submission.printed_in)
    on_hub = render_hub_model(one.row.submission.model.hub, one.row.submission.hub_pull_request)
    causes = render_error_types(one.benchmark, one.figures, one.row.score_notes)
    return [
        element("p", renamed, alone, said, class_="es-strengths"),
        *causes,
        reported,
        on_hub,
        listed,
        _render_links(one),
    ]


def _render_printed(printed: PrintedRow | None) -> Markup:
    if printed is None:
        return Markup("")
    link = element("a", printed.title, href=printed.url, target="_blank", rel="noopener")
    place = name_place(printed.tables, printed.row, printed.data_version)
    where = f" ({cite_briefly(printed.authors, printed.year)}), {place}."
    return element("p", "Reported in ", link, where, class_="es-strengths", data_testid="printed")


def _list_notes(one: ModelRowView) -> list[str]:
    """Return what is noted of a row and of its figures, each note once."""
    key = one.benchmark.headline.key
    of_headline = one.row.score_notes.get(key)
    said = one.row.score_notes.items()
    others = dict.fromkeys(
        note for name, note in said if name != key and note != of_headline and not is_error_share(name)
    )
    notes = [*one.row.evaluation.notes, f"{one.benchmark.headline.title}: {of_headline}" if of_headline else ""]
    return [*filter(None, notes), *([f"Other scores: {' '.join(others)}"] if others else [])]


def _render_links(one: ModelRowView) -> Markup:
    submission = one.row.submission
    board = {"tab": submission.benchmark, "version": submission.version, "setting": submission.setting}
    # Charts show public rows only.
    chosen = {"models": submission.id, "map": submission.id} if submission.visibility == "public" else {}
    links = [_visit(f"/?{urlencode(board | chosen)}", "Board and charts" if chosen else "Board")]
    if one.rival is not None:
        pair = {"tab": "compare", "benchmark": submission.benchmark, "a": submission.id}
        href = f"/?{urlencode(pair | {'b': one.rival.submission.id})}"
        links.append(_visit(href, f"Compare with {one.rival.model.name}"))
    if submission.visibility == "public":
        words = {"version": submission.version, "setting": submission.setting, "submission": submission.id}
        base = f"/api/v1/leaderboards/{submission.benchmark}/export"
        links += [
            element("a", FORMATS[name].label, href=f"{base}?{urlencode({'format': name} | words)}", download="")
            for name in _FORMATS_OF_ROWS
            if not FORMATS[name].models_only or ROW_SOURCES[submission.badge].is_ranked
        ]
        # A place that assets/model.js fills with what to cite.
        links.append(element("div", class_="es-cite", data_cite=submission.id))
    signature = one.row.evaluation.signature
    if signature:
        links.append(element("details", element("summary", "Signature"), element("code", signature)))
    return element("div", *links, class_="es-row-links")


def _name_version(benchmark: Benchmark) -> str:
    return f"{benchmark.title} {benchmark.version}"


def _link_to(public_id: str, name: str) -> Markup:
    return _visit(f"/?{urlencode({'tab': 'model', 'model': public_id})}", name)


def _visit(href: str, words: str) -> Markup:
    return element("a", words, href=href, data_visit="")


def _count(one: ModelSummary) -> Markup:
    words = f"{one.n_rows} {'result' if one.n_rows == 1 else 'results'}" if one.n_rows else "private"
    about = ", ".join(filter(None, [one.facts.organisation, words]))
    return element("span", f" · {about}", class_="es-quiet")


def _id(one: ModelRowView) -> str:
    return one.row.submission.id
