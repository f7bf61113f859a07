"""Metrics, one statistic per file, with formula and source in the docstring."""

from evaluation.metrics.accuracy import seed_accuracy
from evaluation.metrics.all_correct_rate import all_correct_rate
from evaluation.metrics.average_accuracy import average_accuracy
from evaluation.metrics.judged import JudgedAnswers, Judgement, JudgementError, JudgeScores, item_score, score_judged
from evaluation.metrics.macro_mean import macro_mean
from evaluation.metrics.multi_label import MultiLabel, chance_of_multi_label, score_multi_label
from evaluation.metrics.option_concentration import option_concentration
from evaluation.metrics.practice_gap import practice_gap
from evaluation.metrics.reliability_gap import reliability_gap
from evaluation.metrics.verification import VerificationRates, seed_verification

__all__ = [
    "JudgeScores",
    "JudgedAnswers",
    "Judgement",
    "JudgementError",
    "MultiLabel",
    "VerificationRates",
    "all_correct_rate",
    "average_accuracy",
    "chance_of_multi_label",
    "item_score",
    "macro_mean",
    "option_concentration",
    "practice_gap",
    "reliability_gap",
    "score_judged",
    "score_multi_label",
    "seed_accuracy",
    "seed_verification",
]
