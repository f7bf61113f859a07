"""Fixtures of tests that read the code."""

import pytest

from tests.support.sources.source_files import Source, read_product, read_sources


@pytest.fixture(scope="session")
def product() -> list[Source]:
    return read_product()


@pytest.fixture(scope="session")
def tests() -> list[Source]:
    return read_sources("tests")
