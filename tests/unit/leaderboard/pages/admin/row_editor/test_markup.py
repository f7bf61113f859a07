"""Row editor markup: previews and changed rows, with escaped texts."""

from dataclasses import replace

from evaluation import get_benchmark
from evaluation.predictions.problems import Problem
from evaluation.published import PublishedModel
from leaderboard.pages.admin.row_editor.markup import (
    count_verdicts,
    list_changed_choices,
    render_applied,
    render_changed_rows,
    render_preview,
)
from submissions.published_rows.reported_rows import RowsPreview
from submissions.published_rows.row_checks import GivenRow
from submissions.published_rows.row_contents import ScoreChange
from submissions.published_rows.row_lists import ChangedRow
from submissions.published_rows.row_plans import PlannedRow, Verdict
from tests.support.pages.records import NOW, make_submission

HOSTILE = "<img src=x onerror=alert(1)>"
CHANGES = tuple(ScoreChange(f"s{n}", "accuracy", n / 100, None) for n in range(6))


def plan(name: str, verdict: Verdict, *changes: ScoreChange, line: int = 2) -> PlannedRow:
    paper = ("Paper", "https://paper.example/1", "2026", (), None, (), None, (), ())
    row = GivenRow(line, get_benchmark("audio-motion-bench"), "default", "reported", PublishedModel(name), *paper)
    return PlannedRow(row, verdict, changes, None)


def preview(*rows: PlannedRow, problems: tuple[Problem, ...] = (), n: int | None = None) -> RowsPreview:
    return RowsPreview(rows, problems, len(problems) if n is None else n, "digest")


def test_preview_counts_rows_and_shows_old_and_new_scores() -> None:
    rows = (plan(HOSTILE, "add", ScoreChange("sct", "accuracy", None, 0.4)), plan("Same", "unchanged"))
    html = render_preview(preview(*rows))
    assert "Preview: 1 added, 1 unchanged." in html
    assert "<code>sct|accuracy</code> – → 40.00" in html
    assert "1 unchanged row<" in html
    assert HOSTILE not in html
    assert "img src" in html


def test_many_scores_are_collapsed_and_a_row_without_scores_states_its_changes() -> None:
    html = render_applied([plan("Many", "correct", *CHANGES), plan("Paper only", "correct")])
    assert "<summary>6 scores</summary>" in html
    assert "No scores; paper, notes or model change." in html
    assert "Applied: 2 corrected." in html


def test_problems_show_line_and_field_and_their_total() -> None:
    problems = (Problem("bad-value", f"`value` is {HOSTILE}.", 4), Problem("bad-csv", "The line has 3 cells.", 5))
    html = render_preview(preview(plan("Sound", "add"), problems=problems, n=120))
    assert "120 problems. Correct the file" in html
    assert "The first 2 are listed." in html
    assert "<td>4</td><td><code>value</code></td>" in html
    assert "<td>5</td><td>–</td>" in html
    assert HOSTILE not in html
    assert "would change like this" in html
    assert "1 problem. " in render_preview(preview(problems=problems[:1]))


def test_long_results_are_truncated_with_a_note() -> None:
    html = render_applied([plan(f"Model {n}", "add") for n in range(203)])
    assert "3 more rows are not listed." in html
    assert "Model 199<" in html
    assert "Model 200<" not in html


def test_changed_rows_show_author_and_reason_and_can_be_selected() -> None:
    record = make_submission(source="reported")
    changed = ChangedRow(replace(record, version="9.9"), "removed", "boss", HOSTILE, NOW)
    html = render_changed_rows([changed], NOW)
    assert "<td>removed</td><td>boss</td>" in html
    assert HOSTILE not in html
    (choice,) = list_changed_choices([changed])
    assert choice[0].endswith("9.9, default, reported · removed")
    assert choice[1] == record.id
    assert "older changes" not in html
    assert "1 older changes" in render_changed_rows([changed] * 201, NOW)


def test_empty_list_of_changed_rows_has_an_explanation() -> None:
    html = render_changed_rows([], NOW)
    assert 'data-testid="rows-unchanged">No changed rows.' in html
    assert "<table" not in html
    assert list_changed_choices([]) == []


def test_verdict_counts_of_no_rows_are_empty() -> None:
    assert count_verdicts([]) == ""
