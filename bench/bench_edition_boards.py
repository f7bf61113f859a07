"""Cost of an edition for the next revision of a board: every row answers an edition of its own."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

from db.records import NewModel, NewSubmission
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.benchmarks.audio_process_bench.synthetic import SYNTHETIC
from evaluation.streams import stream
from evaluation.types import Prediction
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.standings import refresh_board
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import to_result

N_EDITIONS = 40
_BENCHMARKS = (("audio-motion-bench", "1.0"), ("audio-process-bench", SYNTHETIC))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


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
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "bench", NOW).id
        for number in range(n_editions):
            _add_row(transaction, benchmark, benchmark.make_edition_key(key, f"e-{number:08}"), owner, number)
        boards.touch_board(transaction, BoardKey(benchmark.id, benchmark.version, benchmark.settings[0]), NOW)


def _add_row(transaction: Transaction, benchmark: Benchmark, key: AnswerKey, owner: int, number: int) -> None:
    name = f"s-{number:04}"
    new = NewSubmission(
        id=name,
        benchmark=benchmark.id,
        version=benchmark.version,
        setting=benchmark.settings[0],
        source="submitted",
        owner_id=owner,
        model=NewModel(name),
        visibility="public",
        allow_missing=False,
        artifact_sha256=None,
        artifact_bytes=None,
        idempotency_key=None,
        edition=key.edition or None,
    )
    submissions.add_submission(transaction, new, "scored", NOW)
    report = benchmark.score(key, _make_predictions(benchmark, key, number))
    expected_id = number + 1  # Outcomes are encrypted for their evaluation, whose number the database assigns.
    result = to_result(benchmark, report, seal_outcomes(key, expected_id, report.outcomes))
    assert evaluations.add_finished_evaluation(transaction, name, result, NOW) == expected_id


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
