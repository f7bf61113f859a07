"""Queues on both databases: submissions leased by a killed process are requeued immediately."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.repositories import submissions
from db.session import Database
from submissions.jobs.queue import open_queue
from submissions.jobs.worker_names import worker_name
from tests.support.samples.database_rows import add_submission
from tests.support.servers.postgres import KINDS, Databases
from tests.support.servers.server import ROOT

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def get_state(database: Database) -> str:
    with database.read() as transaction:
        found = submissions.find_submission(transaction, "s-1")
    assert found is not None
    return found.state


CLAIM_AND_WAIT = """
import sys
from db.session import Database
from submissions.jobs.queue import open_queue
from submissions.jobs.worker_names import worker_name
print(open_queue(Database(sys.argv[1]), worker_name()).claim().work.id, flush=True)
sys.stdin.read()
"""


def test_submission_of_a_killed_process_is_requeued_immediately(database: Database, tmp_path: Path) -> None:
    add_submission(database, "s-1", now=NOW)
    url = database.url.render_as_string(hide_password=False)
    process = subprocess.Popen(
        [sys.executable, "-c", CLAIM_AND_WAIT, url], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    sweeper = open_queue(database, worker_name())
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"s-1\n"
        assert sweeper.requeue_lost() == 0, "it lives"
        assert get_state(database) == "running"
    finally:
        process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        lost = sweeper.requeue_lost()
        process.communicate()
    assert lost == 1, "its lease would have lasted a minute"
    assert get_state(database) == "queued"
    again = sweeper.claim()
    assert again is not None
    assert again.work.id == "s-1"
