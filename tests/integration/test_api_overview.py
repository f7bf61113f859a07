"""Overview over HTTP: one row per model, public rows only, and 304 while nothing has changed."""

from datetime import UTC, datetime
from typing import Any

import pytest

from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from tests.support.servers.live_site import BENCHMARK, Site, add_row, problem_of, rank

URL = "/api/v1/overview"


def names(site: Site, query: str = "") -> list[str]:
    return [row["model"]["name"] for row in site.get(URL + query).json()["rows"]]


def summary(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in site.get(URL).json()["benchmarks"] if one["id"] == BENCHMARK.id)
    return found


def test_overview_of_a_new_installation_is_empty(site: Site) -> None:
    found = site.get(URL).json()
    assert found["rows"] == []
    assert found["newest"] == []
    assert found["more"] is False
    assert [one["best"] for one in found["benchmarks"]] == [None] * 4


def test_overview_shows_a_model_once_with_its_best_public_row(site: Site) -> None:
    add_row(site.services, "Hear-7B", 0.5)
    best = add_row(site.services, "Hear-7B", 0.7)
    add_row(site.services, "Hear-7B", 0.9, visibility="private")
    add_row(site.services, "nobody knows", 0.8, visibility="private")
    add_row(site.services, "people", 0.95, source="human")
    add_row(site.services, "dice", 0.4, source="random")
    rank(site.services)
    response = site.get(URL)
    (row,) = response.json()["rows"]
    cell = row["cells"][BENCHMARK.id]
    assert (row["model"]["name"], cell["submission"], cell["value"]) == ("Hear-7B", best, 0.7)
    chance = BENCHMARK.chance[BENCHMARK.headline.key]
    assert cell["normalised"] == pytest.approx((0.7 - chance) / (0.95 - chance), abs=5e-4)
    assert summary(site)["human"] == 0.95
    assert summary(site)["gap"] == pytest.approx(0.25)
    assert "nobody knows" not in response.text
    assert "dice" not in response.text
    assert [one["value"] for one in response.json()["newest"]] == [0.7, 0.5]


def test_overview_compares_no_score_of_another_key_with_current_ones(site: Site) -> None:
    add_row(site.services, "old", 0.9, ranking="another key")
    add_row(site.services, "both", 0.8, ranking="another key")
    add_row(site.services, "both", 0.6)
    add_row(site.services, "new", 0.7)
    rank(site.services)
    assert summary(site)["best"]["value"] == 0.7
    assert names(site, f"?sort={BENCHMARK.id}") == ["new", "both", "old"]
    rows = {row["model"]["name"]: row["cells"][BENCHMARK.id] for row in site.get(URL).json()["rows"]}
    assert (rows["both"]["value"], rows["both"]["rank"]) == (0.6, 2)
    assert (rows["old"]["value"], rows["old"]["rank"]) == (0.9, None)


def test_overview_is_304_until_a_board_changes_and_drops_a_hidden_row_immediately(site: Site) -> None:
    first, other = add_row(site.services, "one", 0.5), add_row(site.services, "two", 0.6)
    rank(site.services)
    etag = site.get(URL).headers["etag"]
    again = site.get(URL, if_none_match=etag)
    assert (again.status_code, again.content) == (304, b"")
    site.post(f"/api/v1/admin/submissions/{other}/hide", site.token("local"), json={"reason": "A doubt."})
    assert site.get(URL, if_none_match=etag).status_code == 200
    assert names(site) == ["one"]
    assert [one["submission"] for one in site.get(URL).json()["newest"]] == [first]


def test_overview_shows_merged_models_as_one(site: Site) -> None:
    add_row(site.services, "Hear 7B", 0.5)
    add_row(site.services, "hear-7b-instruct", 0.7)
    rank(site.services)
    ids = {row["model"]["name"]: row["model"]["id"] for row in site.get(URL).json()["rows"]}
    said = {"join_to": ids["Hear 7B"], "reason": "The same weights."}
    response = site.post(f"/api/v1/admin/models/{ids['hear-7b-instruct']}", site.token("local"), json=said)
    assert response.status_code == 200, response.text
    (row,) = site.get(URL).json()["rows"]
    assert row["model"]["id"] == ids["Hear 7B"]
    assert row["cells"][BENCHMARK.id]["value"] == 0.7
    assert names(site, "?q=instruct") == ["Hear 7B"]


def test_overview_sorts_searches_and_reports_further_rows(site: Site) -> None:
    for name, value in (("b", 0.5), ("a", 0.3), ("c", 0.4)):
        add_row(site.services, name, value)
    rank(site.services)
    assert names(site) == ["b", "c", "a"]
    assert names(site, f"?sort={BENCHMARK.id}&order=asc") == ["a", "c", "b"]
    assert names(site, "?sort=model") == ["a", "b", "c"]
    assert names(site, "?sort=model&order=desc") == ["c", "b", "a"]
    assert names(site, "?sort=mdar") == ["a", "b", "c"], "none has a figure there"
    assert names(site, "?q=B") == ["b"]
    assert names(site, "?q=nobody") == []
    few = site.get(f"{URL}?limit=2").json()
    assert len(few["rows"]) == 2
    assert few["more"] is True


def test_overview_counts_public_rows_and_lists_evaluated_models_first(site: Site) -> None:
    add_row(site.services, "paper", 0.9, source="reported")
    add_row(site.services, "one", 0.5)
    best = add_row(site.services, "one", 0.6)
    add_row(site.services, "two", 0.4, source="verified")
    add_row(site.services, "secret", 0.99, visibility="private")
    add_row(site.services, "people", 0.95, source="human")
    add_row(site.services, "Earshot mono", 0.7, source="verified", is_reference=True)
    rank(site.services)
    found = site.get(URL).json()
    assert (found["models"], found["submissions"]) == (3, 3)
    leader = summary(site)["leader"]
    assert (leader["submission"], leader["source"], leader["value"]) == (best, "submitted", 0.6)
    assert summary(site)["best"]["value"] == 0.9
    assert leader["low"] is None, "nothing was resampled here"


def test_overview_changes_when_questions_are_installed(site: Site) -> None:
    etag = site.get(URL).headers["etag"]
    mdar = next(one for one in site.get(URL).json()["benchmarks"] if one["id"] == "mdar")
    assert (mdar["open_version"], mdar["items"], mdar["items_of_paper"]) == ("demo", None, 2825)
    assert mdar["paper"]["url"].startswith("https://")
    record = BenchmarkRecord("mdar", "1.0", "cd" * 32, "mdar-1.0.zip", 1, 1)
    with site.services.database.write() as transaction:
        item = ItemRecord("m-1", "main", "main/su", "choice", (0,), None)
        catalogue.register_benchmark(transaction, record, [item], datetime.now(UTC))
    response = site.get(URL, if_none_match=etag)
    assert response.status_code == 200
    mdar = next(one for one in response.json()["benchmarks"] if one["id"] == "mdar")
    assert (mdar["open_version"], mdar["items"]) == ("1.0", 1)


@pytest.mark.parametrize("query", ["sort=amb", "order=up", "limit=0", "limit=501", "q=%00", "srot=model"])
def test_overview_refuses_unknown_parameters(site: Site, query: str) -> None:
    problem_of(site.get(f"{URL}?{query}"), 400)


def test_overview_returns_hostile_names_unchanged(site: Site) -> None:
    add_row(site.services, "<img src=x onerror=alert(1)>", 0.5)
    rank(site.services)
    response = site.get(URL)
    assert response.headers["content-type"] == "application/json"
    assert names(site) == ["<img src=x onerror=alert(1)>"]
