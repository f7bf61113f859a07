"""Chart data computed from records."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from db.records import BoardRow, EvaluationRecord, ModelRecord, ScoreRecord
from leaderboard.charts.chart_data import (
    ChartEntry,
    describe_facts,
    describe_sorting,
    describe_values,
    make_entry,
    pick_lines,
    pick_one,
)
from tests.support.pages.chart_samples import MAP, SHARES
from tests.support.pages.records import NOW, make_submission


def make_row(row_id: str, source: str = "submitted", name: str = "Model") -> BoardRow:
    submission = make_submission(id=row_id, source=source, model=ModelRecord(1, name))
    evaluation = EvaluationRecord(1, row_id, NOW, NOW, 1.0, None, "", (), None, None, None, None, {}, ())
    return BoardRow(submission, submission.model, evaluation, {})


def make_reference(row_id: str) -> BoardRow:
    row = make_row(row_id, "verified")
    return replace(row, submission=replace(row.submission, is_reference=True))


def make(scores: Iterable[tuple[Any, ...]], **row: str) -> ChartEntry:
    return make_entry(make_row("s-1", **row), [ScoreRecord(*score) for score in scores])


def test_entry_percent_of_a_missing_score_is_none() -> None:
    entry = make([("sct/clean", "accuracy", 0.5), ("sct/15", "accuracy", None), ("sct/clean", "tpr", 0.9)])
    keys = ("sct/clean|accuracy", "sct/15|accuracy", "sct/25|accuracy", None)
    assert [entry.percent(key) for key in keys] == [50.0, None, None, None]


def test_entry_has_any_counts_only_existing_scores() -> None:
    assert make([("way/N-E", "accuracy", 0.5)]).has_any(MAP.keys)
    assert not make([("way/N-E", "accuracy", None)]).has_any(MAP.keys)


def test_describe_facts_states_each_score_with_its_chance() -> None:
    assert describe_facts(MAP, make([]), {}) == ""
    text = describe_facts(MAP, make([("all", "reversal", 0.125)]), {"all|reversal": 0.25})
    assert text == "Mistaken for: reversed 12.5 % (chance: 25.0 %)."


def test_describe_facts_without_lead_or_chance_states_only_the_scores() -> None:
    entry = make([("all", "mirror", 0.5), ("all", "reversal", 0.125)])
    assert describe_facts(replace(MAP, lead=""), entry, {}) == "mirrored 50.0 %, reversed 12.5 %."


def test_describe_values_states_their_source() -> None:
    paper, evaluated, chance = (
        make([], source="reported"),
        make([], source="submitted", name="Own"),
        make([], source="random"),
    )
    assert describe_values([paper, paper]) == "Values: reported in the paper."
    assert describe_values([evaluated, chance]) == "Values: evaluated here."
    assert describe_values([evaluated, paper]) == "Values: evaluated here (Own); reported in the paper (Model)."
    assert describe_values([chance]) == ""


def test_pick_lines_returns_the_first_rows_without_baselines() -> None:
    sources = ["random", "submitted", "reported", "verified", "submitted", "submitted"]
    rows = [make_reference("s-r"), *(make_row(f"s-{at}", source) for at, source in enumerate(sources))]
    assert pick_lines(rows) == ["s-1", "s-2", "s-3", "s-4"]
    assert pick_lines(rows[:2]) == []


def test_pick_one_prefers_evaluated_rows() -> None:
    reported, chance, evaluated = make_row("s-r", "reported"), make_row("s-c", "random"), make_row("s-v", "verified")
    reference = make_reference("s-e")
    assert pick_one([reference, reported, chance, evaluated]) == "s-v"
    assert pick_one([reference, chance, reported]) == "s-r"
    assert pick_one([reference, chance]) is None
    assert make_entry(reference, ()).label == "Model · reference"


def test_label_of_a_long_name_is_truncated() -> None:
    assert len(make([], name="x" * 500).label) < 60


def test_describe_sorting_states_count_and_judge_of_each_row() -> None:
    sorted_entry = make(
        [("errors/reasoning", "share", 1.0, 7, None, "7 of 9 wrong answers, sorted by judge-1.")], name="A"
    )
    assert describe_sorting(SHARES, [sorted_entry, make([])]) == "A: 7 of 9 wrong answers, sorted by judge-1."
