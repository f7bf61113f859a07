"""Scoring: questions, answer parsers, metrics, signatures. No database, no page, no settings."""

from typing import TYPE_CHECKING, Any

from evaluation import extraction
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.predictions import read_predictions
from evaluation.statistics import ScoreComparison, Standings, compare, standings
from evaluation.types import Outcomes, Prediction, Reading, Report, Score

__all__ = [
    "Benchmark",
    "Outcomes",
    "Prediction",
    "Reading",
    "Report",
    "Score",
    "ScoreComparison",
    "Standings",
    "all_benchmarks",
    "compare",
    "get_benchmark",
    "read_boolean",
    "read_choice",
    "read_choices",
    "read_predictions",
    "standings",
]

if TYPE_CHECKING:
    from evaluation.extraction import read_boolean, read_choice, read_choices
else:

    def __getattr__(name: str) -> Any:
        # Parsers are imported on first use; see `evaluation.extraction`.
        if name in __all__:
            return getattr(extraction, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
