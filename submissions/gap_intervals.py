"""Confidence intervals of scores that compare two rows of a model, such as the few-shot gap.

Both rows answered the same items, so the interval is that of a paired difference over recordings
(`submissions.paired_differences`), under the same rule: where both rows agree, or differ, on few secret answers, there
is none. It needs the outcomes of both.
"""

import math
from collections.abc import Mapping, Sequence

from db.records import StandingRecord
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.statistics import Clusters
from evaluation.types import Outcomes
from submissions.paired_differences import PairedDifferences, Scored, find_paired_figure
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
    first, second = outcomes.get(gap.candidate.evaluation_id), outcomes.get(gap.against_evaluation_id)
    figure = find_paired_figure(benchmark, key, gap.figure, clusters)
    if first is None or second is None or isinstance(figure, str):
        return None
    pair = PairedDifferences(benchmark, key, Scored("", first), Scored("", second), clusters=clusters)
    if pair.find_refusal(figure) is not None:
        return None
    compared = pair.compare([figure])[0]
    is_same = abs((compared.difference or 0.0) - (gap.candidate.value or 0.0)) <= 2 * SAME_FIGURE
    if compared.low is None or compared.high is None or not is_same:
        return None
    return round_end(compared.low, math.floor), round_end(compared.high, math.ceil)
