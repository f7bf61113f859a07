"""Definitions of names on the page: sets of items, settings and terms, one or two sentences each.

A benchmark declares only its own names. A column's definition is its metric's formula and its items.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from evaluation.benchmarks.column_specs import Column, Metric
from evaluation.benchmarks.practice_comparison import PRACTICE_ITEMS, is_practice_gap


@dataclass(frozen=True, slots=True)
class Definition:
    """A name on the page and its definition."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions of a benchmark's own names.

    Attributes:
        define_items: Column → its items, and how they are averaged. Raises `KeyError` for unknown columns.
        settings: Setting → condition under which a model is run.
        items: Names of sets of items, as on the About tab.
        terms: Further names in its tables and charts.
    """

    define_items: Callable[[Column], str] = lambda _: ""
    settings: Mapping[str, str] = field(default_factory=dict)
    items: tuple[Definition, ...] = ()
    terms: tuple[Definition, ...] = ()


# Terms in the tables of every benchmark.
COMMON = (
    Definition("Human", "The human score on the same questions, as reported in the paper. Not ranked."),
    Definition("Chance", "The expected score of a system that picks every option equally often. Not ranked."),
    Definition("Gap to human", "Human − score, in points. Shown only if the human score is known."),
    Definition("Interval", "95 % confidence interval of the score, if the items were sampled again."),
    Definition(
        "Rank range",
        "From 1 + the number of significantly better models to the number of models not significantly worse. All "
        "ranges of a column hold jointly at 95 % confidence.",
    ),
    Definition("missing", "Expected answers that were not submitted / expected answers. They count as wrong."),
    Definition("unread.", "Answers from which no choice can be parsed / expected answers. They count as wrong."),
    Definition("±", "Standard deviation over the decoding seeds of one model; absent with a single seed."),
)


def define_column(column: Column, metrics: tuple[Metric, ...], definitions: Definitions) -> str:
    """Describe a score: its metric's formula, then its items.

    Raises:
        KeyError: The benchmark does not have this column.
    """
    formulas = {metric.id: metric for metric in metrics}
    metric = formulas[column.metric]
    items = PRACTICE_ITEMS if is_practice_gap(column.metric) else definitions.define_items(column)
    return f"{metric.title}: {metric.formula}. {items}".rstrip()
