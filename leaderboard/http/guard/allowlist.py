"""Allow-list of the guard: every address that visitors can reach, with a reason on each line."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from leaderboard.http.content_policies import DATA_POLICY, POLICY_HEADER, add_frame_ancestors

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
    Rule("/.well-known/security.txt", "those who found a vulnerability look for a contact"),
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

_POLICY = POLICY_HEADER.lower().encode()
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


def find_rule(path: str) -> Rule | None:
    """Return the rule that allows an address, or None."""
    if ".." in path or "//" in path or "\\" in path or "\x00" in path:
        # No address of ours contains these; path traversal needs them.
        return None
    exact = _EXACT.get(path) or next((rule for pattern, rule in _PATTERNS if pattern.fullmatch(path)), None)
    return exact or next((rule for rule in _BELOW if path.startswith(rule.path)), None)


def security_headers(headers: Sequence[tuple[bytes, bytes]], frame_ancestors: Iterable[str]) -> Headers:
    """Return the headers of a response with its security headers.

    A page brings its own policy, and everything else gets that of data.
    """
    sent = [(name, value) for name, value in headers if name.lower() != _POLICY]
    own = [value.decode("latin-1") for name, value in headers if name.lower() == _POLICY]
    policy = add_frame_ancestors(own[0] if own else DATA_POLICY, frame_ancestors)
    return [*sent, (_POLICY, policy.encode("latin-1")), *_HEADERS]
