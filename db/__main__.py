"""`python -m db`: the schema, its check, and personal tokens."""

import argparse
import sys
from collections.abc import Sequence

from db.session import Database
from settings import SettingsError, load_settings
from submissions.accounts import Accounts
from submissions.errors import SubmissionError

DONE, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m db", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("upgrade", help="bring the schema to the newest revision").set_defaults(run=_upgrade)
    commands.add_parser("check", help="tell whether the schema is the newest").set_defaults(run=_check)
    tokens = commands.add_parser("tokens", help="personal tokens").add_subparsers(required=True, metavar="ACTION")
    create = tokens.add_parser("create", help="make a token and print it, once")
    create.add_argument("user", metavar="USER")
    create.set_defaults(run=_create_token)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except SettingsError as error:
        print(f"Error: {error}", file=sys.stderr)
        return USAGE
    except SubmissionError as error:
        print(f"Error: {error}", file=sys.stderr)
        return FAILED
    return code


def _upgrade(_options: argparse.Namespace) -> int:
    database = Database(load_settings().url)
    database.upgrade()
    print(f"The schema is at revision {database.revision()}.")
    return DONE


def _check(_options: argparse.Namespace) -> int:
    database = Database(load_settings().url)
    revision = database.revision()
    if revision == database.newest_revision:
        print(f"The schema is at revision {revision}, the newest.")
        return DONE
    print(f"The schema is at revision {revision}; run `python -m db upgrade`.", file=sys.stderr)
    return FAILED


def _create_token(options: argparse.Namespace) -> int:
    settings = load_settings()
    database = Database(settings.url)
    database.upgrade()
    print(Accounts(database, settings.maintainer_names).create_token(options.user, label="command line"))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
