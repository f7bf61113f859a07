"""What the tests of several files share: a page with its API, and an installation that asks models."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.endpoints.endpoint_installation import EndpointInstallation
from tests.support.hub.double import HubDouble, run_hub
from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.installation import install
from tests.support.servers.live_site import UNLIMITED, wait_for_hang_ups


@pytest.fixture(autouse=True)
def _hangs_up() -> Iterator[None]:
    """Let the sites of this process take note that connections are closed, before leaks are looked for."""
    yield
    wait_for_hang_ups()


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A page that many look at: every test is a person, or several, of its own."""
    with run_page(tmp_path_factory.mktemp("page"), max_upload_mb=1, **UNLIMITED) as visitor:
        yield visitor


@pytest.fixture(scope="session")
def running_hub() -> Iterator[HubDouble]:
    """A double of the Hub, in whatever state the last test left it; `hub` is a fresh one."""
    with run_hub() as double:
        yield double


@pytest.fixture
def hub(running_hub: HubDouble) -> HubDouble:
    running_hub.reset()
    return running_hub


@pytest.fixture(scope="session")
def installed_to_ask(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def asking(installed_to_ask: Path, tmp_path: Path) -> Iterator[EndpointInstallation]:
    shutil.copytree(installed_to_ask, tmp_path, dirs_exist_ok=True)
    made = EndpointInstallation(tmp_path)
    with closing(made.place.database):
        yield made
