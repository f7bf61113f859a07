import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.benchmarks import get_benchmark
from evaluation.published import PublishedRow, PublishedScore, read_published

ASSETS = Path(__file__).parents[3] / "assets"
RESULTS = read_published(ASSETS / "published" / "star-bench.json")
RANGE = tuple(f"perception/range/{s}" for s in ("pitch-loudness", "azimuth", "elevation", "distance"))
SENSITIVITY = tuple(
    f"perception/sensitivity/{s}" for s in ("pitch", "loudness", "duration", "azimuth", "elevation", "distance")
)
MEANS = {"perception": RANGE + SENSITIVITY, "perception/range": RANGE, "perception/sensitivity": SENSITIVITY}
CONTINUOUS = {"temporal/osm": 269, "temporal/isse": 215}
DISCRETE = {"temporal/tao": 204, "temporal/dss": 180, "temporal/etc": 32}
SPATIAL = {"spatial/localization": 283, "spatial/relation": 113, "spatial/trajectory": 106}
POOLS = {
    "temporal": CONTINUOUS | DISCRETE,
    "temporal/continuous": CONTINUOUS,
    "temporal/discrete": DISCRETE,
    "spatial": SPATIAL,
}
LOST = ("perception/sensitivity/distance", "aa"), ("perception/sensitivity/distance", "acr")
BETWEEN_TABLES = {
    "Random guess": set(LOST),
    "BAT": set(LOST),
    "Step-Audio-2-mini": set(LOST),
    "GPT-4o Audio": {("spatial/relation", "aa")},
    "Gemini 2.5 Pro": {("spatial", "aa"), ("overall", "reliability_gap")},
}
TOLERANCE = 0.0002 + 1e-12

Key = tuple[str, str]
DEFAULT = [row for row in RESULTS.rows if row.setting == "default"]
CHANNEL_WISE = [row for row in RESULTS.rows if row.setting == "channel-wise"]


def scores_by_key(row: PublishedRow) -> dict[Key, PublishedScore]:
    return {(score.slice, score.metric): score for score in row.scores}


def is_copied(score: PublishedScore) -> bool:
    """Return whether a score is copied from print, not computed from others."""
    return score.table is not None and score.formula is None


def values(row: PublishedRow) -> dict[Key, float]:
    return {key: score.value for key, score in scores_by_key(row).items() if score.value is not None}


def get_row(model: str, setting: str = "default") -> PublishedRow:
    (row,) = (row for row in RESULTS.rows if (row.model.name, row.setting) == (model, setting))
    return row


def compute_mean(row: PublishedRow, parts: tuple[str, ...], metric: str) -> float | None:
    known = [values(row).get((part, metric)) for part in parts]
    present = [value for value in known if value is not None]
    return sum(present) / len(present) if len(present) == len(parts) else None


def compute_pool(row: PublishedRow, sizes: dict[str, int], metric: str) -> float:
    return sum(size * values(row)[part, metric] for part, size in sizes.items()) / sum(sizes.values())


def find_mean_failures(row: PublishedRow) -> set[Key]:
    failed = set()
    for name, parts in MEANS.items():
        printed, mean = values(row).get((name, "aa")), compute_mean(row, parts, "aa")
        if printed is not None and (mean is None or abs(mean - printed) > TOLERANCE):
            failed.add((name, "aa"))
    return failed


def find_pooling_failures(row: PublishedRow) -> set[Key]:
    value, failed = values(row), set()
    for key in ((name, metric) for name in POOLS for metric in ("aa", "acr")):
        known = key in value and all((part, key[1]) in value for part in POOLS[key[0]])
        if known and abs(compute_pool(row, POOLS[key[0]], key[1]) - value[key]) > TOLERANCE:
            failed.add(key)
    return failed


def find_order_failures(row: PublishedRow) -> set[Key]:
    value = values(row)
    above = {key for key, share in value.items() if key[1] == "acr" and share > value.get((key[0], "aa"), 1)}
    return {key for key in above if scores_by_key(row)[key].table}


def find_share_failures(row: PublishedRow) -> set[Key]:
    """Return the temporal and spatial cells that are not k/3n (AA) or k/n (ACR), truncated or rounded to 2 decimals."""
    if row.source != "reported":
        return set()
    failed = set()
    for part, size in (CONTINUOUS | DISCRETE | SPATIAL).items():
        for metric, whole in (("aa", 3 * size), ("acr", size)):
            share = values(row).get((part, metric))
            if share is not None and abs(round(share * whole) / whole - share) > 0.000101:
                failed.add((part, metric))
    return failed


def test_shipped_file_names_its_benchmark_and_paper() -> None:
    assert (RESULTS.benchmark, RESULTS.version) == ("star-bench", "1.0")
    assert RESULTS.citation_title.startswith("STAR-Bench")
    assert (RESULTS.citation_date, len(RESULTS.citation_authors)) == ("2026", 13)


def test_shipped_file_has_its_rows() -> None:
    assert Counter((row.source, row.setting) for row in RESULTS.rows) == {
        ("random", "default"): 1,
        ("human", "default"): 1,
        ("reported", "default"): 19,
        ("reported", "channel-wise"): 19,
        ("reported", "caption-only"): 1,
        ("reported", "uncut-audio"): 1,
    }
    assert [row.model.name for row in CHANNEL_WISE] == [row.model.name for row in DEFAULT[2:]]
    assert sum(row.model.open_weights is True for row in DEFAULT) == 16
    assert sum(row.model.open_weights is False for row in DEFAULT) == 3


def test_shipped_file_has_every_printed_score() -> None:
    counts = Counter(score.table for row in RESULTS.rows for score in row.scores if is_copied(score))
    cells = 21 * 10 + 19 * 10  # AA of all, ACR of all but human and GPT-4o Audio
    assert counts == {
        "Table 2": 21 * 7 - 2 + 8,  # two spatial scores come from Table 6; eight rows keep their overall mean
        "Table 4": cells + 3,
        "Table 5": (21 + 19) * 5 + 19,
        "Table 6": (21 + 19) * 3 + 19 + 2 + (19 + 18) * 3,
        "Section 4.2": 3,
        "Abstract": 2,
        "Appendix E.1": 1,
    }
    assert sum(counts.values()) == 1033


def test_default_row_covers_all_slices(subtests: pytest.Subtests) -> None:
    for row in DEFAULT:
        with subtests.test(row.model.name, setting=row.setting):
            expected = {*MEANS, *RANGE, *SENSITIVITY, *POOLS, *CONTINUOUS, *DISCRETE, *SPATIAL}
            printed = {score.slice for score in row.scores if is_copied(score) and score.metric == "aa"}
            assert printed - {"overall"} == expected


def test_scores_are_printed_percentages_with_two_decimals(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            for score in row.scores:
                if is_copied(score) and score.value is not None:
                    assert score.value == round(score.value, 4)
                assert score.std is None


def test_only_one_cell_has_no_value() -> None:
    lost = {
        (row.model.name, score.slice)
        for row in RESULTS.rows
        for score in row.scores
        if score.table and score.value is None
    }
    assert lost == {("Step-Audio-2-mini", "perception/sensitivity/distance")}


def test_score_equals_the_hand_typed_value(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, str, str, float]] = [
        ("SALMONN-13B", "default", "perception/range/elevation", "aa", 0.3576),
        ("Audio Flamingo 3 think", "default", "perception/sensitivity/duration", "acr", 0.3833),
        ("Qwen2-Audio-7B", "default", "spatial", "aa", 0.2078),
        ("DeSTA2.5-Audio", "default", "perception/sensitivity", "aa", 0.1979),
        ("BAT", "default", "perception", "aa", 0.1287),
        ("Phi-4-Multimodal", "default", "temporal/etc", "acr", 0.0313),
        ("Kimi-Audio-7B", "channel-wise", "spatial/trajectory", "acr", 0.0849),
        ("MiDashengLM", "default", "spatial/localization", "aa", 0.4311),
        ("Ming-Lite-Omni-1.5", "default", "temporal/tao", "aa", 0.1389),
        ("Qwen2.5-Omni-7B", "default", "temporal", "acr", 0.0078),
        ("Xiaomi-MiMo-Audio", "channel-wise", "spatial/localization", "aa", 0.4158),
        ("MiniCPM-O-v2.6", "default", "spatial", "acr", 0.0996),
        ("GPT-4o Audio", "channel-wise", "spatial/relation", "aa", 0.5487),
        ("Gemini 2.5 Flash", "default", "perception/range/pitch-loudness", "acr", 0.1819),
        ("Gemini 2.5 Pro", "default", "temporal/isse", "aa", 0.4372),
        ("Gemini 2.5 Pro", "default", "spatial", "aa", 0.4362),
        ("Gemini 2.5 Pro", "caption-only", "temporal", "aa_drop", 0.315),
        ("Gemini 2.5 Pro", "caption-only", "spatial", "aa_drop", 0.352),
        ("Gemini 2.5 Pro", "uncut-audio", "temporal", "aa", 0.99),
        ("Human", "default", "perception/sensitivity/elevation", "aa", 0.3809),
        ("Human", "default", "temporal", "aa", 0.88),
        ("Random guess", "default", "perception/sensitivity/azimuth", "acr", 0.037),
        ("Random guess", "default", "temporal/dss", "aa", 0.1429),
        ("Random guess", "default", "spatial", "acr", 0.037),
    ]
    for model, setting, slice_name, metric, value in rows:
        with subtests.test(model=model, setting=setting, slice_name=slice_name, metric=metric, value=value):
            assert values(get_row(model, setting))[slice_name, metric] == value


def test_perception_is_mean_of_its_tasks(subtests: pytest.Subtests) -> None:
    for name in MEANS:
        for row in DEFAULT:
            with subtests.test(row.model.name, setting=row.setting, name=name):
                mean = compute_mean(row, MEANS[name], "aa")
                noted = scores_by_key(row)[name, "aa"].note is not None
                assert noted == (mean is None or abs(mean - values(row)[name, "aa"]) > TOLERANCE)


def test_overall_accuracy_pools_its_tasks(subtests: pytest.Subtests) -> None:
    for name in ("temporal", "spatial"):
        for metric in ("aa", "acr"):
            for row in DEFAULT:
                with subtests.test(row.model.name, setting=row.setting, metric=metric, name=name):
                    printed = scores_by_key(row).get((name, metric))
                    if printed is None or printed.value is None:
                        assert metric == "acr"
                        assert row.model.name in ("Human", "GPT-4o Audio")
                        continue
                    agrees = abs(compute_pool(row, POOLS[name], metric) - printed.value) <= TOLERANCE
                    assert agrees == ((row.model.name, name, metric) != ("Gemini 2.5 Pro", "spatial", "acr"))


def test_notes_exist_exactly_where_identities_or_tables_fail(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            failed = (
                find_mean_failures(row)
                | find_pooling_failures(row)
                | find_order_failures(row)
                | find_share_failures(row)
            )
            between = BETWEEN_TABLES.get(row.model.name, set()) if row.setting == "default" else set()
            assert {key for key, score in scores_by_key(row).items() if score.note} == failed | between


def test_failures_are_the_known_ones() -> None:
    assert {row.model.name for row in DEFAULT if find_mean_failures(row)} == {
        "Human",
        "Step-Audio-2-mini",
        "Gemma-3n-E4B",
        "Ming-Lite-Omni-1.5",
        "Qwen2.5-Omni-7B",
        "Xiaomi-MiMo-Audio-think",
    }
    assert find_mean_failures(get_row("Human")) == {("perception/range", "aa")}
    assert find_pooling_failures(get_row("Human")) == {("temporal/discrete", "aa")}
    assert {row.model.name for row in DEFAULT if find_pooling_failures(row)} == {"Human", "Gemini 2.5 Pro"}
    assert {row.model.name for row in DEFAULT if find_order_failures(row)} == {
        "BAT",
        "Ming-Lite-Omni-1.5",
        "Xiaomi-MiMo-Audio",
    }
    assert [(row.model.name, find_share_failures(row)) for row in RESULTS.rows if find_share_failures(row)] == [
        ("Step-Audio-2-mini", {("spatial/trajectory", "acr")})
    ]


def test_notes_on_means_and_pools_state_both_sides(subtests: pytest.Subtests) -> None:
    for row in DEFAULT:
        with subtests.test(row.model.name, setting=row.setting):
            for key in find_mean_failures(row) | find_pooling_failures(row):
                computed = (
                    compute_mean(row, MEANS[key[0]], key[1])
                    if key[0] in MEANS
                    else compute_pool(row, POOLS[key[0]], key[1])
                )
                sides = [float(side) for side in re.findall(r"(\d+\.\d+) %", scores_by_key(row)[key].note or "")]
                expected = [side for side in (computed, values(row)[key]) if side is not None]
                assert sides == pytest.approx([100 * side for side in expected], abs=0.0051)


def test_overall_is_from_table_2_and_the_mean_of_the_three_tasks(subtests: pytest.Subtests) -> None:
    for row in DEFAULT:
        with subtests.test(row.model.name, setting=row.setting):
            mean = compute_mean(row, ("perception", "temporal", "spatial"), "aa")
            overall = scores_by_key(row)["overall", "aa"]
            assert overall.table == "Table 2"
            assert overall.formula in (None, "mean of perception, temporal, spatial")
            assert overall.value == pytest.approx(mean, abs=TOLERANCE if overall.formula is None else 1e-12)


def test_overall_is_copied_in_eight_rows_and_computed_in_the_others() -> None:
    copied = {row.model.name: scores_by_key(row)["overall", "aa"] for row in DEFAULT}
    assert {name: score.value for name, score in copied.items() if score.formula is None} == {
        "Random guess": 0.2432,
        "Human": 0.7911,
        "BAT": 0.0429,
        "MiDashengLM": 0.3128,
        "Qwen2.5-Omni-7B": 0.2837,
        "GPT-4o Audio": 0.3097,
        "Gemini 2.5 Flash": 0.3292,
        "Gemini 2.5 Pro": 0.4959,
    }


def test_scores_of_the_paper_belong_to_an_earlier_release_of_the_questions() -> None:
    assert RESULTS.data_version == "0.5"
    note = get_benchmark("star-bench", "1.0").note or ""
    assert "v0.5" in note
    assert "v1.0" in note
    assert get_benchmark("star-bench", "demo").note is None


def test_all_correct_rate_of_perception_is_derived(subtests: pytest.Subtests) -> None:
    for row in DEFAULT:
        with subtests.test(row.model.name, setting=row.setting):
            for name, parts in MEANS.items():
                derived, mean = scores_by_key(row).get((name, "acr")), compute_mean(row, parts, "acr")
                assert (derived is None) == (mean is None)
                assert derived is None or (derived.table is None and derived.value == pytest.approx(mean))
            printed = values(row).get(("perception", "acr_printed"))
            if printed is not None and row.model.name != "Step-Audio-2-mini":
                assert abs(printed - values(row)["perception", "acr"]) <= TOLERANCE


def test_overall_all_correct_rate_is_derived_if_the_three_rates_are_known(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            mean = compute_mean(row, ("perception", "temporal", "spatial"), "acr")
            overall = scores_by_key(row).get(("overall", "acr"))
            assert (overall is None) == (mean is None)
            assert overall is None or (overall.table is None and overall.value == pytest.approx(mean))


def test_overall_all_correct_rate_is_missing_only_in_three_rows() -> None:
    missing = {row.model.name for row in DEFAULT if ("overall", "acr") not in scores_by_key(row)}
    assert missing == {"Human", "Step-Audio-2-mini", "GPT-4o Audio"}
    # By hand, from the three rates of Table 2 and the mean of Table 4.
    assert values(get_row("Gemini 2.5 Pro"))["overall", "acr"] == pytest.approx(0.2385, abs=0.00005)


def test_scores_that_cannot_be_derived_are_absent(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            assert all(score.value is not None for score in row.scores if score.table is None)


def test_channel_wise_overall_accuracy_is_derived_from_its_tasks(subtests: pytest.Subtests) -> None:
    for metric in ("aa", "acr"):
        for row in CHANNEL_WISE:
            with subtests.test(row=row, metric=metric):
                derived = scores_by_key(row).get(("spatial", metric))
                if (row.model.name, metric) == ("GPT-4o Audio", "acr"):
                    assert derived is None, "it was run once"
                    continue
                assert derived is not None
                assert derived.value == pytest.approx(compute_pool(row, SPATIAL, metric))
                assert derived.table is None
                assert "283 spatial/localization" in (derived.formula or "")


def test_reliability_gap_needs_the_pooled_spatial_rate() -> None:
    row = get_row("Gemini 2.5 Pro")
    value = values(row)
    rates = [value["perception", "acr"], value["temporal", "acr"]]
    pooled = value["overall", "aa"] - (sum(rates) + compute_pool(row, SPATIAL, "acr")) / 3
    printed = value["overall", "aa"] - (sum(rates) + value["spatial", "acr"]) / 3
    assert abs(value["overall", "reliability_gap"] - pooled) <= TOLERANCE
    assert printed == pytest.approx(0.2574, abs=0.0001)


def test_channel_wise_rows_contain_the_three_spatial_tasks() -> None:
    for row in CHANNEL_WISE:
        metrics = ("aa",) if row.model.name == "GPT-4o Audio" else ("aa", "acr")
        printed = {(score.slice, score.metric) for score in row.scores if score.table}
        assert printed == {(part, metric) for part in SPATIAL for metric in metrics}


def test_human_and_random_baselines_come_first() -> None:
    assert [(row.model.name, row.source) for row in RESULTS.rows[:2]] == [
        ("Random guess", "random"),
        ("Human", "human"),
    ]
    assert not any(score.metric == "acr" and score.table for score in get_row("Human").scores)
