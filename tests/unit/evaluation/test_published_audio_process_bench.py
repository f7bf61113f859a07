import re
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from evaluation.published import PublishedRow, PublishedScore, read_published

ASSETS = Path(__file__).parents[3] / "assets"
RESULTS = read_published(ASSETS / "published" / "audio-process-bench.json")
TYPES = tuple(
    f"type/{name}"
    for name in ("existence", "semantic", "temporal", "acoustic-attribute", "cross-modal-binding", "reasoning")
)
TYPE_METRICS = ("prmscore", "balanced_accuracy", "auroc")
MEANS = {
    ("overall", "overall"): (("step", "overall"), ("type", "prmscore"), ("chain", "overall")),
    ("step", "overall"): (("step", "fei"), ("step", "aei")),
    ("chain", "overall"): (("chain", "bon"), ("chain", "mv")),
    **{("type", metric): tuple((name, metric) for name in TYPES) for metric in TYPE_METRICS},
}
ROUNDING = 0.0005  # half a unit of the last printed decimal: 0.1 points, or 0.001 of AUROC
TOLERANCE = 2 * ROUNDING + 1e-12  # for the parts, and once more for the score derived from them

MODELS = (
    "Random guess",
    "Qwen2-Audio-7B",
    "Phi-4-Multimodal",
    "Qwen2.5-Omni-3B",
    "Qwen2.5-Omni-7B",
    "Gemma-3n-E2B",
    "Gemma-3n-E4B",
    "Gemma-4-E2B",
    "Gemma-4-E4B",
    "Qwen3-Omni-30B-A3B",
    "Step-Audio-R1",
    "Gemini-3-Flash",
)
FEW_SHOT_GAP = (0.0, -9.0, -4.1, -0.1, 1.0, 1.4, 5.2, 3.3, 12.4, 4.2, 1.4, 3.6)
ABOVE_RANDOM = {
    "few-shot": (0.0, -2.7, 6.0, 9.2, 4.9, 8.4, 12.5, 6.4, 13.3, 25.5, 26.0, 30.7),
    "zero-shot": (0.0, 6.3, 10.1, 9.3, 3.9, 7.0, 7.3, 3.1, 0.9, 21.3, 24.6, 27.1),
}

Key = tuple[str, str]


def scores_by_key(row: PublishedRow) -> dict[Key, PublishedScore]:
    return {(score.slice, score.metric): score for score in row.scores}


def values(row: PublishedRow) -> dict[Key, float]:
    return {key: score.value for key, score in scores_by_key(row).items() if score.value is not None}


def get_row(model: str, setting: str) -> PublishedRow:
    (row,) = (row for row in RESULTS.rows if (row.model.name, row.setting) == (model, setting))
    return row


def find_mean_failures(row: PublishedRow) -> set[Key]:
    """Return the means that no scores rounding to the printed parts can give."""
    value, failed = values(row), set()
    for key, parts in MEANS.items():
        if key in value and abs(fmean(value[part] for part in parts) - value[key]) > TOLERANCE:
            failed.add(key)
    return failed


def find_harmonic_failures(row: PublishedRow) -> set[Key]:
    """Return the balanced accuracies below the PRMScore: a harmonic mean never exceeds the mean of the same shares."""
    value = values(row)
    keys = [(name, "balanced_accuracy") for name in TYPES if (name, "balanced_accuracy") in value]
    return {key for key in keys if value[key[0], "prmscore"] > value[key] + TOLERANCE}


def test_shipped_file_names_its_benchmark_and_paper() -> None:
    assert (RESULTS.benchmark, RESULTS.version) == ("audio-process-bench", "1.0")
    assert RESULTS.citation_title.startswith("AudioProcessBench")
    assert (RESULTS.citation_date, len(RESULTS.citation_authors)) == ("2026-06-07", 10)


def test_shipped_file_has_its_rows() -> None:
    assert [(row.model.name, row.setting) for row in RESULTS.rows] == [
        (model, setting) for setting in ("few-shot", "zero-shot") for model in MODELS
    ]
    assert [row.source for row in RESULTS.rows if row.model.name == "Random guess"] == ["random", "random"]
    assert Counter(row.source for row in RESULTS.rows) == {"reported": 22, "random": 2}


def test_shipped_file_has_every_printed_score() -> None:
    counts = Counter(score.table for row in RESULTS.rows for score in row.scores)
    assert counts == {"Table 3": 12 * 14, "Table 4": 12, "Table 5": 12 * 7, "Table 6": 12 * 7, "Table 7": 12 * 14}
    assert sum(counts.values()) == 516


def test_row_contains_every_score_of_its_setting(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            metrics = TYPE_METRICS if row.setting == "few-shot" else TYPE_METRICS[:1]
            expected = {("overall", "overall"), ("step", "overall"), ("step", "fei"), ("step", "aei")}
            expected |= {("chain", "overall"), ("chain", "bon"), ("chain", "mv")}
            expected |= {(name, metric) for name in ("type", *TYPES) for metric in metrics}
            expected |= {("overall", "few_shot_gap")} if row.setting == "few-shot" else set()
            assert set(values(row)) == expected


def test_scores_have_three_decimals_as_fractions(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            for score in row.scores:
                assert score.value is not None
                assert score.value == round(score.value, 3)
                assert score.std is None


def test_score_equals_the_hand_typed_value(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, str, str, float]] = [
        ("Random guess", "few-shot", "step", "fei", 0.026),
        ("Random guess", "few-shot", "type/acoustic-attribute", "auroc", 0.508),
        ("Random guess", "zero-shot", "chain", "mv", 0.406),
        ("Qwen2-Audio-7B", "few-shot", "overall", "overall", 0.345),
        ("Qwen2-Audio-7B", "zero-shot", "step", "aei", 0.482),
        ("Phi-4-Multimodal", "few-shot", "type/temporal", "prmscore", 0.341),
        ("Qwen2.5-Omni-3B", "few-shot", "chain", "bon", 0.527),
        ("Qwen2.5-Omni-7B", "few-shot", "type/cross-modal-binding", "balanced_accuracy", 0.651),
        ("Gemma-3n-E2B", "zero-shot", "type/semantic", "prmscore", 0.413),
        ("Gemma-3n-E4B", "few-shot", "type", "auroc", 0.606),
        ("Gemma-4-E2B", "few-shot", "step", "overall", 0.345),
        ("Gemma-4-E4B", "zero-shot", "type/acoustic-attribute", "prmscore", 0.221),
        ("Qwen3-Omni-30B-A3B", "few-shot", "type/cross-modal-binding", "auroc", 0.826),
        ("Step-Audio-R1", "few-shot", "step", "aei", 0.715),
        ("Step-Audio-R1", "zero-shot", "type/reasoning", "prmscore", 0.729),
        ("Gemini-3-Flash", "few-shot", "overall", "overall", 0.679),
        ("Gemini-3-Flash", "few-shot", "chain", "overall", 0.605),
        ("Gemini-3-Flash", "zero-shot", "chain", "overall", 0.553),
    ]
    for model, setting, slice_name, metric, value in rows:
        with subtests.test(model=model, setting=setting, slice_name=slice_name, metric=metric, value=value):
            assert values(get_row(model, setting))[slice_name, metric] == value


def test_average_is_mean_of_its_parts(subtests: pytest.Subtests) -> None:
    for key in MEANS:
        for row in RESULTS.rows:
            with subtests.test(row.model.name, setting=row.setting, key=key):
                if key in values(row):
                    assert key not in find_mean_failures(row)
                else:
                    assert row.setting == "zero-shot"
                    assert key[1] in TYPE_METRICS[1:]


def test_notes_exist_exactly_where_identities_fail(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            failed = find_mean_failures(row) | find_harmonic_failures(row)
            assert {key for key, score in scores_by_key(row).items() if score.note} == failed


def test_balanced_accuracy_is_too_low_for_one_model_only() -> None:
    failed = {row.model.name: find_harmonic_failures(row) for row in RESULTS.rows if find_harmonic_failures(row)}
    names = ("type/temporal", "type/acoustic-attribute", "type/reasoning")
    assert failed == {"Gemini-3-Flash": {(name, "balanced_accuracy") for name in names}}


def test_notes_on_balanced_accuracy_state_both_sides() -> None:
    row = get_row("Gemini-3-Flash", "few-shot")
    for key in find_harmonic_failures(row):
        sides = [float(side) for side in re.findall(r"(\d+\.\d) %", scores_by_key(row)[key].note or "")]
        assert sides == pytest.approx([100 * values(row)[key[0], "prmscore"], 100 * values(row)[key]])


def test_printed_gaps_are_differences_of_overall_scores(subtests: pytest.Subtests) -> None:
    for position in range(12):
        with subtests.test(position=position):
            overall = {
                setting: 100 * values(get_row(MODELS[position], setting))["overall", "overall"]
                for setting in ABOVE_RANDOM
            }
            assert overall["few-shot"] - overall["zero-shot"] == pytest.approx(FEW_SHOT_GAP[position], abs=1e-9)
            gap = 100 * values(get_row(MODELS[position], "few-shot"))["overall", "few_shot_gap"]
            assert gap == pytest.approx(FEW_SHOT_GAP[position], abs=1e-9)
            for setting, above in ABOVE_RANDOM.items():
                random = 100 * values(get_row("Random guess", setting))["overall", "overall"]
                assert overall[setting] - random == pytest.approx(above[position], abs=1e-9)


def test_random_baseline_is_the_same_in_both_settings() -> None:
    few, zero = (values(get_row("Random guess", setting)) for setting in ABOVE_RANDOM)
    assert zero.items() <= few.items()
