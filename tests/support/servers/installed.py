"""Fixtures for tests of submissions: a copy of a prebuilt installation, and a small number of resamples."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import submissions.ranking.rank_ranges
from tests.support.servers.installation import Installation, copy_installation, install

# 40 is the minimum for a 95 % interval; tests of intervals use the real number.
FEW_RESAMPLES = 100


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installation with every benchmark registered, made once because creating keys takes a second; tests copy it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(submissions.ranking.rank_ranges, "RESAMPLES", FEW_RESAMPLES)
        return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[Installation]:
    """A test's own copy of the installation."""
    made = copy_installation(installed, tmp_path)
    with closing(made.database):
        yield made


@pytest.fixture(scope="module", autouse=True)
def few_resamples(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use few bootstrap resamples, except in the modules of tests that are about intervals: `all_resamples`."""
    if request.node.get_closest_marker("all_resamples") is not None:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(submissions.ranking.rank_ranges, "RESAMPLES", FEW_RESAMPLES)
        yield
