"""Migration of a SQLite database to a schema revision, up or down."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config

import db.session
from db.session import Database

MIGRATIONS = Path(db.session.__file__).parent / "migrations"


def move_to(database: Database, revision: str, move: Callable[[Config, str], None] = command.upgrade) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.connect().execution_options(earshot_begin="IMMEDIATE") as connection:
        # Before any transaction, as in `Database.upgrade`: tables are rebuilt while foreign keys refer to them.
        connection.detach()
        driver_connection: Any = connection.connection.dbapi_connection
        driver_connection.execute("PRAGMA foreign_keys=OFF")
        config.attributes["connection"] = connection
        move(config, revision)
        connection.commit()
