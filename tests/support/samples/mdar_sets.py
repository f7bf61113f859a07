"""Question sets of MDAR for tests: always the demonstration set, and the released set where it is installed.

The released questions may not be redistributed. They are searched in `shared/data/mdar` next to the repository and
above it. Without them no test is skipped: there is one set fewer, and the header of the test run reports it.
"""

from functools import cache
from pathlib import Path

import settings
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.mdar import Mdar

ROOT = Path(settings.__file__).parent.parent
RELEASED = next(
    (folder for parent in ROOT.parents if (folder := parent / "shared/data/mdar").is_dir()),
    None,
)
FOLDERS = {"demo": Mdar.demo_dir} | ({"1.0": RELEASED} if RELEASED else {})
SEED = "a seed for tests"


def describe_sets() -> str:
    """Return the header line that lists the available sets."""
    absent = "the released questions are not in ../shared/data/mdar, tests run over our own only"
    return f"MDAR: {f'released questions in {RELEASED}' if RELEASED else absent}"


@cache
def import_set(version: str) -> AnswerKey:
    """Return the answer key of a set."""
    return Mdar(version).import_folder(FOLDERS[version], SEED).key
