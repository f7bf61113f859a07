"""Commands of editions: `pack` gets test questions, `close` has the files scored, `editions` lists them."""

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from submissions.cli.pack_download import download_pack
from submissions.cli.pack_progress import PackProgress
from submissions.client import Client, Json, ServerRefusedError

_OUT = Console(highlight=False)
_ERR = Console(stderr=True, highlight=False)
_NOT_READY = 503
Connect = Callable[[argparse.Namespace], AbstractContextManager[Client]]


def add_edition_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_options: Callable[[argparse.ArgumentParser], None],
    connect: Connect,
) -> None:
    """Add the commands.

    Args:
        commands: Where to add them.
        add_options: Adds the options of server and user.
        connect: Connects by these options.
    """
    pack = commands.add_parser("pack", help="get test questions that are rendered for you and used once")
    pack.add_argument("--benchmark", required=True)
    pack.add_argument("--version", help="benchmark version; default: the first that is open on the server")
    pack.add_argument("--out", metavar="PACK.zip", type=Path, required=True)
    pack.add_argument("--edition", metavar="ID", help="download this edition again instead of requesting one")
    pack.add_argument("--new", action="store_true", help="request an edition even if you have an unused one")
    pack.set_defaults(run=lambda options: _get_pack(options, connect))
    close = commands.add_parser("close", help="close an edition and score its files")
    close.add_argument("edition", metavar="EDITION")
    close.set_defaults(run=lambda options: _close(options, connect))
    listed = commands.add_parser("editions", help="list your editions")
    listed.set_defaults(run=lambda options: _list_editions(options, connect))
    for command in (pack, close, listed):
        add_options(command)


def _get_pack(options: argparse.Namespace, connect: Connect) -> int:
    with connect(options) as client:
        edition = download_edition(client, _choose_edition(client, options), options.out, _ERR)
    _OUT.print(f"{edition['id']}  {options.out}", soft_wrap=True)
    _ERR.print(
        f"Answer the {edition['items']:,} questions and submit the file; that closes the edition. To submit several "
        "models, pass --no-close and close the edition at the end.",
        soft_wrap=True,
    )
    return os.EX_OK


def download_edition(client: Client, edition: Json, out: Path, console: Console) -> Json:
    """Wait until the pack of an edition is rendered, and download it; return the edition.

    Raises:
        ClientError: It cannot be rendered or downloaded.
    """
    with PackProgress(console, f"Edition {edition['id']}") as progress:
        is_complete = False
        while not is_complete:
            edition = client.wait_for_pack(edition["id"], lambda status: _show_rendering(progress, status))
            is_complete = _download(client, edition["id"], out, progress)
    return edition


def _download(client: Client, edition_id: str, out: Path, progress: PackProgress) -> bool:
    """Download a pack; return False if it was deleted, which makes the server render it again."""
    try:
        download_pack(client, edition_id, out, progress.show_download)
    except ServerRefusedError as error:
        if error.status != _NOT_READY:
            raise
        return False
    return True


def _choose_edition(client: Client, options: argparse.Namespace) -> Json:
    """Return the requested edition, an unused one of this benchmark, or a new one."""
    if options.edition is not None:
        return client.find_edition(options.edition)
    if not options.new and (unused := find_unused_edition(client, options.benchmark, options.version)) is not None:
        _ERR.print(f"You have not used edition {unused['id']} yet. --new requests another.", soft_wrap=True)
        return unused
    _show_limits(client, options)
    return client.request_edition(options.benchmark, options.version)


def _show_limits(client: Client, options: argparse.Namespace) -> None:
    """Show how many editions the user may still request; a server of an earlier release does not say."""
    fields = {"benchmark": options.benchmark} | ({"version": options.version} if options.version else {})
    limits = client.find_limits(fields)
    if (editions := limits.get("editions")) and editions["left"] is not None:
        _ERR.print(f"{limits['benchmark']} {limits['version']}: {editions['text']}.", soft_wrap=True)


def find_unused_edition(client: Client, benchmark: str, version: str | None) -> Json | None:
    """Return an edition of yours without a file, the newest first, or None."""
    return next((one for one in client.list_editions() if _is_unused(one, benchmark, version)), None)


def _is_unused(edition: Json, benchmark: str, version: str | None) -> bool:
    same = edition["benchmark"] == benchmark and version in (None, edition["version"])
    return same and edition["state"] in ("queued", "making", "open") and not edition["submissions"]


def _show_rendering(progress: PackProgress, status: Json) -> None:
    before = (status["position"] or 1) - 1
    if before:
        progress.show_preparation(f"waiting for {before} other pack{'' if before == 1 else 's'}")
    elif status["state"] in ("queued", "making"):
        progress.show_preparation("rendering", status["progress"] or 0.0)


def _close(options: argparse.Namespace, connect: Connect) -> int:
    with connect(options) as client:
        edition = client.close_edition(options.edition)
    n_files = edition["submissions"]
    _OUT.print(f"{edition['id']}  {edition['state']}", soft_wrap=True)
    _ERR.print(f"{n_files} {'file is' if n_files == 1 else 'files are'} queued for scoring.", soft_wrap=True)
    return os.EX_OK


def _list_editions(options: argparse.Namespace, connect: Connect) -> int:
    with connect(options) as client:
        editions = client.list_editions()
    if not editions:
        _OUT.print("You have no editions. Get test questions: python -m submissions pack --benchmark B --out PACK.zip")
        return os.EX_OK
    table = Table("edition", "benchmark", "state", "files", "expires", box=None)
    for one in editions:
        name = f"{one['benchmark']} {one['version']}"
        cells = (one["id"], name, one["state"], str(one["submissions"]), (one["expires"] or "")[:10])
        table.add_row(*(Text(cell) for cell in cells))
    _OUT.print(table)
    return os.EX_OK
