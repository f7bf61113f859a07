"""Querying an endpoint: sends questions, stores responses as they arrive, and reports why a run stops early."""

from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.probing import Probe, ProbeResult, probe
from submissions.endpoints.querying.query_records import (
    EndpointConfig,
    EndpointReply,
    ItemQuery,
    ItemResponse,
    Progress,
    QueryRunResult,
    RunFailure,
    describe_endpoint,
)
from submissions.endpoints.querying.retry_policy import RetryPolicy

__all__ = [
    "EndpointConfig",
    "EndpointReply",
    "ItemQuery",
    "ItemResponse",
    "Means",
    "Probe",
    "ProbeResult",
    "Progress",
    "QueryRunResult",
    "RetryPolicy",
    "RunFailure",
    "describe_endpoint",
    "probe",
    "query_all",
]
