"""Double of the Hub's edge: TLS, forwarded headers, CORS for any origin, and third-party pages that embed the app.

Chromium resolves every host name to it. It proxies `APP_HOST` to the app, embeds the app in a frame on `HUB_HOST` as
the Hub does, and serves test-defined pages with frames on every other host.
"""

import base64
import hashlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

import anyio
import httpx2
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.responses import HTMLResponse, Response
from starlette.types import Message, Receive, Scope, Send

HUB_HOST = "huggingface.co"
APP_HOST = "lab-earshot.hf.space"
SPACE = {"SYSTEM": "spaces", "SPACE_ID": "lab/earshot", "SPACE_HOST": f"{APP_HOST},earshot.example"}
_HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"upgrade"})
# Permissions of a Space's frame on the Hub.
_SANDBOX = (
    "allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-same-origin "
    "allow-scripts allow-storage-access-by-user-activation"
)
_HUB_PAGE = """<!doctype html><title>A Space on the Hub</title>
<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh }</style>
<iframe sandbox="%s"></iframe><script>
  const app = "https://%s";
  window.messages = [];
  window.addEventListener("message", ({ data, origin }) => {
    if (origin !== app || typeof data?.queryString !== "string") return;
    window.messages.push(data);
    history.replaceState(null, "", location.pathname + data.queryString + data.hash);
  });
  document.querySelector("iframe").src = app + "/" + location.search + location.hash;
</script>"""


@dataclass
class Edge:
    """Edge server of a test.

    Attributes:
        backend: Address of the app, such as `http://127.0.0.1:7860`.
        port: Port of the edge.
        pages: Host of another site → the HTML of its only page.
        fingerprint: Of the public key of its certificate: SHA-256 in Base64.
    """

    backend: str
    fingerprint: str
    port: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    _client: httpx2.AsyncClient | None = None

    @property
    def browser_flags(self) -> tuple[str, ...]:
        """Chromium flags that resolve every host name to the edge and trust its certificate; addresses stay."""
        return (
            f"--host-resolver-rules=MAP * 127.0.0.1:{self.port}, EXCLUDE 127.0.0.1",
            f"--ignore-certificate-errors-spki-list={self.fingerprint}",
        )

    def frame(self, host: str, address: str) -> str:
        """Embed an address in a page of another site, and return the address of that page."""
        self.pages[host] = f'<!doctype html><title>{host}</title><iframe src="{escape(address)}"></iframe>'
        return f"https://{host}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _run_lifespan(self._hold_client(), receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode()
        if host == APP_HOST:
            await self._pass_on(scope, receive, send)
        elif host == HUB_HOST:
            await HTMLResponse(_HUB_PAGE % (_SANDBOX, APP_HOST))(scope, receive, send)
        elif scope["path"] == "/" and host in self.pages:
            await HTMLResponse(self.pages[host])(scope, receive, send)
        else:
            await HTMLResponse("<!doctype html><title>Elsewhere</title>")(scope, receive, send)

    @asynccontextmanager
    async def _hold_client(self) -> AsyncIterator[None]:
        # The app may close a kept-alive connection while a request is in flight, a failure that no real edge would
        # show.
        limits = httpx2.Limits(max_keepalive_connections=0)
        async with httpx2.AsyncClient(trust_env=False, timeout=None, limits=limits) as self._client:
            yield

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = dict(scope["headers"]).get(b"origin")
        allowed = [
            (b"access-control-allow-origin", origin or b"*"),
            (b"access-control-allow-credentials", b"true"),
            (b"access-control-allow-headers", b"content-type"),
        ]
        if scope["method"] == "OPTIONS":
            headers = {name.decode(): value.decode() for name, value in allowed}
            await Response(status_code=204, headers=headers)(scope, receive, send)
            return
        assert self._client is not None
        path = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        body = await _read_body(receive)
        request = self._client.build_request(
            scope["method"], self.backend + path.decode("ascii"), headers=_forward(scope), content=body
        )
        answer = await self._client.send(request, stream=True)
        try:
            kept = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _HOP_BY_HOP]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": [*kept, *allowed]})
            await _stream(answer, receive, send)
        finally:
            await answer.aclose()


def _forward(scope: Scope) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in scope["headers"] if name not in _HOP_BY_HOP]
    # Two proxies sit between the visitor and a Space's container.
    return [
        *kept,
        (b"x-forwarded-proto", b"https,http,http"),
        (b"x-forwarded-host", APP_HOST.encode()),
        (b"x-forwarded-port", b"443"),
        (b"x-forwarded-for", f"203.0.113.7, {scope['client'][0]}".encode()),
    ]


async def _read_body(receive: Receive) -> bytes:
    pieces = []
    while True:
        message = await receive()
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


async def _stream(answer: httpx2.Response, receive: Receive, send: Send) -> None:
    """Forward chunks until the app or the visitor ends the response."""
    async with anyio.create_task_group() as group:
        group.start_soon(_wait_for_disconnect, receive, group.cancel_scope)
        async for piece in answer.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        group.cancel_scope.cancel()


async def _wait_for_disconnect(receive: Receive, scope: anyio.CancelScope) -> None:
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()
    scope.cancel()


async def _run_lifespan(context: Any, receive: Receive, send: Send) -> None:
    await receive()
    async with context:
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


@contextmanager
def run_edge(backend: str, folder: Path) -> Iterator[Edge]:
    """Run an edge in front of an app.

    Args:
        backend: Address of the app.
        folder: Folder for the certificate.
    """
    certificate, key, fingerprint = _write_certificate(folder)
    edge = Edge(backend, fingerprint)
    config = uvicorn.Config(
        edge,
        port=0,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=600,
    )
    server = uvicorn.Server(config)
    started = threading.Event()
    startup = server.startup

    async def start(*args: Any, **kwargs: Any) -> None:
        await startup(*args, **kwargs)
        started.set()

    server.startup = start  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert started.wait(60)
        edge.port = server.servers[0].sockets[0].getsockname()[1]
        yield edge
    finally:
        server.should_exit = True
        thread.join()


def _write_certificate(folder: Path) -> tuple[Path, Path, str]:
    """Write a self-signed certificate and its key, and return their paths and the fingerprint of the public key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, APP_HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(APP_HOST), x509.DNSName(HUB_HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "edge.pem", folder / "edge.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    paths[1].write_bytes(private)
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return *paths, base64.b64encode(hashlib.sha256(public).digest()).decode()
