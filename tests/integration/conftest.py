"""Fixtures of integration tests: commits without fsync, sites, a page with its API, a Hub double, an installation."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

import submissions.client
from evaluation.benchmarks.mdar import Mdar
from evaluation.benchmarks.star_bench import StarBench
from tests.support.endpoints.endpoint_installation import EndpointInstallation
from tests.support.hub.double import HubDouble, run_hub
from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.installation import install
from tests.support.servers.live_site import UNLIMITED, Site, fill_board, run_site, wait_for_hang_ups
from tests.support.servers.quick_databases import commit_without_syncing, empty

__all__ = ["empty"]


@pytest.fixture(autouse=True)
def _hangs_up() -> Iterator[None]:
    """Wait until this process's sites have closed their connections, before the leak check."""
    yield
    wait_for_hang_ups()


@pytest.fixture(scope="session", autouse=True)
def _commits_do_not_wait_for_the_disk() -> Iterator[None]:
    """Include the databases of servers that many modules share."""
    with commit_without_syncing():
        yield


@pytest.fixture(scope="session", autouse=True)
def _clients_poll_often() -> Iterator[None]:
    """Let clients in this process notice the end of a job early: most of their time is pauses between two requests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(submissions.client, "_POLL_SECONDS", 0.05)
        yield


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site of the test's own."""
    with run_site(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a filled board, for tests of a module that only read it."""
    with run_site(tmp_path_factory.mktemp("board")) as running:
        fill_board(running)
        yield running


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A shared page and API; every test uses its own users."""
    with run_page(tmp_path_factory.mktemp("page"), max_upload_mb=1, **UNLIMITED) as visitor:
        yield visitor


@pytest.fixture(scope="session")
def running_hub() -> Iterator[HubDouble]:
    """A double of the Hub in the state that the last test left; `hub` resets it."""
    with run_hub() as double:
        yield double


@pytest.fixture
def hub(running_hub: HubDouble) -> HubDouble:
    running_hub.reset()
    return running_hub


@pytest.fixture(scope="session")
def _demo_clips_are_rendered_once() -> Iterator[None]:
    """Keep the clips of the demonstration sets, which are the same under every key."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in (Mdar, StarBench):
            patch.setattr(kind, "render_demo_sound", cache(kind.render_demo_sound))
        yield


@pytest.fixture(scope="session")
def installed_to_ask(_demo_clips_are_rendered_once: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def asking(installed_to_ask: Path, tmp_path: Path) -> Iterator[EndpointInstallation]:
    shutil.copytree(installed_to_ask, tmp_path, dirs_exist_ok=True)
    made = EndpointInstallation(tmp_path)
    with closing(made.place.database):
        yield made
