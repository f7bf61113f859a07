"""Records in, what the charts show out."""

from dataclasses import replace

import pytest

from db.records import BoardRow, EvaluationRecord, ModelRecord, ScoreRecord
from evaluation.benchmarks import all_benchmarks
from evaluation.benchmarks.charts import LineChart, MapChart, Panel, PointChart
from leaderboard.views import chart_table, describe_facts, make_entry, pick_lines, pick_one
from tests.unit.leaderboard.records import NOW, make_submission


def make_row(row_id, source="submitted", name="Model"):
    submission = make_submission(id=row_id, source=source, model=ModelRecord(1, name))
    evaluation = EvaluationRecord(1, row_id, NOW, NOW, 1.0, None, "", (), None, None, None, None, {}, ())
    return BoardRow(submission, submission.model, evaluation, {})


def make(scores, **row):
    return make_entry(make_row("s-1", **row), [ScoreRecord(*score) for score in scores])


LINES = LineChart(
    "l", "Noise", "", "dB", ("clean", "15"), (Panel("SCT: one", ("sct/clean|accuracy", "sct/15|accuracy")),)
)
POINTS = PointChart("p", "Two rates", "", "all|tnr", "TNR", "all|tpr", "TPR")
MAP = MapChart(
    "m", "Map", "", "from", ("N", "E"), "to", ("N", "E"), ((None, "N-E|accuracy"), ("E-N|accuracy", None)),
    facts=(("mirrored", "all|mirror"), ("reversed", "all|reversal")), lead="Mistaken for",
)  # fmt: skip


def test_entry_percent_of_a_figure_that_is_absent_is_none():
    entry = make([("sct/clean", "accuracy", 0.5), ("sct/15", "accuracy", None), ("sct/clean", "tpr", 0.9)])
    assert [entry.percent(key) for key in (*LINES.figures, None)] == [50.0, None, None]


def test_entry_has_any_counts_only_figures_that_exist():
    assert make([("N-E", "accuracy", 0.5)]).has_any(MAP.figures)
    assert not make([("N-E", "accuracy", None)]).has_any(MAP.figures)


def test_describe_facts_says_what_is_known_beside_chance():
    assert describe_facts(MAP, make([]), {}) == ""
    words = describe_facts(MAP, make([("all", "reversal", 0.125)]), {"all|reversal": 0.25})
    assert words == "Mistaken for: reversed 12.5 % (an even guess: 25.0 %)."


def test_describe_facts_without_lead_or_chance_says_the_figures_alone():
    entry = make([("all", "mirror", 0.5), ("all", "reversal", 0.125)])
    assert describe_facts(replace(MAP, lead=""), entry, {}) == "mirrored 50.0 %, reversed 12.5 %."


def test_pick_lines_takes_people_first_and_passes_over_guesses():
    sources = ["random", "submitted", "reported", "human", "verified", "submitted", "submitted"]
    rows = [make_row(f"s-{at}", source) for at, source in enumerate(sources)]
    assert pick_lines(rows) == ["s-3", "s-1", "s-2", "s-4"]


def test_pick_one_prefers_what_was_scored_here():
    reported, chance, scored = make_row("s-r", "reported"), make_row("s-c", "random"), make_row("s-v", "verified")
    assert pick_one([reported, chance, scored]) == "s-v"
    assert pick_one([reported, chance]) == "s-r"
    assert pick_one([reported, replace(chance, evaluation=replace(chance.evaluation, signature="x"))]) == "s-c"
    assert pick_one([]) is None


def test_label_of_a_long_name_is_cut():
    assert len(make([], name="x" * 500).label) < 60


def test_chart_table_has_a_row_an_entry_and_a_column_a_figure():
    entry = make([("sct/clean", "accuracy", 0.5), ("all", "tpr", 0.25)])
    lines, points = chart_table(LINES, [entry]), chart_table(POINTS, [entry, entry])
    assert [lines.count(text) for text in ("SCT clean", "SCT 15", "50.0", "–")] == [1, 1, 1, 1]
    assert points.count("25.0") == 2


def test_chart_table_of_a_map_has_its_rows_and_columns():
    shown = chart_table(MAP, [make([("E-N", "accuracy", 0.75)])])
    assert [shown.count(text) for text in ("from N", "from E", "to E", "75.0", "–")] == [1, 1, 1, 1, 3]


def test_tables_escape_names():
    shown = chart_table(LINES, [make([], name="<img src=x onerror=alert(1)>")])
    assert "<img" not in shown
    assert "&lt;img" in shown


@pytest.mark.parametrize("benchmark", all_benchmarks(), ids=lambda one: f"{one.id}-{one.version}")
def test_charts_of_a_benchmark_draw_figures_that_it_has(benchmark):
    known = {column.key for column in benchmark.columns} | set(benchmark.chance)
    assert len({chart.id for chart in benchmark.charts}) == len(benchmark.charts)
    for chart in benchmark.charts:
        assert set(chart.figures) <= known
