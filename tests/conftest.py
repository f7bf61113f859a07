"""What all tests share: the rule that on CI a skipped test is a failed one."""

import os
from collections.abc import Iterator

import hypothesis
import pytest

from tests.mdar_sets import describe_sets
from tests.postgres import Databases
from tests.serving import Server

# Tests start hundreds of our processes, each of which would compile all of us anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples every time: a test that fails once fails always.
hypothesis.settings.register_profile("earshot", derandomize=True, deadline=None)
hypothesis.settings.load_profile("earshot")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=1_000, help="how often the evaluator is killed at random moments")
    parser.addoption("--kill-seed", type=int, default=1, help="which moments those are")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are numbered, not spelled out: a format may write the time into them, and each process must name alike."""
    return argname if isinstance(val, bytes) else None


def pytest_report_header() -> str:
    return describe_sets()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI") == "true":
        terminalreporter.write_line(f"CI=true: {len(skipped)} skipped tests count as failures.", red=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One running installation for all tests that only use it."""
    server = Server(tmp_path_factory.mktemp("server")).start()
    try:
        yield server.wait_until_ready()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Databases of both kinds, for the tests that run on both."""
    made = Databases(tmp_path_factory.mktemp("databases"))
    yield made
    made.close()
