"""`python -m submissions export-task`: write the questions of a benchmark as a task of inspect_ai or lmms-eval."""

import argparse
import logging
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console

from command_line import DONE, add_verbose, is_verbose, run_command
from evaluation.errors import EvaluationError, SettingError, UnknownBenchmarkError
from settings import SettingsError, load_settings
from settings.environments import find_client_token, list_odd_variables
from submissions.cli.server_access import ServerAccess
from submissions.client import Client, ClientError, UsageError
from submissions.model_runs.pack_sources import PackSources
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.task_exports.export_options import add_export_options, check_export_options
from submissions.model_runs.task_exports.task_export import export_task


def main(arguments: Sequence[str] | None = None, cache: Path | None = None) -> int:
    """Run the command and return its exit code: 0 done, 1 failed, 2 wrong usage.

    Args:
        arguments: Arguments; those of the process by default.
        cache: Folder of practice packs.
    """
    parser = argparse.ArgumentParser(prog="python -m submissions export-task", description=__doc__, allow_abbrev=False)
    add_verbose(parser)
    add_export_options(parser)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    options.run = lambda options: _export(options, cache)
    return run_command(
        options,
        misuses=(SettingsError, UsageError, UnknownBenchmarkError, SettingError),
        failures=(ClientError, ModelRunError, EvaluationError),
        warnings=list_odd_variables(),
    )


def _export(options: argparse.Namespace, cache: Path | None) -> int:
    check_export_options(options)
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    access = ServerAccess(find_client_token, _find_local)

    def open_client() -> closing[Client]:
        return closing(Client(access.find_url(options)))

    packs = cache or Path.home() / ".cache" / "earshot" / "packs"
    sources = PackSources(open_client, lambda: access.connect(options), packs, err)
    manifest = export_task(options, sources)
    out.print(f"{manifest.n_questions:,} questions: {options.out}", soft_wrap=True)
    err.print(f"{options.out / 'README.md'} has the commands that run the task and submit its log.", soft_wrap=True)
    return DONE


def _find_local() -> tuple[str, int]:
    settings = load_settings()
    return settings.host, settings.port


if __name__ == "__main__":
    sys.exit(main())
