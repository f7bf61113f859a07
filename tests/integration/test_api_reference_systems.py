"""Reference systems over HTTP: returned only on request, never ranked, never compared with other rows."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from db.records import NewModel
from submissions.ranking.best_rows import list_best_systems, list_by_leads, list_comparable
from tests.support.servers.live_site import BENCHMARK, BOARD, Site, add_row, problem_of, rank, run_site

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
KEY = BENCHMARK.headline.key
OURS = NewModel("Earshot binaural", "Earshot", "reference")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, str]]]:
    """Board led by two reference systems, with a model that shares the name of one; and name → submission."""
    with run_site(tmp_path_factory.mktemp("references")) as site:
        ids = {
            "ours": add_row(site.services, "", 0.99, source="verified", model=OURS, owner="earshot", is_reference=True),
            "mono": add_row(site.services, "Earshot mono", 0.3, source="verified", owner="earshot", is_reference=True),
            "dice": add_row(site.services, "dice", 0.25, source="random"),
            "alike": add_row(site.services, "", 0.4, source="verified", model=OURS),
            "best": add_row(site.services, "best", 0.6),
        }
        rank(site.services)
        yield site, ids


def read_rows(site: Site, query: str = "") -> dict[str, dict[str, Any]]:
    return {row["submission"]: row for row in site.get(f"{BOARD_URL}?{query}").json()["rows"]}


def test_board_returns_reference_systems_only_on_request_and_unranked(board: tuple[Site, dict[str, str]]) -> None:
    site, ids = board
    ours = {ids["ours"], ids["mono"]}
    without = read_rows(site)
    assert set(without) == set(ids.values()) - ours
    assert {row["reference"] for row in without.values()} == {False}
    assert [without[ids[name]]["rank"] for name in ("best", "alike", "dice")] == [1, 2, None]
    for sort in (KEY, "model", "date"):
        found = read_rows(site, f"references=true&sort={sort}")
        assert {name: row for name, row in found.items() if name not in ours} == without
        assert {found[name]["reference"] for name in ours} == {True}
        assert {found[name]["rank"] for name in ours} == {None}
        assert {value for name in ours for value in found[name]["ranks"].values()} == {None}
    pinned = read_rows(site, "references=true&source=human,random")
    assert set(pinned) == ours | {ids["dice"]}
    assert set(read_rows(site, "references=false&source=verified")) == {ids["alike"]}
    assert problem_of(site.get(f"{BOARD_URL}?references=yes"), 400)["errors"][0]["code"] == "bad-references"


def test_board_pages_with_reference_systems_give_every_row_once(board: tuple[Site, dict[str, str]]) -> None:
    site, ids = board
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = site.get(f"{BOARD_URL}?references=true&limit=1{cursor and f'&cursor={cursor}'}").json()
        found += [row["submission"] for row in page["rows"]]
        cursor = page["next_cursor"]
    assert found == [ids[name] for name in ("ours", "best", "alike", "mono", "dice")]


def test_exports_follow_the_board(board: tuple[Site, dict[str, str]]) -> None:
    site, ids = board
    for words, expected in (("", {"False"}), ("&references=true", {"True", "False"})):
        cells = csv.DictReader(io.StringIO(site.get(f"{BOARD_URL}/export?format=csv{words}").text))
        assert {row["reference"] for row in cells} == expected
    latex = site.get(f"{BOARD_URL}/export?format=latex&references=true&columns={KEY}").text
    assert "\\textbf{99.00}" not in latex
    assert "\\textbf{60.0}" in latex
    for name in ("eee", "hub", "model-index"):
        assert "99.0" not in site.get(f"{BOARD_URL}/export?format={name}&references=true").text
    assert site.get(f"/api/v1/submissions/{ids['ours']}/citation").json()["hub_yaml"] is None


def test_overview_filters_and_lists_of_models_have_no_reference_system(board: tuple[Site, dict[str, str]]) -> None:
    site, ids = board
    overview = site.get("/api/v1/overview")
    assert ids["ours"] not in overview.text
    assert "mono" not in overview.text
    (summary,) = (one for one in overview.json()["benchmarks"] if one["id"] == BENCHMARK.id)
    assert summary["best"]["submission"] == ids["best"]
    assert [row["model"]["name"] for row in overview.json()["rows"]] == ["best", "Earshot binaural"]
    assert "mono" not in site.get("/api/v1/overview?q=mono").text
    offered = site.get(f"{BOARD_URL}/filters").json()
    assert offered["kinds"] == [{"value": "reference", "rows": 1}], "of the model that is called the same"
    names = [one["name"] for one in site.get("/api/v1/models").json()["models"]]
    assert sorted(names) == ["Earshot binaural", "best"]
    assert [one["name"] for one in site.get("/api/v1/models?q=Earshot+mono").json()["models"]] == ["Earshot mono"]


def test_choices_of_charts_listen_and_compare_have_no_reference_system(board: tuple[Site, dict[str, str]]) -> None:
    site, ids = board
    with site.services.database.read() as transaction:
        best = list_best_systems(transaction, BOARD, KEY, 5)
        leads = list_by_leads(transaction, BENCHMARK, "default", 50)
        offered = list_comparable(transaction, BENCHMARK, "default", 50, ())
        named = list_comparable(transaction, BENCHMARK, "default", 50, (ids["mono"],))
    models = [ids["best"], ids["alike"]]
    assert [row.submission.id for row in best] == models
    assert [row.submission.id for row in leads] == [*models, ids["dice"]]
    assert [row.submission.id for row in offered] == models
    assert [row.submission.id for row in named] == [*models, ids["mono"]]


def test_rank_of_a_model_is_the_same_before_and_after_a_reference_system(tmp_path: Path) -> None:
    with run_site(tmp_path) as site:
        for name, value in (("a", 0.2), ("b", 0.4)):
            add_row(site.services, name, value)
        rank(site.services)
        before = read_rows(site)
        add_row(site.services, "ours", 0.9, source="verified", is_reference=True)
        rank(site.services)
        assert read_rows(site) == before
