"""The web process is killed, and is made to hang: the same address answers again, and nothing had to be done."""

import signal
import textwrap
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.serving import Server, wait_for

# The launcher as it is, with less patience: a minute of silence is too long for a test.
IMPATIENT = textwrap.dedent("""
    import sys

    import app
    import submissions.processes

    submissions.processes.SILENCE_SECONDS = 5.0
    sys.exit(app.main())
""")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    script = tmp_path / "impatient.py"
    script.write_text(IMPATIENT)
    server = Server(tmp_path, arguments=("--no-evaluator",), script=script).start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz", 120)
        yield server
    finally:
        server.stop()


def find_web(server: Server) -> psutil.Process:
    found = server.child("leaderboard")
    assert found is not None
    return found


def test_web_process_killed_is_started_again_on_the_same_port(own_server: Server) -> None:
    for _ in range(2):
        before = find_web(own_server)
        before.kill()
        wait_for(lambda gone=before: not gone.is_running() or gone.status() == "zombie", "its end")
        wait_for(lambda: own_server.get("/healthz")[0] == 200, "healthz", 120)
        assert find_web(own_server).pid != before.pid
        assert own_server.get("/")[0] == 200


def test_web_process_that_hangs_is_killed_and_started_again(own_server: Server) -> None:
    before = find_web(own_server)
    before.send_signal(signal.SIGSTOP)
    wait_for(lambda: own_server.get("/healthz")[0] == 200, "healthz", 120)
    assert find_web(own_server).pid != before.pid
    assert own_server.get("/")[0] == 200
    assert "has not answered for" in (own_server.folder / "server.log").read_text()
