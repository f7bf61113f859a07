"""An installation that asks models, for the tests of several files."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.endpoints.asked_models import Asking
from tests.support.servers.installation import install


@pytest.fixture(scope="session")
def installed_to_ask(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def asking(installed_to_ask: Path, tmp_path: Path) -> Iterator[Asking]:
    shutil.copytree(installed_to_ask, tmp_path, dirs_exist_ok=True)
    made = Asking(tmp_path)
    with closing(made.place.database):
        yield made
