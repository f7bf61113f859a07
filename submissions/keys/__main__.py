"""`python -m submissions keys`: accept answer keys other than those known to the database."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime

from command_line import DONE, add_verbose, run_command
from db.errors import DatabaseError, UnconfirmedError
from evaluation.benchmarks import all_benchmarks
from settings import SettingsError, load_settings
from submissions.accounts.credentials import OPERATOR
from submissions.errors import SubmissionError
from submissions.keys.identity import accept_any_key
from submissions.operations.replication.databases import open_database


class UnconfirmedCommandError(Exception):
    """A command that cannot be undone lacks its confirmation."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m submissions keys", description=__doc__)
    add_verbose(parser)
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    replace = actions.add_parser(
        "replace", help="accept new answer keys; this invalidates all question packs downloaded so far"
    )
    names = sorted({benchmark.id for benchmark in all_benchmarks()})
    replace.add_argument("--benchmark", metavar="B", required=True, choices=names, help=", ".join(names))
    replace.add_argument("--yes", action="store_true", help="confirm the replacement")
    add_verbose(replace)
    replace.set_defaults(run=_replace)
    return run_command(
        parser.parse_args(arguments),
        misuses=(SettingsError, UnconfirmedCommandError),
        failures=(SubmissionError, DatabaseError, UnconfirmedError),
    )


def _replace(options: argparse.Namespace) -> int:
    name = options.benchmark
    if not options.yes:
        raise UnconfirmedCommandError(
            f"This invalidates every downloaded question pack of {name}: files made from it will be rejected. Pass "
            "--yes to confirm."
        )
    settings = load_settings()
    is_replicated = settings.replica_url is not None
    database = open_database(settings.url, settings.database_path, settings.data_dir, is_replicated=is_replicated)
    with closing(database):
        versions = accept_any_key(database, name, OPERATOR, datetime.now(UTC))
    sys.stdout.write(f"{name} {', '.join(versions)}: the next answer key that an evaluator loads will be accepted.\n")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
