"""Commands that the Submit tab shows for a version, a setting and a server."""

import shlex

import pytest

from evaluation.benchmarks import get_benchmark
from leaderboard.pages.submit.ways.command_texts import list_run_steps, list_task_commands, write_command
from leaderboard.pages.submit.ways.markup import render_next_headings, render_run_steps, render_tool_steps
from tests.support.pages.shown_commands import find_commands

URL = "https://earshot.example"


def list_commands(name: str, version: str, setting: str, held: list[str] | None = None) -> list[str]:
    return [step.command for step in list_run_steps(get_benchmark(name, version), setting, URL, held)]


def test_steps_are_a_trial_practice_and_submission() -> None:
    start = "python -m submissions run --benchmark mdar --version demo"
    model = "--base-url http://localhost:8000/v1 --model my-model"
    assert list_commands("mdar", "demo", "default") == [
        f"{start} {model} --limit 20 --url {URL}",
        f"{start} {model} --url {URL}",
        f"{start} {model} --submit --url {URL}",
    ]
    other = list_commands("star-bench", "demo", "global-caption")
    assert len(other) == 3
    assert all(" --version demo --setting global-caption --base-url " in command for command in other)


@pytest.mark.parametrize(
    ("target", "held", "n_steps"),
    [
        (("mdar", "demo", "noise"), None, 0),  # packs have no prompts for it
        (("audio-process-bench", "1.0", "few-shot"), None, 1),  # no practice questions
        (("star-bench", "1.0", "pseudo-stereo"), ["perception"], 3),
        (("star-bench", "1.0", "channel-wise"), ["perception"], 0),  # its part is not installed
        (("star-bench", "1.0", "channel-wise"), ["perception", "spatial"], 1),
    ],
)
def test_only_questions_that_exist_are_asked(
    target: tuple[str, str, str], held: list[str] | None, n_steps: int
) -> None:
    assert len(list_commands(*target, held)) == n_steps


def test_values_are_quoted_for_a_shell() -> None:
    command = write_command("run", [("model", "a b; rm -rf ~ $(x)"), ("submit", None)], "")
    assert shlex.split(command) == ["python", "-m", "submissions", "run", "--model", "a b; rm -rf ~ $(x)", "--submit"]


@pytest.mark.parametrize("has_local_sign_in", [True, False])
def test_markup_shows_the_commands_unchanged_and_when_a_token_is_needed(*, has_local_sign_in: bool) -> None:
    benchmark = get_benchmark("audio-motion-bench")
    markup = render_run_steps(benchmark, "default", URL, has_local_sign_in=has_local_sign_in)
    assert find_commands(markup) == list_commands(benchmark.id, benchmark.version, "default")
    assert ("EARSHOT_TOKEN" in markup) == (not has_local_sign_in)
    refused = render_run_steps(get_benchmark("mdar", "demo"), "noise", URL, has_local_sign_in=has_local_sign_in)
    assert find_commands(refused) == []
    assert "MDAR demo have no prompts for the setting “noise”" in refused


def test_tasks_of_each_split_are_written_for_each_tool() -> None:
    benchmark = get_benchmark("star-bench", "demo")
    markup = render_tool_steps(benchmark, "caption-only", URL, has_local_sign_in=True)
    target = "--benchmark star-bench --version demo --setting caption-only"
    assert find_commands(markup) == [
        f"python -m submissions export-task --for {tool} {target} --split {split} --url {URL}"
        for split in ("practice", "test")
        for tool in ("inspect", "lmms-eval")
    ]
    assert list_task_commands(get_benchmark("audio-process-bench", "1.0"), "few-shot", "practice", URL) == []


def test_log_of_a_setting_without_prompts_is_made_from_the_pack() -> None:
    markup = render_tool_steps(get_benchmark("mdar", "demo"), "cascaded", URL, has_local_sign_in=True)
    assert find_commands(markup) == []
    assert "Use our questions." in markup
    assert "Upload its log" in markup


def test_visitor_without_an_account_is_told_how_to_register_an_endpoint() -> None:
    assert "Sign in to register an endpoint." in render_next_headings(can_submit=False)
    assert "Sign in" not in render_next_headings(can_submit=True)
