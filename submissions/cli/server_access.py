"""Options of server and user, and the connection that they describe."""

import argparse
import getpass
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from submissions.cli.login_commands import find_stored_token
from submissions.client import Client, UsageError, connect


def add_server_options(command: argparse._ActionsContainer) -> None:
    """Add the options of a server, and of a token for it."""
    command.add_argument("--url", help="server URL; default: the server on this machine")
    text = "access token; default: EARSHOT_TOKEN, then the token saved by login; a server on this machine needs none"
    command.add_argument("--token", help=text)


def add_person_option(command: argparse._ActionsContainer) -> None:
    """Add the option for a user of a server on this machine."""
    command.add_argument(
        "--as",
        dest="name",
        metavar="NAME",
        help=(
            "user name for a server on this machine that needs no token; default: your user name here, or a "
            "maintainer's for reevaluate"
        ),
    )


def find_user_name() -> str | None:
    """Return the user of this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without an account, as in some containers
        return None


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """Connects to the server of a command.

    Attributes:
        find_token: Returns the token of the environment.
        find_local: Returns host and port of the server on this machine.
    """

    find_token: Callable[[], str | None]
    find_local: Callable[[], tuple[str, int]]

    def connect(
        self, options: argparse.Namespace, find_name: Callable[[], str | None] = find_user_name
    ) -> AbstractContextManager[Client]:
        """Connect with a token, by the user name in `--as`, or by the default user."""
        url = self.find_url(options)
        if options.name is None:
            token = self.choose_token(options)
            return connect(url, token, None if token else find_name())
        if options.token is not None:
            raise UsageError(
                "--as and --token exclude each other, because a token identifies its user. Pass one of them."
            )
        return connect(url, None, options.name)

    def choose_token(self, options: argparse.Namespace) -> str | None:
        """Return the token of the command, of EARSHOT_TOKEN, or of an earlier login."""
        given = self.find_token() if options.token is None else str(options.token)
        return find_stored_token(self.find_url(options)) if given is None else given

    def find_url(self, options: argparse.Namespace) -> str:
        """Return the address of the server.

        Raises:
            UsageError: It is unknown.
        """
        if options.url is not None:
            return str(options.url)
        host, port = self.find_local()
        if port == 0:
            raise UsageError("EARSHOT_PORT is 0, so the server's address is unknown. Pass it with --url.")
        return f"http://{'[::1]' if host in ('::1', '::') else '127.0.0.1'}:{port}"
