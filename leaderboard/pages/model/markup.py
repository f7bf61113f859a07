"""Markup of the Model tab: metadata, results, and links to other models. Pure."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from db.model_records import ModelFacts
from db.records import BoardRow, StandingRecord, SubmissionRecord
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.error_shares import is_error_share
from leaderboard.boards.provenance.dates import render_date
from leaderboard.boards.provenance.papers import cite_briefly, name_place
from leaderboard.exports import FORMATS
from leaderboard.pages.model.strengths import describe_losses, describe_strengths
from leaderboard.pages.shared.error_type_markup import render_error_types
from leaderboard.pages.shared.hub_markup import render_hub_model
from leaderboard.rendering.formatting import write_rank
from leaderboard.rendering.templating import Markup, render_macro, render_template
from submissions.model_registry.directory import ModelSummary
from submissions.model_registry.model_pages import ModelRowView, ModelView
from submissions.ranking.row_sources import ROW_SOURCES, RowSource

_NUMBERS = ("no other", "one other", "two others", "three others", "four others", "five others", "six others")
# Exports of a row; its citation contains BibTeX.
_FORMATS_OF_ROWS = ("hub", "model-index", "latex", "json", "eee")


class Cited(NamedTuple):
    """The row cited by a link, and its status."""

    submission: str
    words: Markup


class ShownResult(NamedTuple):
    """A row of the table, as its template takes it.

    Attributes:
        submission: Submission id.
        source: Source of the scores.
        score: Leading score; None without one.
        lead_title: Title of the leading score; None for the headline.
        definition: Definition of the leading score.
        marks: Name and position (0 to 100) of the marks on the score's line.
        interval: Ends (0 to 100) of the confidence interval on the score's line; None without one.
        rank: Rank with its range and ties.
        date: Date of the row.
        sent_as: Submitted name of the model; None if it is the displayed one.
        only_parts: Titles of the parts that the row covers; empty if it covers all.
        strengths: Strengths and weaknesses in sentences.
        error_types: Shares of error types, a line for each part.
        printed_by: Authors and year of the reporting paper.
        printed_at: Location in the paper.
        hub: Repository on the Hub.
        notes: Notes of the row and its scores.
        board_address: Link to the row on its board.
        rival: The best row of another model.
        exports: Title and address of each export.
        signature: Signature of the evaluation.
        is_cited: Whether the link that opened the page cites the row.
    """

    submission: SubmissionRecord
    source: RowSource
    score: StandingRecord | None
    lead_title: str | None
    definition: str
    marks: list[tuple[str, float]]
    interval: tuple[float, float] | None
    rank: str | None
    date: Markup
    sent_as: str | None
    only_parts: list[str]
    strengths: str
    error_types: list[Markup]
    printed_by: str
    printed_at: str
    hub: Markup
    notes: list[str]
    board_address: str
    rival: BoardRow | None
    exports: list[tuple[str, str]]
    signature: str | None
    is_cited: bool


class ResultGroup(NamedTuple):
    """The rows of a benchmark, with human baseline and chance of its headline."""

    benchmark: Benchmark
    human: float | None
    chance: float | None
    rows: list[ShownResult]


def render_found(found: Sequence[ModelSummary], words: str) -> Markup:
    """Return models as links: matches of a search or, without one, the most evaluated models."""
    return render_template("pages/model/found_models.html", found=found, is_search=bool(words))


def render_unknown() -> Markup:
    """Return the message for an address that names an unknown model."""
    return render_macro("pages/model/notes.html", "unknown_model")


def render_model(view: ModelView, now: datetime, cited: Cited | None = None) -> Markup:
    """Return a model's page except the radar."""
    cited_id = cited.submission if cited else None
    return render_template(
        "pages/model/model.html",
        summary=view.summary,
        facts=_list_facts(view.summary),
        links=[link_safely(url) for url in view.summary.facts.links or ()],
        cited=cited.words if cited else "",
        groups=[
            _group_rows(benchmark, list(rows), now, cited_id)
            for benchmark, rows in groupby(view.rows, key=lambda one: one.benchmark)
        ],
        n_more=view.n_rows - len(view.rows),
    )


def list_row_choices(views: Sequence[ModelRowView]) -> list[tuple[str, str]]:
    """Return (label, submission) of rows, for a list."""
    choices = []
    for view in views:
        submission = view.row.submission
        name = f"{view.benchmark.title} {view.benchmark.version}"
        choices.append((f"{name} · {submission.setting} · {submission.badge}", submission.id))
    return choices


def link_safely(url: str) -> Markup:
    """Return a user-supplied link; it is clickable only if it is a web address."""
    return render_macro("pages/shared/macros.html", "stranger_link", url, _is_web_address(url))


def describe_rank(standing: StandingRecord | None, n_tied: int) -> str | None:
    """Return a rank with its range, such as `3–6, tied with two others`; None without a rank."""
    if standing is None:
        return None
    rank = write_rank(standing.rank, standing.rank_low, standing.rank_high)
    if rank is None or standing.rank_low == standing.rank_high or not n_tied:
        return rank
    others = _NUMBERS[n_tied] if n_tied < len(_NUMBERS) else f"{n_tied} others"
    return f"{rank}, tied with {others}"


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
    return is_web and url.isprintable()


def _list_facts(summary: ModelSummary) -> list[tuple[str, str]]:
    facts: ModelFacts = summary.facts
    size = None if facts.size_billions is None else f"{facts.size_billions:g} B parameters"
    weights = None if facts.open_weights is None else "open" if facts.open_weights else "closed"
    named = [
        ("Also submitted as", ", ".join(summary.aliases)),
        ("Organisation", facts.organisation),
        ("Kind", facts.kind),
        ("Size", size),
        ("Weights", weights),
    ]
    return [(name, value) for name, value in named if value]


def _group_rows(
    benchmark: Benchmark, views: Sequence[ModelRowView], now: datetime, cited_id: str | None
) -> ResultGroup:
    key = benchmark.headline.key
    human = next((view.people[key] for view in views if view.people and key in view.people), None)
    rows = [_show_row(view, now, is_cited=view.row.submission.id == cited_id) for view in views]
    return ResultGroup(benchmark, human, benchmark.chance.get(key), rows)


def _show_row(view: ModelRowView, now: datetime, *, is_cited: bool) -> ShownResult:
    row, lead, submission = view.row, view.lead, view.row.submission
    score, printed = view.scores.get(lead.key), submission.printed_in
    return ShownResult(
        submission=submission,
        source=ROW_SOURCES[submission.badge],
        score=score,
        lead_title=lead.title if lead != view.benchmark.headline else None,
        definition=view.benchmark.define(lead),
        marks=_list_marks(view, score),
        interval=_place_interval(score),
        rank=describe_rank(row.standings.get(lead.key), view.n_tied),
        date=render_date(submission, now),
        sent_as=submission.model.name if submission.model.id != row.model.id else None,
        only_parts=_list_only_parts(view),
        strengths=" ".join([*describe_strengths(view), *(f"{words}." for words in describe_losses(view))]),
        error_types=render_error_types(view.benchmark, view.scores, row.score_notes),
        printed_by=cite_briefly(printed.authors, printed.year) if printed else "",
        printed_at=name_place(printed.tables, printed.row, printed.data_version) if printed else "",
        hub=render_hub_model(submission.model.hub, submission.hub_pull_request),
        notes=_list_notes(view),
        board_address=_address_board(submission),
        rival=view.rival,
        exports=_list_exports(submission),
        signature=row.evaluation.signature,
        is_cited=is_cited,
    )


def _list_marks(view: ModelRowView, score: StandingRecord | None) -> list[tuple[str, float]]:
    """Return the marks on the line of a score: chance, human baseline, and the score."""
    if score is None:
        return []
    key = view.lead.key
    places = {"chance": view.benchmark.chance.get(key), "human": (view.people or {}).get(key), "value": score.value}
    return [(name, _place(value)) for name, value in places.items() if value is not None]


def _place_interval(score: StandingRecord | None) -> tuple[float, float] | None:
    """Return the ends of the confidence interval on the line of a score."""
    if score is None or score.low is None or score.high is None:
        return None
    return _place(score.low), _place(score.high)


def _place(fraction: float) -> float:
    """Return where a fraction is on the line, from 0 to 100."""
    return 100 * min(max(fraction, 0.0), 1.0)


def _list_only_parts(view: ModelRowView) -> list[str]:
    parts = view.benchmark.parts
    titles = [part.title.split(" · ")[0] for part in parts if part.id in view.row.evaluation.parts]
    return titles if len(titles) < len(parts) else []


def _list_notes(view: ModelRowView) -> list[str]:
    """Return the distinct notes of a row and its scores."""
    key = view.benchmark.headline.key
    of_headline = view.row.score_notes.get(key)
    others = dict.fromkeys(
        note
        for name, note in view.row.score_notes.items()
        if name != key and note != of_headline and not is_error_share(name)
    )
    notes = [*view.row.evaluation.notes, f"{view.benchmark.headline.title}: {of_headline}" if of_headline else ""]
    return [*filter(None, notes), *([f"Other scores: {' '.join(others)}"] if others else [])]


def _address_board(submission: SubmissionRecord) -> str:
    board = {"tab": submission.benchmark, "version": submission.version, "setting": submission.setting}
    # Charts show public rows only.
    chosen = {"models": submission.id, "map": submission.id} if submission.visibility == "public" else {}
    return f"/?{urlencode(board | chosen)}"


def _list_exports(submission: SubmissionRecord) -> list[tuple[str, str]]:
    row = {"version": submission.version, "setting": submission.setting, "submission": submission.id}
    base = f"/api/v1/leaderboards/{submission.benchmark}/export"
    is_model = ROW_SOURCES[submission.badge].is_ranked
    return [
        (FORMATS[name].label, f"{base}?{urlencode({'format': name} | row)}")
        for name in _FORMATS_OF_ROWS
        if is_model or not FORMATS[name].models_only
    ]
