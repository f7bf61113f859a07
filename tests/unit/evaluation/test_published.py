import copy
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.introduction import Paper
from evaluation.errors import EvaluationError
from evaluation.published import (
    PublishedResultsError,
    PublishedRow,
    PublishedScore,
    read_all_published,
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


SMALL: dict[str, Any] = {
    "benchmark": "b",
    "version": "1.0",
    "citation": {"key": "k", "title": "t", "authors": ["A"], "date": "2025", "url": "https://p.example"},
    "derived": [{"slice": "all", "metric": "accuracy", "formula": "mean of x, y"}],
    "rows": [
        {
            "row": "M (printed)",
            "model": {"name": "M"},
            "source": "human",
            "setting": "default",
            "scores": [
                {"table": "Table 1", "slice": "x", "metric": "accuracy", "value": 0.5, "std": 0.01},
                {"table": "Table 1", "slice": "y", "metric": "accuracy", "value": 1},
            ],
        }
    ],
}


def write(folder: Path, change: Callable[[Any], object] = lambda _: None, name: str = "small.json") -> Path:
    data = copy.deepcopy(SMALL)
    change(data)
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def set_at(*keys: str | int, to: object) -> Callable[[Any], object]:
    def change(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = to

    return change


def test_reader_fills_the_defaults_of_a_small_file(tmp_path: Path) -> None:
    results = read_published(write(tmp_path))
    (row,) = results.rows
    assert (results.citation_date, results.citation_url) == ("2025", "https://p.example")
    assert (row.label, row.tables) == ("M (printed)", ("Table 1",))
    assert (row.source, row.notes, row.model.organisation, row.model.open_weights) == ("human", (), None, None)
    assert row.scores[1] == PublishedScore("Table 1", "y", "accuracy", 1.0)
    assert row.scores[2] == PublishedScore(None, "all", "accuracy", 0.75, formula="mean of x, y")


def test_reader_accepts_the_table_of_a_derived_score(tmp_path: Path) -> None:
    score = read_published(write(tmp_path, set_at("derived", 0, "table", to="Table 9"))).rows[0].scores[2]
    assert score == PublishedScore("Table 9", "all", "accuracy", 0.75, formula="mean of x, y")


def test_reader_returns_the_data_version_of_the_scores(tmp_path: Path) -> None:
    assert read_published(write(tmp_path)).data_version is None
    assert read_published(write(tmp_path, set_at("data_version", to="0.5"))).data_version == "0.5"
    with pytest.raises(PublishedResultsError, match="data_version"):
        read_published(write(tmp_path, set_at("data_version", to=0.5)))


def test_reader_omits_a_derived_score_with_a_missing_part(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[Callable[[Any], object]] = [
        set_at("rows", 0, "scores", 1, "value", to=None),
        set_at("rows", 0, "scores", 1, "metric", to="tpr"),
        set_at("rows", 0, "scores", to=[]),
        set_at("derived", 0, "formula", to="mean of x, y, z"),
    ]
    for number, change in enumerate(rows):
        with subtests.test(change=change):
            folder = tmp_path / str(number)
            folder.mkdir()
            (row,) = read_published(write(folder, change)).rows
            assert "all" not in {score.slice for score in row.scores}


def test_reader_weights_the_parts_of_a_derived_score(tmp_path: Path) -> None:
    formula = "weighted mean of 3 x, 1 y"
    score = read_published(write(tmp_path, set_at("derived", 0, "formula", to=formula))).rows[0].scores[-1]
    assert (score.slice, score.value, score.formula) == ("all", 0.625, formula)


def test_reader_derives_scores_from_derived_scores(tmp_path: Path) -> None:
    more = {"slice": "more", "metric": "accuracy", "formula": "mean of all, x"}
    (row,) = read_published(write(tmp_path, lambda data: data["derived"].append(more))).rows
    assert {score.slice: score.value for score in row.scores} == {"x": 0.5, "y": 1, "all": 0.75, "more": 0.625}


@pytest.mark.parametrize("value", [0.7, None])
def test_reader_does_not_derive_a_printed_score(tmp_path: Path, value: float | None) -> None:
    printed = {"table": "Table 2", "slice": "all", "metric": "accuracy", "value": value}
    (row,) = read_published(write(tmp_path, lambda data: data["rows"][0]["scores"].append(printed))).rows
    assert [(score.table, score.value) for score in row.scores if score.slice == "all"] == [("Table 2", value)]


def test_reader_accepts_dates_of_any_precision(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, date in enumerate(("2026-06-07", "2026-06", "2026", None)):
        with subtests.test(date=date):
            folder = tmp_path / str(number)
            folder.mkdir()
            assert read_published(write(folder, set_at("citation", "date", to=date))).citation_date == date


def test_reader_computes_nothing_without_derived_scores(tmp_path: Path) -> None:
    (row,) = read_published(write(tmp_path, lambda data: data.pop("derived"))).rows
    assert [score.slice for score in row.scores] == ["x", "y"]


SCORE = ("rows", 0, "scores", 1)
POSITION = "small.json, row 1 (M), score 2: field "


def test_reader_refuses_an_invalid_field(tmp_path: Path, subtests: pytest.Subtests) -> None:
    rows: list[tuple[Callable[[Any], object], str]] = [
        (set_at(*SCORE, "value", to=40.48), f"{POSITION}'value' is 40.48; it must be a fraction from 0 to 1, or null"),
        (set_at(*SCORE, "value", to=-0.1), f"{POSITION}'value' is -0.1; it must be"),
        (set_at(*SCORE, "value", to=True), f"{POSITION}'value' is True; it must be"),
        (set_at(*SCORE, "value", to="0.4"), f"{POSITION}'value' is '0.4'; it must be"),
        (set_at(*SCORE, "value", to=float("nan")), f"{POSITION}'value' is nan; it must be"),
        (set_at(*SCORE, "std", to=2), f"{POSITION}'std' is 2; it must be"),
        (set_at(*SCORE, "table", to=None), f"{POSITION}'table' is None; it must be a non-empty string"),
        (set_at(*SCORE, "note", to=""), f"{POSITION}'note' is ''; it must be a non-empty string or null"),
        (set_at(*SCORE, "typo", to=1), f"{POSITION}'typo' is unknown; allowed: table, slice, metric, value, std, note"),
        (lambda d: d["rows"][0]["scores"][1].pop("metric"), f"{POSITION}'metric' is missing; allowed: table, slice"),
        (set_at(*SCORE, to=3), "small.json, row 1 (M), score 2: got 3; it must be an object"),
        (set_at(*SCORE, "slice", to="x"), "row 1 (M), scores: ('x', 'accuracy') appears more than once"),
        (lambda d: d["derived"].append(d["derived"][0]), "derived: ('all', 'accuracy') appears more than once"),
        (
            set_at("rows", 0, "source", to="verified"),
            "row 1 (M): field 'source' is 'verified'; it must be one of reported, human",
        ),
        (set_at("rows", 0, "setting", to=" "), "row 1 (M): field 'setting' is ' '; it must be a non-empty string"),
        (set_at("rows", 0, "notes", to=["a", 1]), "field 'notes' is ['a', 1]; it must be a list of non-empty strings"),
        (set_at("rows", 0, "scores", to={}), "field 'scores' is {}; it must be a list"),
        (
            set_at("rows", 0, "model", "open_weights", to="yes"),
            "row 1, model: field 'open_weights' is 'yes'; it must be",
        ),
        (set_at("rows", 0, "model", "size_billions", to=0), "row 1, model: field 'size_billions' is 0; it must be"),
        (set_at("rows", 0, "model", "rank", to=1), "row 1, model: field 'rank' is unknown; allowed: name"),
        (lambda d: d["rows"].append(d["rows"][0]), "rows: ('M', 'human', 'default') appears more than once"),
        (set_at("derived", 0, "formula", to="sum of x, y"), "derived 1: field 'formula' is 'sum of x, y'; it must be"),
        (set_at("derived", 0, "formula", to="mean of x"), "derived 1: field 'formula' is 'mean of x'; it must be"),
        *(
            (set_at("derived", 0, "formula", to=text), f"derived 1: field 'formula' is '{text}'; it must be 'mean of")
            for text in ("weighted mean of x, y", "weighted mean of 0 x, 1 y", "mean of 3 x, 1 y")
        ),
        *(
            (set_at("citation", "date", to=date), f"citation: field 'date' is {date!r}; it must be a date such as")
            for date in (2025, "", "May 2026", "2026-13", "2026-02-30", "2026-6-7")
        ),
        (set_at("citation", "url", to="http://p"), "citation: field 'url' is 'http://p'; it must be a URL that"),
        (set_at("rows", 0, "row", to=""), "row 1 (M): field 'row' is ''; it must be a non-empty string"),
        (set_at("extra", to=1), "small.json: field 'extra' is unknown; allowed: benchmark, version"),
    ]
    for number, (change, message) in enumerate(rows):
        with subtests.test(change=change, message=message):
            folder = tmp_path / str(number)
            folder.mkdir()
            with pytest.raises(PublishedResultsError, match=re.escape(message)):
                read_published(write(folder, change))


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"benchmark": "a", "benchmark": "b"}'])
def test_reader_refuses_a_broken_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(EvaluationError, match=r"^broken\.json: cannot be read as JSON in UTF-8"):
        read_published(path)


def test_reader_refuses_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PublishedResultsError, match=r"absent\.json: cannot be read"):
        read_published(tmp_path / "absent.json")


def test_read_all_published_reads_in_order_of_file_names(tmp_path: Path) -> None:
    write(tmp_path, set_at("benchmark", to="second"), "b.json")
    write(tmp_path, set_at("benchmark", to="first"), "a.json")
    assert [results.benchmark for results in read_all_published(tmp_path)] == ["first", "second"]


def test_read_all_published_refuses_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(PublishedResultsError, match="is not a folder"):
        read_all_published(tmp_path / "absent")
