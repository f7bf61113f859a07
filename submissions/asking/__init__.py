"""Asking a model behind an endpoint: questions in, answers kept as they come, and a reason where they do not."""

from submissions.asking.engine import Means, ask_all
from submissions.asking.probing import Finding, Probe, probe
from submissions.asking.types import (
    Asked,
    Ending,
    Endpoint,
    Progress,
    Question,
    Reply,
    Response,
    describe_endpoint,
)
from submissions.asking.waiting import Patience

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
