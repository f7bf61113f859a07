"""Metrics of critics of reasoning: over steps, over traces, and over groups of traces.

Everywhere a step is *erroneous* or right in truth, and *flagged* or not by the critic; its score is how probable the
critic holds an error there. Arrays over steps hold the steps of one trace after those of another, and `starts` says at
which step each trace begins; every trace has at least one.
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
