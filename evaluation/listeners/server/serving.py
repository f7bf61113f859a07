"""Server of the endpoint: open a port, serve, shut down gracefully."""

import os
import signal
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import uvicorn

from evaluation.listeners.listener_types import Listener
from evaluation.listeners.server.endpoint_app import ListeningApp
from evaluation.listeners.server.errors import ListenError
from evaluation.listeners.server.worker_threads import Workers

N_WORKERS = os.cpu_count() or 1
MAX_WAITING = 256
LONGEST_KEY = 1_000
_BACKLOG = 2048
_GRACEFUL_SECONDS = 10


def serve(
    listeners: Mapping[str, Listener],
    host: str,
    port: int,
    show: Callable[[str], None],
    *,
    api_key: str | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; requests in progress are still answered.

    Args:
        listeners: Listeners by model ID.
        host: Address to bind.
        port: Port; 0 selects a free one.
        show: Called with one line that contains the address once the port is open.
        api_key: API key that clients must send; None accepts all clients.

    Raises:
        ListenError: The port cannot be opened.
    """
    with open_socket(host, port) as listening:
        server = make_server(listeners, api_key)
        _stop_on_signals(server)
        show(f"Listening at {_name(listening)}/v1 as {', '.join(listeners)}")
        server.run([listening])


def make_server(listeners: Mapping[str, Listener], api_key: str | None = None) -> uvicorn.Server:
    """Return a server that answers on the sockets passed to it."""
    app = ListeningApp(listeners, Workers(N_WORKERS, MAX_WAITING), api_key)
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_level="warning",
        # Its lines would contain client-supplied text.
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACEFUL_SECONDS,
    )
    return uvicorn.Server(config)


def open_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        ListenError: The address does not exist on this machine, or the port is in use.
    """
    try:
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            # A port whose last connections are closing counts as free.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(_BACKLOG)
        except BaseException:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "unknown address"
        raise ListenError(
            f"Port {port} of {host} cannot be opened ({reason}). Stop the program that uses it, choose another port "
            "with --port, or pass an address of this machine with --host."
        ) from error
    return listening


def read_api_key(path: Path) -> str:
    """Read the API key from a file.

    Raises:
        ListenError: The file contains no key.
    """
    with path.open("rb") as file:
        key = file.read(2 * LONGEST_KEY).strip().decode("latin-1")
    if not (1 <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable() and " " not in key):
        raise ListenError(
            f"{path}: the file must contain one key of up to {LONGEST_KEY:,} ASCII characters without spaces."
        )
    return key


def _stop_on_signals(server: uvicorn.Server) -> None:
    """Let signals stop the server, before uvicorn handles signals and after it has restored the handlers.

    Afterwards uvicorn raises the caught signal again, which would end the process as if it had been killed.
    """

    def stop(_number: int, _frame: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def _name(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
