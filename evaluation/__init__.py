"""What a score means: questions, reading answers, metrics, signatures. No database, no page, no settings."""

from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.extraction import read_boolean, read_choice, read_choices
from evaluation.predictions import read_predictions
from evaluation.statistics import Comparison, Standings, compare, standings
from evaluation.types import Outcomes, Prediction, Reading, Report, Score

__all__ = [
    "Benchmark",
    "Comparison",
    "Outcomes",
    "Prediction",
    "Reading",
    "Report",
    "Score",
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
