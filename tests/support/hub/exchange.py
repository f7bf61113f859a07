"""Requests and replies of the Hub double, and the tokens that it accepts."""

import json
from dataclasses import dataclass
from typing import Any

WRITER, READER = "hf_writer_of_the_double", "hf_reader_of_the_double"


@dataclass(frozen=True)
class Reply:
    """A reply: status, JSON value or raw bytes, headers. `stalls` sends only the first half."""

    status: int = 200
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    stalls: bool = False

    def encode(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Received:
    """A received request."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
