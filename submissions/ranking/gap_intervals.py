"""Confidence intervals of scores that compare two rows of a model, such as the few-shot gap.

Both rows answered the same items, so the interval is that of a paired difference over recordings
(`submissions.comparisons.paired_differences`), under the same rule: if both rows agree, or differ, on few secret
answers, there is none. It needs the outcomes of both.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import Clusters, ScoreFormula
from evaluation.types import Outcomes
from submissions.comparisons.paired_differences import PairedDifferences, ScoringOutcomes, find_paired_formula
from submissions.ranking.rank_ranges import SAME_SCORE, round_end
from submissions.ranking.setting_gaps import Gap


def add_gap_intervals(
    benchmark: Benchmark,
    key: AnswerKey,
    standings: Sequence[StandingRecord],
    gaps: Sequence[Gap],
    outcomes: Mapping[int, Outcomes],
    reserve: Callable[[Column, int], bool],
) -> list[StandingRecord]:
    """Return standings with intervals of their gaps, if both rows have outcomes and enough recordings differ.

    Args:
        benchmark: Benchmark version of the board.
        key: The answer key of both rows.
        standings: The standings of a board.
        gaps: The board's gaps, and the rows they subtract.
        outcomes: Evaluation → item-level outcomes, for the rows of both settings.
        reserve: Tells whether a column with this many rows is within the limit of a revision (`Uncertainty.reserve`).
    """
    groups: dict[str, list[Gap]] = {}
    for gap in gaps:
        if gap.candidate.standing.evaluation_id in outcomes and gap.against_evaluation_id in outcomes:
            groups.setdefault(gap.candidate.standing.key, []).append(gap)
    clusters = Clusters.of(benchmark.cluster_items(key)) if groups else None
    ends: dict[tuple[str, str], tuple[float, float] | None] = {}
    for column in benchmark.columns:
        group = groups.get(column.key)
        if group and clusters is not None and reserve(column, len(group)):
            found = _find_all_ends(benchmark, key, group, clusters, outcomes)
            ends |= {(name, column.key): pair for name, pair in found.items()}
    return [_add_ends(one, ends.get((one.submission_id, one.key))) for one in standings]


def _find_all_ends(
    benchmark: Benchmark, key: AnswerKey, gaps: Sequence[Gap], clusters: Clusters, outcomes: Mapping[int, Outcomes]
) -> dict[str, tuple[float, float] | None]:
    """Return submission → interval of its gap, for one column of gaps."""
    formulas = {name: find_paired_formula(benchmark, key, name, clusters) for name in {gap.figure for gap in gaps}}
    found: dict[str, tuple[float, float] | None] = {}
    for gap in gaps:
        formula = formulas[gap.figure]
        if not isinstance(formula, str):
            standing = gap.candidate.standing
            first, second = outcomes[standing.evaluation_id], outcomes[gap.against_evaluation_id]
            pair = PairedDifferences(
                benchmark, key, ScoringOutcomes("", first), ScoringOutcomes("", second), clusters=clusters
            )
            found[standing.submission_id] = _find_ends(pair, formula, standing.value or 0.0)
    return found


def _find_ends(pair: PairedDifferences, formula: ScoreFormula, value: float) -> tuple[float, float] | None:
    if pair.find_refusal(formula) is not None:
        return None
    compared = pair.compare([formula])[0]
    is_same = abs((compared.difference or 0.0) - value) <= 2 * SAME_SCORE
    if compared.low is None or compared.high is None or not is_same:
        return None
    return round_end(compared.low, math.floor), round_end(compared.high, math.ceil)


def _add_ends(standing: StandingRecord, ends: tuple[float, float] | None) -> StandingRecord:
    return standing if ends is None else standing._replace(low=ends[0], high=ends[1])
