"""Stub server that reads questions, discards them and replies after a delay: `python -m bench.answering SECONDS`.

It does as little as possible, so that the client dominates the measurement.
"""

import asyncio
import socket
import sys
from typing import cast

import uvloop

_BODY = (
    b'{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":'
    b'{"role":"assistant","content":"B","refusal":null},"logprobs":null,"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":900,"completion_tokens":1,"total_tokens":901}}'
)
_ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(_BODY), _BODY)
_END = b"\r\n\r\n"
_BUFFER_BYTES = 1 << 18


class _Answering(asyncio.BufferedProtocol):
    """One connection: sequential requests with a Content-Length."""

    buffer = bytearray(_BUFFER_BYTES)  # Shared by all connections: received data are processed before anything else.

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._head = b""
        self._left = -1  # Remaining bytes of the body; negative while reading a header.
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is one without declaring it.

    def get_buffer(self, _size: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, n_bytes: int) -> None:
        if self._left < 0:
            self._head += bytes(self.buffer[:n_bytes])
            place = self._head.find(_END)
            if place < 0:
                return
            head = self._head[:place].lower()
            n_bytes = len(self._head) - place - len(_END)
            self._left = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
            self._head = b""
        self._left -= n_bytes
        if self._left <= 0:
            self._left = -1
            asyncio.get_running_loop().call_later(self._seconds, self._answer)

    def _answer(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(_ANSWER)


async def _serve(seconds: float) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1024)
        server = await asyncio.get_running_loop().create_server(lambda: _Answering(seconds), sock=listening)
        print(listening.getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(float(sys.argv[1])))
