"""Model page markup: rows as text, with escaped user input."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from db.model_records import ModelFacts
from db.records import ModelRecord, StandingRecord
from evaluation import get_benchmark
from leaderboard.pages.model.markup import Cited, describe_rank, link_safely, render_found, render_model
from leaderboard.pages.shared.tab_addresses import read_address
from leaderboard.rendering.templating import Markup
from submissions.model_registry.directory import ModelSummary
from tests.support.pages.model_views import SIGNATURE, STAR, make_model, make_score, make_view
from tests.support.pages.records import NOW

KEY = STAR.headline.key
HOSTILE = '<img src=x onerror="x">${alert(1)}</script>'


def standing(rank: int | None, low: int | None = None, high: int | None = None) -> StandingRecord:
    return StandingRecord("s-1", 7, "overall", "aa", 0.5, rank=rank, rank_low=low, rank_high=high)


@pytest.mark.parametrize(
    ("record", "n_tied", "text"),
    [
        (None, 0, None),
        (standing(None, None, None), 0, None),
        (standing(5), 0, "5"),
        (standing(3, 3, 3), 0, "3"),
        (standing(4, 3, 6), 0, "3–6"),
        (standing(4, 3, 6), 1, "3–6, tied with one other"),
        (standing(4, 3, 6), 2, "3–6, tied with two others"),
        (standing(4, 3, 60), 40, "3–60, tied with 40 others"),
    ],
)
def test_describe_rank_shows_range_and_ties(record: StandingRecord | None, n_tied: int, text: str | None) -> None:
    assert describe_rank(record, n_tied) == text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//elsewhere.example", "http:///x", "http://[", "ftp://a.b"]
)
def test_link_safely_links_only_http_urls(url: str) -> None:
    assert "<a" not in link_safely(url)


def test_link_safely_marks_a_user_supplied_link() -> None:
    assert link_safely("https://a.example/?q=1&x=%22") == (
        '<a href="https://a.example/?q=1&amp;x=%22" rel="nofollow ugc noopener noreferrer" target="_blank">'
        "https://a.example/?q=1&amp;x=%22</a>"
    )


@pytest.mark.parametrize(("printed_on", "text"), [(None, "3 days ago"), ("2026", "2026"), ("", "–")])
def test_render_model_shows_the_publication_date_of_a_reported_row(printed_on: str, text: str) -> None:
    page = render_model(make_model(make_view(printed_on=printed_on)), NOW + timedelta(days=3))
    assert f">{text}</t" in page
    assert ("ago" in page) == (printed_on is None)


def test_render_model_shows_a_row_with_its_links() -> None:
    rival = make_view(id="s-2", model=ModelRecord(2, "Rival & Co"))
    row = make_view(
        {KEY: make_score(0.5, 0.45, 0.55)},
        ranks=(3, 3, 6),
        n_tied=2,
        rival=rival,
        people={KEY: 0.791},
        scoring={"unreadable": 90},
    )
    page = render_model(make_model(row, aliases=("Model-hf",)), NOW)
    text = re.sub(r"<[^>]+>", " ", page)
    for expected in (
        "Also submitted as",
        "Model-hf",
        "human 79.1 · chance 24.3",
        "50.0",
        "45.0–55.0",
        "3–6, tied with two others",
    ):
        assert expected in text
    assert "9.0\u00a0% of the answers are unreadable" in text
    assert "/?tab=compare&amp;benchmark=star-bench&amp;a=s-1&amp;b=s-2" in page
    assert "Compare with Rival &amp; Co" in page
    assert "export?format=hub&amp;version=1.0&amp;setting=default&amp;submission=s-1" in page
    assert f"<summary>Signature</summary><code>{SIGNATURE}</code>" in page


def test_render_model_shows_a_row_of_one_part_with_the_score_of_that_part() -> None:
    row = make_view({"perception|aa": make_score(0.827, 0.802, 0.852)}, people={"perception|aa": 0.756, KEY: 0.791})
    page = render_model(make_model(row), NOW)
    assert "<small>Perception </small>82.7" in page
    assert "80.2–85.2" in page
    assert 'class="es-mark-human" style="left: 75.60%"' in page


def test_render_model_clips_an_interval_to_the_scale() -> None:
    page = str(render_model(make_model(make_view({KEY: make_score(0.02, -0.05, 0.1)})), NOW))
    assert 'class="es-mark-interval" style="left: 0.00%; width: 10.00%"' in page
    assert "es-mark-interval" not in render_model(make_model(make_view({KEY: make_score(0.02, None, None)})), NOW)


def test_render_model_of_a_private_row_has_no_export_and_no_citation() -> None:
    page = render_model(make_model(make_view(visibility="private")), NOW)
    assert 'data-testid="private">private<' in page
    assert "export" not in page
    assert "data-cite=" not in page


def test_render_model_marks_only_the_cited_row() -> None:
    rows = make_view(id="s-1"), make_view(id="s-2", setting="channel-wise")
    page = render_model(make_model(*rows), NOW, Cited("s-2", Markup("<p>Cited.</p>")))
    assert page.count('data-cited=""') == 1
    assert re.search(r'id="row-s-2"[^>]*data-cited', page)
    assert "<p>Cited.</p>" in page


def test_render_model_names_the_parts_of_a_partial_row() -> None:
    page = render_model(make_model(make_view(scoring={"parts": ("perception",)})), NOW)
    assert "Only Perception." in page


def test_render_model_shows_each_note_once_and_the_headline_note_separately() -> None:
    row = make_view(scoring={"notes": ("Of the row.",)})
    notes = {KEY: "Not printed.", "spatial|aa": "Table 4.", "temporal|aa": "Table 4.", "perception|aa": "Table 2."}
    view = replace(row, row=replace(row.row, score_notes=notes))
    page = render_model(make_model(view), NOW)
    items = re.findall(r"<li>(.*?)</li>", page)
    assert items == ["Of the row.", "Overall AA: Not printed.", "Other scores: Table 4. Table 2."]


def test_render_model_escapes_user_supplied_text() -> None:
    facts = ModelFacts(
        organisation=HOSTILE, kind=HOSTILE, links=("javascript:alert(1)", f"https://a.example/{HOSTILE}")
    )
    model = ModelRecord(3, HOSTILE)
    rival = make_view(id="s-2", model=model)
    row = make_view(
        {KEY: make_score(0.5)}, scoring={"notes": (HOSTILE,), "signature": HOSTILE}, rival=rival, model=model
    )
    pages = [
        render_model(make_model(row, name=HOSTILE, facts=facts, aliases=(HOSTILE,)), NOW),
        render_found([ModelSummary("m-1", HOSTILE, (), facts, 1)], HOSTILE),
    ]
    for page in pages:
        assert "<img" not in page
        assert "</script" not in page
        assert 'href="javascript' not in page


def test_render_found_without_matches_suggests_another_search() -> None:
    assert "Try a part of the name" in render_found([], "nobody")


@pytest.mark.parametrize(
    "search", [None, "", "?", "model", "?model=", "?" + "a=1&" * 50, "?model=" + "x" * 501, "?model=a%00b", 7]
)
def test_read_address_without_known_parameters_is_empty(search: str) -> None:
    assert read_address(search, ("model",)) == {}


def test_read_address_takes_the_first_value_of_each_known_parameter() -> None:
    assert read_address("?tab=model&model=m-1&model=m-2&x=1", ("model", "x", "y")) == {"model": "m-1", "x": "1"}


def test_every_ability_and_habit_is_a_column_of_its_benchmark() -> None:
    for name in ("audio-motion-bench", "star-bench", "mdar", "audio-process-bench"):
        benchmark = get_benchmark(name)
        keys = {column.key for column in benchmark.columns}
        assert {trait.key for trait in benchmark.abilities} | {trait.key for trait in benchmark.habits} <= keys
        assert all((trait.even or trait.key) in benchmark.chance for trait in benchmark.habits)
