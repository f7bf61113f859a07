"""The environment that each process gets: what it uses, and no secret that it does not."""

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

from settings import EVALUATOR_ONLY, OUR_FIELDS
from settings.sign_in import WEB_ONLY

# Prefixes of credentials that a process keeps only where it uses storage with this protocol.
_STORAGE_CREDENTIALS = {"hf": ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"), "s3": ("AWS_",)}
CLIENT_TOKEN = "EARSHOT_TOKEN"  # noqa: S105 - the name of a variable
# Of other programs, and of the command line; no process of a server uses them.
_OTHER_CREDENTIALS = ("OPENAI_", "ANTHROPIC_", CLIENT_TOKEN)
_PROGRAM_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR")


def web_environment() -> dict[str, str]:
    """Return this process's environment without what a web process may not know, or does not use."""
    withheld = tuple(_list_unused("s3", "EARSHOT_STORAGE_URL"))
    return {
        name: value
        for name, value in _child_environment().items()
        if name.upper() not in EVALUATOR_ONLY and not name.upper().startswith(withheld)
    }


def evaluator_environment() -> dict[str, str]:
    """Return this process's environment without what only a web process uses, such as the secret of sign-in."""
    return {name: value for name, value in _child_environment().items() if name.upper() not in WEB_ONLY}


def _child_environment() -> dict[str, str]:
    """Return this process's environment without variables of ours that mean nothing, which were warned of already.

    Credentials of a storage are left out where neither uploads nor answer keys are there. The replica has a process of
    its own, and answer keys on the Hub have EARSHOT_KEYS_TOKEN.

    Matrix products run in one thread unless the variable is set: on a busy machine, several threads wait for one
    another, and a board takes ten times as long.
    """
    of_bucket = _list_unused("s3", "EARSHOT_STORAGE_URL", "EARSHOT_ANSWER_KEYS")
    withheld = (*_OTHER_CREDENTIALS, *_list_unused("hf", "EARSHOT_STORAGE_URL"), *of_bucket)
    known = {name: value for name, value in os.environ.items() if not _is_odd(name)}
    known = {name: value for name, value in known.items() if not name.upper().startswith(withheld)}
    return {"OPENBLAS_NUM_THREADS": "1"} | known


def _list_unused(protocol: str, *variables: str) -> tuple[str, ...]:
    """Return the prefixes of a protocol's credentials where none of these addresses uses it, else nothing."""
    urls = [value for name, value in os.environ.items() if name.upper() in variables]
    # Protocols may be chained, as in `simplecache::s3://`.
    used = {url.partition("://")[0].rpartition("::")[2].lower() for url in urls}
    return () if protocol in used else _STORAGE_CREDENTIALS[protocol]


def listener_environment() -> dict[str, str]:
    """Return what the process of our own listeners may know: where programs and languages are, and nothing of ours."""
    known = {name: os.environ[name] for name in _PROGRAM_VARIABLES if name in os.environ}
    return {"OPENBLAS_NUM_THREADS": "1"} | known


def pack_environment(answer_keys_dir: Path) -> dict[str, str]:
    """Return what the process that renders question packs may know: where programs are, and the answer keys."""
    return listener_environment() | {"EARSHOT_ANSWER_KEYS": str(answer_keys_dir.absolute())}


def find_client_token() -> str | None:
    """Return the personal token that the command line sends, if one is set; no server reads it."""
    return os.environ.get(CLIENT_TOKEN) or None


def find_hub_token() -> str | None:
    """Return the submitter's own token of the Hub, which `propose` sends to the Hub alone."""
    return os.environ.get("HF_TOKEN") or None


def list_odd_variables() -> Iterator[str]:
    """Yield a sentence for every variable of ours that is set and has no effect."""
    # Compared without what all of them begin with, or every one would look like another.
    known = [field.upper() for field in OUR_FIELDS]
    known.append(CLIENT_TOKEN.removeprefix("EARSHOT_"))
    for name in sorted(name for name, value in os.environ.items() if value and _is_odd(name)):
        close = difflib.get_close_matches(name.upper().removeprefix("EARSHOT_"), known, n=1)
        hint = f" Did you mean EARSHOT_{close[0]}?" if close else ""
        yield f"{name} is not an Earshot setting and has no effect.{hint}"


def _is_odd(name: str) -> bool:
    is_ours = name.upper().startswith("EARSHOT_") and name.upper() != CLIENT_TOKEN
    return is_ours and name.upper().removeprefix("EARSHOT_").lower() not in OUR_FIELDS
