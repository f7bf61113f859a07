"""Previews of row files, the list of changed rows, and the current rows as a file."""

import csv
import io
import json
from pathlib import Path

import pytest

from db.session import Database
from evaluation.predictions import PredictionFileError
from leaderboard.exports.published_rows import EXAMPLE_PATH, write_rows_csv, write_rows_json
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotAllowedError, StateError
from submissions.jobs.registration import load_published
from submissions.published_rows.reported_rows import PUBLISHED_DIR, ReportedRows, RowsPreview
from submissions.published_rows.row_checks import name_problem_fields
from submissions.published_rows.row_files import LARGEST_BYTES, MAX_ENTRIES
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.samples.row_worlds import World, make_world


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    return make_world(database, tmp_path)


def verdicts_of(preview: RowsPreview) -> list[tuple[str, str]]:
    return [(row.given.model.name, row.verdict) for row in preview.rows]


def drop_fields(content: bytes, *names: str) -> bytes:
    """Return a CSV file without some of its columns."""
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [name for name in rows[0] if name not in names], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def test_preview_of_a_file_with_faults_shows_them_and_the_effects_of_the_other_rows(world: World) -> None:
    preview = world.rows.preview(
        world.boss,
        make_csv(
            make_line(),
            make_line(model="Faulty", value="43.2"),
            make_line(model="Faulty", slice="sdt"),
            make_line(model="One", slice="tat", value=""),
        ),
    )
    assert verdicts_of(preview) == [("New-3B", "add")]
    found = [(problem.line, name_problem_fields(problem)) for problem in preview.problems]
    assert found == [(3, "value"), (5, "value")]
    assert preview.n_problems == 2
    assert "0.432" in preview.problems[0].message
    assert world.acts() == []


@pytest.mark.parametrize(
    ("changed", "fields"),
    [
        ({"date": "soon"}, "date"),
        ({"model": "", "table": ""}, "model, table"),
        ({"slice": "sdt", "organisation": "Other"}, "organisation"),
        ({}, ""),
    ],
)
def test_problem_names_the_fields_that_it_concerns(world: World, changed: dict[str, str], fields: str) -> None:
    content = make_csv(make_line(organisation="Lab"), make_line(**({"organisation": "Lab"} | changed)))
    (problem,) = world.rows.preview(world.boss, content).problems
    assert name_problem_fields(problem) == fields


def test_file_is_applied_as_previewed_and_not_after_a_change_in_between(world: World) -> None:
    content = make_csv(make_line(model="One", value="0.6"))
    preview = world.rows.preview(world.boss, content)
    world.add(make_line(model="One", value="0.7"))
    with pytest.raises(StateError, match="Preview the changes again"):
        world.rows.add(world.boss, content, "As printed", dry_run=False, digest=preview.digest)
    assert world.values("One")["sct"] == 0.7
    fresh = world.rows.preview(world.boss, content)
    world.rows.add(world.boss, content, "As printed", dry_run=False, digest=fresh.digest)
    assert world.values("One")["sct"] == 0.6


@pytest.mark.parametrize("value", ["0.5", "0.6"])
def test_file_is_not_applied_to_a_row_that_was_removed_after_the_preview(world: World, value: str) -> None:
    content = make_csv(make_line(model="One", value=value))
    preview = world.rows.preview(world.boss, content)
    world.rows.remove(world.boss, world.list_rows()["One"].row.id, "Withdrawn by its authors")
    with pytest.raises(StateError, match="Preview the changes again"):
        world.rows.add(world.boss, content, "As printed", dry_run=False, digest=preview.digest)
    assert world.list_rows()["One"].is_removed


# Another maintainer's corrections of the row `One`; the previewed file changes its score on sct.
CORRECTIONS = {
    "title": {"paper": "Corrected title"},
    "url": {"url": "https://paper.example/3"},
    "date": {"date": "2026-01"},
    "authors": {"authors": "Bo Example"},
    "label": {"row": "One-7B-Chat"},
    "organisation": {"organisation": "Lab"},
    "size": {"size_billions": "8"},
    "weights": {"open_weights": "true"},
    "std": {"std": "0.2"},
    "note": {"note": "Another note"},
    "notes": {"notes": "Means of three runs"},
    "data version": {"data_version": "v0.5"},
    "table": {"table": "Table 9"},
    "another score": {"slice": "sdt", "value": "0.3"},
}


@pytest.mark.parametrize("corrected", CORRECTIONS.values(), ids=CORRECTIONS.keys())
def test_file_is_not_applied_after_another_correction_of_the_row(world: World, corrected: dict[str, str]) -> None:
    as_printed = {"model": "One", "paper": "A paper", "url": "https://paper.example/1", "date": "2026"}
    content = make_csv(make_line(**as_printed, value="0.6"))
    preview = world.rows.preview(world.boss, content)
    world.add(make_line(**(as_printed | {"value": "0.5", "table": "Table 1"} | corrected)))
    before = world.rows.list_score_fields(world.boss)
    with pytest.raises(StateError, match="Preview the changes again"):
        world.rows.add(world.boss, content, "As printed", dry_run=False, digest=preview.digest)
    assert world.rows.list_score_fields(world.boss) == before


def test_file_is_not_applied_after_corrections_that_leave_the_row_as_it_was(world: World) -> None:
    world.add(make_line(model="One", value="0.6"))
    content = make_csv(make_line(model="One", value="0.8"))
    preview = world.rows.preview(world.boss, content)
    for value in ("0.7", "0.6"):
        world.add(make_line(model="One", value=value))
    with pytest.raises(StateError, match="Preview the changes again"):
        world.rows.add(world.boss, content, "As printed", dry_run=False, digest=preview.digest)


def test_change_of_another_row_does_not_stop_a_previewed_file(world: World) -> None:
    content = make_csv(make_line(model="One", value="0.6"))
    preview = world.rows.preview(world.boss, content)
    world.add(make_line(model="Human", source="human", value="0.95"))
    world.rows.add(world.boss, content, "As printed", dry_run=False, digest=preview.digest)
    assert world.values("One")["sct"] == 0.6


def test_source_and_date_apply_to_a_file_without_these_columns(world: World) -> None:
    content = drop_fields(make_csv(make_line()), "source", "date")
    with pytest.raises(PredictionFileError, match="`source`, `date`"):
        world.rows.preview(world.boss, content)
    defaults = {"source": "human", "date": "2025-12"}
    (row,) = world.rows.preview(world.boss, content, defaults).rows
    assert (row.given.source, row.given.date) == ("human", "2025-12")
    kept = world.rows.preview(world.boss, make_csv(make_line(), make_line(date="", slice="sdt")), {"date": "2026-03"})
    assert [(row.given.source, row.given.date) for row in kept.rows] == [("reported", "2026-03")]
    as_json = json.dumps([dict.fromkeys(("benchmark", "model"), "x")]).encode()
    (problem,) = [p for p in world.rows.preview(world.boss, as_json, defaults).problems if p.code == "missing-field"]
    assert "`source`" not in problem.message


@pytest.mark.parametrize("defaults", [{"source": "random"}, {"date": "soon"}, {"date": "2999"}])
def test_invalid_source_or_date_is_refused_once(world: World, defaults: dict[str, str]) -> None:
    with pytest.raises(BadRequestError):
        world.rows.preview(world.boss, make_csv(make_line()), defaults)


def test_changed_rows_are_listed_with_author_and_reason_until_they_are_undone(world: World) -> None:
    assert world.rows.list_changed(world.boss) == []
    added = world.add(make_line()) or ""
    world.add(make_line(model="One", value="0.6"))
    human = world.list_rows()["Human"].row.id
    world.rows.remove(world.boss, human, "Withdrawn by: its authors")
    changed = world.rows.list_changed(world.boss)
    assert [(row.row.model.name, row.state, row.actor, row.reason) for row in changed] == [
        ("Human", "removed", "boss", "Withdrawn by: its authors"),
        ("One", "corrected", "boss", "As printed"),
        ("New-3B", "added", "boss", "As printed"),
    ]
    for row in changed:
        world.rows.undo(world.boss, row.row.id, "Undone")
    (left,) = world.rows.list_changed(world.boss)
    assert (left.row.id, left.state, left.reason) == (added, "removed", "Undone")


def test_current_rows_are_a_file_that_changes_nothing(world: World) -> None:
    world.add(make_line(model="=1+1", note="@formula", authors="Ada Example; Bo Example"))
    world.add(make_line(model="One", slice="sdt", value="0.3"))
    world.rows.remove(world.boss, world.list_rows()["Human"].row.id, "Gone")
    scores = world.rows.list_score_fields(world.boss)
    for content in (write_rows_csv(scores), write_rows_json(scores)):
        preview = world.rows.preview(world.boss, content)
        assert preview.problems == ()
        assert sorted(verdicts_of(preview)) == [("=1+1", "unchanged"), ("One", "unchanged")]
    assert b"'=1+1" in write_rows_csv(scores)


def test_current_rows_of_the_release_are_a_file_that_changes_nothing(database: Database) -> None:
    rows = ReportedRows(database, Accounts(database, ("boss",)))
    boss = Accounts(database, ("boss",)).sign_in("boss")[0]
    n_rows = load_published(database, PUBLISHED_DIR)
    scores = rows.list_score_fields(boss)
    assert len(scores) < MAX_ENTRIES / 2
    for write in (write_rows_csv, write_rows_json):
        content = write(scores)
        assert len(content) < LARGEST_BYTES / 2, "a download with many added rows could not be applied again"
        preview = rows.preview(boss, content)
        assert preview.problems == ()
        assert {row.verdict for row in preview.rows} == {"unchanged"}
        assert 50 < len(preview.rows) <= n_rows


def test_example_file_is_accepted(world: World) -> None:
    preview = world.rows.preview(world.boss, EXAMPLE_PATH.read_bytes())
    assert preview.problems == ()
    assert {verdict for _, verdict in verdicts_of(preview)} == {"add"}


@pytest.mark.parametrize("act", ["preview", "list_changed", "list_score_fields"])
def test_only_maintainers_see_previews_and_changes(world: World, act: str) -> None:
    with pytest.raises(NotAllowedError):
        getattr(world.rows, act)(world.ann, *([b""] if act == "preview" else []))
