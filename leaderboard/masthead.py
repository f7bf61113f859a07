"""The head of the page: name, purpose, who is signed in, and a warning where data would be lost."""

from db.records import UserRecord
from leaderboard.assets import ASSETS_DIR
from leaderboard.markup import Markup, element
from leaderboard.sign_in_markup import render_header_account
from settings import Settings


def render_masthead(settings: Settings, user: UserRecord | None = None) -> Markup:
    """Return the head of the page."""
    logo = Markup((ASSETS_DIR / "logo.svg").read_text(encoding="utf-8"))
    home = element("a", logo, element("h1", "Earshot"), href="/", data_visit="", data_testid="home")
    more = element("span", " How well do models hear motion, time, space and their own mistakes?")
    tagline = element("p", "The open leaderboard for audio reasoning.", more, data_testid="tagline")
    masthead = element("header", home, tagline, render_header_account(user), class_="es-masthead")
    if settings.is_durable:
        return masthead
    warning = "This installation has no durable disk: submissions may be gone after its next restart."
    return Markup(masthead + element("p", warning, class_="es-warning", role="note", data_testid="not-durable"))
