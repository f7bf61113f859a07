"""Published rows over HTTP: dates, sources and human baselines, separate from submissions."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.introduction import Paper
from leaderboard.charts.chart_reading import ChartReader
from submissions.jobs.registration import load_published
from submissions.ranking.standings import refresh_board
from tests.support.servers.live_site import Site, add_row, rank, run_site

API = "/api/v1"
STAR, CRITICS = get_benchmark("star-bench", "1.0"), get_benchmark("audio-process-bench", "1.0")
BOARD, CRITICS_BOARD = f"{API}/leaderboards/star-bench", f"{API}/leaderboards/audio-process-bench"
SPATIAL = f"{BOARD}?version=1.0&setting=channel-wise"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("papers")
    with run_site(folder) as site:
        load_published(site.services.database)
        for benchmark in (STAR, CRITICS):
            for setting in benchmark.settings:
                refresh_board(site.services.database, benchmark, setting, (), datetime.now(UTC))
        add_row(site.services, "sent", 0.5)
        rank(site.services)
        yield site


def paper_of(benchmark: Benchmark) -> Paper:
    assert benchmark.paper is not None
    return benchmark.paper


def find_row(site: Site, source: str, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = site.get(f"{BOARD}?version=1.0&source={source}&limit=1{query}").json()["rows"][0]
    return found


def test_published_row_with_only_a_year_has_no_time(papers: Site) -> None:
    for source in ("reported", "human", "random"):
        row = find_row(papers, source)
        assert (row["date"], row["printed_on"]) == (None, "2026")
        status = papers.get(f"{API}/submissions/{row['submission']}").json()
        assert (status["created_at"], status["printed_on"]) == (None, "2026")
        page = papers.get(f"{API}/models/{row['model']['id']}").json()
        assert {(one["date"], one["printed_on"]) for one in page["rows"] if one["benchmark"] == "star-bench"} == {
            (None, "2026")
        }


def test_published_row_has_its_exact_date_if_known(papers: Site) -> None:
    row = papers.get(f"{CRITICS_BOARD}?version=1.0&source=reported&limit=1").json()["rows"][0]
    assert (row["date"], row["printed_on"]) == ("2026-06-07T00:00:00+00:00", "2026-06-07")


def test_submitted_row_has_its_time_and_no_publication_date(papers: Site) -> None:
    (row,) = papers.get(f"{API}/leaderboards/audio-motion-bench?source=submitted").json()["rows"]
    assert row["date"] is not None
    assert row["printed_on"] is None


def test_exports_have_no_time_for_an_unknown_publication_date(papers: Site) -> None:
    row = find_row(papers, "reported")
    export = f"{BOARD}/export?version=1.0&submission={row['submission']}&format="
    (cells,) = csv.DictReader(io.StringIO(papers.get(f"{export}csv").text))
    assert (cells["date"], cells["printed_on"]) == ("", "2026")
    entries = yaml.safe_load(papers.get(f"{export}hub").text)
    assert not [entry for entry in entries if "date" in entry]
    assert "https://openreview.net/forum?id=Ts6j3GoZDE, Table 2" in entries[0]["notes"]
    record = papers.get(f"{export}eee").json()
    assert "evaluation_timestamp" not in record
    assert record["source_metadata"]["additional_details"]["printed_on"] == "2026"
    citation = papers.get(f"{API}/submissions/{row['submission']}/citation").json()
    assert "date" not in yaml.safe_load(citation["hub_yaml"])[0]


def test_every_published_row_names_paper_table_and_row(papers: Site, subtests: pytest.Subtests) -> None:
    authors = {STAR.id: "Zihan Liu", CRITICS.id: "Xiangyu Zhao"}
    for benchmark in (STAR, CRITICS):
        for setting in benchmark.settings:
            address = f"{API}/leaderboards/{benchmark.id}?version=1.0&setting={setting}&limit=100"
            for row in papers.get(address).json()["rows"]:
                with subtests.test(setting=setting, row=row["model"]["name"]):
                    paper = row["paper"]
                    assert (paper["title"], paper["authors"][0]) == (paper_of(benchmark).title, authors[benchmark.id])
                    assert (paper["url"], paper["year"]) == (paper_of(benchmark).url, 2026)
                    assert paper["tables"]
                    assert paper["row"]
                    status = papers.get(f"{API}/submissions/{row['submission']}").json()
                    assert status["paper"] == paper


def test_submitted_row_has_no_paper(papers: Site) -> None:
    (row,) = papers.get(f"{API}/leaderboards/audio-motion-bench?source=submitted").json()["rows"]
    assert row["paper"] is None


def test_every_export_of_a_reported_row_names_its_paper(papers: Site, subtests: pytest.Subtests) -> None:
    rows = papers.get(f"{BOARD}?version=1.0&source=reported&limit=100").json()["rows"]
    (row,) = (one for one in rows if one["paper"]["row"] == "Qwen-2.5-Omni")
    export = f"{BOARD}/export?version=1.0&submission={row['submission']}&format="
    for kind in ("csv", "json", "latex", "bibtex", "eee", "hub", "model-index"):
        with subtests.test(kind=kind):
            text = papers.get(f"{export}{kind}").text
            assert paper_of(STAR).url in text
            assert "Liu" in text
            assert "Table 2" in text
            assert "Qwen-2.5-Omni" in text
    (cells,) = csv.DictReader(io.StringIO(papers.get(f"{export}csv").text))
    assert (cells["paper_title"], cells["paper_row"]) == (paper_of(STAR).title, "Qwen-2.5-Omni")
    citation = papers.get(f"{API}/submissions/{row['submission']}/citation").json()
    assert "row “Qwen-2.5-Omni”" in citation["text"]
    assert STAR.citation in citation["bibtex"]
    assert "Table 2" in citation["bibtex"]
    board = papers.get(f"{BOARD}/export?version=1.0&format=bibtex").text
    assert "Reported scores: Liu et al., 2026, Table 2, Table 4, Table 5, Table 6" in board


def test_row_of_one_part_is_cited_with_score_and_rank_in_that_part(papers: Site) -> None:
    row = papers.get(f"{SPATIAL}&limit=1").json()["rows"][0]
    text = papers.get(f"{API}/submissions/{row['submission']}/citation").json()["text"]
    assert ": Spatial 45.42 %, rank 1, reported, " in text


def test_row_of_one_part_is_compared_with_the_best_in_that_part(papers: Site) -> None:
    best, second = (row["model"] for row in papers.get(f"{SPATIAL}&limit=2").json()["rows"])
    views = papers.services.model_pages.read(second["id"], None).rows
    (of_part,) = (one for one in views if one.row.submission.setting == "channel-wise")
    assert of_part.lead.key == "spatial|aa"
    assert of_part.rival is not None
    assert of_part.rival.model.name == best["name"]


def test_charts_of_a_one_part_board_start_with_its_best_rows(papers: Site) -> None:
    ranked = [row["model"]["name"] for row in papers.get(f"{SPATIAL}&limit=4").json()["rows"]]
    rows = ChartReader(papers.services.database).read_board(STAR, "channel-wise").rows
    assert [row.model.name for row in rows[:4]] == ranked


def test_newest_entries_are_submissions(papers: Site) -> None:
    assert [one["model"]["name"] for one in papers.get(f"{API}/overview").json()["newest"]] == ["sent"]


def test_board_sorted_by_date_is_paginated(papers: Site) -> None:
    seen: list[str] = []
    query: str | None = ""
    while query is not None:
        page = papers.get(f"{BOARD}?version=1.0&sort=date&limit=7{query}").json()
        seen += [row["submission"] for row in page["rows"]]
        query = f"&cursor={page['next_cursor']}" if page["next_cursor"] else None
    assert len(seen) == len(set(seen)) == 21


def test_human_row_describes_its_participants(papers: Site) -> None:
    row = find_row(papers, "human")
    (note,) = row["notes"]
    assert note.startswith("Ten students")
    text = papers.get(f"{BOARD}/export?version=1.0&source=human&format=latex").text
    (comment,) = (line for line in text.splitlines() if line.startswith("% Human:"))
    assert "Table 2" in comment
    assert comment.endswith(note)


def test_score_that_cannot_be_derived_is_absent(papers: Site) -> None:
    human = find_row(papers, "human")
    status = papers.get(f"{API}/submissions/{human['submission']}").json()
    for key in ("perception|acr", "overall|acr"):
        assert key not in human["scores"]
        assert key not in human["score_notes"]
        assert key not in status["scores"]
    row = find_row(papers, "reported", "&sort=overall|acr&slice=overall&metric=acr")
    assert row["rank"] == 1
    assert row["scores"]["overall|acr"]["value"] == pytest.approx(0.2385, abs=0.00005)
    assert row["score_notes"]["overall|acr"] == "Not in the paper; mean of perception, temporal, spatial."


def test_overall_of_the_paper_names_its_table_and_the_release_of_its_questions(papers: Site) -> None:
    rows = papers.get(f"{BOARD}?version=1.0&columns=overall|aa&limit=100").json()["rows"]
    printed = {row["model"]["name"]: row for row in rows if row["paper"]}
    assert len(printed) == 21
    assert all(row["scores"]["overall|aa"]["value"] is not None for row in printed.values())
    assert all(row["score_notes"]["overall|aa"].startswith("Table 2") for row in printed.values())
    assert {row["paper"]["data_version"] for row in printed.values()} == {"0.5"}
    assert printed["Gemini 2.5 Pro"]["scores"]["overall|aa"]["value"] == 0.4959
    notes = {one["version"]: one["note"] for one in papers.get(f"{API}/benchmarks").json()["benchmarks"] if one["note"]}
    assert "v0.5" in notes["1.0"]


def test_board_of_a_one_part_setting_is_sorted_by_that_part_and_has_ranks(papers: Site) -> None:
    page = papers.get(SPATIAL).json()
    rows = page["rows"]
    assert page["metric"] == "spatial|aa"
    assert [row["rank"] for row in rows] == list(range(1, 20))
    assert rows[0]["scores"]["spatial|aa"]["value"] == pytest.approx(0.4542, abs=0.00005)
    assert rows[0]["score_notes"]["spatial|aa"].startswith(
        "Not in the paper; weighted mean of 283 spatial/localization"
    )
