"""Sample comparison of two rows, for tests of its presentation."""

from dataclasses import replace
from typing import Any

from db.records import ModelRecord
from evaluation import get_benchmark
from evaluation.benchmarks import Column
from leaderboard.pages.compare.markup import Compared
from submissions.comparisons.comparison_requests import ComparedSubmission, SubmissionPair
from submissions.comparisons.differences import ComparisonResult, ScoreDifference
from tests.support.pages.model_views import make_view

AMB = get_benchmark("audio-motion-bench")
KEY = AMB.headline.key


def make_difference(difference: float = 0.031, **fields: Any) -> ScoreDifference:
    """Return a difference of the headline score whose interval excludes 0."""
    known = {"low": 0.012, "high": 0.05, "p_value": 0.002, "p_adjusted": 0.02, "wins": 300, "losses": 200}
    more = {"ties": 1_516, "n_items": 2_016, "n_clusters": 672, "figure": KEY}
    return ScoreDifference(**{"first": 0.5, "second": 0.469, "difference": difference, **known, **more, **fields})


def make_side(name: str, submission_id: str, signature: str | None = "signed") -> ComparedSubmission:
    """Return one side of a pair."""
    view = make_view(benchmark=AMB, id=submission_id, model=ModelRecord(1, name, public_id=f"m-{submission_id}"))
    return ComparedSubmission(view.row.submission, replace(view.row.evaluation, signature=signature))


def make_compared(
    *differences: ScoreDifference,
    names: tuple[str, str] = ("Ann", "Bob"),
    reason: str | None = None,
    column: Column | None = None,
) -> Compared:
    """Return a comparison of two rows."""
    pair = SubmissionPair(AMB, make_side(names[0], "s-1"), make_side(names[1], "s-2"), reason)
    return Compared(pair, ComparisonResult(list(differences), reason), column or AMB.headline)
