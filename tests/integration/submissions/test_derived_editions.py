"""Boards of rendered benchmarks in several editions: each is derived once, and nothing else changes."""

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bench.bench_edition_boards import add_edition_rows
from bench.scored_rows import NOW
from db.records import StandingRecord
from db.repositories import boards
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column, get_benchmark
from evaluation.benchmarks.audio_motion_bench.design import design_items
from evaluation.benchmarks.audio_process_bench.synthetic import SYNTHETIC
from evaluation.benchmarks.audio_process_bench.synthetic.design import design_traces
from evaluation.statistics import (
    Clusters,
    Estimator,
    JointBoard,
    Resampling,
    correlate_differences,
    detectable_on_board,
)
from evaluation.streams import stream
from evaluation.types import Outcomes
from submissions.ranking import rank_ranges
from submissions.ranking.board_outcomes import read_board_outcomes, read_outcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.rank_ranges import round_end
from submissions.ranking.standings import refresh_board
from submissions.scoring.score_disclosure import disclose_detectable, disclose_standings
from tests.support.servers.installed import FEW_RESAMPLES

N_EDITIONS = 3
MOTION, PROCESS = get_benchmark("audio-motion-bench"), get_benchmark("audio-process-bench", SYNTHETIC)
DESIGNS = {MOTION: design_items, PROCESS: design_traces}


class RefreshedBoard(NamedTuple):
    """A board with one row in each of its editions, after its first revision.

    Attributes:
        keys: Key of each edition, in the order of the board.
        outcomes: Outcomes of the row of each edition.
        standings: Column → standing of the row of each edition.
        detectable: Detectable difference.
        n_derived: How often questions were derived for the revision.
    """

    benchmark: Benchmark
    keys: list[AnswerKey]
    outcomes: list[Outcomes]
    standings: dict[str, list[StandingRecord]]
    detectable: float | None
    n_derived: int


@pytest.fixture(scope="module", params=[MOTION, PROCESS], ids=["motion", "process"])
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RefreshedBoard]:
    with closing(Database(f"sqlite:///{tmp_path_factory.mktemp('board')}/earshot.db")) as database:
        database.upgrade()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rank_ranges, "RESAMPLES", FEW_RESAMPLES)
            made = make_board(database, request.param)
        yield made


def make_board(database: Database, benchmark: Benchmark) -> RefreshedBoard:
    setting = benchmark.settings[0]
    key = benchmark.make_key("test", "a secret seed")
    add_edition_rows(database, benchmark, key, N_EDITIONS)
    rankings = find_rankings(benchmark, key, setting)
    DESIGNS[benchmark].cache_clear()
    assert refresh_board(database, benchmark, setting, rankings, NOW, key)
    n_derived = DESIGNS[benchmark].cache_info().misses
    place = BoardKey(benchmark.id, benchmark.version, setting)
    columns = [column.key for column in benchmark.columns]
    with database.read() as transaction:
        page = boards.read_page(transaction, place, PageQuery("date", True, limit=100), columns)
        sealed = boards.list_outcomes(transaction, place)
        found = boards.find_board(transaction, place)
    assert found is not None
    by_name = {row.submission.id: row for row in page.rows}
    ordered = [by_name[name] for name in sorted(by_name)]
    assert len(ordered) == N_EDITIONS
    keys = [benchmark.make_edition_key(key, str(row.submission.edition)) for row in ordered]
    outcomes: list[Outcomes] = []
    for number, edition_key in enumerate(keys, start=1):
        outcomes += read_outcomes(benchmark, edition_key, {number: sealed[number]}).values()
    standings = {name: [row.standings[name] for row in ordered if name in row.standings] for name in columns}
    return RefreshedBoard(benchmark, keys, outcomes, standings, found.detectable, n_derived)


def compute_column(board: RefreshedBoard, column: Column) -> list[StandingRecord]:
    """Return a column's standings, with everything derived separately for it."""
    joint = JointBoard()
    for key, outcomes in zip(board.keys, board.outcomes, strict=True):
        text = f"standings|{board.benchmark.id}|{board.benchmark.version}|{board.benchmark.settings[0]}|1|{key.edition}"
        drawn = Resampling.draw(board.benchmark.cluster_items(key), rank_ranges.RESAMPLES, stream(key.seed, text))
        formula = board.benchmark.find_formula(key, column.slice, column.metric)
        assert formula is not None
        estimator = Estimator(formula, drawn)
        scores = {
            mean.score: board.benchmark.score_items(key, outcomes, mean.score)[:, None]
            for mean in estimator.linear.leaves
        }
        joint.add_edition(estimator, scores)
    found = joint.standings()
    computed = []
    for at, standing in enumerate(board.standings[column.key]):
        low, high = round_end(found.low[at], math.floor), round_end(found.high[at], math.ceil)
        ends = int(found.rank_low[at]), int(found.rank_high[at])
        computed.append(standing._replace(low=low, high=high, rank_low=ends[0], rank_high=ends[1]))
    return disclose_standings(board.benchmark, computed)


def list_compared(board: RefreshedBoard) -> list[Column]:
    """Return the default columns that have intervals in every edition, and a few of the others."""
    ranked = {metric.id for metric in board.benchmark.metrics if metric.ranked and metric.higher_is_better}
    whole = [
        column
        for column in board.benchmark.columns
        if column.metric in ranked
        and [one.low is not None for one in board.standings[column.key]] == [True] * N_EDITIONS
    ]
    return [column for number, column in enumerate(whole) if column.shown or number % 20 == 0]


def test_standings_are_those_of_editions_that_are_derived_for_each_column(board: RefreshedBoard) -> None:
    compared = list_compared(board)
    assert len(compared) >= 5
    assert sum(column.shown for column in compared) >= 3
    for column in compared:
        assert board.standings[column.key] == compute_column(board, column), column.key


def test_detectable_difference_is_that_of_editions_that_are_derived_separately(board: RefreshedBoard) -> None:
    if board.benchmark is PROCESS:
        assert board.detectable is None, "a harmonic mean has no size"
        return
    correlations = []
    for key, outcomes in zip(board.keys, board.outcomes, strict=True):
        right = outcomes.correct.astype(np.float64).mean(axis=1)
        table = np.stack([right - right.mean(), np.zeros(len(right))], axis=1)
        correlations.append(correlate_differences(table, Clusters.of(MOTION.cluster_items(key))) or 0.0)
    expected = detectable_on_board(2016, 168, correlation=sum(correlations) / N_EDITIONS)
    assert board.detectable == disclose_detectable(MOTION, expected)


def test_every_edition_is_derived_once_for_a_revision(board: RefreshedBoard) -> None:
    # The installed key's questions tell the size of the board; they may still be known.
    assert board.n_derived - N_EDITIONS in (0, 1)


@pytest.mark.parametrize(
    "benchmark", [MOTION, PROCESS, get_benchmark("star-bench")], ids=lambda benchmark: benchmark.id
)
def test_every_edition_has_as_many_items_as_its_design(benchmark: Benchmark) -> None:
    for edition in ("e-00000000", "e-7f3kq9x2"):
        key = benchmark.make_edition_key(benchmark.make_key("test", "5" * 64), edition)
        assert len(benchmark.content(key).items) == benchmark.n_edition_items


def test_outcomes_of_another_size_or_seed_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        database.upgrade()
        key = PROCESS.make_key("test", "a secret seed")
        add_edition_rows(database, PROCESS, key, 2)
        place = BoardKey(PROCESS.id, PROCESS.version, PROCESS.settings[0])
        with database.read() as transaction:
            sealed = boards.list_outcomes(transaction, place)
            editions = boards.list_editions(transaction, place)
    changed = {1: replace(sealed[1], n_items=7), 2: sealed[2]}
    assert set(read_board_outcomes(PROCESS, key, changed, editions, {})) == {editions[2]}
    assert "evaluation 1 has outcomes of 7 items, not of 720" in caplog.text
    other = PROCESS.make_key("test", "another secret seed")
    assert read_board_outcomes(PROCESS, other, sealed, editions, {}) == {}
    lost = PROCESS.make_edition_key(other, editions[2])
    assert f"do not match the key {lost.digest[:8]} of audio-process-bench" in caplog.text
