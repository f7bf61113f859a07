"""Web process: `python -m leaderboard`."""

import argparse
import gc
import logging
import socket
import sys

from command_line import add_verbose, end_process, is_verbose
from settings import Settings, SettingsError, load_settings
from submissions.errors import FolderInUseError
from submissions.operations.data_folder import share_folder
from submissions.operations.hardening import forbid_inspection
from submissions.operations.private_files import keep_files_private


def main() -> int:
    """Read the settings and serve."""
    parser = argparse.ArgumentParser(prog="python -m leaderboard", description=__doc__)
    parser.add_argument("--listening-socket", type=int, metavar="FD", help="inherited; created by the launcher")
    add_verbose(parser)
    options = parser.parse_args()
    descriptor: int | None = options.listening_socket
    forbid_inspection()
    keep_files_private()
    level = logging.INFO if is_verbose(options) else logging.WARNING
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        settings = load_settings()
        settings.require_fit_for_production()
        settings.make_data_dir()
    except SettingsError as error:
        return _refuse(str(error), 2)
    try:
        with share_folder(settings.data_dir):
            return _serve(settings, socket.socket(fileno=descriptor) if descriptor is not None else None)
    except FolderInUseError as error:
        return _refuse(str(error), 1)


def _serve(settings: Settings, listening: socket.socket | None) -> int:
    # The page takes seconds to import. Errors that prevent serving are reported before.
    # Nearly all objects created until the server runs are permanent: searching them for garbage takes 5 % of the start.
    gc.disable()
    from db.errors import DatabaseUnableError
    from leaderboard.application import serve

    try:
        serve(settings, listening)
    except DatabaseUnableError as error:
        return _refuse(f"The database cannot be used ({' '.join(str(error.orig).split())}).", 1)
    return 0


def _refuse(message: str, code: int) -> int:
    print(f"Error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    end_process(main())
