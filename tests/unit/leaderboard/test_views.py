"""Records in, what the charts show out."""

from datetime import UTC, datetime

import pytest

from db.records import BoardRow, EvaluationRecord, ModelRecord, ScoreRecord, SubmissionRecord, UserRecord
from leaderboard.views import (
    COMPASS,
    describe_confusions,
    direction_grid,
    direction_table,
    make_entry,
    pick_lines,
    pick_map,
    snr_table,
    snr_values,
    true_false,
)

_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def make_row(row_id, source="submitted", name="Model"):
    submission = SubmissionRecord(
        id=row_id,
        benchmark="audio-motion-bench",
        version="1.0",
        setting="default",
        source=source,
        owner=UserRecord(1, "ada"),
        model=ModelRecord(1, name),
        state="scored",
        visibility="public",
        allow_missing=False,
        artifact_sha256=None,
        artifact_bytes=None,
        created_at=_NOW,
        updated_at=_NOW,
        attempts=1,
        not_before=None,
        reason_code=None,
        reason=None,
        retryable=None,
        whose_fault=None,
        current_evaluation_id=1,
    )
    evaluation = EvaluationRecord(1, row_id, _NOW, _NOW, 1.0, None, "", (), None, None, None, None, {}, ())
    return BoardRow(submission, evaluation, {})


def make(scores, **row):
    return make_entry(make_row("s-1", **row), [ScoreRecord(*score) for score in scores])


def test_snr_values_with_a_missing_condition_returns_none_there():
    entry = make([("sct/clean", "accuracy", 0.5), ("sct/15db", "accuracy", 0.42), ("sct/clean", "tpr", 0.9)])
    assert snr_values(entry, "sct") == [50.0, None, None, 42.0]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([("overall/clean/tf", "tpr", 0.2), ("overall/clean/tf", "tnr", 0.8)], (20.0, 80.0)),
        ([("overall/clean/tf", "tpr", 0.2)], None),
        ([("overall/clean/tf", "tpr", 0.2), ("overall/clean/tf", "tnr", None)], None),
    ],
)
def test_true_false_needs_both_rates(scores, expected):
    assert true_false(make(scores)) == expected


def test_direction_grid_is_from_by_to_with_an_empty_diagonal():
    grid = direction_grid(make([(f"direction/{a}-{b}", "accuracy", 0.25) for a in COMPASS for b in COMPASS if a != b]))
    assert [grid[at][at] for at in range(8)] == [None] * 8
    assert sum(value == 25.0 for row in grid for value in row) == 56
    assert direction_grid(make([("direction/N-W", "accuracy", 1.0)]))[0][6] == 100.0


def test_entry_has_counts_only_figures_that_exist():
    assert make([("direction/N-W", "accuracy", 0.5)]).has("direction/")
    assert not make([("direction/N-W", "accuracy", None)]).has("direction/")


def test_describe_confusions_without_rates_says_nothing():
    assert describe_confusions(make([])) == ""
    words = describe_confusions(make([("overall/mcq", "reversal", 0.125)]))
    assert "path run backwards 12.5 %" in words
    assert "mirror" not in words


def test_pick_lines_passes_over_guesses_and_takes_four():
    rows = [make_row(f"s-{at}", "random" if at == 0 else "submitted") for at in range(7)]
    assert pick_lines(rows) == ["s-1", "s-2", "s-3", "s-4"]


def test_pick_map_prefers_what_was_scored_here():
    reported, chance, scored = make_row("s-r", "reported"), make_row("s-c", "random"), make_row("s-v", "verified")
    assert pick_map([reported, chance, scored]) == "s-v"
    assert pick_map([reported, chance]) == "s-c"
    assert pick_map([reported]) is None


def test_label_of_a_long_name_is_cut():
    assert len(make([], name="x" * 500).label) < 60


def test_tables_escape_names():
    entry = make([], name="<img src=x onerror=alert(1)>")
    assert "<img" not in snr_table([entry])
    assert "&lt;img" in snr_table([entry])
    assert "–" in direction_table(entry)
