"""`earshot`: from a model to a row of a board."""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.table import Table
from rich.text import Text

from command_line import (
    DONE,
    add_program,
    add_verbose,
    end_process,
    interrupt_on_termination,
    is_verbose,
    run_command,
    show_error,
)
from earshot.board_frames import BoardRows, board
from earshot.model_comparisons import ModelComparison, compare
from earshot.practice_scores import score
from earshot.server_connection import ACCESS
from evaluation.benchmarks import get_benchmark
from evaluation.errors import EvaluationError, SettingError, UnknownBenchmarkError
from evaluation.predictions import PredictionFileError
from settings import SettingsError
from settings.environments import list_odd_variables
from submissions.cli.edition_commands import add_edition_commands
from submissions.cli.file_checks import show_problems
from submissions.cli.file_commands import FileCommands
from submissions.cli.login_commands import add_login_commands
from submissions.cli.practice_commands import add_practice_command
from submissions.cli.server_access import add_server_options
from submissions.cli.status_lines import describe_state
from submissions.client import ClientError, UsageError, quote_name
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.score_tables import build_slice_table, describe_report

_OUT = Console(highlight=False)
_ERR = Console(stderr=True, highlight=False)
_SUBMISSIONS = "/api/v1/submissions"
_DASH = "–"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 wrong usage."""
    options = _build_parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    return run_command(
        options,
        misuses=(SettingsError, UsageError, UnknownBenchmarkError, SettingError),
        failures=(ClientError, ModelRunError, EvaluationError),
        warnings=list_odd_variables(),
        show=_show_error,
    )


def start_process() -> NoReturn:
    """Run the command of this process, and end it."""
    interrupt_on_termination()
    end_process(main())


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="earshot", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_program(commands, "run", "ask your own model the questions, and submit its answers", _run_model)
    add_program(commands, "export-task", "write the questions as a task of another tool", _export_task)
    files = FileCommands(commands, ACCESS, add_verbose)
    add_edition_commands(commands, files.add_user_options, ACCESS.connect)
    files.add_check_command("check")
    files.add_submit_command()
    add_practice_command(commands, files.add_user_options, ACCESS.connect)
    files.add_status_command()
    listed = commands.add_parser("list", help="list your submissions, newest first")
    files.add_user_options(listed)
    listed.set_defaults(run=_list_submissions)
    for act, text in (("publish", "show a result on the public board"), ("withdraw", "end a submission for good")):
        command = commands.add_parser(act, help=text)
        command.add_argument("id", metavar="ID")
        files.add_user_options(command)
        command.set_defaults(run=_change_submission, act=act)
    _add_reading_commands(commands)
    add_login_commands(commands, ACCESS.find_url, add_verbose)
    return parser


def _add_reading_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    shown = commands.add_parser("board", help="show a board")
    shown.add_argument("benchmark", metavar="BENCHMARK")
    shown.add_argument("--version", help="benchmark version; default: the server's first")
    shown.add_argument("--setting", help="setting; default: the benchmark's default setting")
    shown.set_defaults(run=_show_board)
    compared = commands.add_parser("compare", help="compare two rows of a board")
    compared.add_argument("a", metavar="A", help="submission ID of a row")
    compared.add_argument("b", metavar="B", help="submission ID of another row")
    compared.add_argument("--benchmark", required=True)
    compared.set_defaults(run=_show_comparison)
    for command in (shown, compared):
        add_verbose(command)
        add_server_options(command)
    scored = commands.add_parser("score", help="score answers to practice questions on this machine")
    scored.add_argument("file", metavar="FILE", type=Path)
    scored.add_argument("--benchmark", required=True)
    scored.add_argument("--version", help="benchmark version; default: the first with practice questions")
    scored.add_argument("--setting", help="setting; default: the benchmark's default setting")
    scored.add_argument("--allow-missing", action="store_true", help="score missing answers as wrong")
    add_verbose(scored)
    scored.set_defaults(run=_score_file)


def _run_model(arguments: list[str]) -> int:
    from submissions.model_runs.__main__ import main as run_model

    return run_model(arguments)


def _export_task(arguments: list[str]) -> int:
    from submissions.model_runs.task_exports.__main__ import main as export_task

    return export_task(arguments)


def _list_submissions(options: argparse.Namespace) -> int:
    table = Table(box=None)
    for title in ("ID", "model", "benchmark", "state"):
        table.add_column(title, overflow="fold")
    with ACCESS.connect(options) as client:
        cursor: str | None = ""
        while cursor is not None:
            more = {"cursor": cursor} if cursor else {}
            page = client.call("GET", _SUBMISSIONS, params={"mine": "true", **more})
            for one in page["submissions"]:
                place = f"{one['benchmark']} {one['version']}"
                table.add_row(*map(Text, (one["id"], one["model"]["name"], place, describe_state(one))))
            cursor = page["next_cursor"]
    if not table.row_count:
        _OUT.print("You have no submissions. Submit a file: earshot submit FILE --benchmark B --model NAME")
        return DONE
    _OUT.print(table)
    return DONE


def _change_submission(options: argparse.Namespace) -> int:
    with ACCESS.connect(options) as client:
        status = client.call("POST", f"{_SUBMISSIONS}/{quote_name(options.id)}/{options.act}")
    _OUT.print(Text(f"{status['id']}  {status['visibility'] if options.act == 'publish' else status['state']}"))
    return DONE


def _show_board(options: argparse.Namespace) -> int:
    found = board(
        options.benchmark, version=options.version, setting=options.setting, url=options.url, token=options.token
    )
    _OUT.print(_build_board_table(found))
    return DONE


def _build_board_table(found: BoardRows) -> Table:
    shown = get_benchmark(found.benchmark, found.version).columns_of(found.setting)
    table = Table(box=None)
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("model", overflow="fold")
    table.add_column("source", no_wrap=True)
    for column in shown:
        table.add_column(Text(f"{column.title} %"), justify="right")
    for row in found.rows:
        values = (_percent((row["scores"].get(column.key) or {}).get("value")) for column in shown)
        table.add_row(_rank(row), Text(row["model"]["name"]), Text(row["source"]), *values)
    return table


def _rank(row: dict[str, object]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    if row["rank"] is None:
        return _DASH
    return str(row["rank"]) if low in (None, high) else f"{row['rank']} ({low}–{high})"


def _show_comparison(options: argparse.Namespace) -> int:
    found = compare(options.a, options.b, benchmark=options.benchmark, url=options.url, token=options.token)
    _OUT.print(_build_comparison_table(found))
    if found.reason:
        _OUT.print(Text(found.reason), soft_wrap=True)
    return DONE


def _build_comparison_table(found: ModelComparison) -> Table:
    table = Table(box=None)
    table.add_column("score", overflow="fold")
    for title in (found.a["model"]["name"], found.b["model"]["name"], "difference", "95 % interval", "p"):
        table.add_column(Text(title), justify="right")
    for one in found.differences:
        interval = _DASH if one["low"] is None else f"{_percent(one['low'])} to {_percent(one['high'])}"
        p_value = _DASH if one["p_value"] is None else f"{one['p_value']:.3f}"
        values = (_percent(one["a"]), _percent(one["b"]), _percent(one["difference"]))
        table.add_row(Text(one["title"]), *values, interval, p_value)
    return table


def _percent(value: float | None) -> str:
    return _DASH if value is None else f"{100 * value:.1f}"


def _score_file(options: argparse.Namespace) -> int:
    scored = score(
        options.file,
        benchmark=options.benchmark,
        version=options.version,
        setting=options.setting,
        allow_missing=options.allow_missing,
    )
    benchmark = get_benchmark(scored.benchmark, scored.version)
    _OUT.print(build_slice_table(scored.report, benchmark, scored.setting))
    _OUT.print(describe_report(scored.report), soft_wrap=True)
    _OUT.print(str(scored.report.signature), soft_wrap=True)
    return DONE


def _show_error(error: Exception, *, verbose: bool) -> None:
    if isinstance(error, PredictionFileError):
        for problem in error.problems:
            show_error(ModelRunError(problem.message), verbose=False)
        return
    show_error(error, verbose=verbose)
    show_problems(error, _ERR)


if __name__ == "__main__":
    start_process()
