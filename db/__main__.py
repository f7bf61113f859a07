"""`python -m db`: schema, checks, backups, personal tokens and linked accounts."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from command_line import DONE, FAILED, add_verbose, end_process, run_command
from db.errors import DatabaseError, UnconfirmedError
from db.repositories import audit
from db.session import Database
from settings import EvaluatorSettings, Settings, SettingsError, load_evaluator_settings, load_settings
from settings.environments import list_odd_variables
from submissions.accounts.credentials import OPERATOR, Accounts
from submissions.accounts.maintainers import ProviderRules
from submissions.accounts.openid_users import Identities
from submissions.errors import BackupError, SubmissionError
from submissions.operations.data_folder import finish_restore, share_folder

# Imports of single commands are deferred: creating a token adds one row and would otherwise wait seconds for imports.
if TYPE_CHECKING:
    from submissions.operations.backup import InstallationPaths


class UnusableDatabaseError(Exception):
    """The database cannot be read or written."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the work failed, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m db", description=__doc__)
    add_verbose(parser)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    upgrade = commands.add_parser("upgrade", help="upgrade the schema to the newest revision")
    upgrade.set_defaults(run=_upgrade)
    check = commands.add_parser("check", help="verify schema, rows, audit log and uploads")
    check.set_defaults(run=_check)
    backup = commands.add_parser("backup", help="back up all data into one file, also while a server runs")
    backup.add_argument(
        "file", metavar="FILE", type=Path, help="the backup file; it contains secrets and is readable only by you"
    )
    backup.add_argument("--without-keys", action="store_true", help="leave the answer keys out")
    backup.set_defaults(run=_backup)
    restore = commands.add_parser("restore", help="restore a backup; stop all servers first")
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup file")
    restore.add_argument("--replace", action="store_true", help="move existing data to a dated folder first")
    restore.set_defaults(run=_restore)
    end = commands.add_parser("end-editions", help="after a restore with other tools: end editions that are not closed")
    end.set_defaults(run=_end_editions)
    tokens = commands.add_parser("tokens", help="personal tokens").add_subparsers(required=True, metavar="ACTION")
    create = tokens.add_parser("create", help="create a token and print it once")
    create.add_argument("user", metavar="USER")
    create.set_defaults(run=_create_token)
    show = tokens.add_parser("list", help="list a user's tokens, without their secrets")
    show.add_argument("user", metavar="USER")
    show.set_defaults(run=_list_tokens)
    revoke = tokens.add_parser("revoke", help="revoke a token permanently")
    revoke.add_argument("user", metavar="USER")
    revoke.add_argument("id", metavar="ID", type=int, help="the token's ID, as `tokens list` shows it")
    revoke.set_defaults(run=_revoke_token)
    link = commands.add_parser("link-account", help="let an existing user sign in with an OpenID provider")
    link.add_argument("user", metavar="NAME")
    link.add_argument("--subject", metavar="SUBJECT", required=True, help="the user's `sub` at the provider")
    link.add_argument("--issuer", metavar="URL", help="the provider; default: EARSHOT_OIDC_ISSUER")
    link.set_defaults(run=_link_account)
    for command in (upgrade, check, backup, restore, end, create, show, revoke, link):
        add_verbose(command)
    return run_command(
        parser.parse_args(arguments),
        misuses=(SettingsError,),
        failures=(SubmissionError, UnusableDatabaseError, UnconfirmedError),
        warnings=list_odd_variables(),
    )


@contextmanager
def _open(settings: Settings) -> Iterator[Database]:
    settings.make_data_dir()
    try:
        finish_restore(settings.data_dir)
        with share_folder(settings.data_dir), closing(_connect(settings)) as database:
            yield database
    except (SQLAlchemyError, DatabaseError, OSError) as error:
        reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        # The URL of a database server may contain a password.
        source = "of EARSHOT_DATABASE_URL" if settings.uses_server else settings.url
        raise UnusableDatabaseError(
            f"The database {source} cannot be used ({' '.join(str(reason).split())})."
        ) from error


def _connect(settings: Settings) -> Database:
    # Only a replicated database needs litestream's client.
    from submissions.operations.replication.databases import open_database

    is_replicated = settings.replica_url is not None
    return open_database(settings.url, settings.database_path, settings.data_dir, is_replicated=is_replicated)


def _upgrade(_options: argparse.Namespace) -> int:
    with _open(load_settings()) as database:
        database.upgrade()
        print(f"The schema is at revision {database.revision()}.")
    return DONE


def _check(_options: argparse.Namespace) -> int:
    from submissions.intake.artifacts import ArtifactStore
    from submissions.operations.integrity import check_installation

    settings = load_settings()
    with _open(settings) as database:
        revision = database.revision()
        if revision != database.newest_revision:
            print(f"The schema is at revision {revision}; run `python -m db upgrade`.", file=sys.stderr)
            return FAILED
        artifacts = ArtifactStore(settings.artifacts_url, settings.data_dir / "incoming")
        is_good = True
        for finding in check_installation(database, artifacts):
            is_good &= finding.is_good
            print(finding.text, file=sys.stdout if finding.is_good else sys.stderr)
    print(f"The schema is at revision {revision}, the newest.")
    return DONE if is_good else FAILED


def _backup(options: argparse.Namespace) -> int:
    from submissions.operations.backup import count_uploads, make_backup

    settings = load_evaluator_settings()
    _require_file(settings)
    with _open(settings) as database:
        manifest = make_backup(database, _places(settings, database), options.file, with_keys=not options.without_keys)
    keys = "with the answer keys: keep it as secret as the keys" if manifest.has_keys else "without answer keys"
    print(f"{options.file} holds the database and {count_uploads(manifest):,} uploads, {keys}.")
    return DONE


def _restore(options: argparse.Namespace) -> int:
    from submissions.operations.backup import count_uploads
    from submissions.operations.restore import restore_backup

    settings = load_evaluator_settings()
    _require_file(settings)
    settings.make_data_dir()
    with closing(Database(settings.url)) as database:
        places = _places(settings, database)
    restored = restore_backup(options.file, places, replaces=options.replace)
    manifest = restored.manifest
    print(f"Restored the database of {manifest.made_at} and {count_uploads(manifest):,} uploads.")
    if restored.aside is not None:
        print(f"The previous data is in {settings.data_dir / restored.aside}.")
    if not manifest.has_keys:
        print(f"The backup has no answer keys. Copy the original keys to {settings.answer_keys_dir}.")
    return DONE


def _end_editions(_options: argparse.Namespace) -> int:
    from submissions.editions.restored_editions import end_unused_editions

    now = datetime.now(UTC)
    with _open(load_settings()) as database:
        database.upgrade()
        with database.write() as transaction:
            ended = end_unused_editions(transaction, now)
            audit.append(transaction, OPERATOR, "end-editions", "database", asdict(ended), now)
    print(
        f"Editions: {ended.n_closed:,} closed with their files, {ended.n_expired:,} expired without one. "
        f"Unscored endpoints with new questions: {ended.n_redrawn:,}."
    )
    return DONE


def _require_file(settings: Settings) -> None:
    if settings.uses_server:
        raise BackupError(
            "This database is on a PostgreSQL server. Back it up with pg_dump, and restore it with pg_restore into "
            "an empty database, then run `python -m db end-editions`. Copy the uploads (EARSHOT_STORAGE_URL) and the "
            "answer keys (EARSHOT_ANSWER_KEYS)."
        )


def _places(settings: EvaluatorSettings, database: Database) -> "InstallationPaths":
    from submissions.operations.backup import InstallationPaths

    path = Path(database.url.database or "")
    return InstallationPaths(settings.data_dir, path, settings.artifacts_url, settings.answer_keys_dir)


def _create_token(options: argparse.Namespace) -> int:
    with _open_accounts() as accounts:
        print(accounts.create_token(options.user, label="command line", actor=OPERATOR))
    return DONE


def _list_tokens(options: argparse.Namespace) -> int:
    with _open_accounts() as accounts:
        for token in accounts.list_tokens(accounts.find_by_name(options.user)):
            print(f"{token.id}  {token.created_at:%Y-%m-%d %H:%M} UTC  {token.label or '–'}")
    return DONE


def _revoke_token(options: argparse.Namespace) -> int:
    with _open_accounts() as accounts:
        accounts.revoke_token(accounts.find_by_name(options.user), options.id, actor=OPERATOR)
        print(f"Token {options.id} of {options.user} is revoked.")
    return DONE


def _link_account(options: argparse.Namespace) -> int:
    issuer = (options.issuer or load_settings().oidc_issuer or "").rstrip("/")
    if not issuer:
        raise SettingsError("No OpenID provider is set. Pass --issuer, or set EARSHOT_OIDC_ISSUER.")
    with _open_accounts() as accounts:
        Identities(accounts, ProviderRules(issuer)).link(options.user, options.subject)
    print(f"{options.user} now signs in as {options.subject} of {issuer}.")
    return DONE


@contextmanager
def _open_accounts() -> Iterator[Accounts]:
    settings = load_settings()
    with _open(settings) as database:
        database.upgrade()
        yield Accounts(database, settings.maintainer_names)


if __name__ == "__main__":
    end_process(main())
