"""What tests of submissions share: an installation that is made once, and resamples that take no time."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import submissions.paired_differences
import submissions.uncertainty
from tests.support.servers.installation import Installation, copy_installation, install

# The fewest that a 95 % interval takes are 40; the real number is for tests of intervals.
FEW_RESAMPLES = 100


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with every benchmark registered, and keys, to be copied: to make them takes a second."""
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
        patch.setattr(submissions.uncertainty, "RESAMPLES", FEW_RESAMPLES)
        patch.setattr(submissions.paired_differences, "RESAMPLES", FEW_RESAMPLES)
        yield
