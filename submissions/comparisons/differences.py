"""Score differences of two evaluations: subtraction, storage, and reversal."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from db.records import EvaluationRecord, ScoreRecord
from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.error_shares import compare_independent, find_sorter, is_error_share
from evaluation.benchmarks.practice_comparison import is_practice_gap
from evaluation.signature import parse_signature

RULE = "5"
"""Increases whenever the same two evaluations would give another comparison."""
ADJUSTMENT = "holm"
MIN_P = 0.0001
"""p-values are rounded up to multiples of this: more digits would only reveal single answers."""
_DECIMALS = 12
_END_DECIMALS = 4
NOT_PAIRED = (
    "Error shares come from two separate samples, so their confidence interval is not paired and there is no p-value."
)
SORTED_OTHERWISE = (
    "The wrong answers were classified by different judges or rules, so the difference has no confidence interval."
)
INDEPENDENT = "Different questions of the same design: compared as independent samples."
FEW_SORTED = "Too few wrong answers were classified for a confidence interval."


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """One score of two evaluations; the interval and the p-value are those of the difference, not of a score.

    Attributes:
        figure: `<slice>|<metric>`.
        first: First score, a fraction.
        second: Second score.
        difference: First minus second, in [−1, 1]; the metric defines which sign is better.
        low: Lower end of the difference's 95 % confidence interval, rounded outwards to 0.0001; None if there is none.
        high: Upper end.
        p_value: Two-sided, in (0, 1], for this score alone; None without an interval.
        p_adjusted: Adjusted over all scores of the comparison that have one (Holm).
        wins: Items on which the first is better; None if withheld or meaningless.
        losses: Items on which the second is better.
        ties: Items on which they are equal.
        n_items: Number of items; None without an interval.
        n_clusters: Number of clusters of items.
        note: Why there is no interval.
    """

    figure: str
    first: float
    second: float
    difference: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    wins: int | None = None
    losses: int | None = None
    ties: int | None = None
    n_items: int | None = None
    n_clusters: int | None = None
    note: str | None = None


class ComparisonResult(NamedTuple):
    """Comparison of two evaluations.

    Attributes:
        differences: First evaluation minus second.
        reason: Why only their scores are subtracted, without intervals; None if they are compared by items.
        is_independent: Whether they answered different questions of the same design, so that they are compared as
            independent samples instead of in pairs.
    """

    differences: list[ScoreDifference]
    reason: str | None
    is_independent: bool = False

    @property
    def why_unpaired(self) -> str | None:
        """Why the evaluations are not compared in pairs."""
        return INDEPENDENT if self.is_independent else self.reason


def have_same_judge(benchmark: Benchmark, first: EvaluationRecord, second: EvaluationRecord) -> bool:
    """Tell whether judged scores of two evaluations are comparable; reported rows do not name their judge."""
    if not any(metric.judged for metric in benchmark.metrics):
        return True
    judges = [None if one.signature is None else parse_signature(one.signature).judging for one in (first, second)]
    return judges[0] == judges[1]


def subtract_scores(
    benchmark: Benchmark,
    first: Sequence[ScoreRecord],
    second: Sequence[ScoreRecord],
    note: str | None = None,
    *,
    same_judge: bool = True,
) -> list[ScoreDifference]:
    """Return the unpaired difference of every score that both evaluations have, in the order of the board's columns.

    Scores over too few items to be public are left out for everyone, so that all get the same answer. Without the same
    judge, judged scores are left out too: their scales are unrelated. Practice gaps are left out as well: they
    change with every file of practice answers, and a comparison is kept.
    """
    judged = frozenset() if same_judge else frozenset(metric.id for metric in benchmark.metrics if metric.judged)
    mine, others = (_name_public(benchmark, scores) for scores in (first, second))
    return [
        _subtract(key, mine[key], others[key], note)
        for key in (column.key for column in benchmark.columns if column.metric not in judged)
        if key in mine and key in others and not is_practice_gap(mine[key].metric)
    ]


def _subtract(key: str, first: ScoreRecord, second: ScoreRecord, note: str | None) -> ScoreDifference:
    mine, others = first.value or 0.0, second.value or 0.0
    plain = ScoreDifference(key, mine, others, round(mine - others, _DECIMALS), note=note)
    if not is_error_share(first.metric):
        return plain
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return replace(plain, note=note or FEW_SORTED)
    if find_sorter(first.note) != find_sorter(second.note):
        return replace(plain, note=SORTED_OTHERWISE)
    low, high = compare_independent((mine, first.low, first.high), (others, second.low, second.high))
    return replace(plain, low=round(low, _END_DECIMALS), high=round(high, _END_DECIMALS), note=NOT_PAIRED)


def _name_public(benchmark: Benchmark, scores: Sequence[ScoreRecord]) -> dict[str, ScoreRecord]:
    least = benchmark.min_public_items
    return {score.key: score for score in scores if score.value is not None and score.covers(least)}


def turn_around(one: ScoreDifference) -> ScoreDifference:
    """Return a difference as seen from the second evaluation."""
    return replace(
        one,
        first=one.second,
        second=one.first,
        difference=_negate(one.difference) or 0.0,
        low=_negate(one.high),
        high=_negate(one.low),
        wins=one.losses,
        losses=one.wins,
    )


def _negate(value: float | None) -> float | None:
    return None if value is None else 0.0 - value  # 0 has no sign


def to_result(differences: Sequence[ScoreDifference]) -> dict[str, Any]:
    """Return differences in their stored form."""
    return {"differences": [asdict(one) for one in differences]}


def from_result(result: Mapping[str, Any]) -> list[ScoreDifference]:
    """Return stored differences."""
    return [ScoreDifference(**one) for one in result["differences"]]
