"""Charts of the benchmarks refer to existing scores."""

import io
import json
from functools import cache
from pathlib import Path

import pytest

from evaluation.benchmarks import Benchmark, all_benchmarks, list_versions
from evaluation.benchmarks.audio_process_bench.board import TYPE_MEANINGS, TYPE_TITLES
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES as TRACE_TYPES
from evaluation.benchmarks.chart_specs import (
    GridChart,
    LineChart,
    MapChart,
    SettingsChart,
    ShareChart,
    count_panels,
    list_keys,
)
from evaluation.error_types import ERROR_TYPES
from evaluation.packs import example_predictions
from evaluation.predictions import catalogue_of, read_checked_predictions

PUBLISHED = Path(__file__).parents[3] / "assets" / "published"
every_version = pytest.mark.parametrize(
    "benchmark", all_benchmarks(), ids=lambda benchmark: f"{benchmark.id}-{benchmark.version}"
)


@cache
def list_published(name: str) -> frozenset[str]:
    rows = json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return frozenset(f"{score['slice']}|{score['metric']}" for row in rows for score in row["scores"])


def list_sorted(name: str) -> set[str]:
    parts = {"star-bench": ("temporal", "spatial"), "mdar": ("main", "multi", "open")}.get(name, ())
    return {f"{part}|{kind.metric}" for part in parts for kind in ERROR_TYPES[name]}


@every_version
def test_charts_of_a_benchmark_use_existing_scores(benchmark: Benchmark) -> None:
    known = {column.key for column in benchmark.columns} | set(benchmark.chance)
    known |= list_published(benchmark.id) | list_sorted(benchmark.id)
    # Scores may exist that the board does not show.
    known |= {f"{column.slice}|{metric.id}" for column in benchmark.columns for metric in benchmark.metrics}
    for chart in benchmark.charts:
        assert set(list_keys(chart)) <= known, chart.id


@every_version
def test_all_versions_of_a_benchmark_have_the_same_charts(benchmark: Benchmark) -> None:
    """The tab has one place for each chart in every version."""
    first = list_versions(benchmark.id)[0]
    assert [(chart.id, count_panels(chart)) for chart in benchmark.charts] == [
        (chart.id, count_panels(chart)) for chart in first.charts
    ]
    assert len({chart.id for chart in benchmark.charts}) == len(benchmark.charts) > 0


@every_version
def test_charts_are_consistent(benchmark: Benchmark) -> None:
    for chart in benchmark.charts:
        assert chart.reading.startswith("How to read it: ")
        assert chart.reading.endswith(".")
        assert chart.absent.endswith(".")
        if isinstance(chart, LineChart):
            assert all(len(panel.labels) == len(panel.keys) for panel in chart.panels)
        if isinstance(chart, SettingsChart):
            assert set(chart.settings) <= set(benchmark.settings)
            assert all({*(panel.change or ())} <= {name for name, _ in panel.settings} for panel in chart.panels)
        if isinstance(chart, MapChart):
            assert [len(row) for row in chart.cells] == [len(chart.columns)] * len(chart.rows)
            assert len(chart.row_totals) in (0, len(chart.rows))
            assert len(chart.column_totals) in (0, len(chart.columns))


def test_every_error_type_is_drawn_and_defined() -> None:
    for benchmark in all_benchmarks():
        charts = [chart for chart in benchmark.charts if isinstance(chart, ShareChart)]
        assert {key for chart in charts for key in chart.keys} == list_sorted(benchmark.id)
        columns = {column.key for column in benchmark.columns}
        metrics = {metric.id: metric for metric in benchmark.metrics}
        assert list_sorted(benchmark.id) <= columns
        for kind in ERROR_TYPES.get(benchmark.id, ()):
            assert metrics[kind.metric].formula.endswith(kind.definition)
            assert all(f"{kind.title}: {kind.definition}" in chart.reading for chart in charts)


def test_error_types_of_traces_are_defined_in_their_charts() -> None:
    for benchmark in list_versions("audio-process-bench"):
        charts = {chart.id: chart for chart in benchmark.charts}
        for name in ("types", "generator-types", "position-types"):
            assert all(f"{TYPE_TITLES[kind]}: {TYPE_MEANINGS[kind]}." in charts[name].reading for kind in TRACE_TYPES)


def test_scores_of_charts_exist_for_complete_answers(subtests: pytest.Subtests) -> None:
    """Only scoring distinguishes an existing score from a plausible name."""
    for name in dict.fromkeys(benchmark.id for benchmark in all_benchmarks()):
        with subtests.test(name=name):
            versions = [version for version in list_versions(name) if "practice" in version.splits]
            scored = set[str]().union(*(list_scored(version) for version in versions))
            scored |= list_published(name) | list_sorted(name)
            scored |= {"step|self_critique_gap", "generation|accuracy"}  # only of critics that generated traces
            for chart in versions[-1].charts:
                # A judge computes its scores elsewhere.
                assert {key for key in list_keys(chart) if "judge" not in key} <= scored, chart.id


def list_scored(benchmark: Benchmark) -> set[str]:
    key = benchmark.make_key("practice")
    lines = "".join(json.dumps(row) + "\n" for row in example_predictions(benchmark.content(key))).encode()
    predictions = read_checked_predictions(io.BytesIO(lines), catalogue_of(benchmark, key, benchmark.settings[0]))
    scores = benchmark.score(key, predictions).scores
    return {f"{name}|{metric}" for name, metrics in scores.items() for metric in metrics}


def test_critic_is_matched_to_a_generator_in_any_spelling() -> None:
    (benchmark, *_) = list_versions("audio-process-bench")
    (grid,) = [chart for chart in benchmark.charts if isinstance(chart, GridChart)]
    assert grid.is_own is not None
    assert grid.is_own("Qwen/qwen2.5-omni 7B", "Qwen2.5-Omni-7B")
    assert not grid.is_own("Qwen2.5-Omni-3B", "Qwen2.5-Omni-7B")
