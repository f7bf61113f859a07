"""Sample rows of models as a page reads them, for tests of their presentation."""

from dataclasses import replace
from typing import Any

from db.model_records import ModelFacts
from db.records import BoardRow, EvaluationRecord, ModelRecord, StandingRecord
from evaluation import get_benchmark
from evaluation.benchmarks import Benchmark
from submissions.model_registry.directory import ModelSummary
from submissions.model_registry.model_pages import ModelRowView, ModelView
from tests.support.pages.records import NOW, make_submission

STAR = get_benchmark("star-bench")
SIGNATURE = "star-bench/1.0|key:today"
MODEL = ModelRecord(1, "Model", public_id="m-1")
_SCORING = EvaluationRecord(
    7, "s-1", NOW, NOW, 1.0, SIGNATURE, "", ("perception", "temporal", "spatial"), 5, 1_000, 0, 0, {}, ()
)


def make_score(value: float, low: float | None = None, high: float | None = None) -> StandingRecord:
    """Return a score of the row."""
    return StandingRecord("s-1", 7, "slice", "metric", value, low=low, high=high)


def make_view(
    scores: dict[str, StandingRecord] | None = None,
    *,
    benchmark: Benchmark = STAR,
    people: dict[str, float] | None = None,
    scoring: dict[str, Any] | None = None,
    ranks: tuple[int, int | None, int | None] | None = None,
    rival: ModelRowView | None = None,
    n_tied: int = 0,
    **submission: Any,
) -> ModelRowView:
    """Return a row of a benchmark with some scores."""
    sent = make_submission(
        **{"benchmark": benchmark.id, "version": benchmark.version, "model": MODEL, **submission},
    )
    headline = benchmark.headline
    standings = {}
    if ranks is not None:
        rank, low, high = ranks
        standings[headline.key] = StandingRecord(
            sent.id, 7, headline.slice, headline.metric, 0.5, rank=rank, rank_low=low, rank_high=high
        )
    row = BoardRow(sent, sent.model, replace(_SCORING, **(scoring or {})), standings)
    return ModelRowView(
        benchmark,
        row,
        scores or {},
        n_tied=n_tied,
        people=people,
        people_setting="default" if people else None,
        rival=rival.row if rival else None,
    )


def make_model(
    *rows: ModelRowView, name: str = "Model", facts: ModelFacts | None = None, aliases: tuple[str, ...] = ()
) -> Any:
    """Return a model with some rows."""
    return ModelView(ModelSummary("m-1", name, aliases, facts or ModelFacts(), len(rows)), rows, len(rows))
