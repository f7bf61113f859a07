"""Event bindings of the About tab."""

from typing import Any

from leaderboard.pages.about.handlers import About
from leaderboard.pages.about.layout import AboutTab
from leaderboard.pages.shared.bindings import QUIET
from leaderboard.services import Services


def wire_about(services: Services, tab: AboutTab, opened: Any) -> None:
    """Bind the About tab; `opened` is the tab component, which fills it when it is selected."""
    opened.select(About(services, tab).open_about, None, tab.judge, **QUIET)
