"""Confidence intervals of scores that compare two rows of a model, such as the few-shot gap.

Both rows answered the same items, so the interval is that of a paired difference over recordings
(`evaluation.statistics.compare_figures`). It needs the outcomes of both.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.statistics import Clusters, Figure, compare_figures, has_interval, list_item_means
from evaluation.types import Outcomes
from submissions.setting_gaps import Gap
from submissions.uncertainty import SAME_FIGURE, round_end


def add_gap_intervals(
    benchmark: Benchmark,
    key: AnswerKey,
    standings: Sequence[StandingRecord],
    gaps: Sequence[Gap],
    outcomes: Mapping[int, Outcomes],
) -> list[StandingRecord]:
    """Return standings with intervals of their gaps, where both rows have outcomes and enough recordings differ.

    Args:
        benchmark: Whose board.
        key: The answer key of both rows.
        standings: The standings of a board.
        gaps: The board's gaps, and which rows they subtract.
        outcomes: Evaluation → what happened to each item, of the rows of both settings.
    """
    by_name = {(gap.candidate.submission_id, gap.candidate.slice, gap.candidate.metric): gap for gap in gaps}
    clusters = Clusters.of(benchmark.cluster_items(key))
    found = []
    for standing in standings:
        gap = by_name.get((standing.submission_id, standing.slice, standing.metric))
        ends = _find_ends(benchmark, key, gap, clusters, outcomes) if gap is not None else None
        found.append(standing._replace(low=ends[0], high=ends[1]) if ends is not None else standing)
    return found


def _find_ends(
    benchmark: Benchmark, key: AnswerKey, gap: Gap, clusters: Clusters, outcomes: Mapping[int, Outcomes]
) -> tuple[float, float] | None:
    both = outcomes.get(gap.candidate.evaluation_id), outcomes.get(gap.against_evaluation_id)
    figure = benchmark.find_figure(key, *gap.figure.split("|", 1))
    if both[0] is None or both[1] is None or figure is None or not has_interval(figure, clusters):
        return None
    first, second = (_score(benchmark, key, one, figure) for one in (both[0], both[1]))
    compared = compare_figures([figure], clusters, first, second)[0]
    is_same = abs((compared.difference or 0.0) - (gap.candidate.value or 0.0)) <= 2 * SAME_FIGURE
    if compared.low is None or compared.high is None or not is_same:
        return None
    return round_end(compared.low, math.floor), round_end(compared.high, math.ceil)


def _score(benchmark: Benchmark, key: AnswerKey, outcomes: Outcomes, figure: Figure) -> dict[str, NDArray[np.float64]]:
    names = {mean.score for mean in list_item_means(figure)}
    return {name: benchmark.score_items(key, outcomes, name) for name in sorted(names)}
