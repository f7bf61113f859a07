"""Schema migrations with Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from db.errors import DatabaseError


def run_migrations(connection: Connection, folder: Path) -> None:
    """Upgrade the schema to the newest revision within the transaction of a connection.

    Raises:
        DatabaseError: The schema belongs to a release that this one does not know.
    """
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseError(str(error)) from error
