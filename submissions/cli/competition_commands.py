"""Command of competition mode, for maintainers."""

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager

from rich.console import Console
from rich.text import Text

from submissions.client import Client

_OUT = Console(highlight=False)
Connect = Callable[[argparse.Namespace], AbstractContextManager[Client]]


def add_competition_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_options: Callable[[argparse.ArgumentParser], None],
    connect: Connect,
) -> None:
    """Add the command.

    Args:
        commands: Where to add it.
        add_options: Adds the options of server and user.
        connect: Connects by these options, as a maintainer.
    """
    text = "start or end competition mode of a benchmark with fixed questions (maintainers only)"
    command = commands.add_parser("competition", help=text)
    command.add_argument("act", choices=("start", "end"), help="what to do")
    command.add_argument("--benchmark", required=True)
    command.add_argument("--version", help="benchmark version; default: the first that is installed on the server")
    command.add_argument("--reason", metavar="TEXT", required=True, help="reason, shown in the audit log")
    command.set_defaults(run=lambda options: _change_competition(options, connect))
    add_options(command)


def _change_competition(options: argparse.Namespace, connect: Connect) -> int:
    with connect(options) as client:
        changed = client.change_competition(options.benchmark, options.version, options.act, options.reason)
    what = changed["notice"] or "No competition mode: all scores are shown."
    _OUT.print(Text(f"{changed['benchmark']} {changed['version']}  {what}"), soft_wrap=True)
    return os.EX_OK
