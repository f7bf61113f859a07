"""A small benchmark with boards whose rows have given outcomes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from db.records import NewModel, NewResult, NewSubmission, ScoreRecord, StandingRecord
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column, Content, Metric, Part
from evaluation.metrics.seeds import mean_of_runs
from evaluation.statistics import ItemMean, MeanOf, ScoreFormula
from evaluation.types import Item, Outcomes, Report, Run
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.standings import refresh_board
from submissions.scoring.outcomes import seal_outcomes

NOW = datetime(2026, 1, 2, tzinfo=UTC)
N_A, N_B, N_FEW = 80, 180, 10
N_ITEMS = N_A + N_B


def _make_item(number: int) -> Item:
    """Items of `a` have one clip each; three items of `b` share one."""
    part = "a" if number < N_A else "b"
    clip = f"a{number}" if part == "a" else f"b{(number - N_A) // 3}"
    return Item(f"i{number}", part, part, "?", "choice", ("x", "y"), (0, 1, 2), (clip,))


class SmallBenchmark(Benchmark):
    """Benchmark with two parts; `overall` is their mean, `few` the first ten items of `a`."""

    id, version, metric_version, title, summary, licence, citation = "small", "1.0", "1", "Small", "Small.", "-", "-"
    parts = (Part("a", "A"), Part("b", "B"))
    metrics = (
        Metric("accuracy", "Accuracy", "right / all"),
        Metric("errors", "Errors", "wrong / all", higher_is_better=False),
        Metric("bias", "Bias", "right / all", ranked=False),
        Metric("largest", "Largest", "of several"),
    )
    headline = Column("overall", "accuracy", "Overall", "", shown=True)
    columns = (
        Column("few", "accuracy", "Few", ""),
        Column("a", "errors", "Errors", ""),
        Column("a", "bias", "Bias", ""),
        Column("a", "largest", "Largest", ""),
        Column("a", "accuracy", "A", "", shown=True),
        Column("b", "accuracy", "B", "", shown=True),
        headline,
    )
    chance: Mapping[str, float] = {}
    n_runs = 3
    runs_are_seeds = True
    min_public_items = 20

    def content(self, key: AnswerKey) -> Content:
        return Content(self.id, self.version, key.split, tuple(map(_make_item, range(N_ITEMS))), "0" * 64)

    def true_answers(self, _split: object, _seed: str) -> dict[str, Any]:
        return {f"i{number}": 0 for number in range(N_ITEMS)}

    def render_clip(self, _key: AnswerKey, clip: str) -> bytes:
        raise KeyError(clip)

    def run(self, item: Item, _number: int, _setting: str) -> Run:
        raise KeyError(item.id)

    def score(self, _key: AnswerKey, _predictions: Iterable[object], **_options: object) -> Report:  # type: ignore[override]
        raise KeyError

    def find_formula(self, _key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:
        score = {"accuracy": "right", "errors": "wrong", "bias": "right"}.get(metric)
        if score is None:
            return None
        if slice_name == "overall":
            return MeanOf((ItemMean(score, rows("a")), ItemMean(score, rows("b"))))
        return ItemMean(score, rows(slice_name))

    def score_items(self, _key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:
        right = mean_of_runs(outcomes.correct.astype(np.float64))
        return {"right": right, "wrong": 1 - right}[score]


SMALL = SmallBenchmark()
KEY = AnswerKey(SMALL.id, SMALL.version, "test", "a secret seed", SMALL.true_answers("test", ""))
TODAY = find_rankings(SMALL, KEY, "default")[0]
BOARD = BoardKey(SMALL.id, SMALL.version, "default")
COLUMNS = [column.key for column in SMALL.columns]


def rows(slice_name: str) -> NDArray[np.int64]:
    """Return the weights of the items of a slice."""
    number = np.arange(N_ITEMS)
    found = {"a": number < N_A, "b": number >= N_A, "few": number < N_FEW}[slice_name]
    return found.astype(np.int64)


@dataclass(frozen=True)
class Row:
    """A row of a board.

    Attributes:
        correct: items × runs; None for a reported row.
        values: Scores that override those of the outcomes: column → value.
    """

    name: str
    correct: NDArray[np.float32] | None
    source: str = "submitted"
    ranking: str = TODAY
    values: Mapping[str, float] | None = None
    seed_of_key: str = KEY.seed
    is_reference: bool = False


def skilled(name: str, share: float, seed: int = 0, **fields: Any) -> Row:
    """Return a row that is right on a share of items; rows of the same seed use the same random draws."""
    right = np.random.default_rng(seed).random((N_ITEMS, 1)) < share
    return Row(name, right.astype(np.float32), **fields)


def score(correct: NDArray[np.float32]) -> dict[str, float]:
    """Return the scores of outcomes; absent parts have none."""
    right = mean_of_runs(correct.astype(np.float64))
    means = {name: float(right[rows(name) > 0].mean()) for name in ("a", "b", "few")}
    figures = {f"{name}|accuracy": mean for name, mean in means.items()}
    figures |= {"a|errors": 1 - means["a"], "a|bias": means["a"], "a|largest": 0.5}
    figures |= {"overall|accuracy": (means["a"] + means["b"]) / 2}
    return {key: value for key, value in figures.items() if not np.isnan(value)}


def make_scores(correct: NDArray[np.float32], **others: float) -> list[ScoreRecord]:
    """Return the stored scores of outcomes; `others` override them."""
    n = {"few": N_FEW, "a": N_A, "b": N_B, "overall": N_ITEMS}
    records = []
    for key, value in (score(correct) | others).items():
        slice_name, metric = key.split("|")
        records.append(ScoreRecord(slice_name, metric, value, n[slice_name]))
    return records


def fill(database: Database, *made: Row) -> None:
    """Publish rows, and request the board's next revision."""
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        for row in made:
            new = NewSubmission(
                row.name,
                BOARD.benchmark,
                BOARD.version,
                BOARD.setting,
                row.source,
                owner,
                NewModel(row.name),
                visibility="public",
                allow_missing=True,
                artifact_sha256=None,
                artifact_bytes=None,
                idempotency_key=None,
                is_reference=row.is_reference,
            )
            submissions.add_submission(transaction, new, "scored", NOW)
            empty = NewResult(None, "", (), None, None, None, None, {}, ())
            before = evaluations.add_finished_evaluation(transaction, row.name, empty, NOW)
            after = evaluations.add_finished_evaluation(transaction, row.name, _result(row, before + 1), NOW)
            assert after == before + 1, "outcomes are sealed for the number of their evaluation"
        boards.touch_board(transaction, BOARD, NOW)


def _result(row: Row, evaluation_id: int) -> NewResult:
    figures = {} if row.correct is None else score(row.correct)
    figures |= row.values or {}
    scores = []
    for key, value in figures.items():
        slice_name, metric = key.split("|")
        n = {"few": N_FEW, "a": N_A, "b": N_B, "overall": N_ITEMS}[slice_name]
        scores.append(ScoreRecord(slice_name, metric, value, None if row.correct is None else n))
    sealed = None
    if row.correct is not None:
        correct = np.full((N_ITEMS, 3), np.nan, np.float32)
        correct[:, : row.correct.shape[1]] = row.correct
        outcomes = Outcomes((), correct, np.zeros(correct.shape, np.int16))
        sealed = seal_outcomes(AnswerKey("small", "1.0", "test", row.seed_of_key, {}), evaluation_id, outcomes)
    ranking = "" if row.source == "reported" else row.ranking
    return NewResult(None, ranking, (), 1, 1, 0, 0, {}, tuple(scores), (), sealed)


def refresh(database: Database, benchmark: Benchmark = SMALL, key: AnswerKey | None = KEY) -> bool:
    """Build the next revision of the board."""
    return refresh_board(database, benchmark, "default", find_rankings(benchmark, KEY, "default"), NOW, key)


def read(database: Database, column: str) -> dict[str, StandingRecord]:
    """Return the standings of a column by row, including reference systems."""
    with database.read() as transaction:
        page = boards.read_page(transaction, BOARD, PageQuery("date", True, limit=500, references="true"), COLUMNS)
    return {row.submission.id: row.standings[column] for row in page.rows if column in row.standings}


def ranges(database: Database, column: str) -> dict[str, tuple[int | None, int | None, int | None]]:
    """Return rank and rank range by row."""
    return {name: (s.rank, s.rank_low, s.rank_high) for name, s in read(database, column).items()}
