"""Allow-list of the guard: every address that visitors can reach, with a reason on each line."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

Headers = list[tuple[bytes, bytes]]


class Cap(Enum):
    """Limit of a request body."""

    EVENT = "event"
    SMALL = "small"
    UPLOAD = "upload"


class Rule(NamedTuple):
    """An address, or everything below it if it ends in `/`; `*` in an address stands for one segment."""

    path: str
    reason: str
    cap: Cap = Cap.SMALL


RULES = (
    Rule("/", "the page"),
    Rule("/healthz", "a platform asks whether we are alive"),
    Rule("/readyz", "a platform asks whether we can work"),
    Rule("/metrics", "a monitoring system reads"),
    Rule("/auth/", "signing in and out"),
    Rule("/login/callback", "the OpenID provider sends a visitor back"),
    Rule("/api/v1/submissions", "a file is submitted", Cap.UPLOAD),
    Rule("/api/v1/submissions/*/practice", "a file of practice answers is attached", Cap.UPLOAD),
    Rule("/api/v1/validations", "a file is checked", Cap.UPLOAD),
    Rule("/api/v1/admin/reported-rows", "a maintainer's file of rows", Cap.UPLOAD),
    Rule("/api/v1/", "the API"),
    Rule("/mcp", "agents read boards", Cap.EVENT),
    Rule("/embed/", "a board for other sites' pages"),
    Rule("/editions/", "the owner of an edition looks at its answers"),
    Rule("/static-earshot/", "our own scripts, styles, fonts and pictures"),
    Rule("/assets/", "Gradio's scripts"),
    Rule("/static/", "Gradio's fonts and pictures"),
    Rule("/theme.css", "Gradio's colours"),
    Rule("/favicon.ico", "browsers ask for it unbidden"),
    Rule("/manifest.json", "browsers read the page's name and icons; ours, not Gradio's"),
    Rule("/robots.txt", "crawlers ask for it"),
    Rule("/config", "Gradio's client reads the layout anew after a lost connection"),
    Rule("/gradio_api/run/", "every event: all have queue=False", Cap.EVENT),
    Rule("/gradio_api/heartbeat/", "held open by a page with session state, which is dropped when it closes"),
    Rule("/gradio_api/app_id", "Gradio's client asks after a lost connection, and then reloads the page"),
    Rule("/gradio_api/info", "gradio_client asks for an API; ours, not Gradio's, and says where one is"),
    Rule("/gradio_api/upload", "a file chosen on the page; ours, not Gradio's", Cap.UPLOAD),
    Rule("/gradio_api/upload_progress", "its progress bar"),
)
# Left out on purpose, all of Gradio: queue/ and call/ (can stop the queue for good), file= and file/ (serve any
# file that a function named), proxy= (fetches other hosts), stream/, cancel, reset, component_server (calls methods of
# components), deep_link (writes state to disk), custom_component/, dev/reload, run-history/, runs, startup-events,
# openapi.json, login, logout, token, user, monitoring, profiling, vibe-*, process_recording, pwa_icon.

_EXACT = {rule.path: rule for rule in RULES if rule.path == "/" or not rule.path.endswith("/")}
_PATTERNS = tuple(
    (re.compile(re.escape(rule.path).replace(r"\*", "[^/]+")), rule) for rule in RULES if "*" in rule.path
)
_BELOW = tuple(rule for rule in RULES if rule.path.endswith("/") and rule.path != "/")

FORWARDED = frozenset(
    {
        b"forwarded",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-prefix",
        b"x-forwarded-proto",
        b"x-forwarded-server",
        b"x-gradio-server",
        b"x-original-url",
        b"x-real-ip",
        b"x-rewrite-url",
    }
)

_POLICY = {
    "default-src": "'self'",
    # Gradio's page starts by inline scripts and compiles `js=` and HTML templates with Function.
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
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

# An embedded board is static HTML: it loads and runs nothing, and any site may frame it.
_EMBED_POLICY = {
    "default-src": "'none'",
    "style-src": "'unsafe-inline'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "*",
}


def find_rule(path: str) -> Rule | None:
    """Return the rule that allows an address, or None."""
    if ".." in path or "//" in path or "\\" in path or "\x00" in path:
        # No address of ours contains these; path traversal needs them.
        return None
    exact = _EXACT.get(path) or next((rule for pattern, rule in _PATTERNS if pattern.fullmatch(path)), None)
    return exact or next((rule for rule in _BELOW if path.startswith(rule.path)), None)


def content_security_policy(frame_ancestors: Iterable[str]) -> str:
    """Return the Content-Security-Policy: load everything from this host and nothing from elsewhere."""
    return _write_policy(_POLICY | {"frame-ancestors": " ".join(frame_ancestors)})


def security_headers(frame_ancestors: Iterable[str]) -> Headers:
    """Return the headers of all responses except embedded boards.

    Only the Content-Security-Policy says who may frame us: `X-Frame-Options` cannot name another site.
    """
    return _list_headers(content_security_policy(frame_ancestors))


def embed_headers() -> Headers:
    """Return the headers of embedded boards."""
    return _list_headers(_write_policy(_EMBED_POLICY))


def _write_policy(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def _list_headers(policy: str) -> Headers:
    named = (
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    )
    return [(name.encode(), value.encode()) for name, value in named]
