"""Confidence intervals of scores that compare two rows of a model, such as the few-shot gap.

If both rows answered the same items, the interval is that of a paired difference over recordings
(`submissions.comparisons.paired_differences`), under the same rule: if both rows agree, or differ, on few secret
answers, there is none. Rows of different editions are independent samples. Both need the outcomes of both rows.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from db.records import StandingRecord
from evaluation.benchmarks import Benchmark, Column
from submissions.comparisons.independent_differences import ScoredQuestions, make_item_differences
from submissions.comparisons.item_differences import ItemDifferences
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.rank_ranges import SAME_SCORE, round_end
from submissions.ranking.setting_gaps import Gap

_ByEdition = Mapping[str, EditionOutcomes]


def add_gap_intervals(
    benchmark: Benchmark,
    standings: Sequence[StandingRecord],
    gaps: Sequence[Gap],
    ours: _ByEdition,
    against: _ByEdition,
    reserve: Callable[[Column, int], bool],
) -> list[StandingRecord]:
    """Return standings with intervals of their gaps, if both rows have outcomes and enough recordings differ.

    Args:
        benchmark: Benchmark version of the board.
        standings: The standings of a board.
        gaps: The board's gaps, and the rows they subtract.
        ours: Edition → item-level outcomes of the board's rows.
        against: Edition → item-level outcomes of the rows of the other setting.
        reserve: Tells whether a column with this many rows is within the limit of a revision (`Uncertainty.reserve`).
    """
    first, second = (
        {one: edition for edition, group in side.items() for one in group.outcomes} for side in (ours, against)
    )
    groups: dict[str, list[Gap]] = {}
    for gap in gaps:
        if gap.candidate.standing.evaluation_id in first and gap.against_evaluation_id in second:
            groups.setdefault(gap.candidate.standing.key, []).append(gap)
    chosen: dict[tuple[str, str], list[Gap]] = {}
    for column in benchmark.columns:
        group = groups.get(column.key, [])
        if group and reserve(column, len(group)):
            for gap in group:
                editions = first[gap.candidate.standing.evaluation_id], second[gap.against_evaluation_id]
                chosen.setdefault(editions, []).append(gap)
    ends: dict[tuple[str, str], tuple[float, float] | None] = {}
    for (edition, other), group in sorted(chosen.items()):
        ends |= _find_ends(benchmark, group, ours[edition], against[other])
    return [_add_ends(one, ends.get((one.submission_id, one.key))) for one in standings]


def _find_ends(
    benchmark: Benchmark, gaps: Sequence[Gap], ours: EditionOutcomes, against: EditionOutcomes
) -> dict[tuple[str, str], tuple[float, float] | None]:
    """Return (submission, column) → interval, of gaps between rows of the same two editions, each derived once."""
    key = ours.make_key()
    other_key = key if against.seed == ours.seed else against.make_key()
    ends = {}
    for gap in gaps:
        standing = gap.candidate.standing
        sides = (
            ScoredQuestions(key, ours.outcomes[standing.evaluation_id]),
            ScoredQuestions(other_key, against.outcomes[gap.against_evaluation_id]),
        )
        pair = make_item_differences(benchmark, *sides)
        ends[standing.submission_id, standing.key] = find_gap_interval(pair, gap.figure, standing.value or 0.0)
    return ends


def find_gap_interval(pair: ItemDifferences, figure: str, value: float) -> tuple[float, float] | None:
    """Return the 95 % interval of a gap; None if there is none, or if the outcomes do not reproduce the gap.

    Args:
        pair: The two evaluations.
        figure: `<slice>|<metric>` that is subtracted.
        value: The gap.
    """
    if pair.find_refusal(figure) is not None:
        return None
    compared = pair.compare_figures([figure])[0]
    is_same = abs((compared.difference or 0.0) - value) <= 2 * SAME_SCORE
    if compared.low is None or compared.high is None or not is_same:
        return None
    return round_end(compared.low, math.floor), round_end(compared.high, math.ceil)


def _add_ends(standing: StandingRecord, ends: tuple[float, float] | None) -> StandingRecord:
    return standing if ends is None else standing._replace(low=ends[0], high=ends[1])
