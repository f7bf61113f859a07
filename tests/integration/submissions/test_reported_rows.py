"""Reported rows: maintainers add, correct and remove them; changes survive restarts; refusals name the line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from db.records import UserRecord
from db.repositories import boards, submissions
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.predictions import PredictionFileError
from submissions.errors import BadRequestError, NotAllowedError, NotFoundError, StateError
from submissions.published_rows.reported_rows import ReportedRows
from submissions.published_rows.row_files import LARGEST_BYTES
from tests.support.samples.printed_rows import HEADER, make_csv, make_line
from tests.support.samples.row_worlds import PUBLISHED, World, make_world


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    return make_world(database, tmp_path)


def find_problems(world: World, content: bytes) -> list[tuple[int | None, str, str]]:
    with pytest.raises(PredictionFileError) as caught:
        world.rows.add(world.boss, content, "As printed", dry_run=True)
    return [(problem.line, problem.code, problem.message) for problem in caught.value.problems]


def test_row_is_added_with_its_paper_and_derived_scores_and_stays_after_a_restart(world: World) -> None:
    row_id = world.add(
        make_line(value="0.4", organisation="Lab", kind="LALM", size_billions="3", open_weights="yes", authors="B; C"),
        make_line(slice="sdt", value="60 %", std="0.01", note="Two seeds."),
    )
    view = world.list_rows()["New-3B"]
    assert (view.row.id, view.origin, view.is_removed, view.row.source) == (row_id, "added", False, "reported")
    assert view.row.printed_in is not None
    assert (view.row.printed_in.title, view.row.printed_in.authors) == ("New paper", ("B", "C"))
    assert (view.row.printed_in.year, view.row.printed_in.tables, view.row.printed_on) == (
        2026,
        ("Table 4",),
        "2026-03",
    )
    assert (view.row.model.organisation, view.row.model.size_billions, view.row.model.open_weights) == ("Lab", 3, True)
    assert world.values("New-3B") == {"sct": 0.4, "sdt": 0.6, "overall": 0.5}
    assert (world.restart(), world.values("New-3B")["sct"]) == (0, 0.4)
    assert world.acts() == [("boss", "add-row")]


def test_human_row_is_added(world: World) -> None:
    world.add(make_line(model="Sound engineers", source="human", value="0.97"))
    assert world.list_rows()["Sound engineers"].row.source == "human"


def test_correction_of_a_shipped_row_changes_one_score_and_survives_a_restart(world: World) -> None:
    board = BoardKey("audio-motion-bench", "1.0", "default")
    with world.database.read() as transaction:
        before = boards.find_board(transaction, board)
    world.add(make_line(model="one", slice="sdt", value="0.75", paper="A paper", url="https://paper.example/1"))
    assert world.values("One") == {"sct": 0.5, "sdt": 0.75, "overall": 0.625}
    view = world.list_rows()["One"]
    assert (view.origin, view.row.model.size_billions, view.last_change and view.last_change.actor) == (
        "corrected",
        7,
        "boss",
    )
    assert world.restart() == 0
    assert world.values("One")["sdt"] == 0.75
    with world.database.read() as transaction:
        after = boards.find_board(transaction, board)
        (*_, told) = submissions.list_events(transaction, view.row.id)
    assert before is not None
    assert after is not None
    assert after.changes > before.changes
    assert (told.actor, told.text) == ("boss", "Corrected: As printed")


def test_score_kept_from_another_paper_is_marked(world: World) -> None:
    world.add(make_line(model="One", slice="sdt", value="0.75"))
    view = world.list_rows()["One"]
    assert view.row.printed_in is not None
    assert view.row.printed_in.title == "New paper"
    assert view.row.printed_in.tables == ("Table 1 of “A paper”", "Table 4")


def test_score_without_a_value_is_withdrawn(world: World) -> None:
    world.add(make_line(model="One", slice="sdt", value=""))
    assert world.values("One") == {"sct": 0.5}


def test_undo_reverts_corrections_step_by_step_to_the_shipped_row(world: World) -> None:
    row_id = world.add(make_line(model="One", value="0.6")) or ""
    world.add(make_line(model="One", value="0.7"))
    world.rows.undo(world.boss, row_id, "Wrong table")
    assert world.values("One")["sct"] == 0.6
    world.rows.undo(world.boss, row_id, "Wrong paper")
    assert (world.values("One")["sct"], world.list_rows()["One"].origin, world.restart()) == (0.5, "shipped", 0)
    with pytest.raises(StateError, match="nothing to undo"):
        world.rows.undo(world.boss, row_id, "Once more")
    assert [action for _, action in world.acts()] == ["correct-row"] * 2 + ["undo-correction"] * 2


@pytest.mark.parametrize("model", ["One", "Human"])
def test_removed_shipped_row_stays_removed_after_a_restart_until_it_is_undone(world: World, model: str) -> None:
    row_id = world.list_rows()[model].row.id
    world.rows.remove(world.boss, row_id, "Retracted")
    assert (world.restart(), world.list_rows()[model].is_removed) == (0, True)
    with pytest.raises(StateError, match="already removed"):
        world.rows.remove(world.boss, row_id, "Retracted")
    world.rows.undo(world.boss, row_id, "Not retracted")
    assert (world.restart(), world.list_rows()[model].is_removed) == (0, False)
    assert [action for _, action in world.acts()] == ["remove-row", "restore-row"]


def test_undoing_an_addition_removes_the_row_and_adding_it_again_shows_it(world: World) -> None:
    row_id = world.add(make_line()) or ""
    world.rows.undo(world.boss, row_id, "Wrong board")
    assert world.list_rows()["New-3B"].is_removed
    assert world.add(make_line(model="NEW-3b")) == row_id
    assert not world.list_rows()["New-3B"].is_removed


def test_correction_applies_to_a_row_renamed_by_a_release(world: World) -> None:
    world.add(make_line(model="Uno", slice="sdt", value="0.75"))
    renamed = json.loads(PUBLISHED)
    renamed["rows"][0]["model"] |= {"name": "First", "formerly": ["One", "Uno"]}
    (world.folder / "bench.json").write_text(json.dumps(renamed))
    assert (world.restart(), world.values("One")["sdt"]) == (0, 0.75)
    world.add(make_line(model="First", slice="sdt", value="0.8"))
    assert world.values("One")["sdt"] == 0.8
    for _ in range(2):
        world.rows.undo(world.boss, world.list_rows()["One"].row.id, "As shipped")
        if "First" in world.list_rows():
            break
    assert (world.values("First")["sdt"], world.restart(), len(world.list_rows())) == (0.25, 0, 2)


def test_preview_changes_nothing_and_reports_the_changes(world: World) -> None:
    content = make_csv(
        make_line(model="One", value="0.6", paper="A paper", url="https://paper.example/1"),
        make_line(),
        make_line(
            model="Human", source="human", value="0.9", paper="A paper", url="https://paper.example/1", table="Table 2"
        ).replace("2026-03", "2026"),
    )
    planned = world.rows.add(world.boss, content, "", dry_run=True)
    assert [(one.given.model.name, one.verdict) for one in planned] == [
        ("One", "correct"),
        ("New-3B", "add"),
        ("Human", "unchanged"),
    ]
    changes = {change.slice: (change.old, change.new) for change in planned[0].changes}
    assert changes == {"sct": (0.5, 0.6), "overall": (0.375, 0.425)}
    assert set(world.list_rows()) == {"One", "Human"}
    assert world.acts() == []


def test_same_file_applied_twice_changes_nothing_the_second_time(world: World) -> None:
    world.add(make_line())
    (again,) = world.rows.add(world.boss, make_csv(make_line()), "Again", dry_run=False)
    assert again.verdict == "unchanged"
    assert world.acts() == [("boss", "add-row")]


def test_shipped_rows_are_a_file_that_can_be_added(world: World) -> None:
    planned = world.rows.add(world.boss, PUBLISHED.encode(), "", dry_run=True)
    assert [one.verdict for one in planned] == ["unchanged", "unchanged"]


def test_list_of_json_objects_is_equivalent_to_csv(world: World) -> None:
    cells = dict(zip(HEADER.split(","), make_line(value="0.4").split(","), strict=True))
    objects = [{name: cell for name, cell in cells.items() if cell} | {"value": 0.4, "size_billions": 3}]
    world.rows.add(world.boss, json.dumps(objects, indent=1).encode(), "As printed", dry_run=False)
    assert world.values("New-3B") == {"sct": 0.4}


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"benchmark": "audio-motion-benhc"}, "bad-benchmark", "Did you mean `audio-motion-bench`"),
        ({"version": "9"}, "bad-version", "Known: 1.0"),
        ({"setting": "few"}, "bad-setting", "Known: default"),
        ({"slice": "sctt"}, "bad-slice", "Did you mean `sct`"),
        ({"metric": "acuracy"}, "bad-metric", "Did you mean `accuracy`"),
        ({"source": "random"}, "bad-source", "Known: reported, human"),
        ({"value": "43.2"}, "bad-value", "Write 0.432 or 43.2%"),
        ({"value": "-0.1"}, "bad-value", "a fraction from 0 to 1"),
        ({"value": "nan"}, "bad-value", "a fraction from 0 to 1"),
        ({"value": "0,5"}, "bad-csv", "cells"),
        ({"value": "", "std": "0.1"}, "bad-std", "requires a `value`"),
        ({"value": ""}, "bad-value", "Value missing"),
        ({"std": "2"}, "bad-std", "a fraction from 0 to 1"),
        ({"paper": ""}, "missing-field", "`paper`"),
        ({"table": ""}, "missing-field", "`table`"),
        ({"date": ""}, "missing-field", "`date`"),
        ({"model": ""}, "missing-field", "`model`"),
        ({"url": "paper.example"}, "bad-url", "full link"),
        ({"url": "javascript:alert(1)"}, "bad-url", "full link"),
        ({"date": "2026-02-30"}, "bad-date", "2026-06"),
        ({"date": "3000"}, "bad-date", "in the future"),
        ({"year": "2025"}, "bad-year", "agree"),
        ({"model": "x" * 121}, "bad-model", "1 to 120"),
        ({"size_billions": "7B"}, "bad-size_billions", "a number"),
        ({"open_weights": "maybe"}, "bad-open_weights", "true or false"),
        ({"note": "a\x1bb"}, "bad-note", "printable"),
    ],
)
def test_fault_is_reported_with_its_line_and_remedy(
    world: World, changed: dict[str, str], code: str, words: str
) -> None:
    problems = find_problems(world, make_csv(make_line(slice="sdt"), make_line(**changed)))
    assert [(line, found) for line, found, _ in problems] == [(3, code)]
    assert words in problems[0][2]


def test_every_fault_of_a_file_is_reported_and_no_row_is_added(world: World) -> None:
    lines = (make_line(value="2"), make_line(slice="sdt"), make_line(slice="x", url="x"), make_line(slice="sdt"))
    assert [(line, code) for line, code, _ in find_problems(world, make_csv(*lines))] == [
        (2, "bad-value"),
        (4, "bad-url"),
        (4, "bad-slice"),
        (5, "repeated-score"),
    ]
    disagreeing = make_csv(make_line(), make_line(slice="sdt", paper="Other"))
    assert [(line, code) for line, code, _ in find_problems(world, disagreeing)] == [(3, "rows-disagree")]
    assert set(world.list_rows()) == {"One", "Human"}


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        (b"", None, "empty-file"),
        (HEADER.encode(), None, "empty-file"),
        (b"\xff\xfe", 1, "encoding"),
        (HEADER.replace("paper", "papre").encode(), 1, "unknown-field"),
        (f"{HEADER},table\n".encode(), 1, "repeated-field"),
        (b"model,value\nA,0.5\n", 1, "missing-field"),
        (f'{HEADER}\n"a\n'.encode(), 2, "bad-csv"),
        (b'[\n{"model" "A"}]', 2, "bad-json"),
        (b'[\n{"a": 1,\n "a": 2}]', 2, "repeated-field"),
        (b"[\n1]", None, "bad-json"),
        (b'{"model": "A"}', 1, "bad-json"),
        (b'{"rows": [\n{"row": 1}]}', 2, "bad-json"),
        (b'[\n\n{"model": "A", "valu": 1}]', 3, "unknown-field"),
        (b'[\n{"model": {"name": "A"}}]', 2, "bad-model"),
        (b"[" * 100_000, None, "bad-json"),
        (b"x" * (LARGEST_BYTES + 1), None, "too-large"),
    ],
)
def test_file_in_an_unknown_format_is_refused_with_its_line(
    world: World, content: bytes, line: int | None, code: str
) -> None:
    problems = find_problems(world, content)
    assert problems[0][:2] == (line, code)


@pytest.mark.parametrize(
    "act",
    [
        lambda rows, user: rows.add(user, make_csv(make_line()), "A reason", dry_run=False),
        lambda rows, user: rows.add(user, b"", "", dry_run=True),
        lambda rows, user: rows.list_rows(user, 10),
        lambda rows, user: rows.get(user, "s-1"),
        lambda rows, user: rows.remove(user, "s-1", "A reason"),
        lambda rows, user: rows.undo(user, "s-1", "A reason"),
    ],
)
def test_only_maintainers_change_rows(world: World, act: Callable[[ReportedRows, UserRecord], object]) -> None:
    with pytest.raises(NotAllowedError):
        act(world.rows, world.ann)
    assert world.acts() == []


def test_change_needs_a_reason_and_an_existing_row(world: World) -> None:
    with pytest.raises(BadRequestError, match="reason"):
        world.rows.add(world.boss, make_csv(make_line()), " ", dry_run=False)
    with pytest.raises(NotFoundError):
        world.rows.remove(world.boss, "s-none", "A reason")
