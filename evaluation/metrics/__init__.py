"""One statistic a file; the formula and its source are in the docstring."""

from evaluation.metrics.accuracy import seed_accuracy
from evaluation.metrics.verification import Verification, seed_verification

__all__ = ["Verification", "seed_accuracy", "seed_verification"]
