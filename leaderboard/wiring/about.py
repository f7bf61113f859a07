"""Binds the About tab."""

from typing import Any

from leaderboard.handlers.about import About
from leaderboard.services import Services
from leaderboard.tabs.about import AboutTab
from leaderboard.wiring.events import QUIET


def wire_about(services: Services, tab: AboutTab, opened: Any) -> None:
    """Bind the About tab; `opened` is the tab that fills it when it is selected."""
    opened.select(About(services, tab).open_about, None, tab.judge, **QUIET)
