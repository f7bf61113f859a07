"""The demonstration set of AudioProcessBench, its prompts and packs, and what the board is told."""

import io
import json
import zipfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from process_traces import key_of, trace

from evaluation.answer_keys import TraceLabels, find_key, save_key
from evaluation.audio import decode_wav
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.generators import GENERATORS
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.errors import DataNotHeldError, SettingError
from evaluation.packs import all_runs, example_predictions, write_pack
from evaluation.predictions import catalogue_of, read_checked_predictions, validate_predictions
from evaluation.published import read_published
from evaluation.types import AudioPart, Item, Prediction, TextPart

ASSETS = Path(__file__).parents[3] / "assets"
DEMO = AudioProcessBench("demo")
KEY = DEMO.make_key("practice")
CONTENT = DEMO.content(KEY)
PAPER = AudioProcessBench("1.0")
LABELS = {name: labels for name, labels in KEY.answers.items() if isinstance(labels, TraceLabels)}
SCENES = json.loads((DEMO.demo_dir / "scenes.json").read_text(encoding="utf-8"))


def text_of(item: Item, setting: str) -> str:
    return "\n".join(part.text for part in DEMO.run(item, 0, setting).prompt if isinstance(part, TextPart))


# --- the set


def test_demo_has_enough_of_everything() -> None:
    assert len(KEY.questions) == len(LABELS) == 40
    assert len({question["generator"] for question in KEY.questions}) == 4
    by_question = defaultdict(list)
    for question in KEY.questions:
        by_question[question["question_id"]].append(question["final_answer"] == LABELS[question["id"]].answer)
    assert {len(traces) for traces in by_question.values()} == {4}
    assert len(by_question) == 10
    assert all(any(traces) and not all(traces) for traces in by_question.values()), "something is left to choose"


def test_demo_has_every_error_type_and_traces_without_errors() -> None:
    kinds = [kind for labels in LABELS.values() for kind in labels.error_types]
    assert min(kinds.count(kind) for kind in ERROR_TYPES) >= 5
    assert sum(not any(labels.erroneous) for labels in LABELS.values()) == 10


def test_demo_trace_with_a_wrong_answer_has_an_error() -> None:
    for question in KEY.questions:
        labels = LABELS[question["id"]]
        assert any(labels.erroneous) or question["final_answer"] == labels.answer


def test_demo_is_imported_as_any_folder() -> None:
    imported = DEMO.import_folder(DEMO.demo_dir, "seed")
    assert (imported.deviations, imported.mended) == ((), ())
    assert imported.absent == tuple(sorted(SCENES)), "its sounds are rendered, not kept"


def test_demo_sounds_are_those_of_the_scenes() -> None:
    assert DEMO.sound_paths(KEY) == frozenset(SCENES)
    for clip in CONTENT.clips:
        samples, rate = decode_wav(DEMO.render_clip(KEY, clip))
        assert rate == 16_000
        assert samples.ndim == 2
        assert np.abs(samples).max() > 0
    with pytest.raises(KeyError):
        DEMO.render_clip(KEY, "clip-absent")


@pytest.mark.parametrize("path", SCENES)
def test_demo_scene_ends_after_its_sounds(path: str) -> None:
    scene = SCENES[path]
    assert all(event["at"] + event["seconds"] <= scene["seconds"] for event in scene["events"])


def test_demo_siren_moves_from_left_to_right() -> None:
    (clip,) = {item.clips[0] for item in CONTENT.items if item.id.startswith("siren-way")}
    samples, _ = decode_wav(DEMO.render_clip(KEY, clip))
    loudness = (samples.astype(np.float64) ** 2).reshape(2, -1, 2).sum(axis=1)
    assert loudness[0, 0] > loudness[0, 1]
    assert loudness[1, 1] > loudness[1, 0]


def test_demo_splits_have_the_same_questions_and_other_clips() -> None:
    test_key = DEMO.make_key("test")
    assert test_key.answers == KEY.answers
    assert not set(DEMO.content(test_key).clips) & set(CONTENT.clips)


def test_demo_key_survives_its_file(tmp_path: Path) -> None:
    key = DEMO.make_key("test")
    assert save_key(tmp_path, key) == find_key(tmp_path, DEMO.id, "demo", "test") == key


def test_paper_version_has_no_practice_split() -> None:
    with pytest.raises(DataNotHeldError):
        PAPER.make_key("practice")


# --- items and prompts


def test_item_tells_neither_answer_nor_labels_nor_generator() -> None:
    for item, question in zip(CONTENT.items, KEY.questions, strict=True):
        assert item.answer_format == "steps"
        assert item.n_steps == len(question["steps"])
        assert question["generator"] not in repr(item)
        assert not {"erroneous", "generator", "final_answer"} & set(item.context)


@pytest.mark.parametrize("setting", DEMO.settings)
def test_prompt_holds_audio_question_options_and_numbered_steps(setting: str) -> None:
    item, question = CONTENT.items[0], KEY.questions[0]
    parts = DEMO.run(item, 0, setting).prompt
    assert [part.clip for part in parts if isinstance(part, AudioPart)] == list(item.clips)
    assert isinstance(parts[-1], TextPart)
    task = parts[-1].text
    assert question["question"] in task
    for letter, option in zip("ABCD", question["options"], strict=True):
        assert f"\n{letter}. {option}\n" in task
    for number, step in enumerate(question["steps"], start=1):
        assert f"\n{number}. {step}\n" in task
    assert f"JSON list of {item.n_steps} values" in task


def test_few_shot_adds_two_examples_and_nothing_else() -> None:
    few, zero = (DEMO.run(CONTENT.items[0], 0, setting).prompt for setting in ("few-shot", "zero-shot"))
    assert few[1:] == zero
    assert isinstance(few[0], TextPart)
    assert few[0].text.count("\nAnswer: [") == 2
    assert "{" not in few[0].text


def test_prompt_of_a_step_of_several_lines_keeps_one_line_a_step() -> None:
    row: dict[str, Any] = trace("..") | {"steps": ["One\n2. two {x}", "Three"], "question": "Is it {n_steps}?"}
    key = key_of([row])
    (item,) = PAPER.content(key).items
    task = PAPER.run(item, 0, "zero-shot").prompt[-1]
    assert isinstance(task, TextPart)
    assert "\n1. One 2. two {x}\n2. Three\n" in task.text
    assert "Is it {n_steps}?" in task.text


def test_run_under_another_setting_is_refused() -> None:
    with pytest.raises(SettingError):
        DEMO.run(CONTENT.items[0], 0, "default")


# --- packs and files


def test_pack_holds_both_settings_and_all_sounds(tmp_path: Path) -> None:
    write_pack(DEMO, DEMO.make_key("test"), tmp_path / "pack.zip")
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        questions = [json.loads(line) for line in archive.read("questions.jsonl").decode().splitlines()]
        sounds = {name for name in archive.namelist() if name.startswith("audio/")}
    assert [row["setting"] for row in questions] == ["few-shot"] * 40 + ["zero-shot"] * 40
    assert {part["path"] for row in questions for part in row["prompt"] if part["type"] == "audio"} == sounds
    assert len(sounds) == 10
    assert sum(1 for _ in all_runs(DEMO, CONTENT)) == 80


def test_pack_claims_neither_the_paper_s_size_nor_its_licence(tmp_path: Path) -> None:
    write_pack(DEMO, DEMO.make_key("test"), tmp_path / "pack.zip")
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        told = archive.read("README.md").decode() + archive.read("pack.json").decode()
    assert "3,872" not in told
    assert "NC" not in told
    assert "Licence: CC-BY-4.0, Earshot's own questions and sounds." in told
    assert "3,872" in AudioProcessBench("1.0").summary


def test_example_file_is_valid_and_scored() -> None:
    data = "".join(json.dumps(row) + "\n" for row in example_predictions(CONTENT)).encode()
    known = catalogue_of(DEMO, KEY, "few-shot")
    report = DEMO.score(KEY, read_checked_predictions(io.BytesIO(data), known))
    assert (report.expected, report.missing, report.unreadable) == (40, 0, 0)
    assert report.scores["overall"]["overall"].value is not None


def test_verdicts_of_another_length_are_a_rejected_file() -> None:
    row = json.dumps({"id": CONTENT.items[0].id, "erroneous": [True]}).encode()
    known = catalogue_of(DEMO, KEY, "few-shot")
    validation = validate_predictions(io.BytesIO(row), known, allow_missing=True)
    assert not validation.ok
    assert validation.problems[0].id == CONTENT.items[0].id


# --- the board


@pytest.mark.parametrize("benchmark", [DEMO, PAPER], ids=lambda benchmark: benchmark.version)
def test_columns_are_unique_figures_of_known_metrics(benchmark: AudioProcessBench) -> None:
    columns = benchmark.columns
    assert columns[0] == benchmark.headline
    assert len({column.key for column in columns}) == len(columns)
    metrics = {metric.id for metric in benchmark.metrics}
    assert {column.metric for column in columns} == metrics


def test_columns_of_the_demo_are_the_figures_it_scores() -> None:
    predictions = [Prediction(item.id, 0, None, erroneous=(True,) * (item.n_steps or 0)) for item in CONTENT.items]
    report = DEMO.score(KEY, predictions)
    assert {f"{name}|{metric}" for name, metric, _ in report.figures()} == {column.key for column in DEMO.columns}


def test_columns_of_the_paper_hold_everything_it_prints_and_its_generators() -> None:
    published = read_published(ASSETS / "published" / "audio-process-bench.json")
    printed = {f"{score.slice}|{score.metric}" for row in published.rows for score in row.scores}
    keys = {column.key for column in PAPER.columns}
    assert printed <= keys
    assert sum(key.startswith("generator/") for key in keys) == 2 * len(GENERATORS)
    assert "generator/qwen2.5-omni-7b|aei" in keys


def test_chance_of_the_paper_is_near_its_random_row() -> None:
    published = read_published(ASSETS / "published" / "audio-process-bench.json")
    (random,) = (row for row in published.rows if row.source == "random" and row.setting == "few-shot")
    for score in random.scores:
        assert PAPER.chance[f"{score.slice}|{score.metric}"] == pytest.approx(score.value, abs=0.015)


def test_chance_figures_keep_the_identities_of_their_means() -> None:
    chance = PAPER.chance
    paradigms = ("step|overall", "type|prmscore", "chain|overall")
    assert chance["overall|overall"] == fmean([chance[name] for name in paradigms])
    assert chance["step|overall"] == fmean([chance["step|fei"], chance["step|aei"]])
    assert chance["chain|overall"] == fmean([chance["chain|bon"], chance["chain|mv"]])


def test_chance_of_the_demo_is_what_example_files_score_on_average() -> None:
    drawn = defaultdict(list)
    for seed in range(150):
        rows: Any = example_predictions(CONTENT, f"draw {seed}")
        report = DEMO.score(KEY, [Prediction(row["id"], 0, None, erroneous=tuple(row["erroneous"])) for row in rows])
        for name, metric, score in report.figures():
            if score.value is not None:
                drawn[f"{name}|{metric}"].append(score.value)
    assert DEMO.chance.keys() == drawn.keys()
    for figure, found in drawn.items():
        error = np.std(found) * np.sqrt(1 / len(found) + 1 / 200)  # of both means, each over its own draws
        assert DEMO.chance[figure] == pytest.approx(fmean(found), abs=4.5 * error + 1e-9), figure
