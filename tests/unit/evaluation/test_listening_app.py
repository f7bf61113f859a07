"""Listener endpoint without a network: disconnected clients, and shutdown."""

import asyncio
import json
import threading
from collections.abc import Iterable
from typing import Any

import pytest

from evaluation.listeners.server.endpoint_app import ListeningApp
from evaluation.listeners.server.server_replies import ServerReply
from evaluation.listeners.server.worker_threads import OverloadedError, Workers
from tests.support.endpoints.answering import EchoListener, WaitingListener, make_request, text_part

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/v1/chat/completions",
    "headers": [(b"content-type", b"application/json")],
}


class Exchange:
    """One request of an ASGI server, with its incoming and sent messages."""

    def __init__(self, *incoming: dict[str, Any]) -> None:
        self.incoming: asyncio.Queue[Any] = asyncio.Queue()
        self.sent: list[Any] = []
        self.add(incoming)

    def add(self, incoming: Iterable[dict[str, Any]]) -> None:
        for message in incoming:
            self.incoming.put_nowait(message)

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    async def run(self, app: ListeningApp) -> None:
        await app(SCOPE, self.incoming.get, self.send)


def body(text: str) -> dict[str, Any]:
    content = json.dumps(make_request(text_part(text), model="waits")).encode()
    return {"type": "http.request", "body": content, "more_body": False}


DISCONNECT = {"type": "http.disconnect"}


async def acquire(semaphore: threading.Semaphore) -> None:
    assert await asyncio.to_thread(semaphore.acquire, timeout=30)


def test_request_of_a_disconnected_client_is_not_processed() -> None:
    async def run() -> None:
        waits = WaitingListener()
        app = ListeningApp({"waits": waits}, Workers(1, 4))
        first, abandoned, last = Exchange(body("1")), Exchange(body("2"), DISCONNECT), Exchange(body("3"))
        running = asyncio.ensure_future(first.run(app))
        await acquire(waits.asked)
        await abandoned.run(app)
        assert abandoned.sent == []
        waiting = asyncio.ensure_future(last.run(app))
        waits.may_answer.set()
        await asyncio.gather(running, waiting)
        assert [exchange.sent[0]["status"] for exchange in (first, last)] == [200, 200]
        await acquire(waits.asked)
        assert not waits.asked.acquire(blocking=False), "the listener never receives the second request"

    asyncio.run(run())


def test_client_that_disconnects_during_the_body_gets_no_reply() -> None:
    async def run() -> None:
        exchange = Exchange({"type": "http.request", "body": b"{", "more_body": True}, DISCONNECT)
        await exchange.run(ListeningApp({"echo": EchoListener()}, Workers(1, 4)))
        assert exchange.sent == []

    asyncio.run(run())


def test_request_cancelled_by_a_shutdown_gets_503() -> None:
    async def run() -> None:
        waits = WaitingListener()
        exchange = Exchange(body("1"))
        running = asyncio.ensure_future(exchange.run(ListeningApp({"waits": waits}, Workers(1, 4))))
        await acquire(waits.asked)
        running.cancel()
        await running
        waits.may_answer.set()
        assert exchange.sent[0]["status"] == 503
        assert b"The server is shutting down. Try again later." in exchange.sent[1]["body"]

    asyncio.run(run())


def test_workers_raise_the_error_of_a_job_and_continue() -> None:
    def fail() -> ServerReply:
        raise ZeroDivisionError

    async def run() -> None:
        workers = Workers(1, 1)
        with pytest.raises(ZeroDivisionError):
            await workers.run(fail)
        reply = ServerReply(200, (), ())
        assert await workers.run(lambda: reply) is reply

    asyncio.run(run())


def test_workers_accept_at_most_the_queue_limit() -> None:
    async def run() -> None:
        workers = Workers(1, 1)
        began, may_end = threading.Semaphore(0), threading.Event()

        def work() -> ServerReply:
            began.release()
            assert may_end.wait(60)
            return ServerReply(200, (), ())

        running = asyncio.ensure_future(workers.run(work))
        await acquire(began)
        waiting = asyncio.ensure_future(workers.run(work))
        await asyncio.sleep(0)  # lets it enter the queue
        with pytest.raises(OverloadedError):
            await workers.run(work)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        following = asyncio.ensure_future(workers.run(work))
        await asyncio.sleep(0)  # the queue has room again, although no job has finished
        may_end.set()
        assert [(await task).status for task in (running, following)] == [200, 200]

    asyncio.run(run())
