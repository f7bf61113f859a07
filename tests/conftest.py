"""Global pytest hooks and fixtures: markers by folder, --soak and --kills, the leak check, shared servers."""

import fcntl
import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import leaderboard  # noqa: F401 - before Gradio, so that its import is accelerated here as well
import tests.support.environment  # noqa: F401 - sets variables for every process
from tests.support.leaks import find_leaks, read_resources
from tests.support.samples.mdar_sets import describe_sets
from tests.support.servers.certificates import share_certificates
from tests.support.servers.installation import install_with_chance
from tests.support.servers.postgres import Databases
from tests.support.servers.routes import share_routes
from tests.support.servers.server import Server
from tests.support.servers.shared_checks import share_check_servers
from tests.support.servers.statements import share_compiled_statements
from tests.support.servers.warm_processes import WarmPython, run_warm_python
from tests.support.skipped import pytest_sessionfinish, pytest_terminal_summary

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary"]

# Deterministic examples: a failing test fails every time. The soak draws new ones.
hypothesis.settings.register_profile("suite", derandomize=True, deadline=None, max_examples=25)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=500)

TESTS = Path(__file__).parent
# Tests that wait for servers and browsers run first, so that short tests fill the gaps in both test processes.
FOLDERS = ("hostile", "faults", "ui", "integration", "unit")
# Files with tests that use a fixture `server`, and the shared server once it was ready.
_SERVER_FILES = pytest.StashKey[set[Path]]()
_SHARED_SERVER = pytest.StashKey[Server]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run slow tests too, and ten times as many cases of others")
    parser.addoption("--kills", type=int, default=60, help="how often the evaluator is killed at random moments")
    parser.addoption("--kill-seed", type=int, default=1, help="which moments those are")


def pytest_configure(config: pytest.Config) -> None:
    share_compiled_statements()
    share_certificates()
    share_routes()
    share_check_servers()
    hypothesis.settings.load_profile("soak" if config.getoption("--soak") else "suite")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by its folder, and with `postgres` if it needs that server."""
    folder = _folder_of(item)
    if uses_postgres(item):
        item.add_marker("postgres")
        # Unit tests need no server: the PostgreSQL cases of a unit test count as integration tests.
        folder = "integration" if folder == "unit" else folder
    item.add_marker(folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests outside the soak, and run the long folders first."""
    if not config.getoption("--soak"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    server_files = {item.path for item in items if "server" in getattr(item, "fixturenames", ())}
    config.stash[_SERVER_FILES] = server_files
    # Of the integration tests, those of the shared server run first: it stops before the others.
    items.sort(
        key=lambda item: (
            FOLDERS.index(folder := _folder_of(item)),
            folder == "integration" and item.path not in server_files,
        )
    )


def pytest_collection_finish() -> None:
    """Exclude collected tests and modules from garbage collection, which saves a third of a second per collection.

    Collect more rarely, too: at Python's thresholds, collections take 5 % of the processor time of tests of databases.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start the shared server again if it was stopped too early, which the order of the tests makes rare."""
    server = item.config.stash.get(_SHARED_SERVER, None)
    # A server that crashed still has its process, and the tests that use it fail.
    if server is not None and server.process is None and item.path in item.config.stash[_SERVER_FILES]:
        server.start().wait_until_ready()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Stop the shared server before the many tests that do not use it: idle, it takes processor time."""
    yield
    server = item.config.stash.get(_SHARED_SERVER, None)
    if server is None or nextitem is None or nextitem.path in item.config.stash[_SERVER_FILES]:
        return
    if _folder_of(nextitem) in {"integration", "unit"}:
        server.stop()
        server.process = None


def _folder_of(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).parts[0]


def uses_postgres(item: pytest.Item) -> bool:
    """Return whether a test needs the PostgreSQL server, according to its parameters."""
    parameters = getattr(item, "callspec", None)
    if parameters is None:
        return False
    return any(isinstance(value, str) and value == "postgresql" for value in parameters.params.values())


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Number parameters of bytes: their format may contain the time, and all test processes must use the same names."""
    return argname if isinstance(val, bytes) else None


def pytest_report_header() -> str:
    return describe_sets()


@pytest.fixture(autouse=True)
def _closes_what_it_opens(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves resources open, in that test. Fixtures of wider scope are set up before it."""
    if not sys.platform.startswith("linux"):
        yield
        return
    before = read_resources()
    yield
    folder = request.node.funcargs.get("tmp_path")
    leaks = find_leaks(before, folder)
    assert leaks == [], "left open by this test"


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether this is a soak run, in which tests that count cases use ten times as many."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data folder after an evaluator's first start, with every board ranked; tests copy it.

    The first test process that needs it creates it for all.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "ranked"
    with (shared / "ranked.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            install_with_chance(tmp_path_factory.mktemp("first-start")).rename(folder)
    return folder


@pytest.fixture(scope="session")
def server(
    ranked: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython, pytestconfig: pytest.Config
) -> Iterator[Server]:
    """A running server, shared by all tests that leave its settings and processes alone, past its first start."""
    server = Server(tmp_path_factory.mktemp("server"), warm=warm_python)
    shutil.copytree(ranked, server.data_dir)
    try:
        server.start().wait_until_ready()
        pytestconfig.stash[_SHARED_SERVER] = server
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def warm_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmPython]:
    """A Python that has imported Earshot, for processes that start in a tenth of the time."""
    with run_warm_python(tmp_path_factory.mktemp("python")) as running:
        yield running


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Databases of both kinds, for tests that run on both."""
    made = Databases(tmp_path_factory.mktemp("databases"))
    yield made
    made.close()
