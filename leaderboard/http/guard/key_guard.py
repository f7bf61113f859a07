"""A last barrier: the web process does not open answer keys, whatever path somebody talks it into."""

import os
import sys
from pathlib import Path

KEYS_FOLDER = "answer-keys"
_EVENTS = frozenset({"open", "os.chdir", "os.link", "os.listdir", "os.rename", "os.scandir"})


def refuse_answer_keys(event: str, args: tuple[object, ...]) -> None:
    """Refuse to open, list, enter, link or rename anything in a folder named `answer-keys`.

    It stops: every Python-level opening by a path, text or bytes, that goes through such a folder as written, or once
    `..` and symbolic links (of the file or of any folder above it) are followed.

    It does not stop: keys in a folder of another name (EARSHOT_ANSWER_KEYS; such a folder is for the system's own
    permissions to hide), hard links that exist already, descriptors that are open already, a link that is changed
    between this look and the opening, a link that is named relative to a `dir_fd`, and code that opens files past the
    interpreter (extensions, child processes). What keeps keys from this process in the first place is that nothing
    tells it where they are; this is for mistakes of ours, not for code that runs here with ill intent.

    It hears of every audit event of the interpreter, so the common case costs one test.

    Raises:
        PermissionError: The path goes through such a folder.
    """
    if event not in _EVENTS:
        return
    path = args[0]
    if isinstance(path, os.PathLike):
        path = os.fspath(path)
    if isinstance(path, str | bytes) and _goes_through(path):
        raise PermissionError("The web process does not open answer keys.")


def _goes_through(path: str | bytes) -> bool:
    written = os.fsdecode(path)
    if KEYS_FOLDER in Path(written).parts:
        return True
    try:
        return KEYS_FOLDER in Path(os.path.realpath(written)).parts
    except (OSError, ValueError):
        return False  # no path at all: opening it fails by itself


def install_key_guard() -> None:
    """Refuse answer keys to this process from now on; nothing can take the refusal back."""
    sys.addaudithook(refuse_answer_keys)
