"""Published rows section of the Admin tab through page events: preview, apply, undo, remove, permissions."""

import json
import re
from typing import Any

from tests.support.pages.visitor import Visitor, file_value
from tests.support.samples.printed_rows import make_csv, make_line

FROM_FILE = ["from the file", ""]
ROWS = "/api/v1/admin/reported-rows"


def preview(visitor: Visitor, file: Any, token: str, options: list[str] | None = None) -> tuple[str, str]:
    """Preview a file, and return the response text and the digest."""
    answer = visitor.send("preview_rows", [file, *(options or FROM_FILE)], token)
    assert answer.status_code == 200, answer.text
    shown, digest = answer.json()["data"]
    return shown, digest


def apply(visitor: Visitor, file: Any, digest: str, reason: str, token: str) -> list[Any]:
    answer = visitor.send("apply_rows", [file, *FROM_FILE, digest, reason], token)
    assert answer.status_code == 200, answer.text
    data: list[Any] = answer.json()["data"]
    return data


def find_row(visitor: Visitor, token: str, model: str) -> dict[str, Any] | None:
    rows = visitor.site.get(ROWS, token).json()["rows"]
    return next((row for row in rows if row["model"] == model), None)


def test_file_with_a_faulty_line_is_previewed_and_cannot_be_applied(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    content = make_csv(make_line(model="Sound"), make_line(model="Faulty", value="43.2"))
    file = file_value(visitor.upload(content).json()[0])
    shown, digest = preview(visitor, file, token)
    assert digest == ""
    assert "1 problem. Correct the file" in shown
    assert re.search(r">3</td>.*<code>value</code>.*Write 0\.432", shown)
    assert re.search(r"Sound</td>.*added", shown)
    refused = apply(visitor, file, digest, "As printed", token)
    assert "Preview the changes first" in refused[0]
    assert find_row(visitor, token, "Sound") is None


def test_previewed_file_is_applied_listed_and_undone(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    file = file_value(visitor.upload(make_csv(make_line(model="By page", value="0.4"))).json()[0])
    shown, digest = preview(visitor, file, token)
    assert "Preview: 1 added. Nothing is changed" in shown
    assert "sct|accuracy</code> – → 40.00" in shown
    assert "Enter" not in shown
    no_reason = apply(visitor, file, digest, "", token)
    assert "reason" in no_reason[0].lower()
    assert find_row(visitor, token, "By page") is None
    done = apply(visitor, file, digest, "Table 4 of the paper", token)
    assert "Applied: 1 added" in done[0]
    assert done[1:4] == [None, "", ""]
    row = find_row(visitor, token, "By page")
    assert row is not None
    assert "By page" in done[4]
    assert "Table 4 of the paper" in done[4]
    assert "add-row" in done[-1]
    assert [row["id"]] == [value for _, value in done[5]["choices"] if value == row["id"]]
    again = apply(visitor, file, digest, "Table 4 of the paper", token)
    assert "Choose it again" in again[0]
    corrected = file_value(visitor.upload(make_csv(make_line(model="By page", value="0.5"))).json()[0])
    shown, _ = preview(visitor, corrected, token)
    assert "1 corrected" in shown
    assert "sct|accuracy</code> 40.00 → 50.00" in shown
    undone = visitor.send("undo_row", [row["id"], "Misread"], token).json()["data"]
    assert "Undone." in undone[0]
    found = find_row(visitor, token, "By page")
    assert found is not None
    assert found["removed"]


def test_row_is_removed_by_its_id_and_cancelling_changes_nothing(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    file = {"file": ("rows.csv", make_csv(make_line(model="To remove")))}
    (row,) = visitor.site.post(ROWS, token, files=file, data={"reason": "As printed"}).json()["rows"]
    for row_id, words in ((None, "Nothing was changed"), (" ", "Enter the ID"), ("s-none", "Unknown reported")):
        assert words in visitor.send("remove_row", [row_id, "Wrong paper"], token).json()["data"][0]
    assert "Choose a changed row" in visitor.send("undo_row", [None, "why"], token).json()["data"][0]
    removed = visitor.send("remove_row", [row["id"], "Wrong paper"], token).json()["data"]
    assert "Removed." in removed[0]
    found = find_row(visitor, token, "To remove")
    assert found is not None
    assert found["removed"]
    listed = visitor.send("open_rows", [], token).json()["data"]
    assert re.search(r"To remove</td>.*removed</td><td>local</td><td>Wrong paper", listed[0])


def test_source_and_date_of_the_form_complete_a_file(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    score = {"benchmark": "audio-motion-bench", "version": "1.0", "setting": "default", "model": "Json row"}
    score |= {"slice": "sct", "metric": "accuracy", "paper": "P", "url": "https://paper.example/3", "table": "T"}
    content = json.dumps([score | {"value": 0.4}]).encode()
    file = file_value(visitor.upload(content).json()[0])
    assert "Missing: `source`, `date`" in preview(visitor, file, token)[0]
    shown, digest = preview(visitor, file, token, ["human", "2026-01"])
    assert "1 added" in shown
    assert "default, human" in shown
    # The file is applied with the options of its preview, or refused.
    refused = visitor.send("apply_rows", [file, "reported", "2026-01", digest, "why"], token).json()["data"]
    assert "Preview the changes again" in refused[0]
    bad = preview(visitor, file, token, ["human", "soon"])[0]
    assert "Write it like 2026-06-07" in bad


def test_invalid_file_and_reference_are_explained(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    assert "Choose a file first" in preview(visitor, None, token)[0]
    assert "Choose it again" in preview(visitor, file_value("a" * 22), token)[0]
    file = file_value(visitor.upload(b"a,b\n1,2\n").json()[0])
    assert "Unknown field" in preview(visitor, file, token)[0]


def test_other_user_cannot_preview_or_apply_an_uploaded_file(visitor: Visitor) -> None:
    file = file_value(visitor.upload(make_csv(make_line(model="By a stranger"))).json()[0])
    _, digest = preview(visitor, file, visitor.site.token("local"))
    for token, words in ((None, "Sign in"), (visitor.site.token("stranger"), "maintainer")):
        shown = visitor.send("preview_rows", [file, *FROM_FILE], token).json()["data"]
        assert words in shown[0]
        assert "By a stranger" not in shown[0]
        assert shown[1] == ""
        applied = visitor.send("apply_rows", [file, *FROM_FILE, digest, "why"], token).json()["data"]
        assert words in applied[0]
    assert find_row(visitor, visitor.site.token("local"), "By a stranger") is None


def test_downloads_require_a_maintainer(visitor: Visitor) -> None:
    token = visitor.site.token("local")
    visitor.site.post(ROWS, token, files={"file": ("r", make_csv(make_line(model="Kept")))}, data={"reason": "r"})
    current = visitor.site.get(f"{ROWS}/file", token)
    assert current.headers["content-disposition"] == 'attachment; filename="published-rows.csv"'
    assert "Kept" in current.text
    as_json = visitor.site.get(f"{ROWS}/file?format=json", token)
    assert any(score["model"] == "Kept" for score in as_json.json())
    example = visitor.site.get(f"{ROWS}/example", token)
    assert example.text.startswith("benchmark,version,setting,source,model")
    assert visitor.site.get(f"{ROWS}/file?format=xml", token).status_code == 400
