"""Transport calls to a test server, and checks that errors do not contain the API key."""

import asyncio
import traceback
from collections.abc import Sequence
from typing import Any

import aiohttp
import pytest

from submissions.endpoints.transport.allowed_addresses import Target, parse_base_url
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.http_client import CallLimits, Transport, TransportResponse
from submissions.endpoints.vault import Secret
from tests.support.endpoints.misbehaving import Behave, ScriptedServer, run_server

CANARY = "sk-canary-0123456789"
LIMITS = CallLimits(max_bytes=100_000, max_seconds=300.0, connect_seconds=300.0, grace_seconds=300.0)
# For servers that are too slow on purpose.
SLOW = CallLimits(grace_seconds=0.3, min_bytes_per_second=10_000)
SHORT = CallLimits(max_seconds=0.3)
Writer = asyncio.StreamWriter


def post(
    served: ScriptedServer | Target, pieces: Sequence[bytes] = (b"{}",), limits: CallLimits = LIMITS, **options: Any
) -> TransportResponse:
    target = served if isinstance(served, Target) else parse_base_url(served.url, allows_loopback=True)

    async def call() -> TransportResponse:
        async with Transport(target, Secret(CANARY), limits=limits, **options) as transport:
            return await transport.post("/chat/completions", pieces)

    return asyncio.run(call())


def fail(behave: Behave, **options: Any) -> TransportError:
    """Make a call that fails, and check that the error does not contain the key."""
    with run_server(behave) as served, pytest.raises(TransportError) as caught:
        post(served, **options)
    assert_no_key(caught.value)
    return caught.value


def assert_no_key(error: BaseException) -> None:
    assert CANARY not in "".join(traceback.format_exception(error))
    assert CANARY not in repr(error) + str(vars(error))
    # The library's exceptions hold the request with its headers, so none may be chained to ours.
    assert not isinstance(error.__context__, aiohttp.ClientError)
    assert error.__cause__ is None
