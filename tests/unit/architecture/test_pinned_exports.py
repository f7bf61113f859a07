"""Exports of packages that others import from, as they are pinned here."""

import importlib
from collections.abc import Mapping

EXPORTS = {
    "evaluation": """Benchmark Outcomes Prediction Reading Report Score ScoreComparison Standings all_benchmarks
        compare get_benchmark read_boolean read_choice read_choices read_predictions standings""",
    "evaluation.audio": """AudioError decode_wav encode_wav extract_channel join_with_silence measure_wav noise_like
        pseudo_stereo read_sound write_sound""",
    "evaluation.benchmarks.mdar": "Mdar",
    "evaluation.benchmarks": "Benchmark Column Content Metric Part all_benchmarks get_benchmark list_versions",
    "evaluation.extraction": "READER_VERSION read_boolean read_choice read_choices read_steps",
    "evaluation.judge": """AllowanceSpentError Cache CalibrationError CallsNeeded EntryJudged Failure Held Judge
        JudgeError JudgeRefusedError JudgeUnreachableError JudgeVerdict JudgeVerdictError MAX_WITHOUT_VERDICT
        MemoryCache NoVerdictsInARowError OpenQuestion Streak count_calls judge_entry name_salt sign_judging""",
    "evaluation.listeners": "Heard LISTENERS Listener Sound UnknownListenerError get_listener",
    "evaluation.metrics": """JudgeScores JudgedAnswers Judgement JudgementError MultiLabel VerificationRates
        all_correct_rate average_accuracy chance_of_multi_label item_score macro_mean option_concentration practice_gap
        reliability_gap score_judged score_multi_label seed_accuracy seed_verification""",
    "evaluation.predictions": """ALLOW_MISSING_LABEL Catalogue CatalogueItem Cause FindElsewhere Options Parsing
        PredictionFileError Problem Problems UnreadableExample Validation Validator catalogue_of find_edition_of_file
        make_catalogue read_checked_predictions read_predictions validate_predictions""",
    "evaluation.statistics": """Clusters Estimator FEWEST_CLUSTERS FEWEST_OF_SEVERAL FEWEST_TELLING
        HarmonicMeanOf ItemMean JointBoard LadderDecision MeanOf ResampledBoard Resampling ScoreComparison ScoreFormula
        ScoreSample Scores Standings StatisticsError adjust_p_values combine_means compare compare_on compare_scores
        compare_unpaired compare_unpaired_scores correlate_differences count_independent_items decide_release
        decide_score_release detectable_difference detectable_on_board estimate_standard_error has_interval
        list_item_means list_shares make_intervals standings wilson_interval""",
    "evaluation.synthesis": """DRY_SOUNDS MotionParameters Note POSITIONS RENDERER_VERSION ROOMS ROOM_VERSION
        SourcePosition TONE_VERSION Tone Trajectory add_noise amplitude_of_level fits render_dry render_in_room
        render_motion render_scene render_tones""",
    "submissions.judging": """Connect Connection DatabaseAllowance DatabaseCache HeldError JudgeAwayError Judging
        JudgingError JudgingEvaluator JudgingStoppedError NoVerdictsError SpentError StoppedJudgeError UnaskedError
        UnreadableJudgeError""",
    "submissions.jobs.queue": "DistributedQueue SubmissionQueue open_queue",
}


def find_changed_exports(pinned: Mapping[str, str]) -> list[str]:
    exported = {name: set(importlib.import_module(name).__all__) for name in pinned}
    return [
        f"{name}: {sorted(exported[name] ^ set(names.split()))}"
        for name, names in pinned.items()
        if exported[name] != set(names.split())
    ]


def test_package_exports_match_the_pinned_ones() -> None:
    assert find_changed_exports(EXPORTS) == []
    changed = {"submissions.jobs.queue": EXPORTS["submissions.jobs.queue"] + " Extra"}
    assert find_changed_exports(changed) == ["submissions.jobs.queue: ['Extra']"]
