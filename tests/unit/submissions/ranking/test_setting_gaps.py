"""Few-shot gap as a score: computed with the board for comparable rows of one model, and updated with either."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from db.records import NewModel, NewResult, NewSubmission, ScoreRecord
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation import get_benchmark
from evaluation.signature import Signature
from submissions.ranking.standings import refresh_board

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("audio-process-bench", "synthetic-3")
FEW = BoardKey(BENCHMARK.id, BENCHMARK.version, "few-shot")
ZERO = replace(FEW, setting="zero-shot")
GAP = "overall|few_shot_gap"


def sign(setting: str, metric: str = "2") -> Signature:
    return Signature(
        benchmark=BENCHMARK.id,
        version=BENCHMARK.version,
        content_digest="0a1b2c3d",
        key_digest="4e5f6071",
        setting=setting,
        runs=1,
        missing_policy="wrong",
        reader_version="1",
        metric_version=metric,
        code_version="1",
    )


def add(
    database: Database,
    name: str,
    key: BoardKey,
    overall: float,
    *,
    model: str = "m",
    gap: float | None = None,
    metric: str = "2",
) -> None:
    """Add a public row: a submitted one or, with a gap, a reported one."""
    source = "submitted" if gap is None else "reported"
    signature = sign(key.setting, metric)
    scores = [ScoreRecord("overall", "overall", overall, 720)]
    scores += [ScoreRecord("overall", "few_shot_gap", gap)] if gap is not None and key == FEW else []
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        fields = (key.benchmark, key.version, key.setting, source, owner, NewModel(model))
        new = NewSubmission(name, *fields, "public", True, None, None, None)
        submissions.add_submission(transaction, new, "scored", NOW)
        text = str(signature) if gap is None else None
        ranking = signature.ranking if gap is None else ""
        result = NewResult(text, ranking, ("traces",), 1, 1, 0, 0, {}, tuple(scores))
        evaluations.add_finished_evaluation(transaction, name, result, NOW)
        boards.touch_board(transaction, key, NOW)


def refresh(database: Database, key: BoardKey) -> bool:
    return refresh_board(database, BENCHMARK, key.setting, (sign(key.setting).ranking,), NOW)


def read_gaps(database: Database) -> dict[str, float | None]:
    with database.read() as transaction:
        rows = boards.read_page(transaction, FEW, PageQuery("date", descending=True), [GAP]).rows
    return {row.submission.id: row.standings[GAP].value for row in rows if GAP in row.standings}


def test_gap_is_computed_once_the_model_has_rows_under_both_settings(database: Database) -> None:
    add(database, "s-few", FEW, 0.5)
    add(database, "s-other-model", FEW, 0.9, model="another")
    assert refresh(database, FEW)
    assert read_gaps(database) == {}
    add(database, "s-zero", ZERO, 0.4)
    assert refresh(database, ZERO)
    assert refresh(database, FEW), "the other board requested it"
    assert read_gaps(database) == {"s-few": pytest.approx(0.1)}
    assert not refresh(database, ZERO), "and not vice versa"
    add(database, "s-zero-2", ZERO, 0.6)
    assert refresh(database, ZERO)
    assert refresh(database, FEW)
    assert read_gaps(database) == {"s-few": pytest.approx(-0.1)}, "the newest row counts"


def test_gap_never_mixes_scoring_rules_or_sources(database: Database) -> None:
    add(database, "s-few", FEW, 0.5)
    add(database, "s-other-rules", ZERO, 0.4, metric="1")
    add(database, "s-reported", ZERO, 0.3, gap=0.0)
    assert refresh(database, ZERO)
    assert refresh(database, FEW)
    assert read_gaps(database) == {}


def test_reported_gap_is_kept(database: Database) -> None:
    add(database, "s-few", FEW, 0.505, gap=0.124)
    add(database, "s-zero", ZERO, 0.382, gap=0.0)
    assert refresh(database, ZERO)
    assert refresh(database, FEW)
    assert read_gaps(database) == {"s-few": pytest.approx(0.124)}


def test_board_without_rows_under_the_other_setting_is_not_created(database: Database) -> None:
    add(database, "s-zero", ZERO, 0.4)
    assert refresh(database, ZERO)
    with database.read() as transaction:
        assert boards.find_board(transaction, FEW) is None
