"""The only way out to a stranger's host: one address, checked before, while and after it is connected to."""

from submissions.endpoints.transport.allowed_addresses import Target, is_public, parse_base_url
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.http_client import CallLimits, Transport, TransportResponse
from submissions.endpoints.transport.pinning import Resolve

__all__ = [
    "CallLimits",
    "Resolve",
    "Target",
    "Transport",
    "TransportError",
    "TransportResponse",
    "is_public",
    "parse_base_url",
]
