"""Commands on the Submit tab run literally as the page of a running server shows them.

Only the model's address is replaced, by that of a model on a free port, because port 8000 may be taken.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.answer_keys import find_key
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from leaderboard.pages.submit.ways.command_texts import BASE_URL
from submissions.model_runs.task_exports.__main__ import main as export_main
from tests.support.documents.blocks import ROOT
from tests.support.editions.edition_renderer import render_editions
from tests.support.endpoints.misbehaving import ScriptedServer, run_server
from tests.support.endpoints.model_runs import N_CHECKS, Run, make_run, say
from tests.support.pages.shown_commands import SubmitTabEvents, find_commands
from tests.support.samples.run_packs import write_run_pack
from tests.support.servers.commands import run_in_process
from tests.support.servers.server import Server, clean_environment

PRACTISED = [benchmark for benchmark in all_benchmarks() if "practice" in benchmark.splits]
# Thousands of questions, which only the soak asks.
LARGE = ("audio-motion-bench 1.0", "star-bench 1.0")


def name_version(benchmark: Benchmark) -> str:
    return f"{benchmark.id} {benchmark.version}"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a shown command in this process, in an empty folder."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LOGNAME", "paz")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    return make_run(tmp_path / "cache", capsys)


def read_words(command: str, served: ScriptedServer, *more: str) -> list[str]:
    """Return the arguments of a shown command, for the address of a model."""
    words = split_command(command, "run")
    assert words.count(BASE_URL) == 1
    return [*(served.url if word == BASE_URL else word for word in words), *more]


def split_command(command: str, name: str) -> list[str]:
    """Return the arguments of a shown command as a shell reads them."""
    words = shlex.split(command)
    assert words[:4] == ["python", "-m", "submissions", name]
    return words[4:]


@pytest.fixture(scope="module")
def tab(server: Server) -> SubmitTabEvents:
    return SubmitTabEvents(server)


@pytest.fixture
def packs(server: Server) -> Iterator[Path]:
    """Folder of the server's packs, which an evaluator would render; it renders editions meanwhile."""
    folder = server.data_dir / "packs"
    before = set(folder.glob("*.zip"))
    with render_editions(server):
        yield folder
    for pack in set(folder.glob("*.zip")) - before:
        pack.unlink()


def write_packs(server: Server, folder: Path, benchmark: Benchmark) -> None:
    write_run_pack(folder, benchmark)
    if not benchmark.has_editions:
        write_run_pack(folder, benchmark, find_key(server.keys_dir, benchmark.id, benchmark.version, "test"))


@pytest.mark.parametrize("benchmark", PRACTISED, ids=name_version)
def test_commands_for_a_model_with_an_api_lead_from_a_trial_to_a_score(
    server: Server, tab: SubmitTabEvents, run: Run, packs: Path, benchmark: Benchmark, *, soak: bool
) -> None:
    trial, practice, submit = find_commands(tab.choose_benchmark(benchmark)["run-steps"])
    assert all(command.endswith(f" --url {server.url}") for command in (trial, practice, submit))
    write_packs(server, packs, benchmark)
    is_asked = soak or name_version(benchmark) not in LARGE
    answer = '{"steps": [0, 1]}' if benchmark.id == "audio-process-bench" else "A"
    with run_server(say(answer)) as served:
        done = run(*read_words(trial, served))
        assert (done.code, "This was a trial." in done.err) == (0, True), done.err
        assert len(served.asked) == N_CHECKS + 20
        if not is_asked:
            for command in (practice, submit):
                done = run(*read_words(command, served, "--dry-run"))
                assert (done.code, len(served.asked)) == (0, N_CHECKS + 20), done.err
            return
        done = run(*read_words(practice, served))
        assert (done.code, "20 of " in done.err) == (0, True), done.err
        assert re.search(r"(\d[\d,]*) of \1 answers", done.out), done.out
        done = run(*read_words(submit, served))
    # Open answers wait for a judge, which this server does not have.
    state = "awaiting-judge" if benchmark.id == "mdar" else "scored"
    assert re.search(rf"^s-\S+  {state}", done.out, re.MULTILINE), done.out + done.err


def test_shown_command_works_in_a_shell(server: Server, tab: SubmitTabEvents, packs: Path, tmp_path: Path) -> None:
    benchmark = get_benchmark("mdar", "demo")
    command = find_commands(tab.choose_benchmark(benchmark)["run-steps"])[0]
    write_packs(server, packs, benchmark)
    paths = {"PATH": f"{Path(sys.executable).parent}:{os.defpath}", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with run_server(say("A")) as served:
        done = subprocess.run(
            ["bash", "-euc", command.replace(BASE_URL, served.url)],
            cwd=tmp_path,
            env=clean_environment() | paths,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert (done.returncode, len(served.asked)) == (0, N_CHECKS + 20), done.stderr


def test_commands_of_the_first_view_are_those_of_the_first_benchmark(tab: SubmitTabEvents) -> None:
    shown = tab.list_commands_at_load("run-steps")
    assert len(shown) == 3
    assert shown == find_commands(tab.choose_benchmark(all_benchmarks()[0])["run-steps"])


@pytest.mark.parametrize("benchmark", PRACTISED, ids=name_version)
def test_commands_for_other_settings_have_questions_with_these_settings(
    server: Server, tab: SubmitTabEvents, run: Run, packs: Path, benchmark: Benchmark
) -> None:
    write_packs(server, packs, benchmark)
    for setting in benchmark.endpoint_settings[1:]:
        steps = tab.choose_setting("asked-setting", benchmark, setting)["run-steps"]
        commands = find_commands(steps)
        assert bool(commands) == ("have no prompts for the setting" not in steps)
        for command in commands:
            assert f" --setting {setting} " in command
            with run_server(say("A")) as served:
                done = run(*read_words(command, served, "--dry-run"))
            assert done.code == 0, done.err


@pytest.mark.parametrize("benchmark", PRACTISED, ids=name_version)
@pytest.mark.usefixtures("run")
def test_commands_for_evaluation_tools_write_tasks_of_both_splits(
    server: Server,
    tab: SubmitTabEvents,
    packs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    benchmark: Benchmark,
    *,
    soak: bool,
) -> None:
    write_packs(server, packs, benchmark)
    commands = find_commands(tab.choose_benchmark(benchmark)["tool-steps"])
    assert [command.count(" --split practice ") for command in commands] == [1, 1, 0, 0]
    for command in commands:
        assert command.endswith(f" --url {server.url}")
        if soak or name_version(benchmark) not in LARGE or " --split practice " in command:
            done = run_in_process(
                capsys,
                lambda given: export_main(given, cache=tmp_path / "cache"),
                tuple(split_command(command, "export-task")),
            )
            assert done.code == 0, done.err
    folders = {folder.name for folder in (tmp_path / "earshot-tasks").iterdir() if (folder / "README.md").is_file()}
    splits = ("practice", "test") if soak or name_version(benchmark) not in LARGE else ("practice",)
    assert folders == {f"{benchmark.id}-{split}-{tool}" for split in splits for tool in ("inspect", "lmms-eval")}


def test_tasks_of_another_setting_have_its_prompts_or_are_not_offered(tab: SubmitTabEvents) -> None:
    star, mdar = get_benchmark("star-bench", "demo"), get_benchmark("mdar", "demo")
    commands = find_commands(tab.choose_setting("setting", star, "caption-only")["tool-steps"])
    assert [" --setting caption-only " in command for command in commands] == [True] * 4
    assert find_commands(tab.choose_setting("setting", mdar, "cascaded")["tool-steps"]) == []
