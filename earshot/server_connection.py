"""Connections to a server: the same addresses and tokens as on the command line."""

import argparse
from contextlib import AbstractContextManager, closing

from settings import load_settings
from settings.environments import find_client_token
from submissions.cli.server_access import ServerAccess
from submissions.client import Client, ClientError, Json


def find_local() -> tuple[str, int]:
    """Return host and port of the server on this machine."""
    settings = load_settings()
    return settings.host, settings.port


ACCESS = ServerAccess(find_client_token, find_local)


def open_client(url: str | None, token: str | None) -> AbstractContextManager[Client]:
    """Connect to a server; without a token, only public rows can be read.

    Args:
        url: Address of the server; that on this machine by default.
        token: Access token; EARSHOT_TOKEN by default, then that of an earlier `login`.

    Raises:
        ClientError: The address is invalid.
    """
    options = argparse.Namespace(url=url, token=token)
    return closing(Client(ACCESS.find_url(options), ACCESS.choose_token(options)))


def require_fields(answer: Json, *names: str) -> Json:
    """Return an answer with certain fields.

    Raises:
        ClientError: One is missing.
    """
    if any(name not in answer for name in names):
        raise ClientError("The server did not answer like an Earshot server. Check the URL, and update this package.")
    return answer
