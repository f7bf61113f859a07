"""Fixtures of tests of submissions: an installation, made once and copied, and a small number of resamples."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import submissions.ranking.rank_ranges
from tests.support.servers.installation import Installation, copy_installation, install

# The fewest that a 95 % interval takes are 40; the real number is for tests of intervals.
FEW_RESAMPLES = 100


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with every benchmark registered, to be copied: making the keys takes a second."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def place(installed: Path, tmp_path: Path) -> Iterator[Installation]:
    """An installation of the test's own."""
    made = copy_installation(installed, tmp_path)
    with closing(made.database):
        yield made


@pytest.fixture(scope="module")
def few_resamples() -> Iterator[None]:
    """Draw few resamples of a board's items: for tests that are not about its intervals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(submissions.ranking.rank_ranges, "RESAMPLES", FEW_RESAMPLES)
        yield
