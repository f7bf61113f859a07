"""Scores in which practice and test answers are compared."""

from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.column_specs import Column


def find_practice_figure(benchmark: Benchmark, setting: str) -> Column | None:
    """Return the score in which practice and test answers of a setting are compared.

    It is the headline or, if only one part is rendered, the score of that part. None without editions, and for settings
    without rendered questions.
    """
    parts = benchmark.parts_of(setting)
    made = parts & benchmark.made_parts
    if not benchmark.has_editions or "practice" not in benchmark.splits or not made:
        return None
    headline = benchmark.headline_of(setting)
    own = (column for column in benchmark.columns if {column.slice} == made and column.metric == headline.metric)
    return headline if made == parts else next(own, None)
