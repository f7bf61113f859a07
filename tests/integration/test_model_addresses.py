"""Model and Compare tabs: events of anonymous visitors on real rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from db.repositories import evaluations, workers
from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.live_site import BENCHMARK, Site, add_row, rank, result

HOSTILE = "<img src=x onerror=alert(1)>${1}"
PRIVATE = "Nobody's business"


@dataclass
class Place:
    """A page with its rows."""

    visitor: Visitor
    folder: Path
    ids: dict[str, str]

    @property
    def site(self) -> Site:
        return self.visitor.site

    def ask(self, event: str, words: str | None, token: str | None = None) -> list[Any]:
        response = self.visitor.send(event, [words], token)
        assert response.status_code == 200, response.text
        data: list[Any] = response.json()["data"]
        return data

    def open_model(self, model: str, token: str | None = None, more: str = "") -> str:
        return str(self.ask("open_model", f"?tab=model&model={model}{more}", token))

    def compare(self, a: str, b: str, token: str | None = None, more: str = "") -> str:
        pair = f"&a={self.ids.get(a, a)}&b={self.ids.get(b, b)}{more}"
        return str(self.ask("open_comparison", f"?tab=compare&benchmark={BENCHMARK.id}{pair}", token))

    def model_of(self, name: str, token: str) -> str:
        found = self.site.get(f"/api/v1/models?q={quote(name)}", token).json()["models"]
        return str(found[0]["id"])

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "earshot.db")) as connection:
            rows = connection.execute(sql, values).fetchall()
            connection.commit()
        return rows


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("tabs")
    with run_page(folder, maintainers=("may",)) as visitor:
        services = visitor.site.services
        ids = {
            "strong": add_row(services, "Strong", 0.9, url="javascript:alert(1)"),
            "weak": add_row(services, HOSTILE, 0.6, organisation=HOSTILE),
            "paper": add_row(services, "Strong", 0.7, source="reported", n=None),
            "private": add_row(services, PRIVATE, 0.8, visibility="private", owner="bob"),
        }
        rank(services)
        yield Place(visitor, folder, ids)


# --- a model --------------------------------------------------------------------------------------------------------


def test_model_shows_its_rows_to_anonymous_visitors(place: Place) -> None:
    page = place.open_model(place.model_of("Strong", place.site.token("ada")))
    assert page.count('data-testid="model-row"') == 2
    assert "90.0" in page
    assert "70.0" in page
    assert f"Compare with {HOSTILE}" not in page
    assert "Compare with &lt;img" in page
    assert 'href="javascript' not in page


def test_private_model_is_visible_only_to_owner_and_maintainers(place: Place) -> None:
    owner, maintainer, stranger = (place.site.token(name) for name in ("bob", "may", "eve"))
    model = place.model_of(PRIVATE, owner)
    for token in (owner, maintainer):
        page = place.open_model(model, token)
        assert 'data-testid="private"' in page
        assert "80.0" in page
    for other in (None, stranger):
        page = place.open_model(model, other, f"&row={place.ids['private']}")
        assert "Unknown model, or none of its results are public." in page
        assert PRIVATE not in page
        assert "80.0" not in page
        for typed in ("Nobody", "business"):
            assert "business" not in str(place.ask("search_models", typed, other)).replace(typed, "")


@pytest.mark.parametrize(
    "words", [None, "", "?model=m-none", "?model=%00", "?model=" + "x" * 5_000, "?model=' or 1=1 --"]
)
def test_unknown_model_leads_to_the_search(place: Place, words: str | None) -> None:
    page = str(place.ask("open_model", words))
    assert 'data-testid="found-models"' in page
    assert "Something went wrong on our side" not in page


def test_citation_of_a_row_that_never_existed_is_reported(place: Place) -> None:
    model = place.model_of("Strong", place.site.token("ada"))
    page = place.open_model(model, more=f"&row={place.ids['strong']}&signature={quote(HOSTILE)}")
    assert "never had the cited signature" in page
    assert "data-cited" in page
    assert "<img" not in page
    assert "is not available" in place.open_model(model, more=f"&row={place.ids['private']}&signature=x")


def test_cited_row_that_was_rescored_shows_both_scorings_and_their_scores(place: Place) -> None:
    submission = add_row(place.site.services, "Rescored", 0.436)
    rank(place.site.services)
    with place.site.services.database.write() as transaction:
        now = datetime.now(UTC)
        evaluations.add_finished_evaluation(transaction, submission, result(0.439, signature="t"), now)
    model = place.model_of("Rescored", place.site.token("ada"))
    # The board is outdated: it still has the scores of the previous scoring, under another signature.
    page = place.open_model(model, more=f"&row={submission}&signature=s")
    assert "This link cites Overall = 43.6, scored as <code>s</code>. The row was re-scored on" in page
    assert "as <code>t</code> and is now 43.9." in page


def test_search_accepts_any_text(place: Place) -> None:
    assert "Strong" in str(place.ask("search_models", "stron"))
    assert "Try a part of the name" in str(place.ask("search_models", "zzzzzz"))
    assert "at most 120 printable characters" in str(place.ask("search_models", "x" * 121))


# --- two rows -------------------------------------------------------------------------------------------------------


def test_two_rows_without_a_comparison_are_subtracted(place: Place) -> None:
    page = place.compare("strong", "weak")
    assert "Overall of Strong is 30.0 points above that of &lt;img" in page
    assert "Not both rows have item-level outcomes" in page
    assert "Reported and human rows" in place.compare("paper", "weak")
    assert "have the same SCT." in place.compare("strong", "weak", more="&slice=sct")
    assert "Unknown slice" in place.compare("strong", "weak", more="&slice=nothing")


def test_private_row_is_compared_for_authorised_users(place: Place) -> None:
    owner, maintainer, stranger = (place.site.token(name) for name in ("bob", "may", "eve"))
    for token in (owner, maintainer):
        assert "Overall of Strong is 10.0 points above" in place.compare("strong", "private", token)
    for other in (None, stranger):
        page = place.compare("strong", "private", other)
        assert "There is no such submission, or it is private" in page
        assert "80.0" not in page
        assert "business" not in page
    assert "business" in str(place.ask("open_comparison", "?tab=compare", owner))


WRONG_WORDS = [
    None,
    "",
    "?benchmark=none",
    "?a=s-none&b=s-none",
    "?a=%00&b=x",
    "?benchmark=mdar&version=9",
    "?" + "a" * 9_000,
]


def test_compare_with_invalid_parameters_shows_a_message(place: Place, subtests: pytest.Subtests) -> None:
    for words, event in product(WRONG_WORDS, ["open_comparison", "look_again"]):
        with subtests.test(event=event, words=words and words[:80]):
            page = str(place.ask(event, words))
            assert "Something went wrong on our side" not in page


def test_same_row_twice_and_rows_of_two_benchmarks_are_refused_with_a_message(place: Place) -> None:
    assert "a and b are the same submission" in place.compare("strong", "strong")
    words = f"?benchmark=mdar&a={place.ids['strong']}&b={place.ids['weak']}"
    assert "Send benchmark=audio-motion-bench." in str(place.ask("open_comparison", words))


def test_comparison_waits_only_for_a_live_evaluator(place: Place) -> None:
    for name in ("strong", "weak"):
        (current,) = place.query("select current_evaluation_id from submissions where id = ?", place.ids[name])
        place.query("insert into outcomes (evaluation_id, n_items, n_runs, data) values (?, 1, 1, x'00')", *current)
    try:
        page = place.compare("strong", "weak")
        assert "No evaluator is running" in page
        assert "data-again" in page
        now = datetime.now(UTC)
        with place.site.services.database.write() as transaction:
            workers.record_heartbeat(transaction, "elsewhere/x/1/1", {}, now, now)
        asked = f"?tab=compare&benchmark={BENCHMARK.id}&a={place.ids['strong']}&b={place.ids['weak']}"
        for event in ("open_comparison", "look_again"):
            answer = place.ask(event, asked)
            assert "Comparing Strong and" in str(answer)
            assert {"active": True} in [
                {name: value for name, value in one.items() if name == "active"}
                for one in answer
                if isinstance(one, dict)
            ]
        assert place.query("select count(*) from comparisons") == [(1,)]
    finally:
        place.query("delete from comparisons")
        place.query("delete from outcomes")
