"""Key guard, the last barrier: the web process refuses to open answer keys under any path."""

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
    permissions to hide), existing hard links, open descriptors, a link that changes between this check and the opening,
    a link that is named relative to a `dir_fd`, and code that opens files without the interpreter (extensions, child
    processes). The main protection is that this process does not know where the keys are; this barrier is for our
    mistakes, not for malicious code that already runs here.

    It receives every audit event of the interpreter, so the common case costs a single test.

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
        return False  # Not a path: opening it fails anyway.


def install_key_guard() -> None:
    """Refuse answer keys to this process from now on; this cannot be undone."""
    sys.addaudithook(refuse_answer_keys)
