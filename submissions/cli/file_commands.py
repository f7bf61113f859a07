"""Commands for prediction files: submit one, check one, and follow a submission."""

import argparse
import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rich.console import Console

from submissions.cli.file_checks import show_check, watch_submission
from submissions.cli.server_access import ServerAccess, add_person_option, add_server_options
from submissions.cli.status_lines import show_status
from submissions.client import Client, UsageError
from submissions.intake.identifiers import derive_idempotency_key

_OUT = Console(highlight=False)
_ERR = Console(stderr=True, highlight=False)
_FAILED = 1


class FileCommands:
    """Adds the commands to a program."""

    def __init__(
        self,
        commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
        access: ServerAccess,
        add_verbose: Callable[[argparse.ArgumentParser], None],
    ) -> None:
        """Prepare to add commands.

        Args:
            commands: Where to add them.
            access: Connects to the server of a command.
            add_verbose: Adds `-v`.
        """
        self._commands = commands
        self._access = access
        self._add_verbose = add_verbose

    def add_user_options(self, command: argparse.ArgumentParser) -> None:
        """Add the options of server and user, and `-v`."""
        self._add_verbose(command)
        add_server_options(command)
        add_person_option(command)

    def add_submit_command(self) -> None:
        """Add the command that submits a file."""
        submit = self._add_command("submit", "submit predictions", _submit)
        add_person_option(submit)
        submit.add_argument("--hub-id", metavar="ORG/NAME", help="describe the model by its Hub repository")
        submit.add_argument("--model", help="model name; default: the name of the Hub repository")
        submit.add_argument("--organisation", help="organisation that made the model")
        submit.add_argument("--publish", action="store_true", help="publish the result when it is scored")
        close = "close the edition that the file answers (default); --no-close if more models will answer it"
        submit.add_argument("--close", action=argparse.BooleanOptionalAction, default=True, help=close)
        submit.add_argument("--wait", action="store_true", help="wait until the submission has ended")
        practice = "file of answers to the practice questions, which show what the model knows of public questions"
        submit.add_argument("--practice", metavar="PRACTICE_FILE", type=Path, help=practice)

    def add_check_command(self, name: str) -> None:
        """Add the command that has the server check a file, under a name."""
        self._add_command(name, "check a prediction file (free)", _check)

    def add_status_command(self) -> None:
        """Add the command that shows the status of a submission."""
        status = self._commands.add_parser("status", help="show the status of a submission")
        status.add_argument("id", metavar="ID")
        self.add_user_options(status)
        status.set_defaults(run=lambda options: _show_status(options, self._access))

    def _add_command(
        self, name: str, text: str, run: Callable[[argparse.Namespace, ServerAccess], int]
    ) -> argparse.ArgumentParser:
        command = self._commands.add_parser(name, help=text)
        command.add_argument("file", metavar="FILE", type=Path)
        command.add_argument("--benchmark", required=True)
        command.add_argument("--version", help="benchmark version; default: the first that is open on the server")
        command.add_argument("--setting", help="setting; default: the benchmark's default setting")
        command.add_argument("--allow-missing", action="store_true", help="score missing answers as wrong")
        self._add_verbose(command)
        add_server_options(command)
        command.set_defaults(run=lambda options: run(options, self._access))
        return command


def _submit(options: argparse.Namespace, access: ServerAccess) -> int:
    if options.model is None and options.hub_id is None:
        raise UsageError("Model missing. Pass its name with --model, or its Hub repository with --hub-id.")
    with access.connect(options) as client:
        model = client.find_hub_model(options.hub_id) if options.hub_id else {}
        said = {"name": options.model, "organisation": options.organisation}
        model |= {name: value for name, value in said.items() if value}
        fields = _list_fields(options) | {"model": json.dumps(model), "publish": str(options.publish).lower()}
        fields["close"] = str(options.close).lower()
        key = derive_idempotency_key(options.file, fields)
        submission = client.submit(options.file, fields, key)
        _OUT.print(f"{submission['id']}  {submission['state']}", soft_wrap=True)
        if options.practice is not None:
            client.attach_practice(submission["id"], options.practice)
        if not options.wait:
            return os.EX_OK
        return os.EX_OK if watch_submission(client, submission["id"], _OUT, _ERR) else _FAILED


def _list_fields(options: argparse.Namespace) -> dict[str, str]:
    """Return the fields that are sent with a file; omitted ones are left to the server."""
    said = {"benchmark": options.benchmark, "version": options.version, "setting": options.setting}
    return {name: value for name, value in said.items() if value is not None} | {
        "allow_missing": str(options.allow_missing).lower()
    }


def _check(options: argparse.Namespace, access: ServerAccess) -> int:
    fields = _list_fields(options)
    token = access.choose_token(options)
    with closing(Client(access.find_url(options), token)) as client:
        verdict = client.validate(options.file, fields)
        limits = client.find_limits(fields) if token is not None else None
    show_check(verdict, _OUT, _ERR)
    if limits is not None:
        name = f"{limits['benchmark']} {limits['version']}"
        _OUT.print(f"Submissions for {name}: {limits['text']}.", soft_wrap=True)
    return os.EX_OK


def _show_status(options: argparse.Namespace, access: ServerAccess) -> int:
    with access.connect(options) as client:
        status = client.status(options.id)
    show_status(status, _OUT, _ERR)
    return _FAILED if status["state"] == "failed" else os.EX_OK
