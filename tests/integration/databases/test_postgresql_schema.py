"""Schema on PostgreSQL: created once by concurrent processes, identical to the models, and fully reversible."""

import subprocess
import sys
from contextlib import closing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from db.models import Base
from db.session import _MIGRATIONS, Database
from tests.support.servers.postgres import Databases
from tests.support.servers.server import ROOT

pytestmark = pytest.mark.postgres

UPGRADE = "import sys; from db.session import Database; Database(sys.argv[1]).upgrade()"
LEFT = text("select proname::text from pg_proc where proname like 'procrastinate%' union select typname from pg_type")


def find_differences(database: Database) -> list[str]:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = [str(one) for one in compare_metadata(context, Base.metadata)]
    # Tables of the procrastinate library have no models.
    return [one for one in found if "procrastinate_" not in one]


def test_schema_created_by_concurrent_processes_matches_the_models_and_can_be_downgraded(databases: Databases) -> None:
    with databases.server.lend_bare() as url, closing(Database(url)) as database:
        command_line = [sys.executable, "-c", UPGRADE, url]
        started = [subprocess.Popen(command_line, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(2)]
        assert [process.communicate(timeout=120)[1] for process in started] == [b"", b""]
        assert [process.returncode for process in started] == [0, 0]
        assert database.revision() == database.newest_revision
        assert find_differences(database) == []
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with database.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "base")
        with database.engine.connect() as connection:
            assert inspect(connection).get_table_names() == ["alembic_version"]
            assert [name for (name,) in connection.execute(LEFT) if name.startswith("procrastinate")] == []
