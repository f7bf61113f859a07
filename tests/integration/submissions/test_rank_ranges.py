"""Confidence intervals and rank ranges of a board: values, rows without them, and reproducibility."""

import hashlib
import logging
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import select, update

import submissions.ranking.rank_ranges
import submissions.ranking.standings
from db.models import Board as BoardTable
from db.models import Outcome as OutcomeTable
from db.models import Standing, Submission
from db.records import StandingRecord
from db.repositories import boards
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation import standings
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.disclosure_rule import round_up
from evaluation.packs import example_predictions
from evaluation.statistics import Estimator, ItemMean, ResampledBoard, Resampling, detectable_on_board, wilson_interval
from evaluation.streams import stream
from evaluation.types import Outcomes, Prediction
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.detectable_difference import DetectableDifference, find_detectable_column
from submissions.ranking.rank_ranges import RESAMPLES, Uncertainty
from submissions.ranking.standings import refresh_board
from tests.support.samples.boards_with_outcomes import (
    BOARD,
    COLUMNS,
    KEY,
    N_A,
    N_B,
    N_ITEMS,
    NOW,
    SMALL,
    Row,
    SmallBenchmark,
    fill,
    ranges,
    read,
    refresh,
    rows,
    skilled,
)

pytestmark = pytest.mark.all_resamples


def right_on(*chosen: range) -> NDArray[np.float32]:
    """Return outcomes of one run with the named items correct."""
    correct = np.zeros((N_ITEMS, 1), np.float32)
    for numbers in chosen:
        correct[list(numbers)] = 1
    return correct


# --- values ---------------------------------------------------------------------------------------------------------


def test_interval_of_a_share_matches_the_binomial_distribution(database: Database) -> None:
    fill(database, Row("one", right_on(range(64))))
    assert refresh(database)
    found = read(database, "a|accuracy")["one"]
    low, high = wilson_interval(64, 80)
    assert found.value == 0.8
    assert found.low == pytest.approx(low, abs=1 / 80)
    assert found.high == pytest.approx(high, abs=1 / 80)


def test_ranges_separate_different_rows_and_join_equal_ones(database: Database) -> None:
    fill(
        database,
        Row("best", right_on(range(70))),
        Row("next", right_on(range(1, 70))),  # loses one item of eighty, wins none
        Row("other", right_on(range(4, 73))),
        Row("last", right_on(range(20))),
    )
    assert refresh(database)
    assert ranges(database, "a|accuracy") == {
        "best": (1, 1, 3),
        "next": (2, 1, 3),
        "other": (2, 1, 3),
        "last": (4, 4, 4),
    }


def test_reference_system_has_an_interval_and_changes_no_range(database: Database) -> None:
    reference = Row("ours", right_on(range(80)), source="verified", is_reference=True)
    fill(database, Row("best", right_on(range(70))), Row("next", right_on(range(1, 70))), reference)
    assert refresh(database)
    assert ranges(database, "a|accuracy") == {"best": (1, 1, 2), "next": (2, 1, 2), "ours": (None, None, None)}
    assert read(database, "a|accuracy")["ours"].low is not None


def test_intervals_and_ranges_match_those_computed_from_the_same_table(database: Database) -> None:
    made = [skilled(f"s{number}", 0.3 + number / 20, seed=number) for number in range(8)]
    fill(database, *made)
    assert refresh(database)
    table = np.concatenate([one.correct for one in made if one.correct is not None], axis=1).astype(np.float64)
    rng = stream(KEY.seed, "standings|small|1.0|default|1")
    weights = (np.arange(N_ITEMS) < N_A).astype(np.int64)
    drawn = Resampling.draw(SMALL.cluster_items(KEY), RESAMPLES, rng)
    expected = ResampledBoard(Estimator(ItemMean("right", weights), drawn), {"right": table}).standings()
    found = read(database, "a|accuracy")
    for number, one in enumerate(made):
        assert found[one.name].low == pytest.approx(expected.low[number], abs=1.01e-3)
        assert found[one.name].high == pytest.approx(expected.high[number], abs=1.01e-3)
        ends = int(expected.rank_low[number]), int(expected.rank_high[number])
        assert (found[one.name].rank_low, found[one.name].rank_high) == ends


def test_board_of_audio_motion_bench_matches_the_computed_standings() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    reports = []
    for name in ("x", "y", "z"):
        rows_of_file = example_predictions(benchmark.content(key), name)
        predictions = [Prediction(str(row["id"]), int(str(row["run"])), str(row["response"])) for row in rows_of_file]
        reports.append(benchmark.score(key, predictions))
    outcomes = {number: report.outcomes for number, report in enumerate(reports)}
    sure = Uncertainty(benchmark, {"": EditionOutcomes.of_key(key, outcomes)}, board="default", revision=7)
    values = [report.scores["overall"]["accuracy"].value or 0.0 for report in reports]
    places = [1 + sum(other > value for other in values) for value in values]
    placed = [
        StandingRecord(str(n), n, "overall", "accuracy", value, rank=place)
        for n, (value, place) in enumerate(zip(values, places, strict=True))
    ]
    table = np.stack([report.outcomes.correct.mean(axis=1) for report in reports], axis=1)
    rng = stream(key.seed, "standings|audio-motion-bench|1.0|default|7")
    expected = standings(table.astype(np.float64), benchmark.cluster_items(key), resamples=RESAMPLES, rng=rng)
    for n, found in enumerate(sure.add_to(placed)):
        assert found.low == pytest.approx(expected.low[n], abs=1.01e-3)
        assert found.high == pytest.approx(expected.high[n], abs=1.01e-3)
        assert (found.rank_low, found.rank_high) == (expected.rank_low[n], expected.rank_high[n])


def test_single_system_has_an_interval_and_rank_1(database: Database) -> None:
    fill(database, skilled("alone", 0.5))
    assert refresh(database)
    assert ranges(database, "overall|accuracy") == {"alone": (1, 1, 1)}
    assert read(database, "overall|accuracy")["alone"].low is not None


def test_identical_systems_share_rank_and_range(database: Database) -> None:
    fill(database, skilled("one", 0.5), skilled("same", 0.5))
    assert refresh(database)
    assert ranges(database, "overall|accuracy") == {"one": (1, 1, 2), "same": (1, 1, 2)}


def test_item_with_several_seeds_counts_with_its_mean(database: Database) -> None:
    # Two independent seeds carry as much information as twice the items; the same seed twice adds none.
    seeds = (np.random.default_rng(4).random((N_ITEMS, 2)) < 0.5).astype(np.float32)
    fill(database, Row("two", seeds), Row("same", np.repeat(seeds[:, :1], 2, axis=1)))
    assert refresh(database)
    widths = {name: (found.high or 0) - (found.low or 0) for name, found in read(database, "a|accuracy").items()}
    assert widths["two"] == pytest.approx(widths["same"] / np.sqrt(2), rel=0.2)


def test_items_of_a_clip_are_resampled_together(database: Database) -> None:
    """Three items of `b` share a clip: if they are right or wrong together, the interval is wider than for independent
    items.
    """
    by_clip = (np.arange(N_ITEMS) // 3 % 2).astype(np.float32)[:, None]
    by_item = (np.arange(N_ITEMS) % 2).astype(np.float32)[:, None]
    by_clip[N_A:] = ((np.arange(N_B) // 3) % 2)[:, None]
    fill(database, Row("by clip", by_clip), Row("by item", by_item))
    assert refresh(database)
    widths = {name: (s.high or 0) - (s.low or 0) for name, s in read(database, "b|accuracy").items()}
    # Standard deviations of a mean over 60 clips with values 0 or 1, and over 60 clips with values 1/3 or 2/3.
    assert widths["by clip"] == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(60), rel=0.15)
    assert widths["by item"] == pytest.approx(widths["by clip"] / 3, rel=0.2)


def test_score_that_is_better_low_has_a_reversed_range(database: Database) -> None:
    fill(database, *(Row(f"wrong on {80 - n}", right_on(range(n))) for n in (75, 40, 10)))
    assert refresh(database)
    expected = {"wrong on 5": (1, 1, 1), "wrong on 40": (2, 2, 2), "wrong on 70": (3, 3, 3)}
    assert ranges(database, "a|errors") == expected
    fill(database, Row("wrong on 6", right_on(range(74))))
    assert refresh(database)
    assert ranges(database, "a|errors")["wrong on 6"] == (2, 1, 2)


def test_metric_without_ranks_has_only_intervals(database: Database) -> None:
    fill(database, skilled("one", 0.4), skilled("other", 0.6))
    assert refresh(database)
    for found in read(database, "a|bias").values():
        assert found.low is not None
        assert (found.rank, found.rank_low, found.rank_high) == (None, None, None)


# --- rows without them ----------------------------------------------------------------------------------------------


def test_reported_row_has_neither_interval_nor_range_and_shifts_the_rows_below_it(database: Database) -> None:
    reported = Row("paper", None, source="reported", values={"a|accuracy": 0.5})
    fill(database, reported, Row("above", right_on(range(70))), Row("below", right_on(range(20))))
    assert refresh(database)
    assert ranges(database, "a|accuracy") == {"above": (1, 1, 1), "paper": (2, None, None), "below": (3, 3, 3)}
    paper = read(database, "a|accuracy")["paper"]
    assert (paper.value, paper.low, paper.high) == (0.5, None, None)


def test_range_contains_the_rank_whatever_papers_report(database: Database) -> None:
    papers = [Row(f"paper {n}", None, source="reported", values={"a|accuracy": n / 10}) for n in range(11)]
    fill(database, *papers, *(skilled(f"s{n}", 0.2 + n / 12, seed=n) for n in range(8)))
    assert refresh(database)
    found = ranges(database, "a|accuracy")
    assert sum(low is None for _, low, _ in found.values()) == len(papers)
    assert all(low <= rank <= high for rank, low, high in found.values() if rank and low and high)


def test_row_of_another_signature_has_no_interval_and_changes_no_other(database: Database) -> None:
    fill(database, skilled("one", 0.5), skilled("two", 0.6, seed=1))
    assert refresh(database)
    before = dump(database)
    fill(database, skilled("older", 0.9, ranking="small:1.0|yesterday"))
    with database.write() as transaction:  # the same revision again, because the resamples depend on it
        transaction.execute(update(BoardTable).values(changes=1, revision=0))
    assert refresh(database)
    older = read(database, "overall|accuracy")["older"]
    assert (older.rank, older.rank_low, older.rank_high, older.low, older.high) == (None,) * 5
    assert [line for line in dump(database) if "older" not in line] == before


def test_part_is_ranked_among_the_rows_that_have_it(database: Database) -> None:
    correct = right_on(range(N_ITEMS))
    correct[N_A:] = np.nan
    fill(database, Row("a alone", correct), skilled("both", 0.5))
    assert refresh(database)
    assert ranges(database, "a|accuracy") == {"a alone": (1, 1, 1), "both": (2, 2, 2)}
    assert ranges(database, "overall|accuracy") == ranges(database, "b|accuracy") == {"both": (1, 1, 1)}


@pytest.mark.parametrize("source", ["random", "human"])
def test_pinned_row_has_an_interval_and_no_range(database: Database, source: str) -> None:
    fill(database, skilled("pinned", 0.5, source=source), skilled("one", 0.6, seed=1))
    assert refresh(database)
    pinned = read(database, "overall|accuracy")["pinned"]
    assert pinned.low is not None
    assert (pinned.rank, pinned.rank_low, pinned.rank_high) == (None, None, None)
    assert ranges(database, "overall|accuracy")["one"] == (1, 1, 1)


def test_score_over_few_clips_has_no_interval_even_if_it_is_public(database: Database) -> None:
    fill(database, skilled("one", 0.5))
    assert refresh(database)
    assert read(database, "few|accuracy") == {}, "secret answers: a figure over ten items is not public"

    class Open(SmallBenchmark):
        answers_are_secret = False
        min_public_items = 1

    fill(database)
    assert refresh(database, Open())
    few = read(database, "few|accuracy")["one"]
    assert few.value is not None
    assert (few.rank, few.low, few.high, few.rank_low, few.rank_high) == (1, None, None, None, None)


def test_score_that_is_not_an_item_mean_has_only_a_rank(database: Database) -> None:
    fill(database, skilled("one", 0.5))
    assert refresh(database)
    found = read(database, "a|largest")["one"]
    assert (found.rank, found.low, found.rank_low) == (1, None, None)


def test_outcomes_of_another_key_are_excluded_and_logged(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    fill(database, skilled("one", 0.5), skilled("foreign", 0.6, seed=1, seed_of_key="another seed"))
    with caplog.at_level(logging.ERROR):
        assert refresh(database)
    assert "do not match the key" in caplog.text
    assert ranges(database, "a|accuracy")["foreign"] == (1, None, None)
    assert ranges(database, "a|accuracy")["one"] == (2, 2, 2)


def test_outcomes_of_another_number_of_items_are_excluded_and_logged(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    fill(database, skilled("one", 0.5), skilled("two", 0.6, seed=1))
    with database.write() as transaction:
        transaction.execute(update(OutcomeTable).where(OutcomeTable.evaluation_id == 4).values(n_items=7))
    with caplog.at_level(logging.ERROR):
        assert refresh(database)
    assert "evaluation 4 has outcomes of 7 items, not of 260" in caplog.text
    assert ranges(database, "a|accuracy") == {"two": (1, None, None), "one": (2, 2, 2)}


def test_private_row_is_excluded_and_not_read(database: Database) -> None:
    fill(database, skilled("one", 0.5), skilled("hidden", 0.9))
    with database.write() as transaction:
        transaction.execute(update(Submission).where(Submission.id == "hidden").values(visibility="private"))
    with database.read() as transaction:
        assert set(boards.list_outcomes(transaction, BOARD)) == {2}
    assert refresh(database)
    assert ranges(database, "a|accuracy") == {"one": (1, 1, 1)}


def test_score_that_contradicts_its_outcomes_has_no_interval_and_is_logged(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    fill(database, skilled("odd", 0.5, values={"a|accuracy": 0.9}), skilled("one", 0.6, seed=1))
    with caplog.at_level(logging.ERROR):
        assert refresh(database)
    assert "a|accuracy of evaluation 2 is 0.9, but its outcomes give" in caplog.text
    odd = read(database, "a|accuracy")["odd"]
    assert (odd.low, odd.high, odd.rank_low, odd.rank_high) == (None, None, None, None)


def test_board_without_a_key_has_only_ranks(database: Database) -> None:
    fill(database, skilled("one", 0.5))
    assert refresh(database, key=None)
    assert ranges(database, "a|accuracy") == {"one": (1, None, None)}
    with database.read() as transaction:
        board = boards.find_board(transaction, BOARD)
    assert board is not None
    assert board.detectable is None


# --- reproducibility -------------------------------------------------------------------------------------------------


def dump(database: Database) -> list[str]:
    """Return every standing as text, to the last digit."""
    table = Standing.__table__
    with database.read() as transaction:
        found = transaction.execute(select(table).order_by(table.c.slice, table.c.metric, table.c.submission_id))
        return [repr(tuple(row)) for row in found]


def make_full_board(database: Database) -> None:
    paper = Row("paper", None, source="reported", values={"a|accuracy": 0.55, "overall|accuracy": 0.4})
    fill(
        database, paper, *(skilled(f"s{n}", 0.3 + n / 20, seed=n) for n in range(9)), skilled("c", 0.5, source="random")
    )


def test_rebuilt_board_is_identical_byte_for_byte(database: Database) -> None:
    make_full_board(database)
    assert refresh(database)
    first = dump(database)
    with database.write() as transaction:
        transaction.execute(Standing.__table__.delete())  # type: ignore[attr-defined]
        transaction.execute(update(BoardTable).values(revision=0))
    assert refresh(database)
    assert dump(database) == first
    assert len(first) > 50


def test_board_without_editions_is_that_of_earlier_releases(database: Database) -> None:
    make_full_board(database)
    assert refresh(database)
    digest = hashlib.sha256("\n".join(dump(database)).encode()).hexdigest()
    assert digest == "ca59d7c53ec67962b6e748377552a0e1c1adb9a63f936b4f3c9d29f89122dfda", (
        "ranks, intervals and ranges of the release before editions"
    )


def test_another_revision_draws_other_resamples(database: Database) -> None:
    make_full_board(database)
    assert refresh(database)
    first = read(database, "overall|accuracy")
    fill(database)
    assert refresh(database)
    second = read(database, "overall|accuracy")
    moved = [name for name in first if (first[name].low, first[name].high) != (second[name].low, second[name].high)]
    assert len(moved) >= 3
    for name in moved:
        assert second[name].low == pytest.approx(first[name].low, abs=0.01)


def test_resamples_are_drawn_from_the_secret_of_the_key() -> None:
    outcomes = {1: Outcomes((), np.ones((N_ITEMS, 1), np.float32), np.zeros((N_ITEMS, 1), np.int16))}
    editions = ({"": EditionOutcomes.of_key(key, outcomes)} for key in (KEY, replace(KEY, seed="another")))
    drawn = [Uncertainty(SMALL, one, board="default", revision=1)._draw_resamples("").signs for one in editions]
    assert (drawn[0] != drawn[1]).mean() > 0.3


def test_interval_bounds_are_rounded_to_a_hundredth_of_a_point(database: Database) -> None:
    make_full_board(database)
    assert refresh(database)
    found = [s for column in COLUMNS for s in read(database, column).values() if s.low is not None]
    assert len(found) > 30
    for one in found:
        low, value, high = one.low or 0.0, one.value or 0.0, one.high or 0.0
        assert (round(low, 4), round(high, 4)) == (low, high)
        assert 0 <= low <= value <= high <= 1


def test_change_during_a_board_refresh_is_not_lost(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(database, skilled("one", 0.5))
    make = Uncertainty.add_to

    def add_late(sure: Uncertainty, *arguments: Any) -> list[StandingRecord]:
        monkeypatch.undo()
        fill(database, skilled("late", 0.6, seed=1))
        return make(sure, *arguments)

    monkeypatch.setattr(Uncertainty, "add_to", add_late)
    assert refresh(database)
    assert set(read(database, "a|accuracy")) == {"one"}
    assert refresh(database)
    assert set(read(database, "a|accuracy")) == {"one", "late"}
    assert not refresh(database)


def test_large_board_has_intervals_in_the_default_columns(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions.ranking.rank_ranges, "MAX_RESAMPLED", 8)
    fill(database, skilled("one", 0.5), skilled("two", 0.6, seed=1))
    assert refresh(database)
    has_interval = {column: read(database, column)["one"].low is not None for column in COLUMNS if "few" not in column}
    # Three columns are shown by default; one more fits.
    assert has_interval == {
        "a|errors": True,
        "a|bias": False,
        "a|largest": False,
        "a|accuracy": True,
        "b|accuracy": True,
        "overall|accuracy": True,
    }


def test_smallest_difference_is_that_of_the_headline_score(database: Database) -> None:
    fill(database, skilled("one", 0.5))
    assert refresh(database)
    with database.read() as transaction:
        board = boards.find_board(transaction, BOARD)
    assert board is not None
    # A mean of means over 80 and 180 items has the variance of one over 4 / (1/80 + 1/180) = 221.5 items, on 140 clips.
    assert board.detectable == round_up(detectable_on_board(221, 140))
    assert rows("a").sum() == N_A
    assert board.updated_at == NOW


# STAR-Bench 1.0 generates only the perception task; its demonstration set has all three.
MADE = [
    ("star-bench", "1.0", "default", "perception|aa"),
    ("star-bench", "1.0", "caption-only", "perception|aa"),
    ("star-bench", "1.0", "channel-wise", None),
    ("star-bench", "1.0", "pseudo-stereo", "perception/tones|aa"),
    ("star-bench", "demo", "default", "overall|aa"),
    ("star-bench", "demo", "channel-wise", "spatial|aa"),
    ("star-bench", "demo", "global-caption", "temporal|aa"),
    ("mdar", "demo", "noise", "main|accuracy"),
    ("audio-motion-bench", "1.0", "default", "overall|accuracy"),
    ("audio-process-bench", "synthetic-3", "default", "overall|overall"),
]


@pytest.mark.parametrize(("name", "version", "setting", "figure"), MADE)
def test_smallest_difference_is_of_the_first_score_that_rows_of_the_setting_can_have(
    name: str, version: str, setting: str, figure: str | None
) -> None:
    benchmark = get_benchmark(name, version)
    key = benchmark.make_key("test", "a seed")
    column = find_detectable_column(benchmark, setting, benchmark.content(key).parts)
    assert (column.key if column else None) == figure
    if column is not None:
        # Without a key the result is the same: no other score comes before it.
        shown = [benchmark.headline_of(setting), *(one for one in benchmark.columns if one.shown)]
        assert column == next(one for one in shown if benchmark.find_formula(key, one.slice, one.metric) is not None)
    # A harmonic mean has no size, and with 9 items no test detects any difference in four of five cases.
    few = ("spatial|aa", "main|accuracy")
    has_size = figure not in (None, "overall|overall", *few)
    assert (DetectableDifference(benchmark, key, setting, {}).find_value() is not None) == has_size


@pytest.mark.parametrize(
    ("name", "setting", "held", "figure"),
    [
        ("star-bench", "default", {"temporal"}, "temporal|aa"),
        ("star-bench", "default", {"temporal", "perception"}, "perception|aa"),
        ("star-bench", "channel-wise", {"perception", "temporal", "spatial"}, "spatial|aa"),
        ("mdar", "default", {"multi", "open"}, "multi|em"),
        ("mdar", "default", {"main"}, "main|accuracy"),
        ("mdar", "default", set(), None),
    ],
)
def test_score_of_the_smallest_difference_covers_installed_parts(
    name: str, setting: str, held: set[str], figure: str | None
) -> None:
    column = find_detectable_column(get_benchmark(name, "1.0"), setting, held)
    assert (column.key if column else None) == figure


def test_smallest_difference_of_a_mean_of_sub_tasks_follows_from_their_sizes() -> None:
    benchmark = get_benchmark("star-bench", "1.0")
    # Sub-tasks of the perception task have equal weights: a mean over this many items would have the same variance.
    n_items = 100 / sum(1 / n for n in (143, 96, 72, 51, 120, 120, 120, 120, 64, 45))
    found = DetectableDifference(benchmark, benchmark.make_key("test", "a seed"), "default", {}).find_value()
    assert found == detectable_on_board(int(n_items), int(n_items))
    assert found == pytest.approx(0.069, abs=0.0005)


def test_board_of_one_part_has_the_smallest_difference_of_its_own_score(database: Database) -> None:
    benchmark = get_benchmark("star-bench", "demo")
    key = benchmark.make_key("test", "a seed")
    found = {}
    for setting in ("default", "channel-wise"):
        board = BoardKey(benchmark.id, benchmark.version, setting)
        with database.write() as transaction:
            boards.touch_board(transaction, board, NOW)
        assert refresh_board(database, benchmark, setting, find_rankings(benchmark, key, setting), NOW, key)
        with database.read() as transaction:
            made = boards.find_board(transaction, board)
        assert made is not None
        found[setting] = made.detectable
    n_spatial = sum(item.part == "spatial" for item in benchmark.content(key).items)
    assert found["channel-wise"] == detectable_on_board(n_spatial, n_spatial)
    assert found["default"] != found["channel-wise"]
