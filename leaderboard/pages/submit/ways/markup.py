"""Markup of the ways to submit. Pure."""

from collections.abc import Collection
from typing import NamedTuple

from evaluation.benchmarks import Benchmark
from leaderboard.pages.submit.ways.command_texts import BASE_URL, MODEL, list_run_steps, list_task_commands
from leaderboard.rendering.templating import Markup, render_macro

_TEMPLATE = "pages/submit/ways/ways.html"


class SubmitWay(NamedTuple):
    """A way to submit.

    Attributes:
        id: Value of `how` in the address.
        title: What the user has.
        summary: What follows.
    """

    id: str
    title: str
    summary: str


WAYS = (
    SubmitWay("api", "My model has an API", "One command asks the questions and submits. Or Earshot evaluates it."),
    SubmitWay("predictions", "I have predictions", "Upload a file with the model's answers."),
    SubmitWay("tools", "I use lmms-eval or inspect_ai", "Get a task for your tool, and upload its log."),
)
DEFAULT_WAY = "predictions"


def render_ways() -> Markup:
    """Return the choice of a way."""
    return render_macro(_TEMPLATE, "choice", WAYS, DEFAULT_WAY)


def render_run_steps(
    benchmark: Benchmark,
    setting: str,
    url: str,
    held_parts: Collection[str] | None = None,
    *,
    has_local_sign_in: bool,
) -> Markup:
    """Return the commands that ask a model behind an API.

    Args:
        benchmark: Benchmark version.
        setting: Its setting.
        url: Public address of this server.
        held_parts: Parts with installed test questions; None if that is not known yet.
        has_local_sign_in: Whether commands need no token.
    """
    steps = list_run_steps(benchmark, setting, url, held_parts)
    return render_macro(_TEMPLATE, "run_steps", benchmark, setting, steps, BASE_URL, MODEL, has_local_sign_in)


def render_tool_steps(
    benchmark: Benchmark,
    setting: str,
    url: str,
    held_parts: Collection[str] | None = None,
    *,
    has_local_sign_in: bool,
) -> Markup:
    """Return how an evaluation tool asks the questions, and how its log is submitted.

    Args:
        benchmark: Benchmark version.
        setting: Its setting.
        url: Public address of this server.
        held_parts: Parts with installed test questions; None if that is not known yet.
        has_local_sign_in: Whether commands need no token.
    """
    practice, test = (list_task_commands(benchmark, setting, split, url, held_parts) for split in ("practice", "test"))
    return render_macro(_TEMPLATE, "tool_steps", benchmark, practice, test, has_local_sign_in)


def render_next_headings(*, can_submit: bool) -> Markup:
    """Return the headings of the forms that follow the steps."""
    return render_macro(_TEMPLATE, "next_headings", can_submit)
