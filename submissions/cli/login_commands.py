"""`login` and `logout` commands."""

import argparse
import os
import platform
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.text import Text

from submissions.cli.device_login import DeviceLogin, DeviceVerification
from submissions.cli.token_store import TokenStore
from submissions.client import Client, UsageError

_OUT = Console(highlight=False)
_MAX_NAME_CHARACTERS = 80


def add_login_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    find_url: Callable[[argparse.Namespace], str],
    add_verbose: Callable[[argparse.ArgumentParser], None],
) -> None:
    """Add the commands.

    Args:
        commands: Where to add them.
        find_url: Returns the address of the server.
        add_verbose: Adds `-v`.
    """
    for name, text, run in (
        ("login", "sign in through a browser and save a token for later commands", log_in),
        ("logout", "revoke the saved token and delete it", log_out),
    ):
        command = commands.add_parser(name, help=text)
        add_verbose(command)
        command.add_argument("--url", help="server URL; default: the server on this machine")
        command.set_defaults(run=lambda options, run=run: _run_for_server(run, find_url(options)))


def _run_for_server(run: Callable[[str, Console], None], url: str) -> int:
    run(url, _OUT)
    return os.EX_OK


def find_stored_token(url: str) -> str | None:
    """Return the token of an earlier login to a server."""
    stored = open_store().find_token(url)
    return None if stored is None else stored.token


def open_store() -> TokenStore:
    """Return the token store of the user who runs the command."""
    return TokenStore(Path.home() / ".config" / "earshot")


def log_in(url: str, console: Console) -> None:
    """Log in to a server in a browser, and store the token.

    Raises:
        ClientError: The login failed.
    """
    store = open_store()
    earlier = store.find_token(url)

    def show(verification: DeviceVerification) -> None:
        # Text: the provider's words are never interpreted as markup.
        console.print(Text(f"Open {verification.url} and enter the code {verification.code}"), soft_wrap=True)

    with closing(Client(url)) as client:
        token = DeviceLogin(client).run(f"login on {_name_machine()}", show)
    store.store_token(url, token)
    if earlier is not None:
        with closing(Client(url, token.token)) as client:
            client.revoke_token(earlier.id)
    console.print(f"Logged in to {url}.", soft_wrap=True)


def log_out(url: str, console: Console) -> None:
    """Revoke the token of a login, and delete it.

    Raises:
        UsageError: There is no login.
        ClientError: The server cannot be reached; the token is kept.
    """
    store = open_store()
    token = store.find_token(url)
    if token is None:
        raise UsageError(f"You are not logged in to {url}.")
    with closing(Client(url, token.token)) as client:
        client.revoke_token(token.id)
    store.remove(url)
    console.print(f"Logged out of {url}.", soft_wrap=True)


def _name_machine() -> str:
    name = platform.node()[:_MAX_NAME_CHARACTERS]
    return name if name and name.isprintable() else "another machine"
