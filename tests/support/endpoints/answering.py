"""Listeners with known behaviour, requests to them, and an endpoint on a free loopback port."""

import base64
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import numpy as np

from evaluation.audio import encode_wav
from evaluation.listeners import Heard, Listener
from evaluation.listeners.server import make_server
from evaluation.listeners.server.serving import open_socket
from tests.support.servers.quick_server import QuickServer, run_in_thread

COMPLETIONS = "/v1/chat/completions"
JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class EchoListener:
    """Listener that describes its clips sample by sample, with the seed."""

    id: str = "echo"
    title: str = "Echo"

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        return " | ".join([f"seed {seed}", *map(_describe, heard)])


def _describe(piece: Heard) -> str:
    if isinstance(piece, str):
        return f"text {piece}"
    digest = hashlib.sha256(piece.samples.tobytes()).hexdigest()[:12]
    return f"sound {piece.samples.shape} {piece.samples.dtype} at {piece.rate} Hz, {digest}"


@dataclass(frozen=True)
class FailingListener:
    """Listener that raises an unexpected error quoting the prompt."""

    id: str = "fails"
    title: str = "Fails"

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        raise LookupError(f"{heard} {seed}")


@dataclass(frozen=True)
class WaitingListener:
    """Listener that answers only after it is released."""

    id: str = "waits"
    title: str = "Waits"
    may_answer: threading.Event = field(default_factory=threading.Event)
    asked: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def answer(self, heard: Sequence[Heard], seed: int = 0) -> str:
        self.asked.release()
        assert self.may_answer.wait(300)
        return f"{len(heard)} pieces, seed {seed}"


def make_wav(n_frames: int = 441, n_channels: int = 2, rate: int = 44_100, seed: int = 1) -> bytes:
    rng = np.random.default_rng(seed)
    return encode_wav(rng.integers(-9_000, 9_000, (n_frames, n_channels)).astype(np.int16), rate)


def text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def audio_part(content: bytes, form: str = "wav") -> dict[str, Any]:
    return {"type": "input_audio", "input_audio": {"data": base64.b64encode(content).decode(), "format": form}}


def url_part(content: bytes, kind: str = "audio/wav") -> dict[str, Any]:
    url = f"data:{kind};base64,{base64.b64encode(content).decode()}"
    return {"type": "audio_url", "audio_url": {"url": url}}


def make_request(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "echo", "messages": [{"role": "user", "content": list(parts)}], **fields}


@contextmanager
def run_endpoint(listeners: Sequence[Listener], api_key: str | None = None) -> Iterator[str]:
    """Serve listeners, and yield the address of the endpoint."""
    by_id: Mapping[str, Listener] = {listener.id: listener for listener in listeners}
    server = QuickServer(make_server(by_id, api_key).config)
    with open_socket("127.0.0.1", 0) as listening:
        # Connections made before the server runs wait in the backlog.
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with run_in_thread(server, [listening]):
            yield url


@contextmanager
def open_client(url: str, **options: Any) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, trust_env=False, timeout=120, **options) as client:
        yield client
