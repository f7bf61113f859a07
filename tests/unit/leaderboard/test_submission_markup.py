"""What a submitter reads of a result."""

from datetime import UTC, datetime

import pytest

from db.records import ModelRecord, ScoreRecord, SubmissionRecord, UserRecord
from evaluation import get_benchmark
from leaderboard.submission_markup import render_status
from submissions.service import Status

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def make_status(benchmark):
    submission = SubmissionRecord(
        id="s-1",
        benchmark=benchmark.id,
        version=benchmark.version,
        setting=benchmark.settings[0],
        source="submitted",
        owner=UserRecord(1, "ada"),
        model=ModelRecord(1, "Model"),
        state="scored",
        visibility="private",
        allow_missing=False,
        artifact_sha256=None,
        artifact_bytes=None,
        created_at=NOW,
        updated_at=NOW,
        attempts=1,
        not_before=None,
        reason_code=None,
        reason=None,
        retryable=None,
        whose_fault=None,
        current_evaluation_id=1,
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
