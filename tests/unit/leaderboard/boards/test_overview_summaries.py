"""Summaries of benchmarks on the Overview."""

from types import SimpleNamespace
from typing import Any

import pytest

from db.records import BenchmarkRecord
from evaluation.benchmarks import Benchmark, Column, all_benchmarks, get_benchmark
from leaderboard.boards.overview_summaries import BenchmarkStandings, describe_summary, find_open_version
from leaderboard.boards.overview_view import HeadlineScale

VERSIONS = all_benchmarks()
STAR = get_benchmark("star-bench")
MDAR = get_benchmark("mdar")


def board_row(name: str, value: float | None, source: str = "reported", **interval: float) -> Any:
    score = SimpleNamespace(value=value, low=interval.get("low"), high=interval.get("high"))
    submission = SimpleNamespace(id=f"s-{name}", source=source)
    return SimpleNamespace(
        submission=submission, model=SimpleNamespace(public_id="m-1", name=name), standings={STAR.headline.key: score}
    )


def describe(
    systems: list[Any], evaluated: list[Any], human: float | None = 0.8, column: Column = STAR.headline
) -> dict[str, Any]:
    standing = BenchmarkStandings(HeadlineScale(STAR, STAR.headline, human, systems), True, evaluated, column)
    return describe_summary(standing, {}, VERSIONS)


def register(benchmark: Benchmark, n_items: int) -> dict[tuple[str, str], BenchmarkRecord]:
    record = BenchmarkRecord(benchmark.id, benchmark.version, "ab", "pack.zip", n_items, 1)
    return {(benchmark.id, benchmark.version): record}


def test_summary_contains_the_gap_between_the_best_model_and_humans() -> None:
    summary = describe([board_row("A", 0.5), board_row("B", 0.4)], [])
    assert summary["best"]["model"]["name"] == "A"
    assert summary["gap"] == pytest.approx(0.3)
    assert describe([board_row("A", 0.5)], [], human=None)["gap"] is None
    assert describe([], [])["best"] is None


def test_summary_leader_is_the_best_evaluated_model_with_its_interval() -> None:
    summary = describe([board_row("A", 0.5)], [board_row("B", 0.3, "submitted", low=0.2, high=0.4)])
    leader = summary["leader"]
    assert (leader["model"]["name"], leader["source"]) == ("B", "submitted")
    assert (leader["value"], leader["low"], leader["high"]) == (0.3, 0.2, 0.4)


def test_summary_names_the_score_of_a_leader_without_headline() -> None:
    perception = next(column for column in STAR.columns if column.key == "perception|aa")
    row = board_row("B", None, "submitted")
    row.standings[perception.key] = SimpleNamespace(value=0.3, low=0.2, high=0.4)
    leader = describe([board_row("A", 0.5)], [row], column=perception)["leader"]
    assert (leader["model"]["name"], leader["value"], leader["title"]) == ("B", 0.3, perception.title)
    assert describe([board_row("A", 0.5)], [])["leader"]["title"] is None


def test_summary_leader_without_evaluated_models_is_the_best_reported_model() -> None:
    leader = describe([board_row("A", 0.5)], [])["leader"]
    assert (leader["model"]["name"], leader["source"], leader["low"]) == ("A", "reported", None)
    assert describe([], [])["leader"] is None


def test_open_version_is_the_first_with_installed_questions() -> None:
    assert find_open_version(STAR, {}, VERSIONS) == "1.0", "one part is generated here"
    assert find_open_version(MDAR, {}, VERSIONS) == "demo"
    assert find_open_version(MDAR, register(MDAR, 0), VERSIONS) == "demo", "registered without questions"
    assert find_open_version(MDAR, register(MDAR, 2825), VERSIONS) == "1.0"
    assert find_open_version(MDAR, {}, [MDAR]) is None


def test_every_benchmark_has_a_question_and_a_paper() -> None:
    for benchmark in VERSIONS:
        assert "? " in benchmark.summary, "a question, then a sentence"
        assert len(benchmark.summary) < 180
        assert benchmark.paper is not None
        assert benchmark.paper.url.startswith("https://")
        assert str(benchmark.paper.year) in benchmark.citation
