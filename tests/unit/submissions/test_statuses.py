"""Public status of a published submission."""

from datetime import UTC, datetime

import pytest

from db.admin_records import PastEvaluation
from db.endpoint_records import EndpointRecord
from db.records import EventRecord, ScoreRecord
from evaluation import get_benchmark
from submissions.statuses import Status, hide_private_details
from tests.support.pages.records import NOW, make_submission

MIN_ITEMS = get_benchmark("audio-motion-bench").min_public_items
SCORES = (
    ScoreRecord("overall", "accuracy", 0.5, 2_016),
    ScoreRecord("sct", "accuracy", 0.25, MIN_ITEMS),
    ScoreRecord("sdt", "accuracy", 0.75, MIN_ITEMS - 1),
    ScoreRecord("tat", "accuracy", 0.3),
)
PAST = (
    PastEvaluation(2, "new", NOW, 0.5, MIN_ITEMS, None, None),
    PastEvaluation(1, "old", NOW, 0.4, MIN_ITEMS - 1, None, None),
)
QUOTE = EventRecord(
    datetime(2026, 1, 1, tzinfo=UTC), "system", "running", "failed", "models.example.com said: quota of ada"
)


def make_status(**fields: object) -> Status:
    return Status(make_submission(**fields), None, None, (QUOTE,), None, SCORES, past=PAST)


def test_scores_over_few_items_are_visible_only_to_the_owner() -> None:
    public_status = hide_private_details(make_status())
    assert [score.slice for score in public_status.scores] == ["overall", "sct", "tat"]
    assert [evaluation.value for evaluation in public_status.past] == [0.5, None]
    assert [evaluation.signature for evaluation in public_status.past] == ["new", "old"], (
        "the existence of a scoring is public"
    )


def test_removed_version_shows_no_counted_score() -> None:
    assert [score.slice for score in hide_private_details(make_status(version="0.1")).scores] == ["tat"]


@pytest.mark.parametrize("has_endpoint", [True, False])
def test_endpoint_messages_are_visible_only_to_the_owner(has_endpoint: bool) -> None:
    status = make_status()
    if has_endpoint:
        endpoint = object.__new__(EndpointRecord)
        status = Status(status.submission, None, None, (QUOTE,), None, SCORES, endpoint=endpoint)
    public_status = hide_private_details(status)
    assert public_status.endpoint is None
    assert ("ada" in public_status.events[0].text) != has_endpoint
