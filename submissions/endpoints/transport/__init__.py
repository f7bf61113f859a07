"""Transport to untrusted hosts: a single address, checked before, during and after connecting."""

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
