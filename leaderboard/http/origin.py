"""Origin of this installation, for links that leave it in citations and exported files."""

import re

from starlette.types import Scope

# Placeholder in texts for the address that a visitor uses.
USUAL_ORIGIN = "http://127.0.0.1:7860"
# Where the guard stores the configured origin; see `settings.public_url`.
OWN_ORIGIN = "earshot.origin"
_HOST = re.compile(r"([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


def find_origin(scope: Scope) -> str:
    """Return our `https://host` for links that leave: the configured origin, otherwise the request's.

    Without a configured origin a client can claim any host, but only its own, uncached responses contain it.
    """
    configured: str | None = scope.get(OWN_ORIGIN)
    return configured or find_request_origin(scope)


def find_request_origin(scope: Scope) -> str:
    """Return `https://host` from a request's Host header; empty if that is not a plain name."""
    host = next((value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"), "")
    return f"{scope['scheme']}://{host}" if _HOST.fullmatch(host) else ""
