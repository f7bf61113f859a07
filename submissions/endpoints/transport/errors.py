"""Errors on the way to an endpoint and back."""

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
    """A call without a usable answer. The message is fit for the owner of the endpoint; `kind` is for counting."""

    def __init__(self, kind: TransportKind, message: str) -> None:
        self.kind = kind
        super().__init__(message)
