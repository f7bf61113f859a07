"""`python -m submissions export-task`: the folders that it writes, and logs that tools wrote when they ran them."""

import ast
import base64
import importlib.util
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import soundfile
import yaml

from evaluation import read_predictions
from submissions.model_runs.score_tables import score_practice
from submissions.model_runs.task_exports.__main__ import main
from submissions.model_runs.task_exports.export_options import INSPECT, LMMS_EVAL, TOOLS
from tests.support.documents.blocks import ROOT
from tests.support.endpoints.misbehaving import run_server
from tests.support.endpoints.model_runs import Run, make_run
from tests.support.samples.run_packs import DEMO, N_QUESTIONS, write_run_pack
from tests.support.samples.task_recording import (
    DIGESTS,
    RECORDED,
    RecordedTask,
    answer_by_request,
    read_run_command,
    read_task_digest,
)
from tests.support.servers.commands import CommandResult, run_in_process

STAR, MOTION = RECORDED
Export = Callable[..., CommandResult]
Edit = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run_pack(tmp_path_factory.mktemp("cache")).parent


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("packs")
    return {task.name: task.write_pack(folder) for task in RECORDED}


@pytest.fixture
def export(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Export:
    """Run the command in an empty folder."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run_in_process(capsys, lambda given: main(given, cache=cache), arguments)


@pytest.fixture
def run(cache: Path, export: Export, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_run(cache, capsys)


def choose(task: RecordedTask, packs: dict[str, Path], tool: str, *more: object) -> tuple[object, ...]:
    return ("--for", tool, *task.options, "--pack", packs[task.name], "--out", "task", *more)


def edit_pack(source: Path, target: Path, name: str, edit: Edit) -> Path:
    """Copy a pack with other lines in one of its files."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry == name:
                rows = [json.loads(line) for line in data.splitlines()]
                for row in rows:
                    edit(row)
                data = "".join(json.dumps(row) + "\n" for row in rows).encode()
            new.writestr(entry, data)
    return target


def read_questions(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


def load_functions(folder: Path) -> ModuleType:
    """Import `utils.py` by its path, as lmms-eval does."""
    spec = importlib.util.spec_from_file_location("exported_utils", folder / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TaskLoader(yaml.SafeLoader):
    """Reads `!function utils.name` as that name."""


TaskLoader.add_constructor("!function", lambda _loader, node: str(node.value))


def read_answers(file: Path, task: RecordedTask) -> set[tuple[str, int, str | None]]:
    return {(row.id, row.run, row.response) for row in read_predictions(file, task.benchmark)}


@pytest.mark.parametrize("task", RECORDED, ids=lambda task: task.name)
@pytest.mark.parametrize("tool", TOOLS)
def test_logs_of_the_tools_have_the_answers_and_scores_of_a_run(
    task: RecordedTask, tool: str, packs: dict[str, Path], export: Export, run: Run
) -> None:
    """The model answers by everything that it is sent, so equal answers show equal prompts, sounds and seeds."""
    log = task.find_log(tool)
    done = export(*choose(task, packs, tool))
    assert done.code == 0, done.err
    again = "Record the logs again with `python -m tests.support.samples.task_recording`"
    assert read_task_digest(Path("task")) == json.loads(DIGESTS.read_text())[log.name], again

    runs = ("--runs", "1") if tool == LMMS_EVAL and task.benchmark.runs_are_seeds else ()
    with run_server(answer_by_request) as served:
        model = ("--base-url", served.url, "--model", "m", "--out", "out", "--allow-missing")
        asked = run(*task.options, "--pack", packs[task.name], *model, *runs)
    assert asked.code == 0, asked.err
    predictions = Path("out/practice/predictions.jsonl")
    answers = read_answers(log, task)
    assert answers == read_answers(predictions, task)
    assert len(answers) == len(read_questions(Path("task")))
    assert len({text for _item, _run, text in answers}) >= len(task.items), "answers differ, or nothing is shown"

    of_log, of_run = (
        score_practice(file, task.benchmark, "default", allow_missing=True) for file in (log, predictions)
    )
    assert of_log.scores == of_run.scores
    assert of_log.unreadable == 0


@pytest.mark.parametrize("tool", TOOLS)
def test_folder_has_the_prompts_and_clips_of_the_pack(tool: str, packs: dict[str, Path], export: Export) -> None:
    done = export(*choose(STAR, packs, tool))
    assert (done.code, done.out) == (0, "10 questions: task\n"), done.err
    with zipfile.ZipFile(packs[STAR.name]) as pack:
        lines = [json.loads(line) for line in pack.read("questions.jsonl").splitlines()]
        of_setting = [line for line in lines if line["setting"] == "default"]
        assert {line["id"]: line["prompt"] for line in read_questions(Path("task"))} == {
            f"{line['id']}#{line['run']}": line["prompt"] for line in of_setting
        }
        paths = {part["path"] for line in of_setting for part in line["prompt"] if part["type"] == "audio"}
        assert {str(path.relative_to("task")) for path in Path("task/audio").iterdir()} == paths
        assert all(Path("task", path).read_bytes() == pack.read(path) for path in paths)


def test_seeds_are_sent_where_runs_are_seeds(packs: dict[str, Path], export: Export) -> None:
    assert export(*choose(MOTION, packs, INSPECT)).code == 0
    questions = read_questions(Path("task"))
    assert len(questions) == 9
    assert all(question["id"].endswith(f"#{question['seed']}") for question in questions)
    assert export(*choose(MOTION, packs, INSPECT, "--runs", "2")).code == 0
    assert {question["seed"] for question in read_questions(Path("task"))} == {0, 1}


def test_lmms_eval_gets_one_run_where_runs_are_seeds(packs: dict[str, Path], export: Export) -> None:
    refused = export(*choose(MOTION, packs, LMMS_EVAL, "--runs", "2"))
    assert (refused.code, "lmms-eval sends all questions with one seed" in refused.err) == (1, True)
    assert export(*choose(MOTION, packs, LMMS_EVAL)).code == 0
    assert {question["seed"] for question in read_questions(Path("task"))} == {0}
    task = yaml.load(Path("task/earshot_audio_motion_bench_practice.yaml").read_text(), TaskLoader)  # noqa: S506
    assert task["generation_kwargs"]["seed"] == 0


@pytest.mark.parametrize("tool", TOOLS)
def test_exported_code_is_tidy(tool: str, packs: dict[str, Path], export: Export) -> None:
    assert export(*choose(STAR, packs, tool, "--setting", "pseudo-stereo")).code == 0
    (code,) = Path("task").glob("*.py")
    ruff = [sys.executable, "-m", "ruff", "--config", str(ROOT / "pyproject.toml")]
    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        done = subprocess.run([*ruff[:3], *command, *ruff[3:], str(code)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_module_for_inspect_defines_one_task(packs: dict[str, Path], export: Export) -> None:
    assert export(*choose(STAR, packs, INSPECT)).code == 0
    tree = ast.parse(Path("task/earshot_task.py").read_text())
    tasks = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(mark) == "task" for mark in node.decorator_list)
    ]
    assert tasks == ["earshot_star_bench_practice"]


def test_functions_for_lmms_eval_return_the_clips_in_each_form(packs: dict[str, Path], export: Export) -> None:
    assert export(*choose(STAR, packs, LMMS_EVAL)).code == 0
    task = yaml.load(Path("task/earshot_star_bench_practice.yaml").read_text(), TaskLoader)  # noqa: S506
    assert task["task"] == "earshot_star_bench_practice"
    functions = load_functions(Path("task"))
    named = {value.removeprefix("utils.") for value in task.values() if str(value).startswith("utils.")}
    assert len(named) == 5
    assert all(callable(getattr(functions, name)) for name in named)

    forms = task["lmms_eval_specific_kwargs"]
    question = next(line for line in read_questions(Path("task")) if line["id"] == "demo_OSM_1#0")
    assert functions.doc_to_target(question) == "demo_OSM_1#0"
    texts = [part["text"] for part in question["prompt"] if part["type"] == "text"]
    assert functions.doc_to_text(question, forms["default"]) == "\n".join(texts)
    paths = [Path("task", part["path"]) for part in question["prompt"] if part["type"] == "audio"]

    (message,) = functions.doc_to_messages(question, forms["openai"])
    assert [part["type"] for part in message["content"]] == [part["type"] for part in question["prompt"]]
    urls = [part["url"] for part in message["content"] if part["type"] == "audio"]
    assert [base64.b64decode(url.removeprefix("data:audio/wav;base64,")) for url in urls] == [
        path.read_bytes() for path in paths
    ]
    (message,) = functions.doc_to_messages(question, forms["qwen2_5_omni"])
    assert [Path(part["url"]) for part in message["content"] if part["type"] == "audio"] == [
        path.resolve() for path in paths
    ]
    for options, mix in ((forms["default"], np.transpose), (forms["qwen2_audio"], lambda array: array.mean(axis=1))):
        arrays = functions.doc_to_visual(question, options)
        assert len(arrays) == len(paths) == 3
        for path, clip in zip(paths, arrays, strict=True):
            samples, rate = soundfile.read(path, dtype="float32")
            assert clip["sampling_rate"] == rate
            np.testing.assert_array_equal(clip["array"], mix(samples))
    assert [functions.process_results(question, [text]) for text in ("(A)", "")] == [
        {"answered": 1.0},
        {"answered": 0.0},
    ]


def test_readme_has_the_commands_of_tool_and_server(packs: dict[str, Path], export: Export) -> None:
    for tool, start in ((INSPECT, "inspect eval earshot_task.py "), (LMMS_EVAL, "python -m lmms_eval ")):
        out = Path(tool)
        assert export(*choose(STAR, packs, tool, "--setting", "pseudo-stereo", "--out", out)).code == 0
        assert start in read_run_command(out, "http://127.0.0.1:1/v1")
        text = (out / "README.md").read_text()
        score = "--benchmark star-bench --version demo --setting pseudo-stereo --split practice"
        assert f"python -m evaluation score {'logs' if tool == INSPECT else 'results'}/FILE" in text
        assert score in text
        assert "python -m submissions submit" not in text, "practice answers are no submission"


def test_task_of_an_edition_states_it(packs: dict[str, Path], export: Export, tmp_path: Path) -> None:
    def make_edition(info: dict[str, Any]) -> None:
        info |= {"split": "test", "edition": "e-7f3kq9x2"}

    edition = edit_pack(packs[MOTION.name], tmp_path / "edition.zip", "pack.json", make_edition)
    chosen = ("--for", INSPECT, *MOTION.options, "--pack", edition, "--split", "test", "--out", "task")
    assert export(*chosen).code == 0
    text = Path("task/README.md").read_text()
    assert text.count("e-7f3kq9x2") == 2
    where = "logs/FILE.eval --benchmark audio-motion-bench --version 1.0"
    assert f"python -m submissions validate {where}\n" in text
    assert f'python -m submissions submit {where} --model "My model" --wait\n' in text
    assert json.loads(Path("task/export.json").read_text())["edition"] == "e-7f3kq9x2"
    other = edit_pack(edition, tmp_path / "other.zip", "pack.json", lambda info: info.update(edition="e-00000000"))
    refused = export(*chosen[:-1], "task", "--pack", other)
    assert refused.code == 1
    assert "has a task with the edition `e-7f3kq9x2`, not `e-00000000`" in refused.err
    odd = edit_pack(edition, tmp_path / "odd.zip", "pack.json", lambda info: info.update(edition="x`\n# y"))
    assert "has a name that cannot be exported" in export(*chosen[:-1], "odd", "--pack", odd).err


def test_practice_pack_is_exported_to_the_usual_folder_and_again(export: Export) -> None:
    done = export("--for", INSPECT, "--benchmark", "mdar")
    assert (done.code, done.out) == (0, f"{N_QUESTIONS} questions: earshot-tasks/mdar-practice-inspect\n"), done.err
    folder = Path("earshot-tasks/mdar-practice-inspect")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    log = folder / "logs" / "mine.eval"
    log.parent.mkdir()
    log.write_text("kept")
    (folder / "earshot_task.py").write_text("changed")
    (folder / "README.md").unlink()
    assert export("--for", INSPECT, "--benchmark", DEMO.id, "--version", DEMO.version).code == 0
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == {**before, log: b"kept"}


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    yield folder
    assert [path.name for path in folder.iterdir() if path.name != "export.json"] == ["thesis.tex"]


@pytest.mark.parametrize("manifest", [None, "{}"])
def test_other_folders_are_not_written_to(
    manifest: str | None, foreign: Path, packs: dict[str, Path], export: Export
) -> None:
    if manifest is not None:
        (foreign / "export.json").write_text(manifest)
    refused = export(*choose(STAR, packs, INSPECT))
    assert (refused.code, "task is not empty, and is no exported task" in refused.err) == (1, True)


def test_tasks_of_another_tool_or_setting_are_not_written_over(packs: dict[str, Path], export: Export) -> None:
    assert export(*choose(STAR, packs, INSPECT)).code == 0
    for arguments, message in (
        (choose(STAR, packs, LMMS_EVAL), "has a task with the tool `inspect`, not `lmms-eval`"),
        (choose(STAR, packs, INSPECT, "--setting", "pseudo-stereo"), "with the setting `default`, not `pseudo-stereo`"),
        (choose(MOTION, packs, INSPECT), "has a task with the benchmark `star-bench`, not `audio-motion-bench`"),
    ):
        refused = export(*arguments)
        assert (refused.code, message in refused.err) == (1, True), refused.err


def test_names_in_a_pack_never_leave_the_folder(packs: dict[str, Path], export: Export, tmp_path: Path) -> None:
    def rename(question: dict[str, Any]) -> None:
        for part in question["prompt"]:
            if part["type"] == "audio":
                part["path"] = "audio/../../escaped.wav"

    for number, (edit, message) in enumerate(
        (
            (rename, "has a name that cannot be exported: '../../escaped'"),
            (lambda question: question.update(id="two words"), "has a name that cannot be exported: 'two words'"),
        )
    ):
        pack = edit_pack(packs[STAR.name], tmp_path / f"{number}.zip", "questions.jsonl", edit)
        refused = export("--for", INSPECT, *STAR.options, "--pack", pack, "--out", "task")
        assert (refused.code, message in refused.err) == (1, True), refused.err
        assert [*Path("task").iterdir()] == []


def test_options_that_contradict_each_other_are_refused(packs: dict[str, Path], export: Export) -> None:
    for more, code, message in (
        (("--edition", "e-7f3kq9x2"), 2, "--pack and --edition exclude each other."),
        (("--runs", "1"), 1, "All runs of STAR-Bench must be answered. Leave out --runs."),
        (("--setting", "loud"), 2, "loud"),
    ):
        refused = export(*choose(STAR, packs, INSPECT, *more))
        assert (refused.code, message in refused.err) == (code, True), refused.err
    late = export("--for", INSPECT, "--benchmark", "mdar", "--split", "practice", "--edition", "e-7f3kq9x2")
    assert (late.code, "--edition has test questions." in late.err) == (2, True)
