"""The least that a client can do: the same bytes over and over, written without looking at the answers' content.

What it reaches is the ideal of a run on this machine, at this moment, next to everything else that runs.
"""

import asyncio
import time

import uvloop

_END = b"\r\n\r\n"


def time_raw_calls(port: int, body: bytes, n_calls: int, n_in_flight: int) -> float:
    """Return the calls per second of connections that each write a body, read the answer, and repeat."""
    request = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n%b" % (
        len(body),
        body,
    )
    left = iter(range(n_calls))

    async def call_repeatedly() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            writer.write(request)
            head = await reader.readuntil(_END)
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
            assert len(await reader.readexactly(length)) == length
        writer.close()
        await writer.wait_closed()

    async def call_at_once() -> None:
        await asyncio.gather(*(call_repeatedly() for _ in range(n_in_flight)))

    began = time.perf_counter()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(call_at_once())
    return n_calls / (time.perf_counter() - began)
