"""The head of the page: name, purpose, who is signed in, and a warning where data would be lost."""

from db.records import UserRecord
from leaderboard.assets import ASSETS_DIR
from leaderboard.html_elements import Markup, element
from leaderboard.pages.shell.sign_in_markup import render_header_account
from settings import Settings

_PREVIEW = "Preview server: submissions are lost on restart."
_BEHIND = "Changes are not copied to remote storage at the moment."


def render_masthead(user: UserRecord | None = None) -> Markup:
    """Return the head of the page."""
    logo = Markup((ASSETS_DIR / "logo.svg").read_text(encoding="utf-8"))
    home = element("a", logo, element("h1", "Earshot"), href="/", data_visit="", data_testid="home")
    more = element("span", " How well do models hear motion, time, space and their own mistakes?")
    tagline = element("p", "The open leaderboard for audio reasoning.", more, data_testid="tagline")
    return element("header", home, tagline, render_header_account(user), class_="es-masthead")


def render_durability(settings: Settings) -> Markup | None:
    """Return the line that says that changes would not survive a restart; None where they always do.

    With a replica it is hidden, and a script shows it while the replica is behind.
    """
    has_replica = settings.replica_url is not None
    if settings.is_durable and not has_replica:
        return None
    text = _BEHIND if has_replica else _PREVIEW
    hidden = "" if has_replica else None
    return element("p", text, class_="es-warning", role="note", data_testid="not-durable", hidden=hidden)
