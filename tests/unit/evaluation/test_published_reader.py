"""Reading files of published results: derived scores, defaults and refused fields."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.errors import EvaluationError
from evaluation.published import (
    PublishedResultsError,
    PublishedScore,
    read_all_published,
    read_published,
)

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
