"""Under which name this installation was asked, for addresses that leave it: in citations and exported files."""

import re

from starlette.types import Scope

# Stands in texts for the address that a visitor uses.
USUAL_ORIGIN = "http://127.0.0.1:7860"
_HOST = re.compile(r"([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


def find_origin(scope: Scope) -> str:
    """Return `https://host` as a request named it; empty where its Host header is no plain name.

    A visitor can claim any name, and gets it back in what he alone receives: such answers are kept by no shared cache.
    """
    host = next((value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"), "")
    return f"{scope['scheme']}://{host}" if _HOST.fullmatch(host) else ""
