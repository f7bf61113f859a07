"""Asking a model behind an endpoint: questions in, answers kept as they come, and a reason where they do not."""

from submissions.endpoints.querying.engine import Means, ask_all
from submissions.endpoints.querying.probing import Finding, Probe, probe
from submissions.endpoints.querying.query_records import (
    Asked,
    Ending,
    Endpoint,
    Progress,
    Question,
    Reply,
    Response,
    describe_endpoint,
)
from submissions.endpoints.querying.retry_policy import Patience

__all__ = [
    "Asked",
    "Ending",
    "Endpoint",
    "Finding",
    "Means",
    "Patience",
    "Probe",
    "Progress",
    "Question",
    "Reply",
    "Response",
    "ask_all",
    "describe_endpoint",
    "probe",
]
