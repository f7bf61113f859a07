"""Warm-up: after a start, the server requests its own slowest answers, so that no crowd of visitors waits for them."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

import httpx2
from starlette.types import ASGIApp

# The first visitor comes first.
_PAUSE_SECONDS = 2.0
_SECONDS = 60.0


@asynccontextmanager
async def run_warm_up(api: ASGIApp, paths: Iterable[str]) -> AsyncIterator[None]:
    """Request paths of the API one after the other while the block runs; answers fill the caches.

    Args:
        api: Application behind the guard, so that nothing is counted as a visit.
        paths: Paths to request; an error is left to the visitor who meets it.
    """
    task = asyncio.create_task(_request_all(api, paths))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _request_all(api: ASGIApp, paths: Iterable[str]) -> None:
    await asyncio.sleep(_PAUSE_SECONDS)
    transport = httpx2.ASGITransport(app=api, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=_SECONDS) as client:
        for path in paths:
            await client.get(path)
