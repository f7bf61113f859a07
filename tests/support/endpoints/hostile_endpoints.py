"""Endpoints that misbehave through a whole evaluation: a table of behaviours, and one server for all of them.

A behaviour begins with the first call of the endpoint check, or with the first question after an honest check.
"""

import asyncio
import gzip
import itertools
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tests.support.endpoints.broken_http import MISBEHAVIOUR
from tests.support.endpoints.misbehaving import (
    Behave,
    ScriptedServer,
    ServedRequest,
    always,
    answer,
    make_completion,
    make_reply,
    reset,
    run_server,
)
from tests.support.endpoints.transport_calls import Writer

N_PROBES = 4
HONEST = "honest"
# Reasons for which an evaluation may end, besides a score.
BROKEN, SLOW, BUSY, REJECTED = "endpoint-broken", "endpoint-slow", "endpoint-busy", "endpoint-rejected"
UNREACHABLE, UNAUTHORISED, NOT_FOUND = "endpoint-unreachable", "endpoint-unauthorised", "endpoint-not-found"
REDIRECT, NOT_READY, SCORED = "endpoint-redirect", "endpoint-not-ready", "scored"


@dataclass(frozen=True)
class Hostility:
    """A behaviour after an honest check, and how the evaluation ends: `scored`, or the code of a reason."""

    behave: Behave
    ending: str


def _say(body: bytes, **headers: str) -> Behave:
    return always(make_reply(body=body, headers={name.replace("_", "-"): value for name, value in headers.items()}))


def _fail(status: int, body: bytes = b"{}", **headers: str) -> Behave:
    return always(make_reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()}))


def _complete(text: str, **fields: object) -> Behave:
    return always(make_completion(text, **fields))


def _choose(content: str, rest: str = "") -> bytes:
    """Return a completion whose content is a piece of JSON as it stands."""
    return f'{{"choices": [{{"message": {{"content": {content}}}}}]{rest}}}'.encode()


async def _echo_head(asked: ServedRequest, writer: Writer) -> None:
    writer.write(make_completion(f"A {asked.head}", model=asked.head))


async def _answer_twice(_asked: ServedRequest, writer: Writer) -> None:
    """Send a second response that nobody asked for: it must not become that of the next question."""
    writer.write(make_completion("A") + make_completion("smuggled"))


async def _tire(asked: ServedRequest, writer: Writer) -> None:
    if N_PROBES <= asked.number < N_PROBES + 8:
        await answer(asked, writer)
    else:
        reset(writer)


async def _wait_and_answer(asked: ServedRequest, writer: Writer) -> None:
    await asyncio.sleep(0.2)
    await answer(asked, writer)


_OF_KINDS = {"timeout": SLOW, "slow": SLOW}
_CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n"

HOSTILE: dict[str, Hostility] = {
    **{f"http {name}": Hostility(behave, _OF_KINDS.get(kind, BROKEN)) for name, (behave, kind) in MISBEHAVIOUR.items()},
    "redirect to metadata": Hostility(_fail(307, location="http://169.254.169.254/latest/meta-data"), REDIRECT),
    "redirect to itself": Hostility(_fail(308, location="/v1/chat/completions"), REDIRECT),
    "redirect to a file": Hostility(_fail(301, location="file:///etc/passwd"), REDIRECT),
    "gzip bomb": Hostility(_say(gzip.compress(bytes(2_000_000)), content_encoding="gzip"), BROKEN),
    "compressed transfer": Hostility(always(_CHUNKED.replace(b"chunked", b"gzip, chunked") + b"\r\n0\r\n\r\n"), BROKEN),
    "chunks and a length": Hostility(always(_CHUNKED + b"content-length: 3\r\n\r\n0\r\n\r\nGET / HTTP/1.1"), BROKEN),
    "negative length": Hostility(_fail(200, content_length="-1"), BROKEN),
    "signed length": Hostility(_fail(200, content_length="+2"), BROKEN),
    "hundred cookies": Hostility(always(b"HTTP/1.1 200 OK\r\n" + b"set-cookie: a=b\r\n" * 100 + b"\r\n"), BROKEN),
    "no content": Hostility(_fail(204, b""), BROKEN),
    "part of a content": Hostility(_fail(206), BROKEN),
    "status 999": Hostility(_fail(999), BROKEN),
    "unauthorised": Hostility(_fail(401), UNAUTHORISED),
    "forbidden": Hostility(_fail(403), UNAUTHORISED),
    "not found": Hostility(_fail(404), NOT_FOUND),
    "payment required": Hostility(_fail(402), REJECTED),
    "teapot": Hostility(_fail(418), REJECTED),
    "too many requests": Hostility(_fail(429, retry_after="999999999999"), BUSY),
    "busy until 9999": Hostility(_fail(503, retry_after="Fri, 31 Dec 9999 23:59:59 GMT"), BROKEN),
    "busy since 1970": Hostility(_fail(429, retry_after="-1", date="Thu, 01 Jan 1970 00:00:00 GMT"), BUSY),
    "internal error": Hostility(_fail(500, b"<h1>" * 50_000), BROKEN),
    "error in an answer": Hostility(_say(b'{"error": {"message": "\x1b[2J\\u202e<script>", "code": "x"}}'), BROKEN),
    "error that looks like 401": Hostility(_say(b'{"error": {"code": 401}}'), UNAUTHORISED),
    "empty body": Hostility(_say(b""), BROKEN),
    "web page": Hostility(_say(b"<!doctype html><script>alert(1)</script>", content_type="text/html"), BROKEN),
    "event stream": Hostility(_say(b'data: {"choices": []}\n\n' * 99, content_type="text/event-stream"), BROKEN),
    "nested lists": Hostility(_say(b"[" * 290_000), BROKEN),
    "nested content": Hostility(_say(_choose("[" * 100_000 + "]" * 100_000)), BROKEN),
    "too many objects": Hostility(
        _say(_choose('""', ', "x": [' + ",".join(["{}"] * 90_000) + "]") + b"{" * 9_999), BROKEN
    ),
    "no choices": Hostility(_say(b'{"choices": []}'), BROKEN),
    "null": Hostility(_say(b"null"), BROKEN),
    "number as content": Hostility(_say(_choose("7")), BROKEN),
    "number of a million digits": Hostility(_say(_choose('"A"', ', "usage": ' + "9" * 250_000)), SCORED),
    "infinite usage": Hostility(_say(_choose('"A"', ', "usage": {"prompt_tokens": 1e999}')), SCORED),
    "negative usage": Hostility(
        _complete("A", usage={"prompt_tokens": -(10**18), "completion_tokens": 10**30}), SCORED
    ),
    "not a number": Hostility(_say(_choose("NaN")), BROKEN),
    "repeated fields": Hostility(_say(_choose('"A", "content": "B", "content": "C"')), SCORED),
    "NUL": Hostility(_complete("A\0" * 1_000), SCORED),
    "lone surrogate": Hostility(_say(_choose(r'"A \ud800 B"')), SCORED),
    "broken UTF-8": Hostility(_say(_choose('"A"').replace(b"A", b"A \xff\xfe")), SCORED),
    "UTF-16": Hostility(_say(_choose('"A"').decode().encode("utf-16")), BROKEN),
    "escape sequences": Hostility(_complete("\x1b]0;owned\x07\u202e\u2066\r\n\r\n<script>alert(1)</script>"), SCORED),
    "long text": Hostility(_complete("A " * 140_000), SCORED),
    "empty text": Hostility(_complete(""), SCORED),
    "refusal": Hostility(_say(b'{"choices": [{"message": {"content": null, "refusal": "No."}}]}'), SCORED),
    "unknown finish": Hostility(_say(_choose('"A"', ', "finish_reason": {"a": [1]}')), SCORED),
    "many parts": Hostility(_say(_choose("[" + ",".join(['{"text": "A"}'] * 15_000) + "]")), SCORED),
    "long model name": Hostility(_complete("A", model="m\n" * 90_000), SCORED),
    "formula": Hostility(_complete('=cmd|"/c calc"!A1'), SCORED),
    "key sent back": Hostility(_echo_head, SCORED),
    "second response": Hostility(_answer_twice, SCORED),
    "answers that end": Hostility(_tire, BROKEN),
    "slow answers": Hostility(_wait_and_answer, SCORED),
}


@dataclass
class HostileServer:
    """A server with a base URL for each case: a behaviour, during the endpoint check or after it.

    Attributes:
        served: The server.
        counts: Path of a case → number of its calls.
    """

    served: ScriptedServer
    counts: Counter[str]

    def find_url(self, case: str) -> str:
        return f"{self.served.url}/{case}"


def list_cases() -> dict[str, str]:
    """Return path → expected ending: every behaviour after the check, and those that fail in the check."""
    after = {_to_path("after", name): hostility.ending for name, hostility in HOSTILE.items()}
    during = {_to_path("during", name): NOT_READY for name, hostility in HOSTILE.items() if hostility.ending != SCORED}
    return after | during


def _to_path(moment: str, name: str) -> str:
    return f"{moment}/{name.replace(' ', '-')}"


@contextmanager
def run_hostile_server() -> Iterator[HostileServer]:
    """Serve every behaviour, each under a path of its own."""
    counts: Counter[str] = Counter()
    by_path = {
        _to_path(moment, name): (moment, hostility.behave)
        for (name, hostility), moment in itertools.product(HOSTILE.items(), ("during", "after"))
    }

    async def behave(asked: ServedRequest, writer: Writer) -> None:
        path = asked.head.split(" ")[1].removeprefix("/v1/").removesuffix("/chat/completions")
        number = counts[path]
        counts[path] += 1
        moment, chosen = by_path.get(path, ("", answer))
        is_honest = moment == "after" and number < N_PROBES
        await (answer if is_honest else chosen)(replace(asked, number=number), writer)

    with run_server(behave) as served:
        yield HostileServer(served, counts)
