"""What a submitter reads of a result."""

import pytest

from db.records import ScoreRecord
from evaluation import get_benchmark
from leaderboard.submission_markup import render_status
from submissions.statuses import Status
from tests.unit.leaderboard.records import NOW, make_submission


def make_status(benchmark):
    submission = make_submission(
        benchmark=benchmark.id, version=benchmark.version, setting=benchmark.settings[0], visibility="private"
    )
    headline = benchmark.headline
    return Status(submission, None, None, (), None, (ScoreRecord(headline.slice, headline.metric, 0.45),))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("audio-motion-bench", "Overall 45.0 % (chance 41.7)."),
        ("star-bench", "Overall AA 45.0 % (chance 24.3)."),
        ("mdar", "Main 45.0 % (chance 25.0)."),
    ],
)
def test_render_status_calls_the_headline_by_its_title(name, words):
    benchmark = get_benchmark(name)
    key = benchmark.headline.key
    assert f"<b>{words}</b>" in render_status(make_status(benchmark), key, benchmark.chance[key], NOW)
