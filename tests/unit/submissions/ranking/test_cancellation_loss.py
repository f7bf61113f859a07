"""Cancellation loss on the STAR-Bench board: default less pseudo-stereo of one model, with an interval."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest

from db.records import NewModel, NewResult, NewSubmission, ScoreRecord, StandingRecord
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation import get_benchmark
from evaluation.types import Prediction
from submissions.ranking.standings import refresh_board
from submissions.scoring.outcomes import seal_outcomes

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("star-bench", "1.0")
KEY = BENCHMARK.make_key("test", "a secret seed")
TONES, LOSS = "perception/tones|aa", "perception/tones|cancellation_loss"


def generate_predictions(setting: str, rate: float, seed: int) -> Iterator[Prediction]:
    """Yield a prediction for every perception item of a setting, each right with the given probability."""
    rng = np.random.default_rng(seed)
    for item in BENCHMARK.content(KEY).items:
        for run in item.runs if BENCHMARK.includes_task(setting, item.part, item.task) else ():
            position = (int(str(KEY.answers[item.id])) + run + (rng.random() >= rate)) % len(item.options)
            yield Prediction(item.id, run, "ABCDE"[position])


def add(database: Database, number: int, setting: str, rate: float, model: str = "A model") -> str:
    """Write a scored row as an evaluator does, and return its ranking."""
    report = BENCHMARK.score(KEY, generate_predictions(setting, rate, number), setting=setting)
    scores = tuple(
        ScoreRecord(name, metric, score.value, score.n)
        for name, metric, score in BENCHMARK.disclose(report)
        if f"{name}|{metric}" == TONES
    )
    key = BoardKey(BENCHMARK.id, BENCHMARK.version, setting)
    ranking = report.signature.ranking
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        new = NewSubmission(
            f"s-{number}", key.benchmark, key.version, key.setting, "submitted", owner, NewModel(model), "public", True,
            None, None, None,
        )  # fmt: skip
        submissions.add_submission(transaction, new, "scored", NOW)
        sealed = seal_outcomes(KEY, number, report.outcomes)
        result = NewResult(str(report.signature), ranking, ("perception",), 1, 1, 0, 0, {}, scores, outcomes=sealed)
        evaluations.add_finished_evaluation(transaction, f"s-{number}", result, NOW)
        boards.touch_board(transaction, key, NOW)
    return ranking


def read_loss(database: Database, ranking: str) -> dict[str, StandingRecord]:
    assert refresh_board(database, BENCHMARK, "default", (ranking,), NOW, KEY)
    key = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
    with database.read() as transaction:
        rows = boards.read_page(transaction, key, PageQuery("date", descending=True), [LOSS]).rows
    return {row.submission.id: row.standings[LOSS] for row in rows if LOSS in row.standings}


def test_loss_over_secret_answers_has_no_interval_that_reveals_single_answers(database: Database) -> None:
    add(database, 1, "pseudo-stereo", 0.3)
    standing = read_loss(database, add(database, 2, "default", 0.9))["s-2"]
    assert standing.value is not None
    assert standing.value == pytest.approx(0.6, abs=0.05)
    assert standing.value == pytest.approx(round(standing.value, 3), abs=1e-9)
    assert (standing.low, standing.high, standing.rank) == (None, None, None)


def test_loss_is_the_difference_over_the_same_items_with_an_interval(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BENCHMARK, "answers_are_secret", False)
    add(database, 1, "pseudo-stereo", 0.3)
    standing = read_loss(database, add(database, 2, "default", 0.9))["s-2"]
    assert standing.value is not None
    assert standing.low is not None
    assert standing.high is not None
    assert 0 < standing.low < standing.value < standing.high < 1
    assert standing.value == pytest.approx(0.6, abs=0.05)
    assert standing.rank is None


def test_row_without_the_other_setting_of_its_model_has_no_loss(database: Database) -> None:
    add(database, 1, "pseudo-stereo", 0.3, model="Another model")
    assert "s-2" not in read_loss(database, add(database, 2, "default", 0.9))


def test_new_pseudo_stereo_row_refreshes_the_default_board(database: Database) -> None:
    ranking = add(database, 1, "default", 0.9)
    assert read_loss(database, ranking) == {}
    other = add(database, 2, "pseudo-stereo", 0.9)
    assert refresh_board(database, BENCHMARK, "pseudo-stereo", (other,), NOW, KEY)
    assert set(read_loss(database, ranking)) == {"s-1"}
