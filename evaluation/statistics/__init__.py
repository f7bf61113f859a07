"""Statistics of a board: intervals, paired comparisons, rank ranges, and the smallest detectable difference."""

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.detectable import correlate_differences, detectable_difference, detectable_on_board
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.estimator import FEWEST_CLUSTERS, FEWEST_OF_SEVERAL, Estimator, has_interval
from evaluation.statistics.holm import adjust_p_values
from evaluation.statistics.intervals import make_intervals
from evaluation.statistics.joint_boards import JointBoard
from evaluation.statistics.ladder import LadderDecision, decide_release, decide_score_release
from evaluation.statistics.paired import FEWEST_TELLING, ScoreComparison, compare, compare_on, compare_scores
from evaluation.statistics.ranks import ResampledBoard, Standings, standings
from evaluation.statistics.resamples import Resampling
from evaluation.statistics.score_formulas import (
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    ScoreFormula,
    Scores,
    combine_means,
    count_independent_items,
    list_item_means,
    list_shares,
)
from evaluation.statistics.unpaired import (
    ScoreSample,
    compare_unpaired,
    compare_unpaired_scores,
    estimate_standard_error,
)
from evaluation.statistics.wilson import wilson_interval

__all__ = [
    "FEWEST_CLUSTERS",
    "FEWEST_OF_SEVERAL",
    "FEWEST_TELLING",
    "Clusters",
    "Estimator",
    "HarmonicMeanOf",
    "ItemMean",
    "JointBoard",
    "LadderDecision",
    "MeanOf",
    "ResampledBoard",
    "Resampling",
    "ScoreComparison",
    "ScoreFormula",
    "ScoreSample",
    "Scores",
    "Standings",
    "StatisticsError",
    "adjust_p_values",
    "combine_means",
    "compare",
    "compare_on",
    "compare_scores",
    "compare_unpaired",
    "compare_unpaired_scores",
    "correlate_differences",
    "count_independent_items",
    "decide_release",
    "decide_score_release",
    "detectable_difference",
    "detectable_on_board",
    "estimate_standard_error",
    "has_interval",
    "list_item_means",
    "list_shares",
    "make_intervals",
    "standings",
    "wilson_interval",
]
