import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.published import PublishedRow, PublishedScore, read_published

ASSETS = Path(__file__).parents[3] / "assets"
RESULTS = read_published(ASSETS / "published" / "mdar.json")
CATEGORIES = ("sr", "er", "su", "ad", "tr")
MAIN = {"main/sr": 675, "main/er": 408, "main/su": 173, "main/ad": 174, "main/tr": 70}
OPEN = {"open/sr": 200, "open/er": 263, "open/su": 30, "open/ad": 5, "open/tr": 2}
MULTI = ({"multi/pdr": 96, "multi/csr": 701, "multi/mcir": 29}, {"multi/pdr": 96, "multi/csr": 701, "multi/mcir": 28})
MULTI_METRICS = ("em", "ji", "precision", "recall")
SHIFTED = {  # the values of these rows fit the sizes in the order SR, SU, TR, ER, AD
    "Audio Flamingo 2",
    "Audio Flamingo 3",
    "Audio Flamingo 3 Chat",
    "GPT-4o mini Audio",
    "GPT-4o Audio + DeepSeek-V3",
    "GPT-4o Audio + DeepSeek-R1",
    "Qwen2-Audio-7B + GPT-4o Audio",
}
SHIFTED_SIZES = (675, 173, 70, 408, 174)
UNEXPLAINED = {
    "Random guess",
    "SALMONN-7B",
    "Qwen2-Audio-7B + Llama-3-Instruct",
    "Qwen2-Audio-7B + DeepSeek-V3",
}
TOLERANCE = 0.0002 + 1e-12
JUDGE_TOLERANCE = 0.001 + 1e-12  # two decimals on the scale from 0 to 10, rounded twice

Key = tuple[str, str]


def scores_by_key(row: PublishedRow) -> dict[Key, PublishedScore]:
    return {(score.slice, score.metric): score for score in row.scores}


def values(row: PublishedRow) -> dict[Key, float]:
    return {key: score.value for key, score in scores_by_key(row).items() if score.value is not None}


def get_row(model: str) -> PublishedRow:
    (row,) = (row for row in RESULTS.rows if row.model.name == model)
    return row


def pool(row: PublishedRow, sizes: dict[str, int], metric: str) -> float:
    return sum(size * values(row)[part, metric] for part, size in sizes.items()) / sum(sizes.values())


def find_main_failures(row: PublishedRow) -> set[Key]:
    """Return all six scores of main if they contradict each other, because the wrong one is unknown."""
    agrees = abs(pool(row, MAIN, "accuracy") - values(row)["main", "accuracy"]) <= TOLERANCE
    return set() if agrees else {("main", "accuracy"), *((part, "accuracy") for part in MAIN)}


def find_open_failures(row: PublishedRow) -> set[Key]:
    key = ("open", "judge_score")
    if key not in values(row) or abs(pool(row, OPEN, key[1]) - values(row)[key]) <= JUDGE_TOLERANCE:
        return set()
    return {key}


def find_multi_failures(row: PublishedRow) -> set[Key]:
    failed = set()
    for key in (("multi", metric) for metric in MULTI_METRICS):
        if key in values(row):
            pooled = [pool(row, sizes, key[1]) for sizes in MULTI]
            if min(abs(value - values(row)[key]) for value in pooled) > TOLERANCE:
                failed.add(key)
    return failed


def test_shipped_file_names_its_benchmark_and_paper() -> None:
    assert (RESULTS.benchmark, RESULTS.version) == ("mdar", "1.0")
    assert RESULTS.citation_title.startswith("MDAR")
    assert RESULTS.citation_date == "2025"


def test_shipped_file_has_its_rows() -> None:
    assert Counter((row.source, row.setting) for row in RESULTS.rows) == {
        ("random", "default"): 1,
        ("reported", "default"): 16,
        ("reported", "cascaded"): 10,
    }
    assert (RESULTS.rows[0].model.name, RESULTS.rows[0].source) == ("Random guess", "random")
    assert all((" + " in row.model.name) == (row.setting == "cascaded") for row in RESULTS.rows)
    assert {row.model.kind for row in RESULTS.rows} == {None, "LALM", "OLM", "LLM"}


def test_shipped_file_has_every_printed_score() -> None:
    counts = Counter(score.table for row in RESULTS.rows for score in row.scores)
    assert counts == {
        "Table 3.3": 27 * 6,
        "Table 2": 16 * 6,
        "Table 3": 11 * 4,
        "Table 5": 11 * 12,
        "Section 4.2": 1,
    }
    assert sum(counts.values()) == 435


def test_row_contains_complete_parts(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            multi = {"multi", "multi/pdr", "multi/csr", "multi/mcir"}
            main = {(part, "accuracy") for part in ("main", *MAIN)}
            opened = {(part, "judge_score") for part in ("open", *OPEN)}
            chosen = {(part, metric) for part in multi for metric in MULTI_METRICS}
            keys = set(values(row)) - {("main", "reasoning_error_share")}
            expected = set(main)
            if row.source == "reported" and row.setting == "default":
                expected |= opened
            if ("multi", "em") in keys:
                expected |= chosen
            assert keys == expected


def test_scores_have_the_printed_decimals(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            for score in row.scores:
                assert (
                    score.value == round(score.value or -1, 3 if score.metric == "judge_score" else 4)
                    or score.value == 0
                )
                assert score.std is None


def test_score_equals_the_hand_typed_value(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, str, float]] = [
        ("Random guess", "main", "accuracy", 0.2478),
        ("Random guess", "main/ad", "accuracy", 0.2638),
        ("Qwen2-Audio-7B", "main/su", "accuracy", 0.2312),
        ("Qwen-Audio-Chat", "multi/csr", "recall", 0.5667),
        ("Audio Flamingo 2", "main/su", "accuracy", 0.3429),
        ("Kimi-Audio-7B", "multi", "em", 0.1574),
        ("Omni-R1", "main/ad", "accuracy", 0.6034),
        ("R1-AQA", "multi/mcir", "ji", 0.0891),
        ("SALMONN-7B", "open", "judge_score", 0.241),
        ("Audio-Reasoner", "open/tr", "judge_score", 0.206),
        ("DeSTA2.5-Audio", "multi/mcir", "precision", 0.6379),
        ("MiDashengLM", "main", "accuracy", 0.678),
        ("GPT-4o mini Audio", "multi", "recall", 0.5541),
        ("GPT-4o Audio", "open", "judge_score", 0.746),
        ("GPT-4o Audio", "multi/mcir", "em", 0.6207),
        ("GPT-4o Audio", "main", "reasoning_error_share", 0.8668),
        ("Qwen2.5-Omni-3B", "open/su", "judge_score", 0.427),
        ("Qwen2.5-Omni-7B", "main", "accuracy", 0.7667),
        ("GPT-4o Audio + DeepSeek-V3", "main/sr", "accuracy", 0.8252),
        ("GPT-4o Audio + Llama-3-Instruct", "main/tr", "accuracy", 0.5857),
        ("Qwen2-Audio-7B + Qwen2.5-Omni-7B", "main", "accuracy", 0.4713),
    ]
    for model, slice_name, metric, value in rows:
        with subtests.test(model=model, slice_name=slice_name, metric=metric, value=value):
            assert values(get_row(model))[slice_name, metric] == value


def test_main_pools_its_categories_except_in_known_rows(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            assert bool(find_main_failures(row)) == (row.model.name in SHIFTED | UNEXPLAINED)


def test_categories_of_main_are_shares_of_their_sizes(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            if not find_main_failures(row):
                for part, size in MAIN.items():
                    share = values(row)[part, "accuracy"]
                    assert abs(round(share * size) / size - share) <= 0.000101  # some are truncated, not rounded


def test_shifted_rows_pool_in_another_order_of_columns(subtests: pytest.Subtests) -> None:
    for model in sorted(SHIFTED):
        with subtests.test(model=model):
            value = values(get_row(model))
            printed = [value[f"main/{category}", "accuracy"] for category in CATEGORIES]
            pooled = sum(size * share for size, share in zip(SHIFTED_SIZES, printed, strict=True)) / sum(SHIFTED_SIZES)
            assert abs(pooled - value["main", "accuracy"]) <= TOLERANCE
            assert "SR, SU, TR, ER, AD" in (scores_by_key(get_row(model))["main", "accuracy"].note or "")


def test_open_pools_its_categories(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            assert bool(find_open_failures(row)) == (row.model.name == "SALMONN-7B")


def test_exact_match_pools_for_every_model() -> None:
    rows = [row for row in RESULTS.rows if ("multi", "em") in values(row)]
    assert len(rows) == 11
    assert not [row.model.name for row in rows if ("multi", "em") in find_multi_failures(row)]


def test_other_metrics_of_multi_fail_for_all_but_one_model() -> None:
    failed = {row.model.name: {metric for _, metric in find_multi_failures(row)} for row in RESULTS.rows}
    assert {name: metrics for name, metrics in failed.items() if metrics} == {
        "Qwen2-Audio-7B": {"precision", "recall"},
        "Qwen-Audio-Chat": {"precision", "recall"},
        "Qwen2.5-Omni-3B": {"precision", "recall"},
        "Qwen2.5-Omni-7B": {"precision", "recall"},
        "GPT-4o Audio": {"ji", "precision", "recall"},
        "DeSTA2.5-Audio": {"ji", "precision", "recall"},
        "Kimi-Audio-7B": {"ji", "precision", "recall"},
        "MiDashengLM": {"ji", "precision"},
        "Omni-R1": {"ji", "precision", "recall"},
        "R1-AQA": {"ji", "precision"},
    }


def test_notes_exist_exactly_where_identities_fail(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            failed = find_main_failures(row) | find_open_failures(row) | find_multi_failures(row)
            assert {key for key, score in scores_by_key(row).items() if score.note} == failed


def test_notes_state_both_sides(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            value = values(row)
            for key in find_main_failures(row):
                sides = re.findall(r"(\d+\.\d\d) %", scores_by_key(row)[key].note or "")[:2]
                expected = [100 * pool(row, MAIN, "accuracy"), 100 * value["main", "accuracy"]]
                assert [float(side) for side in sides] == pytest.approx(expected, abs=0.0051)
            for key in find_multi_failures(row):
                sides = re.findall(r"(\d+\.\d\d) %", scores_by_key(row)[key].note or "")
                expected = [100 * pool(row, MULTI[0], key[1]), 100 * value[key]]
                assert [float(side) for side in sides] == pytest.approx(expected, abs=0.0051)


def test_notes_on_multi_name_the_repeated_column(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            for key in find_multi_failures(row):
                match = re.search(r"is its (\w+) for (\w+)\.$", scores_by_key(row)[key].note or "")
                assert match
                metric, label = match[1].lower(), match[2].lower()
                assert values(row)[f"multi/{label}", metric] == values(row)[key]


def test_row_notes_state_scale_and_labels(subtests: pytest.Subtests) -> None:
    for row in RESULTS.rows:
        with subtests.test(row.model.name, setting=row.setting):
            notes = " ".join(row.notes)
            assert ("divided by 10" in notes) == (("open", "judge_score") in values(row))
            assert ("released labels" in notes) == (("multi", "em") in values(row))
