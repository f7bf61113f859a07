"""Tabs of the page: each has a screenshot and an accessibility test."""

import re
from pathlib import Path

from bench.screenshots import TABS
from evaluation.benchmarks import all_benchmarks
from leaderboard.pages import page

# Only maintainers see it; `test_admin` visits it.
HIDDEN = {"admin"}


def test_every_tab_has_a_screenshot_and_an_accessibility_test() -> None:
    source = Path(page.__file__).read_text(encoding="utf-8")
    tabs = set(re.findall(r'gr\.Tab\([^)]*\bid="(\w+)"', source)) | {benchmark.id for benchmark in all_benchmarks()}
    assert len(tabs) > 8, "the search finds the tabs"
    assert sorted(tabs ^ HIDDEN) == sorted(TABS)
