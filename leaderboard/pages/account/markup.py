"""Markup of the Account tab: tokens and sessions. Pure."""

from collections.abc import Sequence
from datetime import datetime

from db.identity_records import SessionRecord
from db.records import TokenRecord
from leaderboard.rendering.formatting import NONE
from leaderboard.rendering.templating import Markup, render_macro, render_template


def render_sessions(sessions: Sequence[SessionRecord], current: str | None, now: datetime) -> Markup:
    """Return a user's sessions, each with a button that ends it; `current` is the session of this page."""
    return render_template("pages/account/sessions.html", sessions=sessions, current=current, now=now)


def render_tokens(tokens: Sequence[TokenRecord], now: datetime) -> Markup:
    """Return a user's tokens."""
    return render_template("pages/account/tokens.html", tokens=tokens, now=now)


def render_new_token(secret: str) -> Markup:
    """Return a new token, which is shown only once."""
    return render_macro("pages/account/notes.html", "new_token", secret)


def list_token_choices(tokens: Sequence[TokenRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each token."""
    return [(f"{token.id} · {token.label or NONE}", str(token.id)) for token in tokens]
