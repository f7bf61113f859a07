"""HTTP server on a free loopback port that sends scripted bytes and records its requests."""

import asyncio
import json
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson


@dataclass(frozen=True)
class ServedRequest:
    """A received request: its number from 0, its head, and its body."""

    number: int
    head: str
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    @property
    def question(self) -> str:
        """First text part of the prompt."""
        texts = (part["text"] for part in self.json["messages"][0]["content"] if part["type"] == "text")
        return str(next(texts))


Behave = Callable[[ServedRequest, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ScriptedServer:
    """State of the server that tests inspect."""

    port: int
    asked: list[ServedRequest] = field(default_factory=list)
    n_connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


def make_reply(status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> bytes:
    """Return a complete HTTP response."""
    fields = {"content-type": "application/json", "content-length": str(len(body))} | dict(headers or {})
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} Whatever\r\n{lines}\r\n".encode() + body


def make_completion(text: object, **fields: object) -> bytes:
    """Return a chat completion with a text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 1}
    return make_reply(body=json.dumps({"choices": [choice], "usage": usage, "model": "m"} | fields).encode())


def always(reply: bytes) -> Behave:
    """Send the same bytes for every request."""

    async def behave(_asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        writer.write(reply)

    return behave


async def answer(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
    """Answer as a well-behaved server does, echoing the question."""
    writer.write(make_completion(f"re: {asked.question}"))


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset a connection."""
    writer.transport.abort()


QUIET_TURNS = 10


@contextmanager
def run_server(behave: Behave, certificate: ssl.SSLContext | None = None) -> Iterator[ScriptedServer]:
    """Serve until the block is left."""
    served, started, stop = ScriptedServer(0), threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    handling: list[asyncio.Task[None]] = []  # the loop itself closes them

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.n_connections += 1
        try:
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = int(head.lower().partition("content-length:")[2].split("\r\n", 1)[0])
                asked = ServedRequest(len(served.asked), head, await reader.readexactly(length))
                served.asked.append(asked)
                await behave(asked, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError, ssl.SSLError):
            pass  # the client has left, or the test is over
        finally:
            writer.transport.abort()

    writers: list[asyncio.StreamWriter] = []

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        handling.append(asyncio.create_task(handle(reader, writer)))

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=certificate, limit=2**20)
        served.port = server.sockets[0].getsockname()[1]
        started.set()
        await stop.wait()
        # Closing a server between accepting a connection and its first step leaks the socket, still open.
        for _ in range(QUIET_TURNS):
            await asyncio.sleep(0)
        server.close()
        n_quiet_turns = 0
        # An accepted connection passes through several iterations of the loop, at times without any task.
        while n_quiet_turns < QUIET_TURNS:
            # A task takes over its socket in its first step; a task cancelled before that would leave the socket open.
            await asyncio.sleep(0)
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            n_quiet_turns = 0 if tasks else n_quiet_turns + 1
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for writer in writers:
                writer.transport.abort()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert started.wait(300)
    try:
        yield served
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()
