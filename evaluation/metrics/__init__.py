"""One statistic a file; the formula and its source are in the docstring."""

from evaluation.metrics.accuracy import seed_accuracy
from evaluation.metrics.judged import Judged, Judgement, JudgementError, item_score, score_judged
from evaluation.metrics.multi_label import MultiLabel, chance_of_multi_label, score_multi_label
from evaluation.metrics.verification import Verification, seed_verification

__all__ = [
    "Judged",
    "Judgement",
    "JudgementError",
    "MultiLabel",
    "Verification",
    "chance_of_multi_label",
    "item_score",
    "score_judged",
    "score_multi_label",
    "seed_accuracy",
    "seed_verification",
]
