"""Command `practice`: attaches answers to the practice questions to a submission."""

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from submissions.cli.reevaluation_tables import write_percentage
from submissions.client import Client, Json

_OUT = Console(highlight=False)
Connect = Callable[[argparse.Namespace], AbstractContextManager[Client]]


def add_practice_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_options: Callable[[argparse.ArgumentParser], None],
    connect: Connect,
) -> None:
    """Add the command.

    Args:
        commands: Where to add it.
        add_options: Adds the options of server and user.
        connect: Connects by these options.
    """
    practice = commands.add_parser("practice", help="attach answers to the practice questions to a submission")
    practice.add_argument("id", metavar="ID")
    practice.add_argument("file", metavar="FILE", type=Path)
    practice.set_defaults(run=lambda options: _attach(options, connect))
    add_options(practice)


def _attach(options: argparse.Namespace, connect: Connect) -> int:
    with connect(options) as client:
        status = client.attach_practice(options.id, options.file)
    _OUT.print(f"{status['id']}  {describe_practice(status['practice'])}", soft_wrap=True)
    return os.EX_OK


def describe_practice(practice: Json) -> Text:
    """Return the state and score of practice answers, and the gap to the test score, in one line."""
    if practice["value"] is None:
        words = f"Practice answers: {practice['state']}."
    else:
        error = practice["standard_error"]
        words = f"Practice {write_percentage(practice['value'])}"
        words += f" ± {write_percentage(error)} %" if error is not None else " %"
        words += "." if practice["gap"] is None else f", practice − test {_describe_gap(practice)}."
    return Text(f"{words} {practice['explanation']}" if practice["explanation"] else words)


def _describe_gap(practice: Json) -> str:
    gap = f"{write_percentage(practice['gap'])} points"
    if practice["low"] is None or practice["high"] is None:
        return gap
    return f"{gap} ({write_percentage(practice['low'])} to {write_percentage(practice['high'])})"
