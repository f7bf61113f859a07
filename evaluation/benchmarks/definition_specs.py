"""What each name on the page means: sets of items, settings and terms, one sentence or two each.

A benchmark declares what only it knows. A column is then defined by its metric's formula and the items it is over.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from evaluation.benchmarks.column_specs import Column, Metric


@dataclass(frozen=True, slots=True)
class Definition:
    """A name on the page and what it means."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Definitions:
    """What a benchmark's own names mean.

    Attributes:
        define_items: Column → which items it is over, and how they are averaged. Raises `KeyError` for other columns.
        settings: Setting → under what condition a model is run.
        items: Names of sets of items, as the About tab lists them.
        terms: Further names that its tables and charts use.
    """

    define_items: Callable[[Column], str] = lambda _: ""
    settings: Mapping[str, str] = field(default_factory=dict)
    items: tuple[Definition, ...] = ()
    terms: tuple[Definition, ...] = ()


# Terms that the tables of every benchmark use.
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
    """Return what a score is: its metric's formula, then the items it is over.

    Raises:
        KeyError: The benchmark has no such column.
    """
    formulas = {metric.id: metric for metric in metrics}
    metric = formulas[column.metric]
    return f"{metric.title}: {metric.formula}. {definitions.define_items(column)}".rstrip()
