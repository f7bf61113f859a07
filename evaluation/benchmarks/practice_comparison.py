"""Column and metric of the practice gap: how much better a model answers the public practice questions.

Benchmarks with editions declare both. The gap is computed after scoring, from a second file of the submitter (see
`submissions/practice/`).
"""

from evaluation.benchmarks.column_specs import Column, Metric

PRACTICE_GAP = Metric(
    "practice_gap",
    "Practice − test",
    "score on the public practice questions − score on the test questions",
    higher_is_better=False,
    ranked=False,
    is_signed=True,
)
PRACTICE_COLUMN = Column("overall", PRACTICE_GAP.id, PRACTICE_GAP.title, "", shown=True, needs_value=True)
PRACTICE_ITEMS = (
    "Both sets are drawn from the same design, so a gap above 0 that its interval does not contain shows that the "
    "model knows the practice questions. Only for models with a file of practice answers."
)


def is_practice_gap(metric: str) -> bool:
    """Return whether a metric is the practice gap, which is computed after scoring, not by it."""
    return metric == PRACTICE_GAP.id
