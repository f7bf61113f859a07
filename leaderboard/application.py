"""Server application: page and API behind one server, started once settings and data folder are valid."""

import gc
import logging
import socket

import uvicorn

from leaderboard.http.connections import make_protocol
from leaderboard.http.guard.key_guard import install_key_guard
from leaderboard.pages.page import PAGE_OPTIONS, build_opening, build_page
from leaderboard.services import build_services
from leaderboard.web import create_app
from settings import Settings

_GRACEFUL_SECONDS = 5
# Longer than the minute for which many proxies keep idle connections; closing one while they send causes a 502.
_KEEP_ALIVE_SECONDS = 75


class _Server(uvicorn.Server):
    """A server that reports its address once it can be reached."""

    async def startup(self, sockets: object = None) -> None:
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            print(f"Earshot is at http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)  # noqa: T201 - for who starts it


def serve(settings: Settings, listening: socket.socket | None = None) -> None:
    """Serve until stopped, on an open socket or on the configured address."""
    install_key_guard()
    # It would log a line for each malformed form, which anyone can send.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    services = build_services(settings)
    page = build_page(services)
    app = create_app(services, page, PAGE_OPTIONS, build_opening(services, page), warms_up=True)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        # A warning for each malformed request would let strangers fill the log.
        log_level="error",
        http=make_protocol(settings.trusted_proxies),
        access_log=False,
        server_header=False,
        # The guard removes forwarded headers; uvicorn must not trust them before.
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_GRACEFUL_SECONDS,
    )
    # Objects created so far are permanent. Otherwise the garbage collector would scan them all now and then, and block
    # every request for a quarter of a second.
    gc.freeze()
    gc.enable()
    _Server(config).run([listening] if listening is not None else None)
