"""Masthead of the page: name, purpose, current user, and a warning if data would be lost."""

from db.records import UserRecord
from leaderboard.assets import ASSETS_DIR
from leaderboard.pages.shell.sign_in_markup import render_header_account
from leaderboard.rendering.templating import Markup, render_macro
from settings import Settings

TAGLINE = "The open leaderboard for audio reasoning."
QUESTION = "How well do models hear motion, time, space and their own mistakes?"
SUMMARY = f"{TAGLINE} {QUESTION}"
_TEMPLATE = "pages/shell/masthead.html"
_LOGO = Markup((ASSETS_DIR / "logo.svg").read_text(encoding="utf-8"))


def render_masthead(user: UserRecord | None = None) -> Markup:
    """Return the masthead."""
    return render_macro(_TEMPLATE, "masthead", _LOGO, TAGLINE, QUESTION, render_header_account(user))


def render_durability(settings: Settings) -> Markup | None:
    """Return the warning that changes would not survive a restart; None if they always do.

    With a replica it is hidden, and a script shows it while the replica lags.
    """
    has_replica = settings.replica_url is not None
    if settings.is_durable and not has_replica:
        return None
    return render_macro(_TEMPLATE, "replica_behind" if has_replica else "preview_server")
