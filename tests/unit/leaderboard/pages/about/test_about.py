"""About tab: metrics with their directions, and texts."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.benchmarks import all_benchmarks
from evaluation.extraction import READER_VERSION
from evaluation.signature import parse_signature
from leaderboard.pages.about.handlers import read_calibration, render_calibration
from leaderboard.pages.about.sections import (
    read_sections,
    render_contents,
    render_definitions,
    render_heading,
    render_metrics,
)


def rows_of(html: str) -> list[list[str]]:
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)][1:]


def test_render_metrics_gives_a_direction_only_to_ranked_metrics(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            directions = [row[2] for row in rows_of(render_metrics(benchmark))]
            labels = {True: "higher", False: "lower"}
            assert directions == [
                labels[metric.higher_is_better] if metric.ranked else "–" for metric in benchmark.metrics
            ]


def test_render_metrics_labels_a_ranked_metric_where_lower_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = get_benchmark("audio-motion-bench")
    metric = replace(benchmark.metrics[0], higher_is_better=False)
    monkeypatch.setattr(type(benchmark), "metrics", (metric,))
    assert [row[2] for row in rows_of(render_metrics(benchmark))] == ["lower"]


def test_read_sections_shows_a_current_signature_and_fills_every_placeholder(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            pieces = [piece for section in read_sections(benchmark) for piece in section.pieces]
            code = "\n".join(piece.text for piece in pieces if piece.kind == "code")
            (line,) = re.findall(r"^\S+\|content:\S+$", code, re.MULTILINE)
            signature = parse_signature(line)
            assert (signature.benchmark, signature.reader_version) == (benchmark.id, READER_VERSION)
            assert signature.metric_version == benchmark.metric_version
            assert f"leaderboards/{benchmark.id}?columns={benchmark.headline.slice}%7C" in code
            assert "{{" not in code
            assert "/leaderboards/{benchmark}?{query}" in code, "braces of the program itself stay"
            assert not any(
                "```" in piece.text or re.search(r"\{[a-z]+\}", piece.text) for piece in pieces if piece.kind == "prose"
            )


def test_example_program_is_valid_python() -> None:
    pieces = [piece for section in read_sections(get_benchmark("mdar")) for piece in section.pieces]
    (program,) = [piece.text for piece in pieces if piece.kind == "code" and "urllib.request" in piece.text]
    compile(program, "about", "exec")


def test_every_link_of_the_contents_has_a_heading() -> None:
    sections = read_sections(get_benchmark("mdar"))
    headings = [re.findall(r'id="([^"]+)"', render_heading(section)) for section in sections]
    links = re.findall(r'href="/\?tab=about#([^"]+)"', render_contents(sections))
    assert [[link] for link in links] == headings
    assert len(set(links)) == len(links) > 5


def test_judge_calibration_is_shown_if_a_report_exists(tmp_path: Path) -> None:
    path = tmp_path / "judge-calibration.json"
    assert render_calibration(read_calibration(path)) == ""
    report = {
        "judge": "<b>j",
        "scores_by": "constructed",
        "n": 30,
        "kappa": 0.8125,
        "bias": -0.5,
        "spread": None,
        "errors": {"secret-id": "x"},
    }
    path.write_text(json.dumps(report))
    html = render_calibration(read_calibration(path))
    assert "&lt;b&gt;j on 30 answers with constructed scores. No people scored them" in html
    assert [row[1] for row in rows_of(html)] == ["0.81", "-0.50", "–", "–", "–"]
    assert "secret-id" not in html
    path.write_text(json.dumps(report | {"scores_by": "people"}))
    assert "30 answers that people scored." in render_calibration(read_calibration(path))
    path.write_text(json.dumps({"judge": "older", "n": 30}))
    assert "people" not in render_calibration(read_calibration(path))


@pytest.mark.parametrize("text", ["{", "[]", "\x00"])
def test_unreadable_calibration_report_is_ignored(tmp_path: Path, text: str) -> None:
    path = tmp_path / "judge-calibration.json"
    path.write_text(text)
    assert read_calibration(path) is None


def test_render_definitions_covers_every_setting_and_default_column() -> None:
    benchmarks = [get_benchmark(name) for name in dict.fromkeys(benchmark.id for benchmark in all_benchmarks())]
    html = render_definitions(benchmarks)
    for benchmark in benchmarks:
        for column in benchmark.columns:
            if column.shown:
                assert f"<dt>Column {column.title}</dt>" in html
        for setting in benchmark.settings:
            assert f"<dt>Setting {setting}</dt>" in html
    for term in ("Chain score", "Concentration", "Few-shot gap", "Listening gain", "dB HL", "Rank range"):
        assert f"<dt>{term}</dt>" in html


def test_about_states_which_parts_of_composite_scores_need_fewer_recordings() -> None:
    text = str(read_sections(get_benchmark("audio-process-bench")))
    assert "A part of a composite score needs fewer recordings the smaller its share is." in text
