"""Servers that break HTTP, or keep a call waiting, each with the kind of failure that a call ends with."""

import asyncio

from tests.support.endpoints.misbehaving import Behave, ServedRequest, always, make_reply, reset
from tests.support.endpoints.transport_calls import Writer


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


async def send_endlessly(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(chunk(b" " * 60_000))
        await writer.drain()


async def send_headers_endlessly(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"x-a: " + b"a" * 60 + b"\r\n")
        await writer.drain()


async def send_one_endless_header(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nx-a: ")
    while True:
        writer.write(b"a" * 10_000)
        await writer.drain()


async def drip(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(chunk(b" "))
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_headers(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nx-a: ")
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.05)


async def stall(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{")
    await asyncio.Event().wait()


async def say_nothing(_asked: ServedRequest, _writer: Writer) -> None:
    await asyncio.Event().wait()


async def go_on_endlessly(_asked: ServedRequest, writer: Writer) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.001)


async def break_off(_asked: ServedRequest, writer: Writer) -> None:
    reset(writer)


async def break_off_later(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{")
    await writer.drain()
    await asyncio.sleep(0.05)
    reset(writer)


async def close_early(_asked: ServedRequest, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{")
    writer.close()


async def close_at_once(_asked: ServedRequest, writer: Writer) -> None:
    writer.close()


MISBEHAVIOUR: dict[str, tuple[Behave, str]] = {
    "endless body": (send_endlessly, "too-large"),
    "announced body": (always(make_reply(headers={"content-length": "9999999999"})), "too-large"),
    "endless headers": (send_headers_endlessly, "protocol"),
    "one endless header": (send_one_endless_header, "protocol"),
    "drip": (drip, "slow"),
    "drip of headers": (drip_headers, "timeout"),
    "stall": (stall, "slow"),
    "silence": (say_nothing, "timeout"),
    "endless continuing": (go_on_endlessly, "timeout"),
    "reset": (break_off, "reset"),
    "reset in the body": (break_off_later, "reset"),
    "cut short": (close_early, "reset"),
    "closed": (close_at_once, "reset"),
    "no HTTP": (always(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "protocol"),
    "broken chunks": (always(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n"), "protocol"),
    "two lengths": (always(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"), "protocol"),
    "another protocol": (always(b"HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc"), "protocol"),
}
