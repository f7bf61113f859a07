"""Metrics of critics of reasoning: over steps, over traces, and over groups of traces.

Each step is *erroneous* or right according to its label, and *flagged* or not by the critic; its score is the critic's
probability of an error. Arrays over steps concatenate the steps of all traces, and `starts` has the index of each
trace's first step; every trace has at least one.
"""

from evaluation.metrics.process.all_errors import StepRates, step_identification
from evaluation.metrics.process.chains import best_of_n, majority_vote, score_chains
from evaluation.metrics.process.error_type_metrics import TypeRates, auroc, type_detection
from evaluation.metrics.process.first_error import first_error
from evaluation.metrics.process.gaps import score_gap
from evaluation.metrics.process.means import harmonic_mean, mean_score

__all__ = [
    "StepRates",
    "TypeRates",
    "auroc",
    "best_of_n",
    "first_error",
    "harmonic_mean",
    "majority_vote",
    "mean_score",
    "score_chains",
    "score_gap",
    "step_identification",
    "type_detection",
]
