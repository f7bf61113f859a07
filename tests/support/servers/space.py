"""Double of a Space: a server with the Hub's variables behind an edge, with sign-in through a provider on loopback."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.edge import APP_HOST, SPACE, Edge, run_edge
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.server import Server
from tests.support.servers.signed_in_site import make_sign_in_settings
from tests.support.servers.warm_processes import WarmPython


@dataclass(frozen=True)
class Space:
    server: Server
    edge: Edge
    provider: OpenIdProvider


@contextmanager
def run_space(data_dir: Path, folder: Path, warm: WarmPython) -> Iterator[Space]:
    """Run a Space on a copy of a data folder.

    Args:
        data_dir: Data folder to copy.
        folder: Folder for the copy, the log and the certificate.
        warm: Python whose forks are its processes.
    """
    with run_provider() as provider:
        shutil.copytree(data_dir, folder / "data")
        settings = make_sign_in_settings(provider, public_url=f"https://{APP_HOST}")
        del settings["maintainers"]
        environment = {**SPACE, **{f"EARSHOT_{name.upper()}": str(value) for name, value in settings.items()}}
        environment |= {"EARSHOT_HOST": "127.0.0.1", "EARSHOT_PRODUCTION": "0"}
        server = Server(folder, environment, port=settings["port"], warm=warm).start()
        try:
            server.wait_until_ready(with_chance=False)
            with run_edge(server.url, folder) as edge:
                yield Space(server, edge, provider)
        finally:
            server.stop()
