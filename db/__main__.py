"""`python -m db`: the schema, its check, and personal tokens."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from db.session import Database
from evaluation.command_line import DONE, FAILED, add_verbose, run_command
from settings import Settings, SettingsError, list_odd_variables, load_settings
from submissions.accounts import OPERATOR, Accounts
from submissions.errors import SubmissionError


class UnusableDatabaseError(Exception):
    """The database cannot be read or written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m db", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    upgrade = commands.add_parser("upgrade", help="bring the schema to the newest revision")
    upgrade.set_defaults(run=_upgrade)
    check = commands.add_parser("check", help="tell whether the schema is the newest")
    check.set_defaults(run=_check)
    tokens = commands.add_parser("tokens", help="personal tokens").add_subparsers(required=True, metavar="ACTION")
    create = tokens.add_parser("create", help="make a token and print it, once")
    create.add_argument("user", metavar="USER")
    create.set_defaults(run=_create_token)
    for command in (upgrade, check, create):
        add_verbose(command)
    return run_command(
        parser.parse_args(arguments),
        misuses=(SettingsError,),
        failures=(SubmissionError, UnusableDatabaseError),
        warnings=list_odd_variables(),
    )


@contextmanager
def _open(settings: Settings) -> Iterator[Database]:
    settings.make_data_dir()
    try:
        with closing(Database(settings.url)) as database:
            yield database
    except (SQLAlchemyError, CommandError, OSError) as error:
        reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        raise UnusableDatabaseError(f"The database {settings.url} cannot be used ({reason}).") from error


def _upgrade(_options: argparse.Namespace) -> int:
    with _open(load_settings()) as database:
        database.upgrade()
        print(f"The schema is at revision {database.revision()}.")
    return DONE


def _check(_options: argparse.Namespace) -> int:
    with _open(load_settings()) as database:
        revision = database.revision()
        if revision == database.newest_revision:
            print(f"The schema is at revision {revision}, the newest.")
            return DONE
    print(f"The schema is at revision {revision}; run `python -m db upgrade`.", file=sys.stderr)
    return FAILED


def _create_token(options: argparse.Namespace) -> int:
    settings = load_settings()
    with _open(settings) as database:
        database.upgrade()
        accounts = Accounts(database, settings.maintainer_names)
        print(accounts.create_token(options.user, label="command line", actor=OPERATOR))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
