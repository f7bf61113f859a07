"""How sure a board can be: intervals, paired comparisons, rank ranges, and the smallest difference it can show."""

from evaluation.statistics.bootstrap import Resampling
from evaluation.statistics.detectable import detectable_difference, detectable_on_board
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.figures import (
    Estimator,
    Figure,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    Scores,
    count_independent_items,
    list_item_means,
)
from evaluation.statistics.holm import adjust_p_values
from evaluation.statistics.paired import Comparison, compare, compare_on
from evaluation.statistics.paired_figures import ItemScores, compare_figures
from evaluation.statistics.ranks import Board, Standings, standings
from evaluation.statistics.wilson import wilson_interval

__all__ = [
    "Board",
    "Comparison",
    "Estimator",
    "Figure",
    "HarmonicMeanOf",
    "ItemMean",
    "ItemScores",
    "MeanOf",
    "Resampling",
    "Scores",
    "Standings",
    "StatisticsError",
    "adjust_p_values",
    "compare",
    "compare_figures",
    "compare_on",
    "count_independent_items",
    "detectable_difference",
    "detectable_on_board",
    "list_item_means",
    "standings",
    "wilson_interval",
]
