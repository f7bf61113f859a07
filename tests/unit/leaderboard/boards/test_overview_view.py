"""Scores of the Overview, computed by hand; versions are never mixed."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from db.repositories.boards import BoardKey
from db.repositories.overview import BestRow, BoardState, OverviewModel
from evaluation.benchmarks import all_benchmarks, get_benchmark
from leaderboard.boards.overview_pages import OverviewQuery, make_etag, parse_query
from leaderboard.boards.overview_view import (
    describe_cell,
    describe_newest,
    describe_rows,
    list_headlines,
    scale_columns,
)
from leaderboard.pages.shell.opening import Opening, complete
from leaderboard.rendering.templating import Markup
from submissions.errors import BadRequestError

VERSIONS = all_benchmarks()
STAR = get_benchmark("star-bench")
MOTION = get_benchmark("audio-motion-bench")


def best(benchmark: str = "star-bench", version: str = "1.0", value: float = 0.5, model: int = 1) -> BestRow:
    return BestRow(model, benchmark, version, f"s-{version}", "reported", value, None, None, 1, None, None)


def test_describe_cell_with_human_baseline_is_normalised_from_chance_to_human() -> None:
    chance = STAR.chance[STAR.headline.key]
    cell = describe_cell(best(value=chance + 0.25 * (0.8 - chance)), STAR, 0.8, counts=True)
    assert cell["normalised"] == pytest.approx(0.25, abs=5e-4)
    assert cell["above_chance"] == pytest.approx(0.25 * (0.8 - chance), abs=5e-4)
    assert describe_cell(best(value=0.9), STAR, 0.8, counts=True)["normalised"] > 1
    assert describe_cell(best(value=0.1), STAR, 0.8, counts=True)["normalised"] < 0


def test_describe_cell_without_human_baseline_has_only_points_above_chance() -> None:
    cell = describe_cell(best("audio-motion-bench", value=0.5), MOTION, None, counts=True)
    assert cell["normalised"] is None
    assert cell["above_chance"] == pytest.approx(0.5 - 5 / 12, abs=5e-4)


def test_describe_rows_shows_another_version_only_without_a_score_that_counts() -> None:
    models = [OverviewModel(2, "m-b", "B"), OverviewModel(1, "m-a", "A")]
    best_rows = [best(version="demo", value=0.9), best(value=0.3), best("mdar", "demo", model=2)]
    rows = describe_rows(models, best_rows, VERSIONS, {})
    assert [row["model"]["name"] for row in rows] == ["B", "A"]
    assert (rows[1]["cells"]["star-bench"]["value"], rows[1]["cells"]["star-bench"]["counts"]) == (0.3, True)
    assert rows[0]["cells"]["mdar"]["counts"] is False
    assert rows[0]["cells"]["mdar"]["version"] == "demo"


def test_describe_rows_ignores_the_human_baseline_of_another_version() -> None:
    humans = {("star-bench", "1.0"): 0.8, ("star-bench", "demo"): None}
    (row,) = describe_rows([OverviewModel(1, "m", "A")], [best(version="demo")], VERSIONS, humans)
    assert row["cells"]["star-bench"]["normalised"] is None


def test_list_headlines_counts_only_the_first_version_in_its_default_setting() -> None:
    counting = [headline for headline in list_headlines(VERSIONS) if headline.counts]
    assert [headline.key.version for headline in counting] == ["1.0"] * 4
    assert BoardKey("audio-process-bench", "1.0", "few-shot") in [headline.key for headline in counting]
    lower = {metric.id for benchmark in VERSIONS for metric in benchmark.metrics if not metric.higher_is_better}
    assert not lower & {headline.metric for headline in counting}, "the best row is the one with the highest score"


@pytest.mark.parametrize(
    ("benchmark", "keys"),
    [
        ("star-bench", ["overall|aa", "perception|aa", "temporal|aa", "spatial|aa"]),
        ("audio-motion-bench", ["overall|accuracy", "sct|accuracy", "sdt|accuracy", "tat|accuracy"]),
        ("mdar", ["main|accuracy", "multi|em", "open|judge_score"]),
        ("audio-process-bench", ["overall|overall"]),
    ],
)
def test_scale_columns_are_headline_and_parts(benchmark: str, keys: list[str]) -> None:
    assert [column.key for column in scale_columns(get_benchmark(benchmark))] == keys


def board_row(name: str, value: float | None, benchmark: str = "star-bench", version: str = "1.0") -> Any:
    standings = {STAR.headline.key: SimpleNamespace(value=value)} if value is not None else {}
    names = {"benchmark": benchmark, "version": version, "setting": "default"}
    submission = SimpleNamespace(id="s-1", source="reported", created_at=datetime.now(UTC), **names)
    model = SimpleNamespace(public_id="m-1", name=name)
    return SimpleNamespace(submission=submission, model=model, standings=standings)


def test_describe_newest_skips_removed_benchmarks() -> None:
    results = list(describe_newest([board_row("A", 0.5), board_row("B", 0.4, "gone")], VERSIONS))
    assert [(result["figure"], result["value"]) for result in results] == [(None, 0.5)]


def test_describe_newest_shows_the_first_score_of_a_row_of_one_part() -> None:
    row = board_row("A", None)
    row.standings |= {STAR.headline.key: SimpleNamespace(value=None), "spatial|aa": SimpleNamespace(value=0.6)}
    (result,) = describe_newest([row], VERSIONS)
    assert (result["figure"], result["value"]) == ("Spatial", 0.6)


def test_make_etag_changes_with_the_state_of_any_board() -> None:
    states = [BoardState("a", "1", "x", 1, 1, 0), BoardState("b", "1", "x", 1, 1, 0)]
    last = states[1]
    others = [last._replace(revision=2), last._replace(changes=2), last._replace(relabelled=2)]
    tags = {make_etag(states), make_etag([]), make_etag(states[:1])}
    tags |= {make_etag([states[0], other]) for other in others}
    assert len(tags) == 6


def test_parse_query_returns_the_query_and_refuses_unknown_values() -> None:
    ids = ("star-bench", "mdar")
    assert parse_query(None, None, None, 100, ids) == OverviewQuery()
    assert parse_query("mdar", None, " qwen ", 5, ids) == OverviewQuery("mdar", True, "qwen", 5)
    assert parse_query("model", None, None, 5, ids).descending is False
    invalid: list[tuple[str | None, str | None, str | None, int]] = [
        ("mdr", None, None, 5),
        (None, "up", None, 5),
        (None, None, "a\x00", 5),
        (None, None, None, 501),
    ]
    for sort, order, search, limit in invalid:
        with pytest.raises(BadRequestError):
            parse_query(sort, order, search, limit, ids)


def test_complete_changes_only_pages_of_gradio() -> None:
    opening = Opening(Markup("<title>Earshot</title>"), Markup("<section></section>"), "/static", Markup(""))
    assert complete("<html></html>", opening, "") == "<html></html>"
    page = '<base href="./" /><meta property="og:image" content="https://else.example/x"><gradio-app>'
    completed = complete(page, opening, "https://here.example")
    assert "else.example" not in completed
    assert "https://here.example/static/social-card.png" in completed
    assert completed.index("<title>") < completed.index("<section>") < completed.index("<gradio-app>")
