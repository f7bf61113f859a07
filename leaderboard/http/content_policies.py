"""Content Security Policies: what a browser may load and run, for each kind of response.

The guard adds to each who may frame it. docs/security.md says what Gradio's page needs and why.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping

POLICY_HEADER = "Content-Security-Policy"

_NOTHING = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
# Browsers ask for an icon of every page.
_PAGE = _NOTHING | {"img-src": "'self'"}
# Everything that is no page: data, files, redirects. The browser makes a page around a sound or picture opened alone.
_DATA = _PAGE | {"media-src": "'self'"}
# Trusted Types without any policy: no script can make markup or code of a text.
_TRUSTED_TYPES = {"require-trusted-types-for": "'script'", "trusted-types": "'none'"}
_FRAMES = "frame-ancestors"


def write_policy(directives: Mapping[str, str]) -> str:
    """Return a policy as the value of its header."""
    return "; ".join(f"{name} {value}" for name, value in directives.items())


DATA_POLICY = write_policy(_DATA)


def hash_source(text: str) -> str:
    """Return the source expression that allows an inline script or style with exactly this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def write_document_policy(style: str) -> str:
    """Return the policy of a page of ours without scripts: it loads nothing, and has one style element."""
    return write_policy(_PAGE | {"style-src": hash_source(style)} | _TRUSTED_TYPES)


def write_gallery_policy(style: str) -> str:
    """Return the policy of a page of ours with our own scripts, sounds and a form."""
    allowed = {
        "script-src": "'self'",
        "style-src": hash_source(style),
        "connect-src": "'self'",
        "media-src": "'self' blob:",
        "form-action": "'self'",
    }
    return write_policy(_PAGE | allowed | _TRUSTED_TYPES)


def write_gradio_policy(inline_scripts: Iterable[str]) -> str:
    """Return the policy of Gradio's page with its inline scripts.

    Gradio compiles templates and each event's `js=` with `Function`, and it and Plotly write style elements and
    attributes, so these two stay allowed.
    """
    scripts = dict.fromkeys(map(hash_source, inline_scripts))
    return write_policy(
        {
            "default-src": "'self'",
            "script-src": " ".join(("'self'", *scripts, "'unsafe-eval'")),
            "script-src-attr": "'none'",
            "style-src": "'self' 'unsafe-inline'",
            "img-src": "'self' data: blob:",
            "font-src": "'self' data:",
            "media-src": "'self' data: blob:",
            "worker-src": "'self' blob:",
            "connect-src": "'self'",
            "object-src": "'none'",
            "base-uri": "'self'",
            "form-action": "'self'",
        }
    )


def add_frame_ancestors(policy: str, ancestors: Iterable[str]) -> str:
    """Return a policy with the sites that may frame the response.

    Only the policy says so: `X-Frame-Options` cannot name another site.
    """
    return f"{policy}; {_FRAMES} {' '.join(ancestors)}"


def replace_policy(present: str, policy: str) -> str:
    """Return another policy for a response, framed by the same sites."""
    frames = [directive for directive in present.split("; ") if directive.startswith(f"{_FRAMES} ")]
    return "; ".join([policy, *frames])
