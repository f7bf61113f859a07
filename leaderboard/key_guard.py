"""A last barrier: the web process cannot open an answer key, whatever path somebody talks it into."""

import sys
from pathlib import Path

KEYS_FOLDER = "answer-keys"
_KEYS_FOLDER_BYTES = KEYS_FOLDER.encode()
_EVENTS = frozenset({"open", "os.listdir", "os.scandir"})


def refuse_answer_keys(event: str, args: tuple[object, ...]) -> None:
    """Refuse to open anything in a folder of answer keys.

    It hears of every audit event of the interpreter, so the common case must cost nothing: two tests.

    Raises:
        PermissionError: The path goes through such a folder.
    """
    if event not in _EVENTS:
        return
    path = args[0]
    # The search comes first: it costs a tenth of a microsecond, and hardly any path gets further.
    if isinstance(path, str):
        is_inside = KEYS_FOLDER in path and KEYS_FOLDER in Path(path).parts
    elif isinstance(path, bytes):
        is_inside = _KEYS_FOLDER_BYTES in path and _KEYS_FOLDER_BYTES in path.split(b"/")
    else:
        return  # a descriptor that is open already
    if is_inside:
        raise PermissionError("The web process does not open answer keys.")


def install_key_guard() -> None:
    """Refuse answer keys to this process from now on; nothing can take the refusal back."""
    sys.addaudithook(refuse_answer_keys)
