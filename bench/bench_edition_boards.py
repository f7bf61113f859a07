"""Cost of an edition for the next revision of a board: every row answers an edition of its own."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from bench.scored_rows import NOW, add_scored_rows
from db.session import Database
from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.audio_process_bench.synthetic import SYNTHETIC
from evaluation.streams import stream
from evaluation.types import Prediction
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.standings import refresh_board

N_EDITIONS = 40
_BENCHMARKS = (("audio-motion-bench", "1.0"), ("audio-process-bench", SYNTHETIC))


def measure() -> list[dict[str, object]]:
    """Return two rows for each benchmark: the cost of an edition, and its ratio to that on a board of one edition."""
    rows: list[dict[str, object]] = []
    for name, version in _BENCHMARKS:
        alone, together = measure_costs(get_benchmark(name, version), N_EDITIONS)
        note = f"CPU time, {N_EDITIONS} rows in as many editions"
        what = f"{name}: an edition of a board made again"
        rows += [
            {"what": what, "value": float(f"{together:.3g}"), "unit": "s", "target": "", "note": note},
            {
                "what": f"{what}, relative to a board of one",
                "value": round(together / alone, 2),
                "unit": "of its time",
                "target": "≤ 1",
                "note": f"the same run: {alone:.3g} s",
            },
        ]
    return rows


def measure_costs(benchmark: Benchmark, n_editions: int) -> tuple[float, float]:
    """Return the CPU time of the next revision of a board with one edition, and that of an edition with others."""
    key = benchmark.make_key("test", "a seed of the bench")
    # Both boards are filled first, so that no cache has the edition of the first board only because it was just scored.
    with _fill_board(benchmark, key, 1) as alone, _fill_board(benchmark, key, n_editions) as together:
        return _time_refresh(alone, benchmark, key), _time_refresh(together, benchmark, key) / n_editions


@contextmanager
def _fill_board(benchmark: Benchmark, key: AnswerKey, n_editions: int) -> Iterator[Database]:
    with tempfile.TemporaryDirectory() as folder, closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
        database.upgrade()
        add_edition_rows(database, benchmark, key, n_editions)
        yield database


def _time_refresh(database: Database, benchmark: Benchmark, key: AnswerKey) -> float:
    setting = benchmark.settings[0]
    rankings = find_rankings(benchmark, key, setting)
    began = time.process_time()
    assert refresh_board(database, benchmark, setting, rankings, NOW, key)
    return time.process_time() - began


def add_edition_rows(database: Database, benchmark: Benchmark, key: AnswerKey, n_editions: int) -> None:
    """Add rows of an edition each to a board, the first ones of the database, and request its next revision."""
    keys = (benchmark.make_edition_key(key, f"e-{number:08}") for number in range(n_editions))
    add_scored_rows(
        database,
        benchmark,
        ((own, benchmark.score(own, _make_predictions(benchmark, own, number))) for number, own in enumerate(keys)),
    )


def _make_predictions(benchmark: Benchmark, key: AnswerKey, number: int) -> list[Prediction]:
    """Return answers of which a share is right that depends on the number of the row."""
    rng = stream("bench", f"row {number}")
    share = rng.uniform(0.4, 0.9)
    predictions = []
    for item in benchmark.content(key).items:
        truth = key.answers[item.id]
        if isinstance(truth, TraceLabels):
            flags = tuple(bool(flag) == (rng.random() < share) for flag in truth.erroneous)
            predictions.append(Prediction(item.id, 0, None, None, flags, None))
            continue
        choices = ("false", "true") if item.answer_format == "boolean" else ("A", "B", "C", "D")
        assert isinstance(truth, int)
        right = choices[truth]
        for run in item.runs:
            answer = right if rng.random() < share else choices[int(rng.integers(len(choices)))]
            predictions.append(Prediction(item.id, run, answer, None))
    return predictions
