"""Shipped published results: every printed score once, and the identities that hold between scores."""

import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.introduction import Paper
from evaluation.published import (
    PublishedRow,
    PublishedScore,
    read_published,
)

FOLDER = Path(__file__).parents[3] / "assets" / "published"
RESULTS = read_published(FOLDER / "audio-motion-bench.json")
VARIANTS = ("sct", "sdt", "tat")
CONDITIONS = ("clean", "35db", "25db", "15db")
SHARED = "overall/clean/tf"
TOLERANCE = 0.0002 + 1e-12


def scores_by_key(row: PublishedRow) -> dict[tuple[str, str], PublishedScore]:
    return {(score.slice, score.metric): score for score in row.scores}


def values(row: PublishedRow) -> dict[tuple[str, str], float]:
    return {key: score.value for key, score in scores_by_key(row).items() if score.value is not None}


def find_pooling_failures(row: PublishedRow) -> set[tuple[str, str]]:
    value, failed = values(row), set()
    for v in VARIANTS:
        mcq, tf = (f"{v}/clean/mcq", "accuracy"), (f"{v}/clean/tf", "accuracy")
        if abs((value[mcq] + 2 * value[tf]) / 3 - value[f"{v}/clean", "accuracy"]) > TOLERANCE:
            failed |= {mcq, tf}
    return failed


def find_balance_failures(row: PublishedRow) -> set[tuple[str, str]]:
    value = values(row)
    tf = sum(value[f"{v}/clean/tf", "accuracy"] for v in VARIANTS) / 3
    agrees = abs((value[SHARED, "tpr"] + value[SHARED, "tnr"]) / 2 - tf) <= TOLERANCE
    return set() if agrees else {(SHARED, "tpr"), (SHARED, "tnr")}


def find_exclusion_failures(row: PublishedRow) -> set[tuple[str, str]]:
    value = values(row)
    agrees = value[SHARED, "tnr"] + value[SHARED, "yes_bias"] <= 1 + TOLERANCE
    return set() if agrees else {(SHARED, "tnr"), (SHARED, "yes_bias")}


def find_share_failures(row: PublishedRow) -> set[tuple[str, str]]:
    """Return the condition scores that are not k/504 (168 items, three seeds) when rounded as printed."""
    keys = [(f"{v}/{c}", "accuracy") for v in VARIANTS for c in CONDITIONS]
    return {k for k in keys if round(round(values(row)[k] * 504) / 504, 4) != round(values(row)[k], 4)}


def test_shipped_file_names_its_benchmark_and_paper() -> None:
    assert (RESULTS.benchmark, RESULTS.version) == ("audio-motion-bench", "1.0")
    assert RESULTS.citation_title.startswith("AudioMotionBench")
    assert RESULTS.citation_authors == ("Zhe Sun", "Yujun Cai", "Jiayu Yao", "Yiwei Wang")
    assert RESULTS.citation_date == "2025"


def test_shipped_file_names_the_paper_of_its_benchmark(subtests: pytest.Subtests) -> None:
    for path in sorted(FOLDER.glob("*.json")):
        with subtests.test(path=path):
            results = read_published(path)
            year = (results.citation_date or "")[:4]
            benchmark = get_benchmark(results.benchmark, results.version)
            cited = Paper(results.citation_title, results.citation_authors, results.citation_url, int(year))
            assert benchmark.paper == cited
            assert f"  year = {{{year}}},\n" in benchmark.citation
            assert f"  url = {{{results.citation_url}}}\n" in benchmark.citation


def test_shipped_rows_name_their_printed_labels_and_tables() -> None:
    rows = [row for path in sorted(FOLDER.glob("*.json")) for row in read_published(path).rows]
    assert len(rows) == 97
    assert all(row.label and row.tables for row in rows)
    renamed = {(row.model.name, row.label) for row in rows if row.model.name != row.label}
    assert ("SALMONN-7B", "SALAMONN") in renamed
    assert ("Qwen2.5-Omni-7B", "Qwen-2.5-Omni") in renamed


def test_shipped_file_has_four_models() -> None:
    models = [(row.model.name, row.model.size_billions) for row in RESULTS.rows]
    assert models == [
        ("Qwen2-Audio-7B", 7.0),
        ("Voxtral-Mini-3B-2507", 3.0),
        ("Aero-1-Audio", None),
        ("Kimi-Audio-7B", 7.0),
    ]
    assert {(row.source, row.setting, row.model.kind) for row in RESULTS.rows} == {("reported", "default", "LALM")}


def test_row_contains_every_printed_score_once(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            printed = [score for score in row.scores if score.table]
            assert Counter(score.table for score in printed) == {"Table 3": 15, "Table 4": 6, "Table 5": 3}
            slices = {f"{v}{tail}" for v in VARIANTS for tail in ("", *(f"/{c}" for c in CONDITIONS))}
            formats = {f"{v}/clean/{f}" for v in VARIANTS for f in ("mcq", "tf")}
            expected = {(s, "accuracy") for s in slices | formats} | {(SHARED, m) for m in ("tpr", "tnr", "yes_bias")}
            assert {(score.slice, score.metric) for score in printed} == expected
            assert all(score.value is not None and score.std is not None for score in printed)


def test_reported_rows_of_audio_motion_bench_fill_every_default_column(subtests: pytest.Subtests) -> None:
    benchmark = get_benchmark("audio-motion-bench")
    shown = [column for column in benchmark.columns if column.shown and not column.needs_value]
    titles = ["Overall", "SCT", "SDT", "TAT", "MCQ clean", "T/F clean", "TPR clean", "TNR clean"]
    assert [column.full_title for column in shown] == titles
    for row in RESULTS.rows:
        with subtests.test(row.model.name):
            value = values(row)
            assert {(column.slice, column.metric) for column in shown} <= value.keys()
            for form in ("mcq", "tf"):
                mean = sum(value[f"{variant}/clean/{form}", "accuracy"] for variant in VARIANTS) / 3
                assert value[f"overall/clean/{form}", "accuracy"] == pytest.approx(mean)


def test_shipped_file_has_96_printed_scores() -> None:
    assert sum(score.table is not None for row in RESULTS.rows for score in row.scores) == 96


def test_scores_are_printed_percentages_with_two_decimals(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            for score in row.scores:
                if score.table:
                    assert score.value == round(score.value or -1, 4)
                    assert score.std == round(score.std or -1, 4)
                    assert 0.0005 <= score.std <= 0.0015


def test_score_equals_the_hand_typed_value(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, str, float, float]] = [
        ("Qwen2-Audio-7B", "sct/clean", "accuracy", 0.4048, 0.0012),
        ("Qwen2-Audio-7B", "sdt", "accuracy", 0.4301, 0.0009),
        ("Qwen2-Audio-7B", "tat/15db", "accuracy", 0.4264, 0.0012),
        ("Qwen2-Audio-7B", "sct/clean/tf", "accuracy", 0.5089, 0.0009),
        ("Qwen2-Audio-7B", SHARED, "yes_bias", 0.1652, 0.0009),
        ("Voxtral-Mini-3B-2507", "sct/35db", "accuracy", 0.3750, 0.0013),
        ("Voxtral-Mini-3B-2507", "sdt/15db", "accuracy", 0.3869, 0.0013),
        ("Voxtral-Mini-3B-2507", "tat/clean/tf", "accuracy", 0.5311, 0.0012),
        ("Voxtral-Mini-3B-2507", SHARED, "tpr", 0.1940, 0.0013),
        ("Aero-1-Audio", "sct/clean", "accuracy", 0.4286, 0.0005),
        ("Aero-1-Audio", "tat", "accuracy", 0.4107, 0.0010),
        ("Aero-1-Audio", "sdt/clean/mcq", "accuracy", 0.2463, 0.0013),
        ("Aero-1-Audio", SHARED, "tnr", 0.7893, 0.0009),
        ("Kimi-Audio-7B", "sdt/15db", "accuracy", 0.3926, 0.0010),
        ("Kimi-Audio-7B", "tat/25db", "accuracy", 0.3810, 0.0013),
        ("Kimi-Audio-7B", "tat/clean/mcq", "accuracy", 0.2597, 0.0007),
        ("Kimi-Audio-7B", SHARED, "tnr", 0.8439, 0.0010),
    ]
    for model, slice_name, metric, value, std in rows:
        with subtests.test(model=model, slice_name=slice_name, metric=metric, value=value, std=std):
            row = next(row for row in RESULTS.rows if row.model.name == model)
            score = scores_by_key(row)[slice_name, metric]
            assert (score.value, score.std) == (value, std)


def test_average_is_mean_of_conditions(subtests: pytest.Subtests) -> None:
    for variant in VARIANTS:
        for row in RESULTS.rows:
            with subtests.test(row.model.name, setting=row.setting, variant=variant):
                value = values(row)
                mean = sum(value[f"{variant}/{c}", "accuracy"] for c in CONDITIONS) / 4
                assert abs(value[variant, "accuracy"] - mean) <= 0.0001


def test_formats_never_pool_to_clean_accuracy(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            assert len(find_pooling_failures(row)) == 6


def test_balance_identity_is_true_for_one_model_only() -> None:
    assert [row.model.name for row in RESULTS.rows if not find_balance_failures(row)] == ["Kimi-Audio-7B"]


def test_exclusion_identity_fails_for_one_model_only() -> None:
    assert [row.model.name for row in RESULTS.rows if find_exclusion_failures(row)] == ["Kimi-Audio-7B"]


def test_notes_exist_exactly_where_identities_fail(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            failed = (
                find_pooling_failures(row)
                | find_balance_failures(row)
                | find_exclusion_failures(row)
                | find_share_failures(row)
            )
            assert {key for key, score in scores_by_key(row).items() if score.note} == failed


def test_notes_of_table_4_state_both_sides(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            value = values(row)
            for v in VARIANTS:
                pooled = (value[f"{v}/clean/mcq", "accuracy"] + 2 * value[f"{v}/clean/tf", "accuracy"]) / 3
                for answer_format in ("mcq", "tf"):
                    note = scores_by_key(row)[f"{v}/clean/{answer_format}", "accuracy"].note or ""
                    sides = [float(side) for side in re.findall(r"(\d+\.\d+) %", note)]
                    assert sides == pytest.approx([100 * pooled, 100 * value[f"{v}/clean", "accuracy"]], abs=0.0051)


def test_row_note_on_standard_deviations_is_correct(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            stds = [100 * score.std for score in row.scores if score.std is not None and "/" in score.slice]
            (note,) = row.notes
            low, high, minimum = (float(number) for number in re.findall(r"\d\.\d\d", note))
            assert (low, high) == pytest.approx((min(stds), max(stds)))
            assert high < minimum <= 100 / 168 * (2 / 9) ** 0.5  # divisor n; with n − 1 the minimum is even larger


def test_overall_is_derived_from_averages(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            overall = scores_by_key(row)["overall", "accuracy"]
            value = values(row)
            assert overall.value == pytest.approx(sum(value[v, "accuracy"] for v in VARIANTS) / 3, abs=1e-12)
            assert (overall.slice, overall.metric, overall.formula) == ("overall", "accuracy", "mean of sct, sdt, tat")
            assert (overall.table, overall.std, overall.note) == (None, None, None)


def test_overall_equals_the_hand_computed_values() -> None:
    overall = [values(row)["overall", "accuracy"] for row in RESULTS.rows]
    assert overall == pytest.approx([0.4205, 0.409233, 0.409733, 0.4117], abs=1e-6)
