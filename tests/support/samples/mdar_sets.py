"""The sets of MDAR's questions that tests run over: our own always, the released one where an organiser's folder is.

The released questions are not ours to pass on. They are looked for in `shared/data/mdar` beside the repository or above
it; where they are absent no test is skipped, there is one set fewer, and the first lines of a test run say so.
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
    """Return the line that says which sets there are."""
    absent = "the released questions are not in ../shared/data/mdar, tests run over our own only"
    return f"MDAR: {f'released questions in {RELEASED}' if RELEASED else absent}"


@cache
def import_set(version: str) -> AnswerKey:
    """Return the key of a set."""
    return Mdar(version).import_folder(FOLDERS[version], SEED).key
