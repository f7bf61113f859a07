"""Errors of the transport to endpoints."""

from typing import Literal

from submissions.errors import SubmissionError

TransportKind = Literal[
    "address",
    "dns",
    "connect",
    "tls",
    "timeout",
    "slow",
    "reset",
    "protocol",
    "redirect",
    "encoding",
    "too-large",
]


class TransportError(SubmissionError):
    """A call failed. The message is meant for the endpoint's owner; `kind` is for statistics."""

    def __init__(self, kind: TransportKind, message: str) -> None:
        self.kind = kind
        super().__init__(message)
