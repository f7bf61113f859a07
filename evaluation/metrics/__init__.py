"""One statistic a file; the formula and its source are in the docstring."""

from evaluation.metrics.accuracy import seed_accuracy
from evaluation.metrics.all_correct_rate import all_correct_rate
from evaluation.metrics.average_accuracy import average_accuracy
from evaluation.metrics.macro_mean import macro_mean
from evaluation.metrics.option_concentration import option_concentration
from evaluation.metrics.reliability_gap import reliability_gap
from evaluation.metrics.verification import Verification, seed_verification

__all__ = [
    "Verification",
    "all_correct_rate",
    "average_accuracy",
    "macro_mean",
    "option_concentration",
    "reliability_gap",
    "seed_accuracy",
    "seed_verification",
]
