"""Public status of a published submission."""

from datetime import UTC, datetime

import pytest

from db.admin_records import PastEvaluation
from db.endpoint_records import EndpointRecord
from db.records import EventRecord, ScoreRecord
from evaluation import get_benchmark
from submissions.statuses import Status, hide_from_strangers
from tests.support.pages.records import NOW, make_submission

LEAST = get_benchmark("audio-motion-bench").min_public_items
SCORES = (
    ScoreRecord("overall", "accuracy", 0.5, 2_016),
    ScoreRecord("sct", "accuracy", 0.25, LEAST),
    ScoreRecord("sdt", "accuracy", 0.75, LEAST - 1),
    ScoreRecord("tat", "accuracy", 0.3),
)
PAST = (
    PastEvaluation(2, "new", NOW, 0.5, LEAST, None, None),
    PastEvaluation(1, "old", NOW, 0.4, LEAST - 1, None, None),
)
QUOTE = EventRecord(
    datetime(2026, 1, 1, tzinfo=UTC), "system", "running", "failed", "models.example.com said: quota of ada"
)


def make_status(**fields: object) -> Status:
    return Status(make_submission(**fields), None, None, (QUOTE,), None, SCORES, past=PAST)


def test_figures_over_so_few_items_that_they_tell_about_answers_are_their_owners_alone() -> None:
    shown = hide_from_strangers(make_status())
    assert [score.slice for score in shown.scores] == ["overall", "sct", "tat"]
    assert [one.value for one in shown.past] == [0.5, None]
    assert [one.signature for one in shown.past] == ["new", "old"], "that it was scored is no secret"


def test_version_that_is_no_longer_served_shows_no_counted_figure() -> None:
    assert [score.slice for score in hide_from_strangers(make_status(version="0.1")).scores] == ["tat"]


@pytest.mark.parametrize("is_asked", [True, False])
def test_words_of_an_endpoint_are_its_owners_alone(is_asked: bool) -> None:
    status = make_status()
    if is_asked:
        endpoint = object.__new__(EndpointRecord)
        status = Status(status.submission, None, None, (QUOTE,), None, SCORES, endpoint=endpoint)
    shown = hide_from_strangers(status)
    assert shown.endpoint is None
    assert ("ada" in shown.events[0].text) != is_asked
