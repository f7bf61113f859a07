"""Endpoint answers of the API: the endpoint, and the progress of querying it."""

from typing import Any

from db.endpoint_records import EndpointRecord


def describe_endpoint(record: EndpointRecord | None) -> dict[str, Any] | None:
    """Return an endpoint as its owner and maintainers may see it, without the key."""
    if record is None:
        return None
    findings = [{"check": one["check"], "ok": one["is_ok"], "detail": one["detail"]} for one in record.findings or ()]
    return {
        "base_url": record.base_url,
        "model_name": record.model_name,
        "needs_key": record.wants_key,
        "concurrency": record.concurrency,
        "multi_audio": record.multi_audio,
        "audio_form": record.audio_form,
        "parts": None if record.parts is None else list(record.parts),
        "findings": findings,
        "asking": _describe_querying(record),
    }


def _describe_querying(record: EndpointRecord) -> dict[str, Any] | None:
    progress = record.progress
    if progress is None:
        return None
    return {
        "questions": progress["n_questions"],
        "answered": progress["n_done"],
        "abandoned": progress["n_abandoned"],
        "calls": progress["n_calls"],
        "per_second": progress["per_second"],
        "failures": dict(progress["failures"]),
        "truncated": progress["n_truncated"],
        "tokens_in": progress["tokens_in"],
        "tokens_out": progress["tokens_out"],
    }
