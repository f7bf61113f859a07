"""Sample records as the database returns them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from db.records import ModelRecord, SubmissionRecord, UserRecord

NOW = datetime(2026, 1, 1, tzinfo=UTC)

_SCORED = SubmissionRecord(
    id="s-1",
    benchmark="audio-motion-bench",
    version="1.0",
    setting="default",
    source="submitted",
    lane="files",
    owner=UserRecord(1, "ada"),
    model=ModelRecord(1, "Model"),
    state="scored",
    visibility="public",
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
    fault=None,
    current_evaluation_id=1,
)


def make_submission(**fields: Any) -> SubmissionRecord:
    """Return a scored, public submission with some fields replaced."""
    return replace(_SCORED, **fields)
