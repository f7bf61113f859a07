"""Uvicorn server in a thread that stops immediately: uvicorn itself checks for a stop only ten times a second."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator

import uvicorn

_DATE_SECONDS = 1.0
_TICKS_A_SECOND = 10


class QuickServer(uvicorn.Server):
    """Server that stops as soon as it is asked to and its connections are closed."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.has_started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.has_started.set()

    async def main_loop(self) -> None:
        ticks = 0
        while not await self.on_tick(ticks):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._end.wait(), _DATE_SECONDS)
            ticks += _TICKS_A_SECOND

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
        for listening in sockets or []:
            listening.close()
        for server in self.servers:
            await server.wait_closed()
        await self.lifespan.shutdown()

    def stop(self) -> None:
        """Stop the server from another thread."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has stopped already
                self._loop.call_soon_threadsafe(self._end.set)


@contextlib.contextmanager
def run_in_thread(server: QuickServer, sockets: list[socket.socket] | None = None) -> Iterator[None]:
    """Run a server for the duration of the block."""
    thread = threading.Thread(target=server.run, args=(sockets,))
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join()
