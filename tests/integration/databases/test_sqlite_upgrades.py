"""Schema on SQLite: created once by concurrent processes."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from sqlalchemy import inspect

from db.models import Base
from db.session import Database
from tests.support.servers.server import ROOT

# One process imports everything, then forks several that start together.
UPGRADE_TOGETHER = """
import os, sys
from db.session import Database
wait, start = os.pipe()
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        os.close(start)
        os.read(wait, 1)
        Database(sys.argv[1]).upgrade()
        os._exit(0)
    children.append(child)
os.close(start)
sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""

# Four processes open the same new databases, each at the same moment.
OPEN_TOGETHER = """
import os, sys
from multiprocessing import Barrier
from db.session import Database
ready = Barrier(4)
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        for number in range(30):
            database = Database(f"sqlite:///{sys.argv[1]}/{number}.db")
            ready.wait(20)
            with database.engine.connect() as connection:
                connection.exec_driver_sql("SELECT 1")
        os._exit(0)
    children.append(child)
sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""


def test_concurrent_first_connections_wait_for_each_other(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OPEN_TOGETHER, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_concurrent_upgrades_create_one_schema(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/earshot.db"
    done = subprocess.run(
        [sys.executable, "-c", UPGRADE_TOGETHER, url], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    with closing(Database(url)) as database:
        assert database.revision() == database.newest_revision
        assert set(inspect(database.engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}
