"""Files of published rows: the number of scores, and texts written by an export."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.predictions import PredictionFileError
from leaderboard.exports.published_rows import write_rows_csv, write_rows_json
from submissions.published_rows import row_files
from submissions.published_rows.row_files import read_entries
from tests.support.samples.printed_rows import HEADER, make_csv, make_line

MANY_SCORES = {
    "CSV": make_csv(*[make_line()] * 4),
    "CSV lines with a problem each": f"{HEADER}\na\na\na\na\n".encode(),
    "list of objects": json.dumps([{"model": "x"}] * 4).encode(),
    "list without objects": b"[[], [], [], []]",
    "rows without scores": json.dumps({"rows": [{}] * 4}).encode(),
    "scores of several rows": json.dumps({"rows": [{"scores": [1, 2]}] * 2}).encode(),
    "nested objects": json.dumps([{"other": [{}] * 16}]).encode(),
}


@pytest.mark.parametrize("content", MANY_SCORES.values(), ids=MANY_SCORES.keys())
def test_file_with_too_many_scores_is_refused_in_every_form(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(row_files, "MAX_ENTRIES", 3)
    with pytest.raises(PredictionFileError) as caught:
        read_entries(content)
    assert [problem.code for problem in caught.value.problems] == ["too-many"]


def test_shipped_format_may_have_the_maximum_number_of_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_files, "MAX_ENTRIES", 3)
    row = {"model": {"name": "x"}, "scores": [{"slice": "sct"}]}
    entries, problems = read_entries(json.dumps({"citation": {"title": "x"}, "rows": [row] * 3}).encode())
    assert (len(entries), problems) == (3, [])


@given(st.text(st.sampled_from("'=+-@＝ \t\n,;\"x")).map(str.strip))
def test_exported_text_is_read_back_unchanged(text: str) -> None:
    score = {"model": text, "note": text, "notes": text, "value": -0.5}
    expected = {name: str(value) for name, value in score.items() if value != ""}
    for content in (write_rows_csv([score]), write_rows_json([score])):
        entries, problems = read_entries(content)
        assert ([dict(entry.fields) for entry in entries], problems) == ([expected], [])
