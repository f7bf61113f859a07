"""Presentation of AudioProcessBench: prompts, packs and board columns."""

import io
import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS
from evaluation.benchmarks.audio_process_bench.synthetic import SyntheticProcessBench
from evaluation.errors import DataNotHeldError, SettingError
from evaluation.packs import all_runs, describe_pack, example_predictions
from evaluation.predictions import catalogue_of, read_checked_predictions, validate_predictions
from evaluation.published import read_published
from evaluation.types import AudioPart, Prediction, TextPart
from tests.support.samples.process_traces import key_of, trace

ASSETS = Path(__file__).parents[3] / "assets"
BENCHMARK = SyntheticProcessBench()
KEY = BENCHMARK.make_key("practice")
CONTENT = BENCHMARK.content(KEY)
ROWS = BENCHMARK.questions_of(KEY)
PAPER = AudioProcessBench("1.0")


def test_paper_version_has_no_practice_split() -> None:
    with pytest.raises(DataNotHeldError):
        PAPER.make_key("practice")


# --- items and prompts


@pytest.mark.parametrize("setting", BENCHMARK.settings)
def test_prompt_contains_audio_question_options_and_numbered_steps(setting: str) -> None:
    item, question = CONTENT.items[0], ROWS[0]
    parts = BENCHMARK.run(item, 0, setting).prompt
    assert [part.clip for part in parts if isinstance(part, AudioPart)] == list(item.clips)
    assert isinstance(parts[-1], TextPart)
    task = parts[-1].text
    assert question["question"] in task
    for letter, option in zip("ABCD", question["options"], strict=False):
        assert f"\n{letter}. {option}\n" in task
    for number, step in enumerate(question["steps"], start=1):
        assert f"\n{number}. {step}\n" in task
    assert f"JSON list of {item.n_steps} values" in task


def test_few_shot_prompt_only_adds_two_examples() -> None:
    few, zero = (BENCHMARK.run(CONTENT.items[0], 0, setting).prompt for setting in ("few-shot", "zero-shot"))
    assert few[1:] == zero
    assert isinstance(few[0], TextPart)
    assert few[0].text.count("\nAnswer: [") == 2
    assert "{" not in few[0].text


def test_prompt_joins_the_lines_of_a_step() -> None:
    row: dict[str, Any] = trace("..") | {"steps": ["One\n2. two {x}", "Three"], "question": "Is it {n_steps}?"}
    key = key_of([row])
    (item,) = PAPER.content(key).items
    task = PAPER.run(item, 0, "zero-shot").prompt[-1]
    assert isinstance(task, TextPart)
    assert "\n1. One 2. two {x}\n2. Three\n" in task.text
    assert "Is it {n_steps}?" in task.text


def test_unknown_setting_is_refused() -> None:
    with pytest.raises(SettingError):
        BENCHMARK.run(CONTENT.items[0], 0, "default")


# --- packs and files


def test_pack_contains_the_runs_of_both_settings() -> None:
    settings = [run.setting for run in all_runs(BENCHMARK, CONTENT)]
    assert settings == ["few-shot"] * 720 + ["zero-shot"] * 720


def test_pack_claims_neither_the_paper_s_size_nor_its_licence() -> None:
    described = json.dumps(describe_pack(BENCHMARK, CONTENT)) + BENCHMARK.summary
    assert "3,872" not in described
    assert "NC" not in described
    assert '"licence": "CC-BY-4.0 (questions and recordings by Earshot)"' in described
    assert "not the paper's data" in described
    assert "3,872" in PAPER.summary


def test_example_file_is_valid_and_scored() -> None:
    data = "".join(json.dumps(row) + "\n" for row in example_predictions(CONTENT)).encode()
    known = catalogue_of(BENCHMARK, KEY, "few-shot")
    report = BENCHMARK.score(KEY, read_checked_predictions(io.BytesIO(data), known))
    assert (report.expected, report.missing, report.unreadable) == (720, 0, 0)
    assert report.scores["overall"]["overall"].value is not None


def test_file_with_a_wrong_number_of_verdicts_is_refused() -> None:
    row = json.dumps({"id": CONTENT.items[0].id, "erroneous": [True]}).encode()
    known = catalogue_of(BENCHMARK, KEY, "few-shot")
    validation = validate_predictions(io.BytesIO(row), known, allow_missing=True)
    assert not validation.ok
    assert validation.problems[0].id == CONTENT.items[0].id


# --- the board


@pytest.mark.parametrize("benchmark", [BENCHMARK, PAPER], ids=lambda benchmark: benchmark.version)
def test_columns_are_unique_and_use_known_metrics(benchmark: AudioProcessBench) -> None:
    columns = benchmark.columns
    assert columns[0] == benchmark.headline
    assert len({column.key for column in columns}) == len(columns)
    metrics = {metric.id for metric in benchmark.metrics}
    assert {column.metric for column in columns} == metrics


def test_columns_of_the_synthetic_set_are_the_scores_it_computes() -> None:
    predictions = [Prediction(item.id, 0, None, erroneous=(True,) * (item.n_steps or 0)) for item in CONTENT.items]
    report = BENCHMARK.score(KEY, predictions)
    scored = {f"{name}|{metric}" for name, metric, _ in report.list_scores()}
    # Only generators of traces have the first; the others compare two rows of a board, and practice with test.
    not_computed = {"generation|accuracy", "overall|few_shot_gap", "overall|practice_gap"}
    assert scored | not_computed == {column.key for column in BENCHMARK.columns}
    assert not scored & not_computed


def test_columns_of_the_paper_contain_every_printed_score_and_generator() -> None:
    published = read_published(ASSETS / "published" / "audio-process-bench.json")
    printed = {f"{score.slice}|{score.metric}" for row in published.rows for score in row.scores}
    keys = {column.key for column in PAPER.columns}
    assert printed <= keys
    # FEI, AEI, and recall of six types of errors.
    assert sum(key.startswith("generator/") for key in keys) == 8 * len(GENERATORS)
    assert "generator/qwen2.5-omni-7b|aei" in keys


def test_chance_of_the_paper_is_near_its_random_baseline() -> None:
    published = read_published(ASSETS / "published" / "audio-process-bench.json")
    (random,) = (row for row in published.rows if row.source == "random" and row.setting == "few-shot")
    for score in (entry for entry in random.scores if entry.metric != "few_shot_gap"):
        assert PAPER.chance[f"{score.slice}|{score.metric}"] == pytest.approx(score.value, abs=0.015)


def test_chance_of_a_mean_is_the_mean_of_its_parts() -> None:
    chance = PAPER.chance
    paradigms = ("step|overall", "type|prmscore", "chain|overall")
    assert chance["overall|overall"] == fmean([chance[name] for name in paradigms])
    assert chance["step|overall"] == fmean([chance["step|fei"], chance["step|aei"]])
    assert chance["chain|overall"] == fmean([chance["chain|bon"], chance["chain|mv"]])


def test_chance_of_the_synthetic_set_is_the_mean_score_of_random_answers() -> None:
    key = BENCHMARK.make_key("test", "some seed")
    content = BENCHMARK.content(key)
    drawn = defaultdict(list)
    for seed in range(25):
        rows: Any = example_predictions(content, f"draw {seed}")
        report = BENCHMARK.score(
            key, [Prediction(row["id"], 0, None, erroneous=tuple(row["erroneous"])) for row in rows]
        )
        for name, metric, score in report.list_scores():
            if score.value is not None:
                drawn[f"{name}|{metric}"].append(score.value)
    # FEI of one generator or source has so few traces that no chance is declared for it.
    undeclared = {
        column for column in drawn if column.startswith(("generator/", "source/")) and column.endswith("|fei")
    }
    assert undeclared <= drawn.keys() - BENCHMARK.chance.keys()
    # One split may have steps at the last positions, or of their error types, where the other has none.
    assert all(column.startswith("position/") for column in drawn.keys() - BENCHMARK.chance.keys() - undeclared)
    assert all(column.startswith("position/") for column in BENCHMARK.chance.keys() - drawn.keys())
    declared = {name: chance for name, chance in BENCHMARK.chance.items() if name in drawn}
    # One type at one position may have a single step.
    for column, chance in (
        (name, value) for name, value in declared.items() if not re.match("position/.*/type/", name)
    ):
        # The splits also differ in their traces, which changes scores of few steps.
        assert chance == pytest.approx(fmean(drawn[column]), abs=0.06), column
