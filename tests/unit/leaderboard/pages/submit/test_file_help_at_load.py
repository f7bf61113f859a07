"""Help of a prediction file before the first event of the page."""

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.benchmarks import Benchmark, get_benchmark
from leaderboard.pages.submit.ways.layout import describe_file_at_load
from settings import Settings

RENDERED, FIXED = get_benchmark("audio-motion-bench"), get_benchmark("mdar", "demo")


@pytest.mark.parametrize(
    ("benchmark", "days", "has_pack"),
    [(RENDERED, None, False), (RENDERED, -1, False), (RENDERED, 1, True), (FIXED, None, True)],
)
def test_help_at_load_names_test_questions_or_the_pack_that_is_still_accepted(
    benchmark: Benchmark, days: int | None, has_pack: bool
) -> None:
    until = None if days is None else datetime.now(UTC).date() + timedelta(days)
    text = describe_file_at_load(benchmark, Settings(shared_splits_until=until))
    assert ("split=test" in text, "Get test questions" in text) == (has_pack, not has_pack)
