"""Tokens and sessions of an account. Pure: records in, HTML out."""

from collections.abc import Sequence
from datetime import datetime

from db.identity_records import SessionRecord
from db.records import TokenRecord
from leaderboard.html_elements import Markup, element, since, table


def render_sessions(sessions: Sequence[SessionRecord], current: str | None, now: datetime) -> Markup:
    """Return where somebody is signed in, with a button each to end that; `current` is the session of this page."""
    words = element("p", "Browsers where you are signed in. Revoke any that you do not recognise.", class_="es-quiet")
    rows = [
        [
            since(session.created_at, now),
            "–" if session.last_used_at is None else f"{session.last_used_at:%Y-%m-%d %H}:00 UTC",
            element("b", "This browser") if session.id == current else None,
            element("button", "Revoke", class_="es-button", type="button", data_revoke=session.id),
        ]
        for session in sessions
    ]
    listed = table(["Signed in", "Last used", "", ""], rows, numbers_from=9, caption="Sessions")
    alert = element("p", "", class_="es-error", role="alert")
    return element("div", words, listed, alert, data_testid="sessions")


def render_tokens(tokens: Sequence[TokenRecord], now: datetime) -> Markup:
    """Return somebody's tokens."""
    words = element(
        "p",
        "With a token, a program can submit, read, publish and withdraw on your behalf. Send it as ",
        element("code", "Authorization: Bearer esh_…"),
        " or ",
        element("code", "X-Earshot-Token: esh_…"),
        ".",
        class_="es-quiet",
    )
    if not tokens:
        return element("div", words, element("p", "No tokens yet."), data_testid="tokens")
    rows = ([token.id, token.label or None, since(token.created_at, now)] for token in tokens)
    listed = table(["ID", "Name", "Created"], rows, numbers_from=3, caption="Personal tokens")
    return element("div", words, listed, data_testid="tokens")


def render_new_token(secret: str) -> Markup:
    """Return a token that was just made: it is shown this once."""
    kept = element("code", secret, class_="es-secret", data_testid="new-token")
    return element("p", "Copy it now – you won't see it again: ", kept, role="status")


def list_token_choices(tokens: Sequence[TokenRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each token."""
    return [(f"{token.id} · {token.label or '–'}", str(token.id)) for token in tokens]
