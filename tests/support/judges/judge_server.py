"""Judge server on loopback with fault injection."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.judges.scripted_judge import HONEST, Part, find_mistake_seal, read

CHUNK = b"x" * 65_536


@dataclass(frozen=True)
class Fault:
    """Fault injected in place of a reply.

    Attributes:
        status: HTTP status.
        headers: Additional headers.
        body: Response body.
        manner: Kind of transfer: `whole`, `reset` midway, `endless`, or `slow` (nothing until the test ends).
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    manner: str = "whole"


def completion(text: str, **more: Any) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return json.dumps(whole | more).encode()


@dataclass
class JudgeServer:
    """Judge server, with the requests it received.

    Attributes:
        part: Scripted judge that grades.
        fault: Call number, request → fault; None for a normal reply.
        say: Verdict → text of the reply.
    """

    part: Part = field(default_factory=lambda: HONEST)
    fault: Callable[[int, dict[str, Any]], Fault | None] = lambda _number, _request: None
    say: Callable[[dict[str, Any]], str] = lambda verdict: json.dumps(verdict, ensure_ascii=False)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    in_flight: int = 0
    max_in_flight: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def take(self, request: dict[str, Any], headers: dict[str, str]) -> Fault:
        with self.lock:
            number = len(self.requests)
            self.requests.append(request)
            self.headers.append(headers)
        found = self.fault(number, request)
        if found is not None:
            return found
        if "ready" in request.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {}):
            return Fault(body=completion('{"ready": true}'))
        seal = find_mistake_seal(request["messages"])
        if seal is not None:
            return Fault(body=completion(self.say({"code": seal, "mistake": "perception"})))
        return Fault(body=completion(self.say(self.part.verdict(read(request["messages"])))))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the body waits for the acknowledgement of the header, for 40 ms.
    disable_nagle_algorithm = True
    server: "_Server"

    def do_POST(self) -> None:
        judge = self.server.judge
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with judge.lock:
            judge.in_flight += 1
            judge.max_in_flight = max(judge.max_in_flight, judge.in_flight)
        try:
            self._send(judge.take(request, {name.lower(): value for name, value in self.headers.items()}))
        finally:
            with judge.lock:
                judge.in_flight -= 1

    def _send(self, fault: Fault) -> None:
        if fault.manner == "slow":
            self.server.judge.over.wait(300)
            self.close_connection = True
            return
        self.send_response(fault.status)
        for name, value in ({"content-type": "application/json"} | fault.headers).items():
            self.send_header(name, value)
        if fault.manner == "endless":
            self.end_headers()
            self._send_endlessly()
            return
        self.send_header("content-length", str(len(fault.body) + (99 if fault.manner == "reset" else 0)))
        self.end_headers()
        self.wfile.write(fault.body)
        if fault.manner == "reset":
            # No linger: the client sees a reset instead of a normal close.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True

    def _send_endlessly(self) -> None:
        self.close_connection = True
        try:
            while not self.server.judge.over.is_set():
                self.wfile.write(CHUNK)
        except OSError:
            return

    def log_message(self, *_: Any) -> None:
        return


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    judge: JudgeServer


@contextmanager
def serve_judge(judge: JudgeServer) -> Iterator[JudgeServer]:
    """Serve on a free port for the duration of the block."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.judge = judge
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    judge.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield judge
    finally:
        judge.over.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
