"""Commands that the Submit tab shows, filled in for a benchmark version, a setting and this server."""

import shlex
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from evaluation.benchmarks import Benchmark
from evaluation.packs import all_runs

# Placeholders, which users replace by their own.
BASE_URL = "http://localhost:8000/v1"
MODEL = "my-model"
_N_TRIAL = 20
# Evaluation tools, as `export-task --for` and as people name them.
_TOOLS = {"inspect": "inspect_ai", "lmms-eval": "lmms-eval"}
_PROGRAM = ("python", "-m", "submissions")


class CommandStep(NamedTuple):
    """A step with a command.

    Attributes:
        title: What the user does.
        command: The command, on one line.
        result: What it does.
    """

    title: str
    command: str
    result: str


def write_command(name: str, options: Collection[tuple[str, str | None]], url: str) -> str:
    """Return a command of `python -m submissions` on one line. Every command on the Submit tab is written here.

    Args:
        name: Name of the command.
        options: Options without dashes, each with its value; None for those that take none.
        url: Public address of this server; empty to leave it out.

    >>> write_command("run", [("benchmark", "mdar"), ("submit", None)], "https://earshot.example")
    'python -m submissions run --benchmark mdar --submit --url https://earshot.example'
    """
    words = [*_PROGRAM, name]
    for option, value in (*options, *([("url", url)] if url else [])):
        words += [f"--{option}"] if value is None else [f"--{option}", value]
    return shlex.join(words)


def list_run_steps(
    benchmark: Benchmark, setting: str, url: str, held_parts: Collection[str] | None = None
) -> list[CommandStep]:
    """Return how to ask a model behind an API: a trial, all practice questions, the test questions.

    Args:
        benchmark: Benchmark version.
        setting: Its setting.
        url: Public address of this server.
        held_parts: Parts with installed test questions; None if that is not known yet.

    Returns:
        Steps for which packs have prompts; empty for a setting that needs more than a model behind an API.
    """
    options = [*_list_target_options(benchmark, setting), ("base-url", BASE_URL), ("model", MODEL)]

    def write(*more: tuple[str, str | None]) -> str:
        return write_command("run", [*options, *more], url)

    steps = []
    if has_practice_questions(benchmark, setting):
        trial = f"Asks {_N_TRIAL} practice questions and takes about a minute."
        steps.append(CommandStep("Try it", write(("limit", str(_N_TRIAL))), trial))
        scores = (
            "Asks the remaining practice questions, and prints scores for each task. Earshot learns nothing of them."
        )
        steps.append(CommandStep("Answer the practice questions", write(), scores))
    if _has_test_questions(benchmark, setting, held_parts):
        questions = (
            "gets test questions of your own, asks them" if benchmark.has_editions else "asks the test questions"
        )
        row = f"{questions.capitalize()}, and submits the answers. The score stays private until you publish it."
        steps.append(CommandStep("Submit", write(("submit", None)), row))
    return steps


def list_task_commands(
    benchmark: Benchmark, setting: str, split: str, url: str, held_parts: Collection[str] | None = None
) -> list[CommandStep]:
    """Return how the questions of a split become a task, for each evaluation tool.

    Args:
        benchmark: Benchmark version.
        setting: Its setting.
        split: `practice` or `test`.
        url: Public address of this server.
        held_parts: Parts with installed test questions; None if that is not known yet.

    Returns:
        Commands titled by their tool; empty if packs have no prompts for the setting.
    """
    is_practice = split == "practice"
    if not (
        has_practice_questions(benchmark, setting)
        if is_practice
        else _has_test_questions(benchmark, setting, held_parts)
    ):
        return []
    options = [*_list_target_options(benchmark, setting), ("split", split)]
    return [
        CommandStep(title, write_command("export-task", [("for", tool), *options], url), "")
        for tool, title in _TOOLS.items()
    ]


@lru_cache(maxsize=256)
def has_practice_questions(benchmark: Benchmark, setting: str) -> bool:
    """Tell whether the practice pack of a version has prompts for a setting."""
    if "practice" not in benchmark.splits:
        return False
    if setting == benchmark.settings[0]:
        return True
    content = benchmark.content(benchmark.make_key("practice"))
    return any(run.setting == setting for run in all_runs(benchmark, content))


def _has_test_questions(benchmark: Benchmark, setting: str, held_parts: Collection[str] | None) -> bool:
    if setting not in benchmark.packed_settings and not has_practice_questions(benchmark, setting):
        return False
    return held_parts is None or bool(benchmark.parts_of(setting).intersection(held_parts))


def _list_target_options(benchmark: Benchmark, setting: str) -> list[tuple[str, str | None]]:
    chosen = [("setting", setting)] if setting != benchmark.settings[0] else []
    return [("benchmark", benchmark.id), ("version", benchmark.version), *chosen]
