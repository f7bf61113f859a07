import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bench", "db", "evaluation", "leaderboard", "settings", "submissions")
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def test_docstring_examples_return_the_stated_results(subtests: pytest.Subtests) -> None:
    assert len(MODULES) > 80, "the search finds the examples"
    for name in MODULES:
        with subtests.test(module=name):
            result = doctest.testmod(importlib.import_module(name))
            assert result.attempted > 0
            assert result.failed == 0
