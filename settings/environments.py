"""Minimal environment of each process: what it uses, and no other secrets."""

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

from settings import EVALUATOR_ONLY, OUR_FIELDS
from settings.sign_in import WEB_ONLY

# Credential prefixes that a process keeps only if it uses storage with this protocol.
_STORAGE_CREDENTIALS = {"hf": ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"), "s3": ("AWS_",)}
CLIENT_TOKEN = "EARSHOT_TOKEN"  # noqa: S105 - the name of a variable
# Variables of other programs and of the command line, which no server process uses.
_OTHER_CREDENTIALS = ("OPENAI_", "ANTHROPIC_", CLIENT_TOKEN)
_PROGRAM_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR")


def web_environment() -> dict[str, str]:
    """Return this process's environment for a web process, without secrets of other processes."""
    withheld = tuple(_list_unused("s3", "EARSHOT_STORAGE_URL"))
    return {
        name: value
        for name, value in _child_environment().items()
        if name.upper() not in EVALUATOR_ONLY and not name.upper().startswith(withheld)
    }


def evaluator_environment() -> dict[str, str]:
    """Return this process's environment for an evaluator, without web-only variables such as the sign-in secret."""
    return {name: value for name, value in _child_environment().items() if name.upper() not in WEB_ONLY}


def _child_environment() -> dict[str, str]:
    """Return this process's environment without unknown EARSHOT_ variables, which have been reported already.

    Storage credentials are omitted if neither uploads nor answer keys are stored there. The replica runs in its own
    process, and answer keys on the Hub use EARSHOT_KEYS_TOKEN.

    Matrix products use one thread unless the variable is set: on a busy machine several threads wait for each other,
    and a board takes ten times as long.
    """
    of_bucket = _list_unused("s3", "EARSHOT_STORAGE_URL", "EARSHOT_ANSWER_KEYS")
    withheld = (*_OTHER_CREDENTIALS, *_list_unused("hf", "EARSHOT_STORAGE_URL"), *of_bucket)
    variables = {name: value for name, value in os.environ.items() if not _is_odd(name)}
    variables = {name: value for name, value in variables.items() if not name.upper().startswith(withheld)}
    return {"OPENBLAS_NUM_THREADS": "1"} | variables


def _list_unused(protocol: str, *variables: str) -> tuple[str, ...]:
    """Return a protocol's credential prefixes if none of these addresses uses it, else nothing."""
    urls = [value for name, value in os.environ.items() if name.upper() in variables]
    # Protocols can be chained, as in `simplecache::s3://`.
    protocols = {url.partition("://")[0].rpartition("::")[2].lower() for url in urls}
    return () if protocol in protocols else _STORAGE_CREDENTIALS[protocol]


def listener_environment() -> dict[str, str]:
    """Return the environment of the reference systems' process: paths and locale, no EARSHOT_ variables."""
    variables = {name: os.environ[name] for name in _PROGRAM_VARIABLES if name in os.environ}
    return {"OPENBLAS_NUM_THREADS": "1"} | variables


def pack_environment(answer_keys_dir: Path) -> dict[str, str]:
    """Return the environment of the process that renders question packs: paths and the answer keys."""
    return listener_environment() | {"EARSHOT_ANSWER_KEYS": str(answer_keys_dir.absolute())}


def find_client_token() -> str | None:
    """Return the personal token for the command line, if set. Servers never read it."""
    return os.environ.get(CLIENT_TOKEN) or None


def find_hub_token() -> str | None:
    """Return the submitter's own Hub token, which `propose` sends to the Hub only."""
    return os.environ.get("HF_TOKEN") or None


def find_api_key(name: str) -> str | None:
    """Return the API key of a user's own model, from the variable that their command names. Servers never read it."""
    return os.environ.get(name) or None


def list_odd_variables() -> Iterator[str]:
    """Yield a warning for every EARSHOT_ variable that is set but has no effect."""
    # Compare without the common prefix, which would make all names look similar.
    names = [field.upper() for field in OUR_FIELDS]
    names.append(CLIENT_TOKEN.removeprefix("EARSHOT_"))
    for name in sorted(name for name, value in os.environ.items() if value and _is_odd(name)):
        close = difflib.get_close_matches(name.upper().removeprefix("EARSHOT_"), names, n=1)
        hint = f" Did you mean EARSHOT_{close[0]}?" if close else ""
        yield f"{name} is not an Earshot setting and has no effect.{hint}"


def _is_odd(name: str) -> bool:
    is_ours = name.upper().startswith("EARSHOT_") and name.upper() != CLIENT_TOKEN
    return is_ours and name.upper().removeprefix("EARSHOT_").lower() not in OUR_FIELDS
