"""The only way out to a stranger's host: one address, checked before, while and after it is connected to."""

from submissions.transport.addresses import Target, is_public, parse_base_url
from submissions.transport.client import Answer, Limits, Transport
from submissions.transport.errors import TransportError
from submissions.transport.pinning import Resolve

__all__ = ["Answer", "Limits", "Resolve", "Target", "Transport", "TransportError", "is_public", "parse_base_url"]
