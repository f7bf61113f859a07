"""`python -m submissions`: an evaluator, and the client that submits, checks and follows submissions."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from command_line import (
    DONE,
    FAILED,
    add_program,
    add_verbose,
    end_process,
    is_verbose,
    run_command,
    show_error,
)
from settings import SettingsError, load_evaluator_settings, load_settings
from settings.environments import find_client_token, find_hub_token, list_odd_variables
from submissions.cli.competition_commands import add_competition_commands
from submissions.cli.edition_commands import add_edition_commands
from submissions.cli.file_checks import make_share_progress, show_problems
from submissions.cli.file_commands import FileCommands
from submissions.cli.hub_commands import add_propose_options, propose
from submissions.cli.login_commands import add_login_commands
from submissions.cli.practice_commands import add_practice_command
from submissions.cli.reevaluation_tables import add_reevaluate_options, build_table
from submissions.cli.row_tables import build_table_of_planned, build_table_of_rows, describe_planned
from submissions.cli.server_access import ServerAccess, find_user_name
from submissions.cli.worker_options import add_worker_options, find_worker_module, list_worker_options
from submissions.client import ClientError, Json, UsageError
from submissions.rescoring.change_texts import describe_end, list_signature_lines

_OUT = Console(highlight=False)
_ERR = Console(stderr=True, highlight=False)
_HOW_ENDED = {"refused": "refused", "failed": "given up"}


def _find_local() -> tuple[str, int]:
    settings = load_settings()
    return settings.host, settings.port


_ACCESS = ServerAccess(find_client_token, _find_local)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    return run_command(
        options,
        misuses=(SettingsError, UsageError),
        failures=(ClientError,),
        warnings=list_odd_variables(),
        show=_show_error,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m submissions", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_programs(commands)
    files = FileCommands(commands, _ACCESS, add_verbose)
    files.add_submit_command()
    add_edition_commands(commands, files.add_user_options, _ACCESS.connect)
    add_practice_command(commands, files.add_user_options, _ACCESS.connect)
    files.add_check_command("validate")
    files.add_status_command()
    reevaluate = commands.add_parser("reevaluate", help="re-score submissions, or preview the changes")
    add_reevaluate_options(reevaluate)
    files.add_user_options(reevaluate)
    reevaluate.set_defaults(run=_reevaluate)
    proposal = commands.add_parser("propose", help="propose a result to the model card on the Hub")
    add_propose_options(proposal)
    files.add_user_options(proposal)
    proposal.set_defaults(run=_propose)
    _add_rows_commands(commands, files)
    add_competition_commands(
        commands, files.add_user_options, lambda options: _ACCESS.connect(options, _find_maintainer_name)
    )
    add_login_commands(commands, _ACCESS.find_url, add_verbose)
    return parser


def _add_programs(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add commands whose programs take long to import."""
    worker = commands.add_parser("worker", help="run an evaluator")
    add_worker_options(worker)
    add_verbose(worker)
    worker.set_defaults(run=_worker)
    keys = commands.add_parser("keys", help="accept answer keys that differ from those in the database", add_help=False)
    keys.add_argument("rest", nargs=argparse.REMAINDER)
    keys.set_defaults(run=lambda options: _become("submissions.keys", *options.rest))
    for name, text, module in (
        ("run", "ask your own model the questions, and submit its answers", "submissions.model_runs"),
        ("export-task", "write the questions as a task of another tool", "submissions.model_runs.task_exports"),
    ):
        add_program(commands, name, text, partial(_become_program, module))


def _add_rows_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", files: FileCommands) -> None:
    rows = commands.add_parser("rows", help="add, correct and remove reported rows (maintainers only)")
    add_verbose(rows)
    acts = rows.add_subparsers(required=True, metavar="ACT")
    add = acts.add_parser("add", help="add and correct rows from CSV or JSON; one error rejects the file")
    add.add_argument("file", metavar="FILE", type=Path)
    add.add_argument("--dry-run", action="store_true", help="only preview the changes")
    add.add_argument("--source", choices=("reported", "human"), help="source of scores without one")
    add.add_argument("--date", metavar="DATE", help="date of the paper for scores without one, such as 2026-03")
    add.set_defaults(run=_add_rows)
    listed = acts.add_parser("list", help="list reported and human rows with their IDs")
    listed.set_defaults(run=_list_rows)
    remove = acts.add_parser("remove", help="take a row off its board; undo restores it")
    undo = acts.add_parser("undo", help="undo the last change to a row")
    for act, command in (("remove", remove), ("undo", undo)):
        command.add_argument("id", metavar="ID")
        command.set_defaults(run=_change_row, act=act)
    for command in (add, remove, undo):
        is_needed = command is not add
        command.add_argument("--reason", metavar="TEXT", required=is_needed, help="reason, shown in the audit log")
    for command in (add, listed, remove, undo):
        files.add_user_options(command)


def _worker(options: argparse.Namespace) -> int:
    """Become the evaluator, whose imports take seconds that other commands should not wait for."""
    program = find_worker_module(has_judge=load_evaluator_settings().has_judge)
    return _become(program, *list_worker_options(options), *["-v"] * is_verbose(options))


def _become_program(module: str, arguments: list[str]) -> int:
    return _become(module, *arguments)


def _become(module: str, *arguments: str) -> int:
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])  # noqa: S606 - no shell wanted


def _propose(options: argparse.Namespace) -> int:
    with _ACCESS.connect(options) as client:
        propose(client, options, _ACCESS.find_url(options), load_settings().hub_endpoint, find_hub_token())
    return DONE


def _reevaluate(options: argparse.Namespace) -> int:
    if options.version is not None and options.benchmark is None:
        raise UsageError("--version requires --benchmark. Pass both.")
    said = {"submission": options.submission, "benchmark": options.benchmark, "version": options.version}
    fields = {name: value for name, value in said.items() if value is not None}
    with _ACCESS.connect(options, _find_maintainer_name) as client, make_share_progress(_ERR) as progress:
        asked = client.reevaluate(fields | {"dry_run": options.dry_run, "reason": options.reason})
        task = progress.add_task(str(asked["state"]), total=1.0)
        ended = client.wait_for_reevaluation(
            asked["id"], lambda one: progress.update(task, description=one["state"], completed=one["progress"])
        )
    return _show_reevaluation(ended)


def _add_rows(options: argparse.Namespace) -> int:
    if not options.dry_run and options.reason is None:
        raise UsageError("Reason missing. Pass --reason: it is shown in the audit log. With --dry-run it is optional.")
    fields = {"reason": options.reason or "", "dry_run": str(options.dry_run).lower()}
    fields |= {"source": options.source or "", "date": options.date or ""}
    with _ACCESS.connect(options, _find_maintainer_name) as client:
        done = client.add_rows(options.file, fields)
    _OUT.print(build_table_of_planned(done["rows"]))
    _OUT.print(describe_planned(done["rows"], dry_run=done["dry_run"]), soft_wrap=True)
    return DONE


def _list_rows(options: argparse.Namespace) -> int:
    with _ACCESS.connect(options, _find_maintainer_name) as client:
        _OUT.print(build_table_of_rows(client.list_rows()))
    return DONE


def _change_row(options: argparse.Namespace) -> int:
    with _ACCESS.connect(options, _find_maintainer_name) as client:
        row = client.change_row(options.id, options.act, options.reason)
    _OUT.print(Text(f"{row['id']}  {row['model']}: {'removed' if row['removed'] else row['origin']}"), soft_wrap=True)
    return DONE


def _show_reevaluation(ended: Json) -> int:
    if ended["state"] != "done":
        raise ClientError(f"Re-evaluation {ended['id']} was {_HOW_ENDED[ended['state']]}: {ended['explanation']}")
    result = ended["result"]
    _OUT.print(build_table(result))
    for line in (*list_signature_lines(result), describe_end(ended["id"], result, dry_run=ended["dry_run"])):
        _OUT.print(line, soft_wrap=True)
    return FAILED if result["n_failed"] else DONE


def _show_error(error: Exception, *, verbose: bool) -> None:
    show_error(error, verbose=verbose)
    show_problems(error, _ERR)


def _find_maintainer_name() -> str | None:
    """Return the maintainer on this machine: its user if they are one, otherwise the first configured one."""
    user, maintainers = find_user_name(), load_settings().maintainer_names
    return user if user in maintainers else next(iter(maintainers), user)


if __name__ == "__main__":
    end_process(main())
