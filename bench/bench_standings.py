"""Time to the next revision of a board: from encrypted outcomes to confidence intervals and rank ranges."""

import tempfile
import time
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from bench.scored_rows import NOW, add_scored_rows
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.audio_motion_bench.slices import layout, score_slices
from evaluation.benchmarks.coverage import judge_coverage
from evaluation.types import Outcomes, Report
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.standings import refresh_board

SIZES = (10, 100, 1000)


def measure() -> list[dict[str, object]]:
    """Return a row for each size of a board of AudioMotionBench, which has the most columns of all benchmarks."""
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("test", "a seed of the bench")
    rows = []
    with tempfile.TemporaryDirectory() as folder, closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
        database.upgrade()
        n_before = 0
        for size in SIZES:
            add_rows(database, benchmark, key, range(n_before, size))
            n_before = size
            seconds = _refresh(database, benchmark, key)
            note = f"{len(benchmark.columns)} columns, 2,016 items, 10,000 resamples"
            rows.append(_row(f"board of {size:,} rows made again", seconds, note))
    return rows


def _row(what: str, value: float, note: str) -> dict[str, object]:
    return {"what": what, "value": float(f"{value:.3g}"), "unit": "s", "target": "seconds", "note": note}


def _refresh(database: Database, benchmark: Benchmark, key: AnswerKey) -> float:
    began = time.perf_counter()
    assert refresh_board(database, benchmark, "default", find_rankings(benchmark, key, "default"), NOW, key)
    return time.perf_counter() - began


def add_rows(database: Database, benchmark: Benchmark, key: AnswerKey, numbers: range) -> None:
    """Add rows to a board, the first ones of the database, and request its next revision."""
    reports = ((key, _make_report(benchmark, key, number)) for number in numbers)
    add_scored_rows(database, benchmark, reports, n_before=numbers.start)


def _make_report(benchmark: Benchmark, key: AnswerKey, number: int) -> Report:
    rng = np.random.default_rng(number)
    items = benchmark.content(key).items
    truth = np.array([key.answers[item.id] for item in items], dtype=np.int16)
    guesses = np.array([rng.integers(len(item.options) or 2) for item in items], dtype=np.int16)
    knows = np.random.default_rng(number // 20).random(len(items)) < rng.uniform(0, 0.8)
    choices: NDArray[np.int16] = np.where(knows, truth, guesses)[:, None].astype(np.int16)
    correct = (choices == truth[:, None]).astype(np.float32)
    outcomes = Outcomes(tuple(item.id for item in items), correct, choices)
    disclosure = judge_coverage(choices, items, is_secret=key.is_secret)
    parts = tuple(part.id for part in benchmark.parts)
    scores = score_slices(outcomes, truth, parts, layout(key.split, key.seed), disclosure)
    signature = benchmark.sign(key, setting="default", runs=1)
    return Report(scores, outcomes, parts, 1, len(items), 0, 0, signature)
