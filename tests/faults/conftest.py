"""Fixtures of the kill tests: a warm process to fork from."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.kills.forking import Warm
from tests.support.servers.installed import few_resamples
from tests.support.servers.server import ROOT

__all__ = ["few_resamples"]


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    # Threads of the linear algebra library would not survive a fork.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.kills.warm"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield Warm(process)
    process.communicate()
